"""Errors as the whole system speaks them: a reason from one list, turned into google.rpc.Status and back.

A service raises `DomainError`; the server's outermost interceptor sends it as a gRPC status with exactly one
ErrorInfo (domain ``belot``). Batches on inner streams carry the same Status as bytes, one per refused item.
Messages and metadata never contain hands, seeds, tokens or keys.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import grpc
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

DOMAIN: Final = "belot"
STATUS_KEY: Final = "grpc-status-details-bin"
"""The trailing metadata in which gRPC carries a serialized google.rpc.Status."""


class Reason(StrEnum):
    """Why something was refused. Equal to belot.common.v1.ErrorReason without its prefix; see CODES for each code."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    UNAUTHENTICATED = "UNAUTHENTICATED"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    TABLE_NOT_FOUND = "TABLE_NOT_FOUND"
    MATCH_NOT_FOUND = "MATCH_NOT_FOUND"
    RULESET_NOT_FOUND = "RULESET_NOT_FOUND"
    SEAT_TAKEN = "SEAT_TAKEN"
    ALREADY_SEATED = "ALREADY_SEATED"
    NOT_SEATED = "NOT_SEATED"
    TABLE_FULL = "TABLE_FULL"
    TABLE_NOT_OPEN = "TABLE_NOT_OPEN"
    WRONG_PHASE = "WRONG_PHASE"
    NOT_YOUR_TURN = "NOT_YOUR_TURN"
    CARD_NOT_HELD = "CARD_NOT_HELD"
    UNKNOWN_CARD = "UNKNOWN_CARD"
    ILLEGAL_CARD = "ILLEGAL_CARD"
    ILLEGAL_BID = "ILLEGAL_BID"
    REQUEST_ID_REUSED = "REQUEST_ID_REUSED"
    VERSION_MISMATCH = "VERSION_MISMATCH"
    CONFLICT = "CONFLICT"
    SEED_ALREADY_SENT = "SEED_ALREADY_SENT"
    SEED_INVALID = "SEED_INVALID"
    SEEDS_CLOSED = "SEEDS_CLOSED"
    BEACON_NOT_READY = "BEACON_NOT_READY"
    BEACON_REFUSED = "BEACON_REFUSED"
    HAND_NOT_ENTITLED = "HAND_NOT_ENTITLED"
    MATCH_NOT_REVEALED = "MATCH_NOT_REVEALED"
    MATCH_NOT_FINISHED = "MATCH_NOT_FINISHED"
    STREAM_TOO_SLOW = "STREAM_TOO_SLOW"
    STREAM_SUPERSEDED = "STREAM_SUPERSEDED"
    STREAM_NOT_FOUND = "STREAM_NOT_FOUND"
    RATE_LIMITED = "RATE_LIMITED"
    DEADLINE_TOO_SHORT = "DEADLINE_TOO_SHORT"
    OPTION_INVALID = "OPTION_INVALID"
    BOT_LEVEL_UNKNOWN = "BOT_LEVEL_UNKNOWN"
    UNAVAILABLE = "UNAVAILABLE"
    DRAINING = "DRAINING"
    INTERNAL = "INTERNAL"
    DISPUTE_NOT_FOUND = "DISPUTE_NOT_FOUND"
    AUDIT_BREACH = "AUDIT_BREACH"
    CLAIM_NOT_CERTAIN = "CLAIM_NOT_CERTAIN"
    SPECTATORS_NOT_ALLOWED = "SPECTATORS_NOT_ALLOWED"
    MESSAGE_NOT_FOUND = "MESSAGE_NOT_FOUND"
    TABLE_HALTED = "TABLE_HALTED"
    MATCH_RESULT_DIFFERS = "MATCH_RESULT_DIFFERS"


_C = grpc.StatusCode

