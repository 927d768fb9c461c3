"""What happened, as encoded TableEvents: who may see which part is decided here, once, when an event is written."""

from collections.abc import Callable, Sequence
from typing import Final

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2, rules_pb2
from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_table.complaints import Reported
from belot_table.convert import (
    ACTORS,
    PROPOSAL_STATES,
    STATUSES,
    next_of,
    proposal_of,
    seat_message,
    timestamp,
)
from belot_table.course import Applied
from belot_table.endings import EndKind
from belot_table.fields import message_field
from belot_table.results import match_finished
from belot_table.table import (
    DecisionTaken,
    Happening,
    MatchOver,
    ProposalChanged,
    RematchOpened,
    SeatChanged,
    SeatLeft,
    SeatPresence,
    SeatReturned,
    SeatTakenOver,
    StatusChanged,
    Step,
    Table,
    Told,
    TurnStarted,
)

_AT: Final = view_pb2.TableEvent.AT_FIELD_NUMBER

_GAME: Final = view_pb2.TableEvent.GAME_FIELD_NUMBER


def envelopes_of(step: Step, at_ms: int) -> tuple[Envelope, ...]:
    """The events of a step as they are stored and published, numbered on."""
    table = step.table
    first = table.sequence - len(step.events) + 1
    at = message_field(_AT, timestamp(at_ms).SerializeToString())
    return tuple(_envelope(table, first + number, at, at_ms, each) for number, each in enumerate(step.events))


def _envelope(table: Table, sequence: int, at: bytes, at_ms: int, happening: Happening) -> Envelope:
    told = happening if isinstance(happening, Told) else _TELLERS[type(happening)](happening, table)
    # The time stands in whichever part is seen first; a hidden event's public part stays empty.
    hidden = not told.body
    return Envelope(
        table_id=table.table_id,
        sequence=sequence,
        kind=told.kind,
        at_ms=at_ms,
        payload=b"" if hidden else at + told.body,
        only_seat=told.only_seat,
        seat_payload=at + told.seat_body if hidden else told.seat_body,
        hidden_from=told.hidden_from,
    )


def told_event(event: view_pb2.TableEvent, seat: int | None = None, more: view_pb2.TableEvent | None = None) -> Told:
    """An event that everybody may see, and `more` of it for one seat."""
    seat_body = more.SerializeToString() if more is not None else b""
    return Told(event.WhichOneof("kind") or "", event.SerializeToString(), seat, seat_body)


def private_event(seat: int, event: view_pb2.TableEvent) -> Told:
    """An event that one seat alone may see."""
    return Told(event.WhichOneof("kind") or "", b"", seat, event.SerializeToString())


def applied_of(message: rules_pb2.Applied) -> Applied:
    """What the rules answered; the ruleset's JSON, which the table holds itself, is left out of the state."""
    state = message.state
    state.ClearField("ruleset_json")
    points = [each.event.deal_scored for each in message.events if each.event.HasField("deal_scored")]
    return Applied(
        state=state.SerializeToString(),
        next=next_of(message.next),
        hand=state.public.hand_number,
        trick=len(state.public.tricks),
        events=tuple(_told_game(each) for each in message.events),
        card_points=_card_points(points),
        cancelled=_cancelled(message),
    )


def _cancelled(message: rules_pb2.Applied) -> bytes:
    """The result of a match that ends where nobody took the hand: nobody won. Empty when somebody took it."""
    if not any(each.event.HasField("hand_passed_out") for each in message.events):
        return b""
    public = message.state.public
    result = match_pb2.MatchResult(
        outcome=EndKind.CANCELLED,
        ranks=[1] * len(public.totals),
        totals=public.totals,
        deals_played=public.deals_played,
    )
    return result.SerializeToString()


def _told_game(addressed: match_pb2.AddressedEvent) -> Told:
    kind = addressed.event.WhichOneof("kind") or ""
    body = message_field(_GAME, addressed.event.SerializeToString())
    if addressed.HasField("only_seat"):
        return Told(kind, b"", addressed.only_seat, body)
    return Told(kind, body)


