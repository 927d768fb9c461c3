"""Calls and streams of the gRPC in memory: ordered messages that take their time, with room for a few unread ones."""

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, cast

import grpc

if TYPE_CHECKING:
    from support.memory_grpc import MemoryChannel

WINDOW: Final = 16
"""Messages of a stream that may be on their way or unread before its writer waits."""

_APART: Final = 1e-6

Encode = Callable[[object], bytes]
Decode = Callable[[bytes], object]
Metadata = Sequence[tuple[str, str | bytes]]


class Status:
    """How a stream ended; `error` is None when all is well."""

    def __init__(self, error: grpc.aio.AioRpcError | None) -> None:
        self.error = error


def failure(code: grpc.StatusCode, details: str, trailing: Metadata = ()) -> grpc.aio.AioRpcError:
    """The error that a caller gets."""
    return grpc.aio.AioRpcError(code, grpc.aio.Metadata(), grpc.aio.Metadata(*trailing), details)


def broken() -> grpc.aio.AioRpcError:
    """The error of a connection that is gone."""
    return failure(grpc.StatusCode.UNAVAILABLE, "the connection is gone")


@dataclass(frozen=True, slots=True)
class Question:
    """A call as it is sent; `raw` is its one request (None: they come as a stream), `deadline` the loop's seconds."""

    method: str
    raw: bytes | None = field(repr=False)
    metadata: Metadata = field(repr=False)
    deadline: float | None
    wait_for_ready: bool | None = None


class Pipe:
    """One direction of a stream."""

    def __init__(self, delay: Callable[[], float], seen: Callable[[], None]) -> None:
        """`seen` is told of every message that arrives."""
        self._loop = asyncio.get_running_loop()
        self._delay = delay
        self._seen = seen
        self._last = 0.0
        self._unread = 0
        self._arrived: deque[bytes | Status] = deque()
        self._changed = asyncio.Event()
        self._failed: grpc.aio.AioRpcError | None = None

    def put(self, message: bytes | Status) -> None:
        """Send one message, behind all that went before."""
        if self._failed is None:
            self._unread += 1
            self._last = max(self._last + _APART, self._loop.time() + self._delay())
            self._loop.call_at(self._last, self._arrive, message)

    async def room(self) -> None:
        """Wait until the reader has not too much to read. Errors: AioRpcError once it is broken."""
        while self._unread >= WINDOW and self._failed is None:
            self._changed.clear()
            await self._changed.wait()
        if self._failed is not None:
            raise self._failed

    async def take(self) -> bytes | Status:
        """The next message. Errors: AioRpcError once it is broken and all that had arrived is read."""
        while not self._arrived:
            if self._failed is not None:
                raise self._failed
            self._changed.clear()
            await self._changed.wait()
        self._unread -= 1
        self._changed.set()
        return self._arrived.popleft()

    def fail(self, error: grpc.aio.AioRpcError) -> None:
        """Break: what is on its way is lost."""
        if self._failed is None:
            self._failed = error
            self._changed.set()

    def _arrive(self, message: bytes | Status) -> None:
        if self._failed is None:
            self._seen()
            self._arrived.append(message)
            self._changed.set()


class MemoryContext:
    """What handlers take for a servicer context; `encode` is the handler's, for streams."""

    def __init__(self, question: Question, answers: Pipe | None) -> None:
        self._question = question
        self._answers = answers
        self._code: grpc.StatusCode | None = None
        self._details = ""
        self._trailing: Metadata = ()
        self.encode: Encode | None = None

    def invocation_metadata(self) -> Metadata:
        """What came beside the request."""
        return self._question.metadata

    def time_remaining(self) -> float | None:
        """Seconds that the caller still waits."""
        deadline = self._question.deadline
        return None if deadline is None else max(0.0, deadline - asyncio.get_running_loop().time())

    def code(self) -> grpc.StatusCode | None:
        """The code that was set."""
        return self._code

    async def send_initial_metadata(self, metadata: Metadata) -> None:
        """Nobody waits for it here."""

    async def abort(self, code: grpc.StatusCode, details: str = "", trailing_metadata: Metadata = ()) -> None:
        """End the call with a status."""
        self._code, self._details, self._trailing = code, details, trailing_metadata
        raise grpc.aio.AbortError

    async def write(self, message: object) -> None:
        """Send one message of a stream."""
        if self._answers is None:
            raise grpc.aio.UsageError("not a stream")
        try:
            await self._answers.room()
        except grpc.aio.AioRpcError:
            await _until_cancelled()
        self._answers.put(self.encode(message) if self.encode else cast("bytes", message))

    def outcome(self, task: "asyncio.Task[object]") -> object:
        """What came of the handler: its answer, or the error that its caller is told."""
        if task.cancelled():
            return failure(grpc.StatusCode.CANCELLED, "the call was cancelled")
        error = task.exception()
        if error is None:
            return task.result()
        if isinstance(error, grpc.aio.AioRpcError):
            return error
        return failure(self._code or grpc.StatusCode.UNKNOWN, self._details, self._trailing)


