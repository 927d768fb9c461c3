"""Errors inside streams: DomainError as belot.common.v1.Refusal, where one command fails and the stream goes on."""

from belot.common.v1 import errors_pb2
from belot_kit.errors import DomainError, Reason, code_of_number, reason_of_code

_PREFIX = "ERROR_REASON_"


def to_refusal(error: DomainError) -> errors_pb2.Refusal:
    """The error as a message of a stream; field violations are not carried."""
    return errors_pb2.Refusal(
        code=error.code.value[0],
        reason=errors_pb2.ErrorReason.Value(_PREFIX + error.reason),
        message=error.message,
        metadata=error.metadata,
        retry_after_ms=error.retry_after_ms or 0,
    )


def from_refusal(refusal: errors_pb2.Refusal) -> DomainError:
    """The error in a message of a stream; a reason newer than this program is judged by its code."""
    known = refusal.reason in errors_pb2.ErrorReason.values()
    name = errors_pb2.ErrorReason.Name(refusal.reason).removeprefix(_PREFIX) if known else ""
    reason = Reason(name) if name in Reason.__members__ else reason_of_code(code_of_number(refusal.code))
    error = DomainError(reason, refusal.message, retry_after_ms=refusal.retry_after_ms or None)
    error.metadata = dict(refusal.metadata)
    return error
