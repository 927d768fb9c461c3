"""Group commit and the outbox relay, under asyncio as it is."""

import asyncio
from collections.abc import Sequence

import pytest

from belot_kit.errors import DomainError, Reason
from belot_kit.groupcommit import GroupCommitter
from belot_kit.outbox import OutboxRelay
from belot_kit.tasks import background


class Recorder:
    """Executes batches of (key, number): remembers them and answers with ten times the number."""

    def __init__(self) -> None:
        self.batches: list[list[tuple[str, int]]] = []
        self.free = asyncio.Event()
        self.free.set()
        self.running = 0
        self.most_running = 0

    async def __call__(self, items: Sequence[tuple[str, int]]) -> list[int]:
        """Commit."""
        self.batches.append(list(items))
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        await self.free.wait()
        await asyncio.sleep(0)
        self.running -= 1
        if any(number < 0 for _, number in items):
            raise ValueError("one is negative")
        return [number * 10 for _, number in items]


async def test_what_is_ready_while_the_connection_is_busy_goes_together() -> None:
    recorder = Recorder()
    committer = GroupCommitter(recorder, name="test")
    async with background(committer.run()):
        results = await asyncio.gather(*(committer.commit(str(number), (str(number), number)) for number in range(200)))
    assert results == [number * 10 for number in range(200)]
    assert [len(batch) for batch in recorder.batches] == [64, 64, 64, 8]


@pytest.mark.parametrize("lanes", [1, 3])
async def test_two_of_one_key_never_share_a_batch_and_keep_their_order(lanes: int) -> None:
    recorder = Recorder()
    committer = GroupCommitter(recorder, name="test", lanes=lanes)
    async with background(committer.run()):
        await asyncio.gather(*(committer.commit(f"k{number % 3}", (f"k{number % 3}", number)) for number in range(30)))
    for batch in recorder.batches:
        assert len({key for key, _ in batch}) == len(batch)
    for wanted in ("k0", "k1", "k2"):
        numbers = [number for batch in recorder.batches for key, number in batch if key == wanted]
        assert numbers == sorted(numbers)


async def test_an_item_that_breaks_a_batch_fails_alone() -> None:
    committer = GroupCommitter(Recorder(), name="test")
    async with background(committer.run()):
        results = await asyncio.gather(
            *(committer.commit(number, ("k", number)) for number in (1, -2, 3)), return_exceptions=True
        )
    assert results[0] == 10
    assert isinstance(results[1], ValueError)
    assert results[2] == 30


async def test_closing_the_committer_leaves_nobody_waiting() -> None:
    recorder = Recorder()
    recorder.free.clear()
    committer = GroupCommitter(recorder, name="test", max_batch=1)
    async with background(committer.run()):
        waiting = [asyncio.ensure_future(committer.commit(number, ("k", number))) for number in range(3)]
        while not recorder.batches:  # noqa: ASYNC110 - the loop's next turns
            await asyncio.sleep(0)
    for each in waiting:
        with pytest.raises(DomainError) as refused:
            await each
        assert refused.value.reason is Reason.UNAVAILABLE


async def test_a_caller_that_gave_up_is_not_committed() -> None:
    recorder = Recorder()
    recorder.free.clear()
    committer = GroupCommitter(recorder, name="test", max_batch=1)
    async with background(committer.run()):
        first = asyncio.ensure_future(committer.commit("a", ("a", 1)))
        second = asyncio.ensure_future(committer.commit("b", ("b", 2)))
        while not recorder.batches:  # noqa: ASYNC110 - the loop's next turns
            await asyncio.sleep(0)
        second.cancel()
        recorder.free.set()
        assert await first == 10
        assert await committer.commit("c", ("c", 3)) == 30
    assert recorder.batches == [[("a", 1)], [("c", 3)]]


class Rows:
    """An outbox in memory whose receiver can be away."""

    def __init__(self, count: int) -> None:
        self.unpublished = list(range(count))
        self.published: list[int] = []
        self.away = 0
        self.done = asyncio.Event()

    async def fetch(self, limit: int) -> Sequence[int]:
        """The oldest."""
        return self.unpublished[:limit]

    async def publish(self, rows: Sequence[int]) -> Sequence[int]:
        """Fail while the receiver is away."""
        if self.away:
            self.away -= 1
            raise ConnectionError
        self.published += rows
        return rows

    async def mark(self, rows: Sequence[int]) -> None:
        """Take them out."""
        self.unpublished = [row for row in self.unpublished if row not in rows]
        if not self.unpublished:
            self.done.set()


async def test_the_relay_publishes_everything_in_order_at_its_start() -> None:
    rows = Rows(250)
    async with background(OutboxRelay("test", rows).run()):
        await rows.done.wait()
    assert rows.published == list(range(250))


async def test_the_relay_outlives_a_receiver_that_is_away() -> None:
    rows = Rows(3)
    rows.away = 2
    async with background(OutboxRelay("test", rows, every_s=0.01).run()):
        await rows.done.wait()
    assert rows.published == [0, 1, 2]


async def test_a_nudge_runs_the_relay_at_once() -> None:
    rows = Rows(1)
    relay = OutboxRelay("test", rows, every_s=3_600)
    async with background(relay.run()):
        await rows.done.wait()
        rows.done.clear()
        rows.unpublished = [7]
        relay.nudge()
        await rows.done.wait()
    assert rows.published == [0, 7]