class StreamCall:
    """The client's side of a stream, and the server's task behind it."""

    def __init__(
        self, channel: "MemoryChannel", question: Question, encode: Encode | None, decode: Decode | None
    ) -> None:
        self._channel = channel
        self._question = question
        self._encode = encode
        self._decode = decode
        self._loop = asyncio.get_running_loop()
        network, method = channel.network, question.method
        self._requests = Pipe(network.lines.delay, lambda: network.seen(channel.address, f"{method} is sent something"))
        self._answers = Pipe(network.lines.delay, lambda: network.seen(channel.owner, f"{method} answers something"))
        self._serving: asyncio.Task[object] | None = None
        self._over = False
        self._opening = self._loop.create_task(self._open())

    # -- what callers use

    async def write(self, message: object) -> None:
        """Send one message. Errors: AioRpcError."""
        await self._opened()
        if self._channel.network.lines.breaks():
            self._channel.cut()
        await self._requests.room()
        self._requests.put(self._encode(message) if self._encode else cast("bytes", message))

    async def done_writing(self) -> None:
        """Send no more."""
        await self._opened()
        self._requests.put(Status(None))

    async def read(self) -> object:
        """The next message, grpc.aio.EOF at the end. Errors: AioRpcError."""
        await self._opened()
        message = await self._answers.take()
        if not isinstance(message, Status):
            return self._decode(message) if self._decode else message
        self._end()
        if message.error is not None:
            raise message.error
        return grpc.aio.EOF

    def __aiter__(self) -> "StreamCall":
        return self

    async def __anext__(self) -> object:
        message = await self.read()
        if message is grpc.aio.EOF:
            raise StopAsyncIteration
        return message

    def cancel(self) -> bool:
        """Give it up."""
        self._opening.cancel()
        self._break(failure(grpc.StatusCode.CANCELLED, "cancelled by its caller"))
        return True

    def broke(self) -> None:
        """The connection is gone; a stream that waits for one goes on waiting."""
        if self._opening.done() or not self._question.wait_for_ready:
            self._opening.cancel()
            self._break(broken())

    # -- what goes on behind

    async def _opened(self) -> None:
        if not self._opening.done():
            await asyncio.wait([self._opening])
        if not self._opening.cancelled() and (error := self._opening.exception()) is not None:
            raise error

    async def _open(self) -> None:
        try:
            await self._channel.until_ready(self._question.wait_for_ready)
        except grpc.aio.AioRpcError:
            self._end()
            raise
        self._loop.call_later(self._channel.network.lines.delay(), self._arrive)

    def _arrive(self) -> None:
        network, address = self._channel.network, self._channel.address
        network.seen(address, f"{self._channel.owner} opens {self._question.method}")
        server = network.servers.get(address)
        if server is None or self._over:
            return
        context = MemoryContext(self._question, self._answers)
        self._serving = server.start(self._serve(context))
        self._serving.add_done_callback(lambda done: self._served(context.outcome(done)))

    async def _serve(self, context: MemoryContext) -> None:
        server = self._channel.network.servers[self._channel.address]
        handler = await server.handler(self._question.method, self._question.metadata)
        if handler is None:
            raise failure(grpc.StatusCode.UNIMPLEMENTED, "there is no such method")
        context.encode = handler.response_serializer
        serve = cast(
            "Callable[[object, MemoryContext], Coroutine[object, object, None]]",
            handler.stream_stream if self._question.raw is None else handler.unary_stream,
        )
        decode = handler.request_deserializer
        await serve(_Requests(self._requests, decode) if self._question.raw is None else self._question.raw, context)

    def _served(self, outcome: object) -> None:
        self._answers.put(Status(outcome if isinstance(outcome, grpc.aio.AioRpcError) else None))

    def _break(self, error: grpc.aio.AioRpcError) -> None:
        self._answers.fail(error)
        self._requests.fail(error)
        if self._serving is not None:
            self._loop.call_later(self._channel.network.lines.delay(), self._serving.cancel)
        self._end()

    def _end(self) -> None:
        self._over = True
        self._channel.streams.pop(self, None)


class _Requests:
    """What a handler reads. A broken stream says nothing: its handler is cancelled, as with gRPC."""

    def __init__(self, pipe: Pipe, decode: Decode | None) -> None:
        self._pipe = pipe
        self._decode = decode

    def __aiter__(self) -> "_Requests":
        return self

    async def __anext__(self) -> object:
        try:
            message = await self._pipe.take()
        except grpc.aio.AioRpcError:
            await _until_cancelled()
            raise
        if isinstance(message, Status):
            raise StopAsyncIteration
        return self._decode(message) if self._decode else message


async def _until_cancelled() -> None:
    await asyncio.get_running_loop().create_future()
