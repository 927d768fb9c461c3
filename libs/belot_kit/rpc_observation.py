"""What is measured and logged of each rpc, and how its refusal is sent."""

import asyncio
import time
from dataclasses import dataclass, field
from functools import cache
from typing import Final, NoReturn

import grpc
import structlog

from belot_kit.errors import STATUS_KEY, DomainError, LocalizedText, Reason, from_rpc_error, to_status
from belot_kit.logs import sampled
from belot_kit.metrics import REFUSALS, RPC_OPEN, RPC_SECONDS

_log = structlog.get_logger(__name__)

# Health checks and reflection would fill the log and say nothing.
_SILENT: Final = ("/grpc.health.", "/grpc.reflection.")


# Looking labels up takes a lock and more time than counting does.
_open_rpcs = cache(RPC_OPEN.labels)
_rpc_seconds = cache(RPC_SECONDS.labels)


@dataclass(slots=True)
class Observation:
    """One rpc, from its begin to `end`: one log line, one measurement."""

    method: str
    rpc_sample: float
    begun: float = field(default_factory=time.perf_counter)
    reason: str | None = None

    def begin(self) -> None:
        """Count the rpc as open and name it in every line logged meanwhile."""
        structlog.contextvars.bind_contextvars(method=self.method)
        _open_rpcs(self.method).inc()

    def end(self, code: grpc.StatusCode) -> None:
        """Count the rpc as over and log its line: always for refusals, else as sampled."""
        seconds = time.perf_counter() - self.begun
        _open_rpcs(self.method).dec()
        _rpc_seconds(self.method, code.name).observe(seconds)
        if self.reason is not None:
            REFUSALS.labels(self.method, self.reason).inc()
        if self.method.startswith(_SILENT):
            return
        if code is not grpc.StatusCode.OK or sampled(self.rpc_sample):
            extra = {"reason": self.reason} if self.reason is not None else {}
            _log.info("rpc", code=code.name, ms=round(seconds * 1000, 2), **extra)


def domain_error(error: Exception) -> DomainError:
    """What an exception of a handler means to the caller. Unknown ones are logged whole and answered as INTERNAL."""
    match error:
        case DomainError():
            return error
        case ExceptionGroup():
            inner = [domain_error(each) for each in error.exceptions]
            return next((each for each in inner if each.reason is not Reason.INTERNAL), inner[0])
        case grpc.aio.AioRpcError():
            return from_rpc_error(error)
        case grpc.aio.BaseError():
            return DomainError(Reason.UNAVAILABLE, "the stream broke")
        case TimeoutError():
            return DomainError(Reason.DEADLINE_TOO_SHORT, "the deadline passed")
        case _:
            _log.error("unhandled_exception", exc_info=error)
            return DomainError(Reason.INTERNAL, "internal error")


async def send_error(
    context: grpc.aio.ServicerContext[object, object], error: DomainError, localized: LocalizedText | None = None
) -> NoReturn:
    """End the rpc with the error's status. Always raises, as grpc.aio wants it."""
    status = to_status(error, localized)
    try:
        await context.abort(error.code, status.message, ((STATUS_KEY, status.SerializeToString()),))
    except grpc.aio.AbortError:
        raise
    except grpc.aio.BaseError:
        # The client gave up in this very moment and nobody is there to be told: to gRPC an rpc that was cancelled.
        _log.info("refusal_not_sent", reason=error.reason)
        raise asyncio.CancelledError from None
    raise AssertionError("abort returned")


def sent_code(context: grpc.aio.ServicerContext[object, object]) -> grpc.StatusCode:
    """The code a handler has set itself; OK when it has not."""
    code = context.code()
    return code if isinstance(code, grpc.StatusCode) else grpc.StatusCode.OK
