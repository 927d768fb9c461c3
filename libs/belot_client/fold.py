"""Events onto a table's state: pure, and after any event equal to a fresh snapshot at that number.

What a viewer may not see comes as a number alone; `hidden` counts it.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from belot.dealer.v1 import dealer_pb2
from belot.table.v1 import view_pb2
from belot_client.fold_match import begin, fold_game, released
from belot_client.snapshot import STATUSES, fairness_of, proposal_of, seat_of, signed_event_of, turn_of
from belot_client.view import MOST_SAID, Actor, Fairness, Phase, Said, Seat, Status, TableState


def fold(state: TableState, sequence: int, event: view_pb2.TableEvent) -> TableState:
    """The state after an event. Kinds that this version does not know only count."""
    kind = event.WhichOneof("kind")
    step = _STEPS.get(kind) if kind is not None else None
    after = state if step is None else step(state, event)
    return replace(after, sequence=sequence)


def hidden(state: TableState, sequence: int) -> TableState:
    """The state after an event that this viewer may not see."""
    return replace(state, sequence=sequence)


def _seat_changed(state: TableState, event: view_pb2.TableEvent) -> TableState:
    seat = seat_of(event.seat_changed.seat)
    mine = seat.seat if seat.actor is Actor.PERSON and seat.player_id == state.player_id else state.viewer_seat
    if seat.player_id != state.player_id and state.viewer_seat == seat.seat:
        mine = None
    return _viewed_from(replace(state, seats=_with_seat(state.seats, seat)), mine)


def _seat_left(state: TableState, event: view_pb2.TableEvent) -> TableState:
    left = event.seat_left
    mine = None if state.viewer_seat == left.seat else state.viewer_seat
    return _viewed_from(replace(state, seats=_with_seat(state.seats, Seat(left.seat))), mine)


def _viewed_from(state: TableState, seat: int | None) -> TableState:
    """The state seen from another place: a hand and what may be done are its own seat's alone."""
    if seat is not None or state.viewer_seat is None:
        return replace(state, viewer_seat=seat)
    turn = None if state.turn is None else replace(state.turn, legal=None)
    match = state.match
    if match is not None:
        match = replace(match, hand=replace(match.hand, own=()))
    return replace(state, viewer_seat=None, turn=turn, match=match)


def _with_seat(seats: tuple[Seat, ...], seat: Seat) -> tuple[Seat, ...]:
    return (*seats[: seat.seat], seat, *seats[seat.seat + 1 :])


def _status_changed(state: TableState, event: view_pb2.TableEvent) -> TableState:
    status = STATUSES.get(event.status_changed.status, Status.UNKNOWN)
    if status is Status.OPENING:
        reserves = (state.options.reserve_ms,) * len(state.seats)
        return replace(state, status=status, fairness=Fairness(), reserves_ms=reserves)
    return replace(state, status=status)


def _match_opened(state: TableState, event: view_pb2.TableEvent) -> TableState:
    opened = event.match_opened
    return replace(
        state,
        match_id=opened.match_id,
        fairness=fairness_of(opened.fairness),
        seats=tuple(seat_of(seat) for seat in opened.seats),
    )


def _seed_received(state: TableState, event: view_pb2.TableEvent) -> TableState:
    fairness = state.fairness or Fairness()
    seeded = tuple(sorted({*fairness.seeded, event.seed_received.seat}))
    return replace(state, fairness=replace(fairness, seeded=seeded))


def _round_chosen(state: TableState, event: view_pb2.TableEvent) -> TableState:
    return _told(state, *event.round_chosen.transcript)


def _beacon_fixed(state: TableState, event: view_pb2.TableEvent) -> TableState:
    return begin(_told(state, event.beacon_fixed.transcript))


def _cards_released(state: TableState, event: view_pb2.TableEvent) -> TableState:
    if not event.cards_released.HasField("transcript"):
        return state  # a receipt alone, for this viewer
    return released(_told(state, event.cards_released.transcript))