CODES: Final[Mapping[Reason, grpc.StatusCode]] = {
    # Malformed whatever the state: correct the request.
    Reason.INVALID_ARGUMENT: _C.INVALID_ARGUMENT,
    Reason.UNKNOWN_CARD: _C.INVALID_ARGUMENT,
    Reason.SEED_INVALID: _C.INVALID_ARGUMENT,
    Reason.BEACON_REFUSED: _C.INVALID_ARGUMENT,
    Reason.OPTION_INVALID: _C.INVALID_ARGUMENT,
    Reason.BOT_LEVEL_UNKNOWN: _C.INVALID_ARGUMENT,
    # Who asks.
    Reason.UNAUTHENTICATED: _C.UNAUTHENTICATED,
    Reason.PERMISSION_DENIED: _C.PERMISSION_DENIED,
    Reason.NOT_SEATED: _C.PERMISSION_DENIED,
    Reason.SPECTATORS_NOT_ALLOWED: _C.PERMISSION_DENIED,
    # Absent, or hidden from the caller.
    Reason.TABLE_NOT_FOUND: _C.NOT_FOUND,
    Reason.MATCH_NOT_FOUND: _C.NOT_FOUND,
    Reason.RULESET_NOT_FOUND: _C.NOT_FOUND,
    Reason.STREAM_NOT_FOUND: _C.NOT_FOUND,
    Reason.DISPUTE_NOT_FOUND: _C.NOT_FOUND,
    Reason.MESSAGE_NOT_FOUND: _C.NOT_FOUND,
    # Well formed, but not in this state: look again before repeating it.
    Reason.SEAT_TAKEN: _C.FAILED_PRECONDITION,
    Reason.ALREADY_SEATED: _C.FAILED_PRECONDITION,
    Reason.TABLE_FULL: _C.FAILED_PRECONDITION,
    Reason.TABLE_NOT_OPEN: _C.FAILED_PRECONDITION,
    Reason.WRONG_PHASE: _C.FAILED_PRECONDITION,
    Reason.NOT_YOUR_TURN: _C.FAILED_PRECONDITION,
    Reason.CARD_NOT_HELD: _C.FAILED_PRECONDITION,
    Reason.ILLEGAL_CARD: _C.FAILED_PRECONDITION,
    Reason.ILLEGAL_BID: _C.FAILED_PRECONDITION,
    Reason.SEED_ALREADY_SENT: _C.FAILED_PRECONDITION,
    Reason.SEEDS_CLOSED: _C.FAILED_PRECONDITION,
    Reason.MATCH_NOT_REVEALED: _C.FAILED_PRECONDITION,
    Reason.MATCH_NOT_FINISHED: _C.FAILED_PRECONDITION,
    Reason.HAND_NOT_ENTITLED: _C.FAILED_PRECONDITION,
    Reason.CLAIM_NOT_CERTAIN: _C.FAILED_PRECONDITION,
    Reason.MATCH_RESULT_DIFFERS: _C.FAILED_PRECONDITION,
    # Overtaken: reload and decide again, or leave it to the newer one.
    Reason.VERSION_MISMATCH: _C.ABORTED,
    Reason.CONFLICT: _C.ABORTED,
    Reason.STREAM_SUPERSEDED: _C.ABORTED,
    Reason.REQUEST_ID_REUSED: _C.ABORTED,
    # Limits.
    Reason.STREAM_TOO_SLOW: _C.RESOURCE_EXHAUSTED,
    Reason.RATE_LIMITED: _C.RESOURCE_EXHAUSTED,
    # Time and dependencies.
    Reason.DEADLINE_TOO_SHORT: _C.DEADLINE_EXCEEDED,
    Reason.UNAVAILABLE: _C.UNAVAILABLE,
    Reason.DRAINING: _C.UNAVAILABLE,
    Reason.BEACON_NOT_READY: _C.UNAVAILABLE,
    Reason.TABLE_HALTED: _C.UNAVAILABLE,
    # Faults of ours.
    Reason.INTERNAL: _C.INTERNAL,
    Reason.AUDIT_BREACH: _C.INTERNAL,
}

