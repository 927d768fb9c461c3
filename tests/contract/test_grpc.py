"""What services and clients rely on of gRPC, over real connections and over those in memory."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import grpc
import pytest

from belot.rules.v1 import rules_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_kit.grpc_interceptor import ChassisInterceptor
from belot_kit.grpc_server import GrpcServer, ServerOptions
from support.eventually import eventually
from support.memory_grpc import MemoryServer, Network, SoundLines

SERVICE = "belot.kit.test.Echo"
Message = rules_pb2.ApplyReply
CODERS = (Message.FromString, Message.SerializeToString)


@dataclass
class Echo:
    """The service: Unary refuses 13 and waits for ever on 99; Stream echoes; Down counts down; `cancelled` counts."""

    cancelled: int = 0
    streams: list[str] = field(default_factory=list)

    async def unary(self, request: rules_pb2.ApplyReply, context: object) -> rules_pb2.ApplyReply:
        """One answer."""
        if request.call_id == 13:
            raise DomainError(Reason.NOT_YOUR_TURN, "wait", seat=2)
        if request.call_id == 99:
            await self._for_ever()
        return rules_pb2.ApplyReply(call_id=request.call_id + 1)

    async def stream(
        self, requests: AsyncIterator[object], context: "grpc.aio.ServicerContext[object, object]"
    ) -> None:
        """Every message back."""
        try:
            async for request in requests:
                await context.write(request)
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        self.streams.append("ended")

    async def down(self, request: rules_pb2.ApplyReply, context: "grpc.aio.ServicerContext[object, object]") -> None:
        """So many messages, then a refusal."""
        for number in range(request.call_id):
            await context.write(Message(call_id=number))
        raise DomainError(Reason.STREAM_TOO_SLOW, "too slow")

    async def _for_ever(self) -> None:
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise

    def register(self, server: grpc.aio.Server) -> None:
        """As generated code does it."""
        handlers = {
            "Unary": grpc.unary_unary_rpc_method_handler(self.unary, *CODERS),
            "Stream": grpc.stream_stream_rpc_method_handler(self.stream, *CODERS),
            "Down": grpc.unary_stream_rpc_method_handler(self.down, *CODERS),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        server.add_registered_method_handlers(SERVICE, handlers)


@dataclass
class Wire:
    """A served Echo and a channel to it; `stop` ends the server without a word, `again` starts another."""

    echo: Echo
    channel: grpc.aio.Channel
    stop: Callable[[], Awaitable[None]]
    again: Callable[[], Awaitable[None]]

    def unary(self, number: int, most_s: float = 5.0) -> Awaitable[rules_pb2.ApplyReply]:
        """Ask."""
        method = self.channel.unary_unary(f"/{SERVICE}/Unary", Message.SerializeToString, Message.FromString)
        return call(method, Message(call_id=number), most_s=most_s)

    def stream(self) -> "grpc.aio.StreamStreamCall[rules_pb2.ApplyReply, rules_pb2.ApplyReply]":
        """Open a stream."""
        opened = self.channel.stream_stream(f"/{SERVICE}/Stream", Message.SerializeToString, Message.FromString)()
        return cast("grpc.aio.StreamStreamCall[rules_pb2.ApplyReply, rules_pb2.ApplyReply]", opened)

    def down(self, number: int) -> "grpc.aio.UnaryStreamCall[rules_pb2.ApplyReply, rules_pb2.ApplyReply]":
        """Count down."""
        method = self.channel.unary_stream(f"/{SERVICE}/Down", Message.SerializeToString, Message.FromString)
        return cast(
            "grpc.aio.UnaryStreamCall[rules_pb2.ApplyReply, rules_pb2.ApplyReply]", method(Message(call_id=number))
        )


@pytest.fixture(params=["grpc", "memory"])
async def wire(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Wire]:
    """A served Echo."""
    echo = Echo()
    if request.param == "memory":
        network = Network(SoundLines(), lambda who, what: None)

        async def serve_memory() -> None:
            server = MemoryServer(ChassisInterceptor((), rpc_sample=0.0), asyncio.get_running_loop().create_task)
            echo.register(cast("grpc.aio.Server", server))
            network.serve("echo", server)

        async def drop() -> None:
            network.drop("echo")

        await serve_memory()
        yield Wire(echo, cast("grpc.aio.Channel", network.channel("echo", "client")), drop, serve_memory)
        return
    options = ServerOptions(listen=(f"unix:{tmp_path}/s",), stop_grace_s=0.0)
    running: list[GrpcServer] = []

    async def serve() -> None:
        running.append(GrpcServer(options, [echo.register], [SERVICE]))
        await running[-1].start()

    await serve()
    async with open_channel(ChannelOptions(options.listen[0])) as channel:
        yield Wire(echo, channel, lambda: running.pop().stop(), serve)
    for server in running:
        await server.stop()


async def test_a_question_is_answered_and_a_refusal_says_all(wire: Wire) -> None:
    assert (await wire.unary(1)).call_id == 2
    with pytest.raises(DomainError) as refused:
        await wire.unary(13)
    assert (refused.value.reason, refused.value.message) == (Reason.NOT_YOUR_TURN, "wait")
    assert refused.value.metadata["seat"] == "2"


async def test_a_caller_waits_no_longer_than_he_said_and_the_handler_is_cancelled(wire: Wire) -> None:
    with pytest.raises(DomainError) as late:
        await wire.unary(99, most_s=0.1)
    assert late.value.reason is Reason.DEADLINE_TOO_SHORT
    await eventually(lambda: wire.echo.cancelled == 1)


async def test_giving_a_question_up_cancels_its_handler(wire: Wire) -> None:
    await wire.unary(1)
    asking = asyncio.ensure_future(wire.unary(99))
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0.1):
            await asking
    await eventually(lambda: wire.echo.cancelled == 1)


async def test_an_unknown_method_is_unimplemented(wire: Wire) -> None:
    method = wire.channel.unary_unary(f"/{SERVICE}/None", Message.SerializeToString, Message.FromString)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await method(Message())
    assert refused.value.code() is grpc.StatusCode.UNIMPLEMENTED


async def test_a_stream_keeps_its_order_and_ends_when_its_writer_is_done(wire: Wire) -> None:
    stream = wire.stream()
    for number in range(10):
        await stream.write(Message(call_id=number))
    await stream.done_writing()
    assert [each.call_id async for each in stream] == list(range(10))
    await eventually(lambda: wire.echo.streams == ["ended"])


async def test_a_stream_that_is_refused_brings_all_before_and_then_the_refusal(wire: Wire) -> None:
    stream = wire.down(3)
    assert [cast("rules_pb2.ApplyReply", await stream.read()).call_id for _ in range(3)] == [0, 1, 2]
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await stream.read()
    assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED


async def test_a_cancelled_stream_ends_its_handler(wire: Wire) -> None:
    """It is cancelled, or what it reads ends first."""
    stream = wire.stream()
    await stream.write(Message(call_id=1))
    await stream.read()
    stream.cancel()
    await eventually(lambda: wire.echo.cancelled == 1 or wire.echo.streams == ["ended"])


async def test_a_server_that_goes_breaks_streams_and_comes_back(wire: Wire) -> None:
    stream = wire.stream()
    await stream.write(Message(call_id=1))
    await stream.read()
    await wire.stop()
    with pytest.raises(grpc.aio.AioRpcError):
        await stream.read()
    state = wire.channel.get_state(try_to_connect=True)
    with pytest.raises(DomainError) as gone:
        await wire.unary(1)
    assert gone.value.reason is Reason.UNAVAILABLE
    await wire.again()
    async with asyncio.timeout(10):
        while (state := wire.channel.get_state(try_to_connect=True)) is not grpc.ChannelConnectivity.READY:
            await wire.channel.wait_for_state_change(state)
    assert (await wire.unary(1)).call_id == 2