def _card_points(sheets: Sequence[match_pb2.ScoreSheet]) -> tuple[int, ...]:
    """Card points by side of the deals that were scored: their lines "cards"."""
    lines = [line.values for sheet in sheets for line in sheet.lines if line.name == "cards"]
    return tuple(max(0, sum(values)) for values in zip(*lines, strict=True))


def _seat_changed(event: SeatChanged, table: Table) -> Told:
    return told_event(view_pb2.TableEvent(seat_changed=view_pb2.SeatChanged(seat=seat_message(event.seat))))


def _seat_left(event: SeatLeft, table: Table) -> Told:
    return told_event(view_pb2.TableEvent(seat_left=view_pb2.SeatLeft(seat=event.seat, player_id=event.player_id)))


def _status_changed(event: StatusChanged, table: Table) -> Told:
    return told_event(view_pb2.TableEvent(status_changed=view_pb2.StatusChanged(status=STATUSES[event.status])))


def _turn_started(event: TurnStarted, table: Table) -> Told:
    clock = view_pb2.TurnClock(
        seat=event.seat, due_at=timestamp(event.due_ms), reserve_from=timestamp(event.reserve_from_ms)
    )
    public = view_pb2.TableEvent(turn_started=clock)
    if not event.legal:
        return told_event(public)
    legal = match_pb2.LegalActions.FromString(event.legal)
    return told_event(public, event.seat, view_pb2.TableEvent(turn_started=view_pb2.TurnClock(legal=legal)))


def _decision_taken(event: DecisionTaken, table: Table) -> Told:
    actor: common_pb2.ActorKind.ValueType = ACTORS[event.actor]
    decision = view_pb2.DecisionTaken(seat=event.seat, actor=actor, policy=event.policy)
    return told_event(view_pb2.TableEvent(decision_taken=decision))


def _match_over(event: MatchOver, table: Table) -> Told:
    return told_event(view_pb2.TableEvent(match_finished=match_finished(table)))


def _seat_taken_over(event: SeatTakenOver, table: Table) -> Told:
    seat = event.seat
    said = view_pb2.SeatTakenOver(
        seat=seat.seat, player_id=seat.player_id, bot_level=seat.bot_level, missed_turns=event.missed
    )
    return told_event(view_pb2.TableEvent(seat_taken_over=said))


def _seat_returned(event: SeatReturned, table: Table) -> Told:
    said = view_pb2.SeatReturned(seat=event.seat.seat, player_id=event.seat.player_id)
    return told_event(view_pb2.TableEvent(seat_returned=said))


def _seat_presence(event: SeatPresence, table: Table) -> Told:
    said = view_pb2.SeatPresence(seat=event.seat, connected=event.connected)
    return told_event(view_pb2.TableEvent(seat_presence=said))


def _proposal_changed(event: ProposalChanged, table: Table) -> Told:
    said = view_pb2.ProposalChanged(proposal=proposal_of(event.proposal), state=PROPOSAL_STATES[event.state])
    return told_event(view_pb2.TableEvent(proposal_changed=said))


def _rematch_opened(event: RematchOpened, table: Table) -> Told:
    said = view_pb2.RematchOpened(table_id=event.table_id, player_id=event.player_id)
    return told_event(view_pb2.TableEvent(rematch_opened=said))


def _reported(event: Reported, table: Table) -> Told:
    said = view_pb2.MessageReported(sequence=event.sequence)
    return private_event(event.seat, view_pb2.TableEvent(message_reported=said))


_TELLERS: Final[dict[type, Callable[..., Told]]] = {
    SeatChanged: _seat_changed,
    SeatLeft: _seat_left,
    SeatTakenOver: _seat_taken_over,
    SeatReturned: _seat_returned,
    SeatPresence: _seat_presence,
    StatusChanged: _status_changed,
    TurnStarted: _turn_started,
    DecisionTaken: _decision_taken,
    ProposalChanged: _proposal_changed,
    RematchOpened: _rematch_opened,
    MatchOver: _match_over,
    Reported: _reported,
}