_REASON_OF_BARE_CODE: Final[Mapping[grpc.StatusCode, Reason]] = {
    _C.INVALID_ARGUMENT: Reason.INVALID_ARGUMENT,
    _C.OUT_OF_RANGE: Reason.INVALID_ARGUMENT,
    _C.UNAUTHENTICATED: Reason.UNAUTHENTICATED,
    _C.PERMISSION_DENIED: Reason.PERMISSION_DENIED,
    _C.RESOURCE_EXHAUSTED: Reason.RATE_LIMITED,
    _C.ABORTED: Reason.CONFLICT,
    _C.DEADLINE_EXCEEDED: Reason.DEADLINE_TOO_SHORT,
    _C.UNAVAILABLE: Reason.UNAVAILABLE,
    _C.CANCELLED: Reason.UNAVAILABLE,
}
"""What an error without our ErrorInfo means: it came from gRPC itself, or from a server that is not ours."""

_MOST_VIOLATIONS: Final = 8

_CODE_BY_NUMBER: Final[Mapping[int, grpc.StatusCode]] = {code.value[0]: code for code in grpc.StatusCode}


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field of a request and what is wrong with it; `field` is its proto path (``seats[2].player_id``)."""

    field: str
    description: str


@dataclass(frozen=True, slots=True)
class PreconditionViolation:
    """A condition of the state that did not hold: its `kind` (``RULE``), its `subject` (a clause), what it says."""

    kind: str
    subject: str
    description: str


@dataclass(frozen=True, slots=True)
class LocalizedText:
    """A message for a person, in the language `locale` (BCP 47); the gateway adds it."""

    locale: str
    text: str


class DomainError(Exception):
    """A refusal: `reason` for programs, `message` for developers, `metadata` for both (values become strings).

    `violations` names bad fields (BadRequest), `preconditions` broken conditions (PreconditionFailure),
    `retry_after_ms` says when trying again makes sense (RetryInfo).
    """

    def __init__(
        self,
        reason: Reason,
        message: str,
        *,
        violations: Sequence[FieldViolation] = (),
        preconditions: Sequence[PreconditionViolation] = (),
        retry_after_ms: int | None = None,
        **metadata: str | int | bool,
    ) -> None:
        super().__init__(f"{reason}: {message}")
        self.reason = reason
        self.message = message
        self.violations = tuple(violations)
        self.preconditions = tuple(preconditions)
        self.retry_after_ms = retry_after_ms
        self.metadata: Mapping[str, str] = {key: _text(value) for key, value in metadata.items()}

    @property
    def code(self) -> grpc.StatusCode:
        """The gRPC code of the reason."""
        return CODES[self.reason]


def _text(value: str | int | bool) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def invalid_field(field: str, description: str) -> DomainError:
    """INVALID_ARGUMENT for one field, with its BadRequest."""
    violations = [FieldViolation(field, description)]
    return DomainError(Reason.INVALID_ARGUMENT, f"{field}: {description}", violations=violations)


def bounded(text: str, octets: int = 300) -> str:
    """The text, or the beginning of one that is too long for an error: it travels in headers, which are limited.

    What was sent may be quoted in it. Above 8 KiB of headers a client hears RESOURCE_EXHAUSTED in place of the error.
    """
    encoded = text.encode("utf-8", "replace")
    return text if len(encoded) <= octets else encoded[: octets - 3].decode("utf-8", "ignore") + "…"


def to_status(error: DomainError, localized: LocalizedText | None = None) -> status_pb2.Status:
    """The error as google.rpc.Status: one ErrorInfo, then BadRequest, PreconditionFailure, RetryInfo, text if given.

    Texts are `bounded`, and no more than eight violations are told.
    """
    metadata = {key: bounded(value) for key, value in error.metadata.items()}
    details = [_packed(error_details_pb2.ErrorInfo(reason=error.reason, domain=DOMAIN, metadata=metadata))]
    if error.violations:
        fields = [
            error_details_pb2.BadRequest.FieldViolation(
                field=bounded(each.field, 100), description=bounded(each.description)
            )
            for each in error.violations[:_MOST_VIOLATIONS]
        ]
        details.append(_packed(error_details_pb2.BadRequest(field_violations=fields)))
    if error.preconditions:
        broken = [
            error_details_pb2.PreconditionFailure.Violation(
                type=each.kind, subject=bounded(each.subject, 100), description=bounded(each.description)
            )
            for each in error.preconditions[:_MOST_VIOLATIONS]
        ]
        details.append(_packed(error_details_pb2.PreconditionFailure(violations=broken)))
    if error.retry_after_ms is not None:
        seconds, milliseconds = divmod(error.retry_after_ms, 1000)
        delay = Duration(seconds=seconds, nanos=milliseconds * 1_000_000)
        details.append(_packed(error_details_pb2.RetryInfo(retry_delay=delay)))
    if localized is not None:
        text = error_details_pb2.LocalizedMessage(locale=localized.locale, message=localized.text)
        details.append(_packed(text))
    return status_pb2.Status(code=error.code.value[0], message=bounded(error.message), details=details)


def _packed(detail: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(detail)
    return packed


def from_status(status: status_pb2.Status) -> DomainError:
    """The error in a google.rpc.Status; one without our ErrorInfo, or with a newer reason, is judged by its code."""
    info = error_details_pb2.ErrorInfo()
    request = error_details_pb2.BadRequest()
    failure = error_details_pb2.PreconditionFailure()
    retry = error_details_pb2.RetryInfo()
    seen: set[str] = set()
    for detail in status.details:
        for target in (info, request, failure, retry):
            if detail.Is(target.DESCRIPTOR):
                detail.Unpack(target)
                seen.add(target.DESCRIPTOR.name)
    code = code_of_number(status.code)
    known = info.domain == DOMAIN and info.reason in Reason.__members__
    error = DomainError(
        Reason(info.reason) if known else reason_of_code(code),
        status.message,
        violations=[FieldViolation(each.field, each.description) for each in request.field_violations],
        preconditions=[PreconditionViolation(each.type, each.subject, each.description) for each in failure.violations],
        retry_after_ms=retry.retry_delay.ToMilliseconds() if "RetryInfo" in seen else None,
    )
    error.metadata = dict(info.metadata)
    return error


def code_of_number(number: int) -> grpc.StatusCode:
    """The code with google.rpc.Code's number; UNKNOWN for numbers that do not exist."""
    return _CODE_BY_NUMBER.get(number, grpc.StatusCode.UNKNOWN)


def reason_of_code(code: grpc.StatusCode) -> Reason:
    """The general reason for a bare gRPC code; INTERNAL where none fits."""
    return _REASON_OF_BARE_CODE.get(code, Reason.INTERNAL)


def encode_error(error: DomainError) -> bytes:
    """The error as serialized google.rpc.Status, for items of a batch."""
    payload: bytes = to_status(error).SerializeToString()
    return payload


def decode_error(payload: bytes) -> DomainError:
    """The error in a serialized google.rpc.Status; INTERNAL when it is none."""
    try:
        return from_status(status_pb2.Status.FromString(payload))
    except DecodeError:
        return DomainError(Reason.INTERNAL, "an error that cannot be read")


def from_rpc_error(error: grpc.aio.AioRpcError) -> DomainError:
    """The error another service answered, as ours. Text from servers that are not ours is kept out of INTERNAL."""
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_KEY and isinstance(value, bytes):
            return decode_error(value)
    reason = reason_of_code(error.code())
    return DomainError(reason, f"the call failed with {error.code().name}")
