"""What can go wrong for a client, as typed exceptions."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import grpc
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from belot.common.v1 import errors_pb2
from belot_client.cards import Card, card
from belot_fair.report import Point
from belot_kit.errors import STATUS_KEY, DomainError, Reason, from_rpc_error
from belot_kit.refusals import from_refusal


@dataclass(eq=False)  # not frozen: whoever raises it again sets its traceback; no two are equal, as exceptions are
class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an accident
    """The server refused.

    `reason` for programs (belot.common.v1.ErrorReason without prefix), `message` for developers, `localized` for the
    player, in the language the client was opened with. An illegal card brings the `clause` that forbids it and the
    `legal_cards`; `version` is the table's, where it matters; all facts are in `metadata`.
    """

    reason: str
    message: str
    localized: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    retry_after_ms: int | None = None

    @property
    def clause(self) -> str:
        """The clause of the rules that forbids a card: ``must_follow``, ...; empty for other refusals."""
        return self.metadata.get("clause", "")

    @property
    def legal_cards(self) -> tuple[Card, ...]:
        """The cards that may be played instead."""
        return tuple(card(text) for text in self.metadata.get("legal_cards", "").split())

    @property
    def version(self) -> int | None:
        """The version of the table's state now."""
        text = self.metadata.get("version", "")
        return int(text) if text.isdigit() else None

    def __str__(self) -> str:
        return f"{self.reason}: {self.localized or self.message}"


class Superseded(Refused):
    """A newer stream of the same player follows this table: this one has ended and must not come back."""


class Unfair(Exception):  # noqa: N818 - a finding
    """The deal does not fit what the dealer said or bound: `point` says where and how."""

    def __init__(self, point: Point) -> None:
        super().__init__(f"{point.name}: {point.sentence}")
        self.point = point


class SessionOver(RuntimeError):  # noqa: N818 - it ends, it does not fail
    """The session is closed: nothing can be asked of it any more."""


_FINAL_REASONS = frozenset(
    {
        Reason.UNAUTHENTICATED,
        Reason.PERMISSION_DENIED,
        Reason.INVALID_ARGUMENT,
        Reason.TABLE_NOT_FOUND,
        Reason.SPECTATORS_NOT_ALLOWED,
        Reason.STREAM_SUPERSEDED,
    }
)


def comes_back(refused: Refused) -> bool:
    """Whether a stream that ended so should be opened again; unknown reasons say yes."""
    return refused.reason not in _FINAL_REASONS


def refused_in_stream(refusal: errors_pb2.Refusal) -> Refused:
    """The exception for a refusal of a stream."""
    error = from_refusal(refusal)
    kind = Superseded if error.reason is Reason.STREAM_SUPERSEDED else Refused
    return kind(error.reason, error.message, refusal.localized_message, error.metadata, error.retry_after_ms)


def refused_by(error: grpc.aio.AioRpcError) -> Refused:
    """The exception for a failed rpc."""
    found: DomainError = from_rpc_error(error)
    return Refused(found.reason, found.message, _localized(error), found.metadata, found.retry_after_ms)


def _localized(error: grpc.aio.AioRpcError) -> str:
    for key, value in error.trailing_metadata() or ():
        if key == STATUS_KEY and isinstance(value, bytes):
            try:
                status = status_pb2.Status.FromString(value)
            except DecodeError:
                return ""
            text = error_details_pb2.LocalizedMessage()
            for detail in status.details:
                if detail.Is(text.DESCRIPTOR):
                    detail.Unpack(text)
                    return str(text.message)
    return ""
