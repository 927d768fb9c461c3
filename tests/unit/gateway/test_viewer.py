"""One client's stream: what is queued goes out joined, and who does not read is ended."""

import asyncio

import pytest

from belot_gateway import viewer as viewer_module
from belot_gateway.auth import Identity
from belot_gateway.viewer import BURST_LENGTH, QUEUE_LENGTH, Viewer
from belot_kit.errors import DomainError, Reason

IDENTITY = Identity("p", "Ana", 2**40)


class Pipe:
    """A client: takes messages while it is open, and blocks the writer while it is not."""

    def __init__(self, *, open_: bool) -> None:
        self.messages: list[bytes] = []
        self.blocked = asyncio.Event()
        self.opened = asyncio.Event()
        if open_:
            self.opened.set()

    async def write(self, message: bytes) -> None:
        self.blocked.set()
        await self.opened.wait()
        self.messages.append(message)


async def test_everything_queued_leaves_in_one_message() -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=True)
    for number in range(10):
        viewer.offer(bytes([number]))
    viewer.finish()
    await viewer.run(pipe.write)
    assert pipe.messages == [bytes(range(10))]


async def test_what_comes_during_a_write_leaves_with_the_next() -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=False)
    viewer.offer(b"a")
    async with asyncio.TaskGroup() as group:
        group.create_task(viewer.run(pipe.write))
        await pipe.blocked.wait()
        viewer.offer(b"b")
        viewer.offer(b"c")
        viewer.finish()
        pipe.opened.set()
    assert pipe.messages == [b"a", b"bc"]


async def test_a_full_queue_ends_the_stream_although_a_write_is_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewer_module, "BURST_SECONDS", 0.0)
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=False)
    running = asyncio.create_task(viewer.run(pipe.write))
    viewer.offer(b"a")
    await pipe.blocked.wait()
    for _ in range(QUEUE_LENGTH + 1):
        viewer.offer(b"b")
    with pytest.raises(DomainError) as ended:
        await running
    assert ended.value.reason is Reason.STREAM_TOO_SLOW


async def test_a_burst_during_a_write_is_no_slow_client() -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=False)
    viewer.offer(b"a")
    async with asyncio.TaskGroup() as group:
        group.create_task(viewer.run(pipe.write))
        await pipe.blocked.wait()
        for _ in range(4 * QUEUE_LENGTH):
            viewer.offer(b"b")
        viewer.finish()
        pipe.opened.set()
    assert b"".join(pipe.messages) == b"a" + b"b" * 4 * QUEUE_LENGTH


async def test_a_burst_has_a_limit_too() -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=False)
    for _ in range(BURST_LENGTH + 1):
        viewer.offer(b"b")
    pipe.opened.set()
    with pytest.raises(DomainError) as ended:
        await viewer.run(pipe.write)
    assert ended.value.reason is Reason.STREAM_TOO_SLOW


async def test_a_write_that_takes_too_long_ends_the_stream(monkeypatch: pytest.MonkeyPatch) -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=False)
    viewer.offer(b"a")
    running = asyncio.create_task(viewer.run(pipe.write))
    await pipe.blocked.wait()
    viewer.check()
    assert not viewer.ended, "ten seconds have not passed"
    monkeypatch.setattr(viewer_module, "WRITE_SECONDS", 0.0)
    viewer.check()
    with pytest.raises(DomainError) as ended:
        await running
    assert ended.value.reason is Reason.STREAM_TOO_SLOW


async def test_bulk_waits_for_room_instead_of_ending_the_stream() -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=True)

    async def fill() -> None:
        for _ in range(3 * QUEUE_LENGTH):
            await viewer.put(b"x")
        viewer.finish()

    async with asyncio.TaskGroup() as group:
        group.create_task(fill())
        group.create_task(viewer.run(pipe.write))
    assert b"".join(pipe.messages) == b"x" * 3 * QUEUE_LENGTH


async def test_a_client_that_hangs_up_cancels_and_is_not_called_slow() -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=False)
    running = asyncio.create_task(viewer.run(pipe.write))
    viewer.offer(b"a")
    await pipe.blocked.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running


async def test_what_was_queued_is_written_before_the_stream_ends() -> None:
    viewer, pipe = Viewer("s", IDENTITY, "en"), Pipe(open_=True)
    viewer.offer(b"a")
    viewer.end(DomainError(Reason.DRAINING, "going away"))
    viewer.offer(b"too late")
    with pytest.raises(DomainError) as ended:
        await viewer.run(pipe.write)
    assert ended.value.reason is Reason.DRAINING
    assert pipe.messages == [b"a"]
