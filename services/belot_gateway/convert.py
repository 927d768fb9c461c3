"""Stream items and refusals as messages: the border between the gateway's own values and protobuf.

Functions that end in ``_batch`` give an encoded WatchResponse (or PlayResponse, they are alike) with one item.
"""

from collections.abc import Iterable
from typing import Final

from google.protobuf.timestamp_pb2 import Timestamp

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.envelope import Envelope
from belot_gateway.localize import sentence
from belot_gateway.sequencing import SeatChange
from belot_gateway.spectating import SEATED, Terms
from belot_gateway.wire import batch_of
from belot_kit.errors import DomainError
from belot_kit.refusals import to_refusal


def opened_batch(stream_id: str) -> bytes:
    """The stream is open."""
    return _batch(gateway_pb2.StreamItem(opened=gateway_pb2.StreamOpened(stream_id=stream_id)))


def snapshot_batch(view: view_pb2.TableView) -> bytes:
    """The table as the viewer sees it."""
    item = gateway_pb2.StreamItem(table_id=view.summary.table_id, sequence=view.sequence, snapshot=view)
    return _batch(item)


def heartbeat_batch(positions: Iterable[tuple[str, int]], now_ms: int) -> bytes:
    """Heartbeats of several tables, each with what this stream was sent last; of the stream itself when of none."""
    heartbeat = gateway_pb2.Heartbeat(at=_timestamp(now_ms))
    items = [
        gateway_pb2.StreamItem(table_id=table_id, sequence=sequence, heartbeat=heartbeat)
        for table_id, sequence in positions
    ]
    return b"".join(_batch(item) for item in items or [gateway_pb2.StreamItem(heartbeat=heartbeat)])


def draining_batch() -> bytes:
    """The server is going away."""
    return _batch(gateway_pb2.StreamItem(draining=gateway_pb2.Draining()))


def ended_batch(table_id: str, error: DomainError, language: str) -> bytes:
    """A subscription has ended; `table_id` is empty for other topics."""
    ended = gateway_pb2.SubscriptionEnded(refusal=refusal_of(error, language))
    return _batch(gateway_pb2.StreamItem(table_id=table_id, ended=ended))


def lobby_batch(tables: Iterable[view_pb2.TableSummary]) -> bytes:
    """The public tables."""
    return _batch(gateway_pb2.StreamItem(lobby_snapshot=gateway_pb2.LobbySnapshot(tables=tables)))


def lobby_changed_batch(table: view_pb2.TableSummary) -> bytes:
    """One public table has changed."""
    return _batch(gateway_pb2.StreamItem(lobby_changed=gateway_pb2.LobbyChanged(table=table)))


def me_batch(player_id: str, tables: Iterable[view_pb2.TableSummary]) -> bytes:
    """The caller's tables."""
    return _batch(gateway_pb2.StreamItem(me_snapshot=gateway_pb2.MeSnapshot(player_id=player_id, tables=tables)))


def ack_batch(call_id: int, ack: table_pb2.Ack) -> bytes:
    """A command was done."""
    return _batch(gateway_pb2.StreamItem(reply=gateway_pb2.CommandReply(call_id=call_id, ack=ack)))


def refused_batch(call_id: int, error: DomainError, language: str) -> bytes:
    """A command was refused."""
    reply = gateway_pb2.CommandReply(call_id=call_id, refusal=refusal_of(error, language))
    return _batch(gateway_pb2.StreamItem(reply=reply))


def _batch(item: gateway_pb2.StreamItem) -> bytes:
    return batch_of(item.SerializeToString())


def _timestamp(unix_ms: int) -> Timestamp:
    at = Timestamp()
    at.FromMilliseconds(unix_ms)
    return at


def refusal_of(error: DomainError, language: str) -> errors_pb2.Refusal:
    """A refusal for a stream, with its sentence in `language`."""
    refusal = to_refusal(error)
    refusal.localized_message = sentence(language, error.reason, error.metadata)
    return refusal


_BEFORE: Final = frozenset({view_pb2.TABLE_STATUS_UNSPECIFIED, view_pb2.TABLE_STATUS_WAITING})
_RUNNING: Final = frozenset(
    {
        view_pb2.TABLE_STATUS_OPENING,
        view_pb2.TABLE_STATUS_SEEDING,
        view_pb2.TABLE_STATUS_DRAWING,
        view_pb2.TABLE_STATUS_PLAYING,
    }
)


def terms_of(view: view_pb2.TableView) -> Terms:
    """On which terms the viewer of a view is shown its table."""
    options = view.summary.options
    delay_ms = options.spectator_delay.ToMilliseconds()
    if view.HasField("viewer_seat"):
        return SEATED
    if view.summary.status in _BEFORE:
        return Terms(guarded=options.no_spectators or delay_ms > 0)
    return Terms(delay_ms)


def seen_at_once(view: view_pb2.TableView) -> view_pb2.TableView:
    """What a unary answer shows: of a match that its spectators see late nothing but who plays it, as the lobby does.

    Its sequence is 0, for it includes no event.
    """
    if terms_of(view).delay_ms and view.summary.status in _RUNNING:
        return view_pb2.TableView(summary=view.summary)
    return view


def opens_match(envelope: Envelope) -> bool:
    """Whether the match begins with this event."""
    if envelope.kind != "status_changed":
        return False
    return view_pb2.TableEvent.FromString(envelope.payload).status_changed.status in _RUNNING


def seat_change(envelope: Envelope) -> SeatChange | None:
    """Who sits where after this event, None when it moves nobody."""
    found = seat_move(envelope)
    return None if found is None else found[0]


def seat_move(envelope: Envelope) -> tuple[SeatChange, str] | None:
    """The change of a seat and the player who left by it (empty: nobody did); None for other events."""
    if envelope.kind == "seat_changed":
        seat = view_pb2.TableEvent.FromString(envelope.payload).seat_changed.seat
        return SeatChange(seat.seat, seat.player_id), ""
    if envelope.kind == "seat_left":
        left = view_pb2.TableEvent.FromString(envelope.payload).seat_left
        return SeatChange(left.seat, ""), left.player_id
    return None
