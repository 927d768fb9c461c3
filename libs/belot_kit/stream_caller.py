"""Calls over one open bidirectional stream: a fraction of a unary call's cost, and it survives a broken stream.

Items carry a `call_id` for the way back and a request_id of their own: when the stream breaks, everything unanswered
is sent again on a new one, and the server, which may have seen an item before, gives the same answer.
"""

import asyncio
import random
from typing import Final, Generic, TypeVar, cast

import grpc
import structlog
from google.protobuf.message import Message

from belot_kit.batches import TIMEOUT_FIELD, BatchReader, BatchWriter, CallItem, frame
from belot_kit.deadlines import DEFAULT_SECONDS, call_timeout
from belot_kit.errors import DomainError, Reason, from_rpc_error
from belot_kit.metrics import INNER_RECONNECTS
from belot_kit.tasks import background

_log = structlog.get_logger(__name__)

_BACKOFF_SECONDS: Final = (0.05, 0.5)
_MAX_OPEN_CALLS: Final = 10_000
_RETRIED: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.INTERNAL,  # also gRPC's own word for a connection cut in the middle
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.ABORTED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)

Item = TypeVar("Item", bound=CallItem)
Reply = TypeVar("Reply", bound=CallItem)


class StreamCaller(Generic[Item, Reply]):
    """Calls items of one method; works while `run` runs. Cancelling `run` closes the stream and fails open calls."""

    def __init__(
        self, channel: grpc.aio.Channel, method: str, reply_batch: type[Message], *, max_batch: int = 128
    ) -> None:
        """`method` is ``/package.Service/Method``; its messages are batches (belot_kit.batches), `reply_batch` the
        class of its responses. At most `max_batch` items leave in one message.
        """
        self._method = method
        self._max_batch = max_batch
        self._replies: BatchReader[Reply] = BatchReader(reply_batch)
        self._open = cast("grpc.aio.StreamStreamMultiCallable[bytes, bytes]", channel.stream_stream(method, None, None))
        self._loop = asyncio.get_running_loop()
        self._last_id = 0
        self._calls: dict[int, tuple[bytes, asyncio.Future[Reply]]] = {}
        self._writer: BatchWriter | None = None

    async def call(self, item: Item, *, most_s: float = DEFAULT_SECONDS) -> Reply:
        """Send an item (its `call_id` is set here) and wait for its reply, over broken streams if need be.

        The wait ends with the deadline in force, or after `most_s` seconds: DomainError DEADLINE_TOO_SHORT. Other
        errors: DomainError UNAVAILABLE when too much is waiting or the caller is closed, else what the server said.
        Errors of single items travel in their replies; they are the caller's to read.
        """
        timeout = call_timeout(most_s)
        if len(self._calls) >= _MAX_OPEN_CALLS:
            raise DomainError(Reason.UNAVAILABLE, "too many calls are waiting")
        self._last_id += 1
        call_id = item.call_id = self._last_id
        if hasattr(item, TIMEOUT_FIELD):
            setattr(item, TIMEOUT_FIELD, int(timeout * 1000))
        encoded = frame(item)
        answer: asyncio.Future[Reply] = self._loop.create_future()
        self._calls[call_id] = (encoded, answer)
        if self._writer is not None:
            self._writer.put(encoded)
        alarm = self._loop.call_later(timeout, _expire, answer)
        try:
            return await answer
        finally:
            alarm.cancel()
            self._calls.pop(call_id, None)

    async def run(self) -> None:
        """Keep a stream open, for ever: a broken one is opened again after 50–500 ms."""
        delay = _BACKOFF_SECONDS[0]
        try:
            while True:
                began = self._loop.time()
                try:
                    await self._one_stream()
                except grpc.aio.AioRpcError as error:
                    _log.warning("inner_stream_broken", stream=self._method, code=error.code().name)
                    if error.code() not in _RETRIED:
                        self._fail_all(from_rpc_error(error))
                if self._loop.time() - began > 1.0:
                    delay = _BACKOFF_SECONDS[0]
                INNER_RECONNECTS.labels(self._method).inc()
                await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
                delay = min(delay * 2, _BACKOFF_SECONDS[1])
        finally:
            self._fail_all(DomainError(Reason.UNAVAILABLE, "the stream is closed"))

    async def _one_stream(self) -> None:
        stream = self._open(wait_for_ready=True)
        writer = BatchWriter(stream.write, stream=self._method, max_items=self._max_batch)
        for encoded, _ in self._calls.values():
            writer.put(encoded)
        self._writer = writer
        try:
            async with background(_write(writer)):
                while isinstance(raw := await stream.read(), bytes):
                    for reply in self._replies.decode(raw):
                        self._answer(reply)
        finally:
            self._writer = None
            stream.cancel()

    def _answer(self, reply: Reply) -> None:
        known = self._calls.get(reply.call_id)
        # None: its call gave up, or an earlier stream had answered already.
        if known is not None and not known[1].done():
            known[1].set_result(reply)

    def _fail_all(self, error: DomainError) -> None:
        for _, answer in self._calls.values():
            if not answer.done():
                answer.set_exception(error)


async def _write(writer: BatchWriter) -> None:
    try:
        await writer.run()
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError, grpc.aio.UsageError):
        # The stream broke; the reader is told too, and why.
        return


def _expire(answer: "asyncio.Future[Reply]") -> None:
    if not answer.done():
        answer.set_exception(DomainError(Reason.DEADLINE_TOO_SHORT, "no answer came before the deadline"))
