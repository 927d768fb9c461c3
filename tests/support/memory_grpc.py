"""gRPC in one process: channels and servers that real stubs, servicers and the chassis' interceptor work with.

Messages are encoded and decoded as on the wire and keep their order on a stream; how long they take, and what becomes
of them, the lines say. Everything is done by the event loop that runs, so that in virtual time nothing waits.
"""

import asyncio
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from enum import Enum, auto
from typing import Final, Protocol, TypeAlias, cast

import grpc

from belot_kit.grpc_interceptor import ChassisInterceptor
from support.memory_streams import (
    Decode,
    Encode,
    MemoryContext,
    Metadata,
    Question,
    StreamCall,
    broken,
    failure,
)

_State: TypeAlias = grpc.ChannelConnectivity
_AGAIN_SECONDS: Final = 0.1

Seen = Callable[[str, str], None]
"""Hears of each message that arrives: at whom, and what."""

Start = Callable[[Coroutine[object, object, object]], "asyncio.Task[object]"]


class Fate(Enum):
    """What becomes of a call: all is well; the line breaks under the question, or under the answer; the question
    arrives twice; it never arrives and nobody is told."""

    SOUND = auto()
    QUESTION_LOST = auto()
    ANSWER_LOST = auto()
    TWICE = auto()
    SILENCE = auto()


class Lines(Protocol):
    """How connections behave."""

    def delay(self) -> float:
        """Seconds that a message takes."""

    def fate(self) -> Fate:
        """What becomes of a call."""

    def breaks(self) -> bool:
        """Whether a connection breaks under a message of a stream."""


class SoundLines:
    """Nothing is ever lost, and nothing takes time."""

    def delay(self) -> float:
        """No time."""
        return 0.0

    def fate(self) -> Fate:
        """All is well."""
        return Fate.SOUND

    def breaks(self) -> bool:
        """Never."""
        return False


class MemoryServer:
    """Where servicers are registered; `start` makes a task in the process that serves."""

    def __init__(self, interceptor: ChassisInterceptor, start: Start) -> None:
        self._interceptor = interceptor
        self._handlers: dict[str, object] = {}
        self.start = start

    def add_generic_rpc_handlers(self, handlers: object) -> None:
        """Part of what generated code calls; the next method has all it needs."""

    def add_registered_method_handlers(self, service: str, handlers: Mapping[str, object]) -> None:
        """The handlers of a service by method name."""
        self._handlers |= {f"/{service}/{name}": handler for name, handler in handlers.items()}

    async def handler(self, method: str, metadata: Metadata) -> "grpc.RpcMethodHandler[object, object] | None":
        """The handler of a method in the chassis' wrapping; None where there is none."""
        details = cast("grpc.HandlerCallDetails", _Details(method, tuple(metadata)))

        async def known(_: object) -> "grpc.RpcMethodHandler[object, object] | None":
            return cast("grpc.RpcMethodHandler[object, object] | None", self._handlers.get(method))

        return await self._interceptor.intercept_service(known, details)


class _Details:
    def __init__(self, method: str, metadata: Metadata) -> None:
        self.method = method
        self.invocation_metadata = metadata


class Network:
    """Everything that is connected: servers by address, and the channels to them."""

    def __init__(self, lines: Lines, seen: Seen) -> None:
        self.lines = lines
        self.seen = seen
        self.servers: dict[str, MemoryServer] = {}
        self._channels: list[MemoryChannel] = []

    def serve(self, address: str, server: MemoryServer) -> None:
        """A server listens from now on."""
        self.servers[address] = server

    def channel(self, address: str, owner: str = "") -> "MemoryChannel":
        """A channel to an address; `owner` names who has it."""
        channel = MemoryChannel(self, address, owner)
        self._channels.append(channel)
        return channel

    def drop(self, name: str) -> None:
        """Whoever has this name is gone: as a server, and with all its channels."""
        self.servers.pop(name, None)
        for channel in [each for each in self._channels if name in (each.owner, each.address)]:
            if channel.owner == name:
                channel.hang_up()
            else:
                channel.cut()

    def between(self, owner: str, address: str) -> "list[MemoryChannel]":
        """The open channels from one to another."""
        return [each for each in self._channels if (each.owner, each.address) == (owner, address)]

    def forget(self, channel: "MemoryChannel") -> None:
        """A channel is closed."""
        with suppress(ValueError):
            self._channels.remove(channel)


