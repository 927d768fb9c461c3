"""Inner streams: joined messages, answers matched to questions, and nothing lost when the stream breaks."""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import grpc
import pytest

from belot.rules.v1 import rules_pb2
from belot.table.v1 import table_pb2
from belot_kit.batches import BatchReader, BatchWriter, frame
from belot_kit.deadlines import deadline_after, deadline_scope, remaining_seconds
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, open_channel
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.refusals import from_refusal, to_refusal
from belot_kit.replicas import open_replicas
from belot_kit.stream_caller import StreamCaller
from belot_kit.stream_server import serve_batches, serve_batches_inline
from belot_kit.tasks import background
from support.eventually import eventually

SERVICE = "belot.kit.test.Apply"
METHOD = f"/{SERVICE}/ApplyStream"
Call, Reply = table_pb2.ExecuteCall, table_pb2.ExecuteReply
Batch, ReplyBatch = table_pb2.ExecuteStreamRequest, table_pb2.ExecuteStreamResponse
Handle = Callable[[table_pb2.ExecuteCall], Awaitable[table_pb2.ExecuteReply]]
HandleInline = Callable[[table_pb2.ExecuteCall], table_pb2.ExecuteReply]
Context = grpc.aio.ServicerContext[object, object]
Caller = StreamCaller[table_pb2.ExecuteCall, table_pb2.ExecuteReply]


def refuse(error: DomainError) -> table_pb2.ExecuteReply:
    """A reply that carries an error."""
    return Reply(refusal=to_refusal(error))


def server_of(
    listen: str,
    handle: Handle | None = None,
    inline: HandleInline | None = None,
    *,
    seen: list[int] | None = None,
    grace_s: float = 0.1,
) -> GrpcServer:
    """A server whose stream is answered by `handle`, or by `inline`; `seen` gets the sizes of its batches."""

    async def sizes(requests: AsyncIterator[object]) -> AsyncIterator[table_pb2.ExecuteStreamRequest]:
        async for request in requests:
            batch = cast("table_pb2.ExecuteStreamRequest", request)
            if seen is not None:
                seen.append(len(batch.calls))
            yield batch

    async def stream(requests: AsyncIterator[object], context: Context) -> None:
        if handle is not None:
            await serve_batches(sizes(requests), context, handle, refuse, stream="test")
        elif inline is not None:
            await serve_batches_inline(sizes(requests), context, inline, refuse, stream="test")

    def register(server: grpc.aio.Server) -> None:
        handler = grpc.stream_stream_rpc_method_handler(stream, Batch.FromString, ReplyBatch.SerializeToString)
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, {"ApplyStream": handler}),))

    return GrpcServer(ServerOptions(listen=(listen,), stop_grace_s=grace_s), [register], [SERVICE])


@asynccontextmanager
async def caller_to(address: str) -> AsyncIterator[Caller]:
    """A caller with its stream."""
    async with open_channel(ChannelOptions(address)) as channel:
        caller: Caller = StreamCaller(channel, METHOD, ReplyBatch)
        async with background(caller.run()):
            yield caller


@pytest.fixture
def address(tmp_path: Path) -> str:
    """A unix socket, so that servers can come and go at one address."""
    return f"unix:{tmp_path}/inner.sock"


def raw_stream(
    channel: grpc.aio.Channel,
) -> "grpc.aio.StreamStreamMultiCallable[bytes, table_pb2.ExecuteStreamResponse]":
    """The client's side of the stream, written in frames."""
    return channel.stream_stream(METHOD, None, ReplyBatch.FromString)


def call_of(number: int) -> table_pb2.ExecuteCall:
    """A call that carries a number."""
    return Call(command=table_pb2.Command(request_id=str(number)))