def _seed_revealed(state: TableState, event: view_pb2.TableEvent) -> TableState:
    told = _told(state, *event.seed_revealed.untold, event.seed_revealed.transcript)
    fairness = replace(told.fairness or Fairness(), server_seed=event.seed_revealed.server_seed)
    return replace(told, fairness=fairness)


def _told(state: TableState, *events: dealer_pb2.SignedEvent) -> TableState:
    """The state with more of the dealer's transcript."""
    fairness = state.fairness or Fairness()
    transcript = (*fairness.transcript, *(signed_event_of(event) for event in events))
    return replace(state, fairness=replace(fairness, transcript=transcript))


def _turn_started(state: TableState, event: view_pb2.TableEvent) -> TableState:
    match = state.match
    if match is not None:
        phase = Phase.BIDDING if match.hand.declarer is None else Phase.PLAYING
        match = replace(match, hand=replace(match.hand, phase=phase))
    return replace(state, turn=turn_of(event.turn_started), match=match)


def _decision_taken(state: TableState, event: view_pb2.TableEvent) -> TableState:
    return replace(state, bot_decides=event.decision_taken.actor == _BOT)


def _seat_presence(state: TableState, event: view_pb2.TableEvent) -> TableState:
    told = event.seat_presence
    seat = replace(state.seats[told.seat], disconnected=not told.connected)
    return replace(state, seats=_with_seat(state.seats, seat))


def _proposal_changed(state: TableState, event: view_pb2.TableEvent) -> TableState:
    changed = event.proposal_changed
    is_open = changed.state == view_pb2.PROPOSAL_STATE_OPEN
    return replace(state, proposal=proposal_of(changed.proposal) if is_open else None)


def _match_finished(state: TableState, event: view_pb2.TableEvent) -> TableState:
    return replace(state, outcome=event.match_finished.outcome_kind, proposal=None)


def _rematch_opened(state: TableState, event: view_pb2.TableEvent) -> TableState:
    return replace(state, rematch=event.rematch_opened.table_id)


def _said(state: TableState, event: view_pb2.TableEvent) -> TableState:
    """The number of a message is that of its event, which follows on from the state's."""
    told = event.said
    message = Said(state.sequence + 1, event.at.ToMilliseconds(), told.seat, told.player_id, told.text, told.phrase)
    return replace(state, said=(*state.said, message)[-MOST_SAID:])


def _player_muted(state: TableState, event: view_pb2.TableEvent) -> TableState:
    told = event.player_muted
    others = {player_id for player_id in state.muted if player_id != told.player_id}
    return replace(state, muted=tuple(sorted(others | {told.player_id} if told.muted else others)))


def _table_halted(state: TableState, event: view_pb2.TableEvent) -> TableState:
    return replace(state, halted=event.table_halted.halted)


def _game(state: TableState, event: view_pb2.TableEvent) -> TableState:
    return fold_game(state, event.game, event.at.ToMilliseconds())


_BOT: Final = list(Actor).index(Actor.BOT)
_STEPS: Final[Mapping[str, Callable[[TableState, view_pb2.TableEvent], TableState]]] = {
    "seat_changed": _seat_changed,
    "seat_left": _seat_left,
    "status_changed": _status_changed,
    "match_opened": _match_opened,
    "seed_received": _seed_received,
    "round_chosen": _round_chosen,
    "beacon_fixed": _beacon_fixed,
    "cards_released": _cards_released,
    "seed_revealed": _seed_revealed,
    "turn_started": _turn_started,
    "decision_taken": _decision_taken,
    "seat_presence": _seat_presence,
    "proposal_changed": _proposal_changed,
    "match_finished": _match_finished,
    "rematch_opened": _rematch_opened,
    "said": _said,
    "player_muted": _player_muted,
    "table_halted": _table_halted,
    "game": _game,
}