class MemoryChannel:
    """What generated stubs and the kit take for a grpc.aio.Channel."""

    def __init__(self, network: Network, address: str, owner: str) -> None:
        self.network = network
        self.address = address
        self.owner = owner
        self._state = _State.IDLE
        self._waiting: list[asyncio.Future[None]] = []
        self._open: dict[asyncio.Future[bytes], None] = {}
        self.streams: dict[StreamCall, None] = {}
        self._loop = asyncio.get_running_loop()
        self._dialling = False

    # -- the connection

    def get_state(self, try_to_connect: bool = False) -> _State:
        """Where the connection stands."""
        if try_to_connect:
            self._dial(self.network.lines.delay())
        return self._state

    async def wait_for_state_change(self, last: _State) -> None:
        """Return once it stands elsewhere."""
        while self._state is last:
            changed = self._loop.create_future()
            self._waiting.append(changed)
            await changed

    def cut(self) -> None:
        """The connection breaks under everybody who uses it."""
        if self._state is _State.READY:
            self._to(_State.TRANSIENT_FAILURE)
        for answer in tuple(self._open):
            if not answer.done():
                answer.set_exception(broken())
        for stream in tuple(self.streams):
            stream.broke()

    def hang_up(self) -> None:
        """Its owner is gone."""
        self.network.forget(self)
        self._to(_State.SHUTDOWN)
        self.cut()

    async def close(self, grace: float | None = None) -> None:
        """Hang up."""
        self.hang_up()

    def _dial(self, after: float) -> None:
        if self._dialling or self._state in (_State.READY, _State.SHUTDOWN):
            return
        self._dialling = True
        self._loop.call_later(after, self._dialled)

    def _dialled(self) -> None:
        self._dialling = False
        if self._state is _State.SHUTDOWN:
            return
        if self.address in self.network.servers:
            self._to(_State.READY)
        else:
            self._to(_State.TRANSIENT_FAILURE)
            self._dial(_AGAIN_SECONDS + self.network.lines.delay())

    def _to(self, state: _State) -> None:
        if state is self._state or self._state is _State.SHUTDOWN:
            return
        self._state = state
        waiting, self._waiting = self._waiting, []
        for changed in waiting:
            if not changed.done():
                changed.set_result(None)

    async def until_ready(self, wait_for_ready: bool | None) -> None:
        """Return once it is connected. Errors: AioRpcError UNAVAILABLE when it is not, and nobody wants to wait."""
        while (state := self.get_state(try_to_connect=True)) is not _State.READY:
            if state is _State.SHUTDOWN or (state is _State.TRANSIENT_FAILURE and not wait_for_ready):
                raise broken()
            await self.wait_for_state_change(state)

    # -- calls, as generated stubs make them

    def unary_unary(
        self, method: str, request_serializer: Encode, response_deserializer: Decode, _registered_method: bool = False
    ) -> Callable[..., Coroutine[object, object, object]]:
        """A method of one question and one answer."""

        async def call(
            request: object,
            *,
            timeout: float | None = None,
            metadata: Metadata = (),
            wait_for_ready: bool | None = None,
        ) -> object:
            deadline = None if timeout is None else self._loop.time() + timeout
            question = Question(method, request_serializer(request), metadata, deadline)
            try:
                async with asyncio.timeout_at(deadline):
                    await self.until_ready(wait_for_ready)
                    answer = await self._exchange(question)
            except TimeoutError:
                raise failure(grpc.StatusCode.DEADLINE_EXCEEDED, "Deadline Exceeded") from None
            return response_deserializer(answer)

        return call

    def unary_stream(
        self, method: str, request_serializer: Encode, response_deserializer: Decode, _registered_method: bool = False
    ) -> Callable[..., StreamCall]:
        """A method of one question and many answers."""

        def call(request: object, *, metadata: Metadata = (), timeout: float | None = None) -> StreamCall:
            question = Question(method, request_serializer(request), metadata, self._deadline(timeout))
            return self._stream(question, None, response_deserializer)

        return call

    def stream_stream(
        self,
        method: str,
        request_serializer: Encode | None,
        response_deserializer: Decode | None,
        _registered_method: bool = False,
    ) -> Callable[..., StreamCall]:
        """A method of many questions and many answers."""

        def call(
            *, metadata: Metadata = (), timeout: float | None = None, wait_for_ready: bool | None = None
        ) -> StreamCall:
            question = Question(method, None, metadata, self._deadline(timeout), wait_for_ready)
            return self._stream(question, request_serializer, response_deserializer)

        return call

    def _deadline(self, timeout: float | None) -> float | None:
        return None if timeout is None else self._loop.time() + timeout

    def _stream(self, question: Question, encode: Encode | None, decode: Decode | None) -> StreamCall:
        stream = StreamCall(self, question, encode, decode)
        self.streams[stream] = None
        return stream

    async def _exchange(self, question: Question) -> bytes:
        answer = self._answer()
        self._open[answer] = None
        lines, tasks = self.network.lines, list[asyncio.Task[object]]()
        fate = lines.fate()
        if fate is Fate.QUESTION_LOST:
            self._loop.call_later(lines.delay(), self.cut)
        elif fate is not Fate.SILENCE:
            self._loop.call_later(lines.delay(), self._arrive, question, answer, fate is Fate.ANSWER_LOST, tasks)
        if fate is Fate.TWICE:
            self._loop.call_later(lines.delay(), self._arrive, question, self._answer(), False, [])
        try:
            return await answer
        finally:
            self._open.pop(answer, None)
            for task in tasks:
                self._loop.call_later(lines.delay(), task.cancel)

    def _answer(self) -> "asyncio.Future[bytes]":
        """A future whose error may remain unread."""
        answer: asyncio.Future[bytes] = self._loop.create_future()
        answer.add_done_callback(lambda done: done.cancelled() or done.exception())
        return answer

    def _arrive(
        self, question: Question, answer: "asyncio.Future[bytes]", lost: bool, tasks: "list[asyncio.Task[object]]"
    ) -> None:
        self.network.seen(self.address, f"{self.owner} asks {question.method}")
        server = self.network.servers.get(self.address)
        if server is None or self._state is not _State.READY or answer.done():
            return
        context = MemoryContext(question, None)
        task = server.start(_serve(server, question, context))
        tasks.append(task)
        task.add_done_callback(lambda done: self._answered(question, context.outcome(done), answer, lost))

    def _answered(self, question: Question, outcome: object, answer: "asyncio.Future[bytes]", lost: bool) -> None:
        def arrive() -> None:
            if answer.done():
                return
            self.network.seen(self.owner, f"{self.address} answers {question.method}")
            if answer.done():
                return
            if isinstance(outcome, grpc.aio.AioRpcError):
                answer.set_exception(outcome)
            else:
                answer.set_result(cast("bytes", outcome))

        self._loop.call_later(self.network.lines.delay(), self.cut if lost else arrive)


async def _serve(server: MemoryServer, question: Question, context: MemoryContext) -> object:
    handler = await server.handler(question.method, question.metadata)
    if handler is None or handler.unary_unary is None:
        raise failure(grpc.StatusCode.UNIMPLEMENTED, "there is no such method")
    serve = cast("Callable[[object, object], Coroutine[object, object, object]]", handler.unary_unary)
    return await serve(question.raw, context)