async def double(item: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
    """Answer with twice the number."""
    return Reply(ack=table_pb2.Ack(version=2 * int(item.command.request_id)))


def twice(item: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
    """The same, at once."""
    return Reply(ack=table_pb2.Ack(version=2 * int(item.command.request_id)))


async def test_every_call_gets_its_own_answer_and_calls_travel_together(address: str) -> None:
    seen: list[int] = []
    server = server_of(address, double, seen=seen)
    await server.start()
    async with caller_to(address) as caller:
        replies = await asyncio.gather(*(caller.call(call_of(number)) for number in range(500)))
    await server.stop()
    assert [reply.ack.version for reply in replies] == [2 * number for number in range(500)]
    assert sum(seen) == 500
    assert len(seen) <= 20


async def test_an_inline_handler_answers_in_order_and_in_pieces(address: str) -> None:
    server = server_of(address, inline=twice)
    await server.start()
    async with open_channel(ChannelOptions(address)) as channel:
        stream = raw_stream(channel)()
        calls = [Call(call_id=number, command=call_of(number).command) for number in range(64)]
        await stream.write(b"".join(frame(each) for each in calls))
        batches = [cast("table_pb2.ExecuteStreamResponse", await stream.read()) for _ in range(4)]
        assert [len(batch.replies) for batch in batches] == [16] * 4
        assert [reply.call_id for batch in batches for reply in batch.replies] == list(range(64))
        await stream.done_writing()
        assert await stream.code() is grpc.StatusCode.OK
    await server.stop()


async def test_one_refused_item_leaves_the_others_alone(address: str) -> None:
    async def picky(item: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
        if item.command.request_id == "1":
            raise DomainError(Reason.ILLEGAL_CARD, "follow suit", clause="P2")
        if item.command.request_id == "2":
            raise KeyError("hand AS KS")
        return await double(item)

    server = server_of(address, picky)
    await server.start()
    async with caller_to(address) as caller:
        fine, refused, broken = await asyncio.gather(*(caller.call(call_of(number)) for number in range(3)))
    await server.stop()
    assert fine.WhichOneof("result") == "ack"
    error = from_refusal(refused.refusal)
    assert (error.reason, error.message, error.metadata) == (Reason.ILLEGAL_CARD, "follow suit", {"clause": "P2"})
    assert from_refusal(broken.refusal).reason is Reason.INTERNAL
    assert "KS" not in str(broken)


async def test_unanswered_calls_are_sent_again_when_the_server_was_replaced(address: str) -> None:
    arrived = asyncio.Event()
    never = asyncio.Event()

    async def silent(_: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
        arrived.set()
        await never.wait()
        return Reply()

    first = server_of(address, silent)
    await first.start()
    async with caller_to(address) as caller:
        calls = [asyncio.ensure_future(caller.call(call_of(number))) for number in range(10)]
        await arrived.wait()
        await first.stop()
        second = server_of(address, double)
        await second.start()
        replies = await asyncio.gather(*calls)
        assert [reply.ack.version for reply in replies] == [2 * number for number in range(10)]
        await second.stop()


async def test_a_stopping_server_answers_what_it_has_begun_and_ends_its_streams(address: str) -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def slow(item: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
        began.set()
        await go_on.wait()
        return await double(item)

    server = server_of(address, slow, grace_s=60)
    await server.start()
    async with asyncio.timeout(10), caller_to(address) as caller:
        waiting = asyncio.ensure_future(caller.call(call_of(4)))
        await began.wait()
        stopping = asyncio.ensure_future(server.stop())
        await asyncio.sleep(0)
        go_on.set()
        assert (await waiting).ack.version == 8
        await stopping


@pytest.mark.parametrize("inline", [False, True])
async def test_a_stopping_server_waits_for_no_stream_that_is_open_and_idle(address: str, inline: bool) -> None:
    server = server_of(address, None if inline else double, twice if inline else None, grace_s=60)
    await server.start()
    async with asyncio.timeout(10), caller_to(address) as caller:
        assert (await caller.call(call_of(4))).ack.version == 8
        began = time.monotonic()
        await server.stop()
        assert time.monotonic() - began < 1.0


async def test_what_a_stopping_server_cannot_answer_is_answered_elsewhere_and_it_ends_at_once(tmp_path: Path) -> None:
    arrived, never = asyncio.Event(), asyncio.Event()

    async def silent(_: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
        arrived.set()
        await never.wait()
        return Reply()

    addresses = [f"unix:{tmp_path}/{name}.sock" for name in ("stopping", "other")]
    stopping, other = server_of(addresses[0], silent, grace_s=60), server_of(addresses[1], double)
    await stopping.start()
    await other.start()

    def connect(channel: grpc.aio.Channel) -> Caller:
        return StreamCaller(channel, METHOD, ReplyBatch)

    async with asyncio.timeout(10), open_replicas("sample", addresses, connect, StreamCaller.run) as replicas:
        await eventually(lambda: len(replicas.live) == 2)
        asked = asyncio.ensure_future(replicas.ask(lambda caller: caller.call(call_of(4)), order=addresses))
        await arrived.wait()
        began = time.monotonic()
        await stopping.stop()
        assert (await asked).ack.version == 8
        assert time.monotonic() - began < 1.0
    await other.stop()


async def test_a_call_waits_for_a_server_that_is_not_there_yet(address: str) -> None:
    server = server_of(address, double)
    async with caller_to(address) as caller:
        waiting = asyncio.ensure_future(caller.call(call_of(4)))
        await server.start()
        assert (await waiting).ack.version == 8
        await server.stop()


async def test_a_call_ends_at_its_deadline_and_the_server_knows_it(address: str) -> None:
    told: list[float] = []
    never = asyncio.Event()

    async def hang(_: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
        told.append(remaining_seconds() or 0)
        await never.wait()
        return Reply()

    server = server_of(address, hang)
    await server.start()
    async with caller_to(address) as caller:
        with deadline_scope(deadline_after(0.4)), pytest.raises(DomainError) as caught:
            await caller.call(call_of(1))
        assert caught.value.reason is Reason.DEADLINE_TOO_SHORT
        assert 0.1 < told[0] <= 0.4
    await server.stop()


async def test_a_server_that_refuses_the_stream_fails_its_calls(address: str) -> None:
    server = GrpcServer(ServerOptions(listen=(address,)), [], [])
    await server.start()
    async with caller_to(address) as caller:
        with pytest.raises(DomainError) as caught:
            await caller.call(call_of(1))
        assert caught.value.reason is Reason.INTERNAL
    await server.stop()


async def test_closing_the_caller_fails_what_is_open(address: str) -> None:
    async with caller_to(address) as caller:
        waiting = asyncio.ensure_future(caller.call(call_of(1)))
        await asyncio.sleep(0)
    with pytest.raises(DomainError) as caught:
        await waiting
    assert caught.value.reason is Reason.UNAVAILABLE


async def test_a_writer_takes_everything_queued_and_has_one_write_under_way() -> None:
    written: list[bytes] = []
    began, go_on = asyncio.Event(), asyncio.Event()

    async def write(data: bytes) -> None:
        written.append(data)
        began.set()
        await go_on.wait()

    writer = BatchWriter(write, stream="test", max_items=4)
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(writer.run())
        writer.put(b"a")
        await began.wait()
        for letter in (b"b", b"c", b"d", b"e", b"f"):
            writer.put(letter)
        await asyncio.sleep(0)
        assert written == [b"a"]
        go_on.set()
        writer.close()
    assert written == [b"a", b"bcde", b"f"]


def test_joined_frames_are_a_batch() -> None:
    sizes = (1, 127, 128, 20_000)
    items = [Call(call_id=size, command=table_pb2.Command(request_id="x" * size)) for size in sizes]
    joined = b"".join(frame(item) for item in items)
    assert joined == Batch(calls=items).SerializeToString()
    assert list(BatchReader[table_pb2.ExecuteCall](Batch).decode(joined)) == items


def test_a_message_that_is_no_batch_is_refused() -> None:
    with pytest.raises(ValueError, match="repeated"):
        BatchReader(rules_pb2.ApplyRequest)
