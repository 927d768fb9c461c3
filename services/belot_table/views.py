"""A table as one viewer sees it. What he may not see is never put in: hands of others are in no view."""

from collections.abc import Iterable

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_table.convert import duration, proposal_of, summary_of, timestamp
from belot_table.results import match_finished
from belot_table.table import Await, Match, Status, Table, seat_of


def table_view(table: Table, facts: Iterable[Envelope], player_id: str) -> view_pb2.TableView:
    """The table for a viewer: a player who sits there sees his hand and what he may do, everybody else neither.

    `facts` are the table's events up to its sequence of the kinds that the query list_facts names.
    """
    seat = seat_of(table, player_id)
    view = view_pb2.TableView(summary=summary_of(table), sequence=table.sequence)
    if seat is not None:
        view.viewer_seat = seat.seat
    if seat is not None or (player_id and player_id in table.options.reserved_for):
        view.invitation_code = table.invitation_code
    view.muted_player_ids.extend(whom for who, whom in table.mutes if player_id and who == player_id)
    view.halted = table.halted
    if table.match is None:
        return view
    told = [view_pb2.TableEvent.FromString(each.payload) for each in facts if each.payload]
    view.fairness.CopyFrom(_fairness(table.match, told))
    view.sheets.extend(each.game.deal_scored for each in told if each.game.HasField("deal_scored"))
    view.reserves.extend(duration(each) for each in table.match.clock.reserves_ms)
    if table.match.proposal is not None:
        view.proposal.CopyFrom(proposal_of(table.match.proposal))
    if table.status is Status.FINISHED:
        view.finished.CopyFrom(match_finished(table))
    if table.match.state:
        view.match.CopyFrom(seat_view(table.match, view.viewer_seat if seat is not None else None))
    if table.match.next.kind is Await.TURN:
        view.turn.CopyFrom(_turn(table.match, view.match))
    return view


def seat_view(match: Match, seat: int | None) -> match_pb2.SeatView:
    """The match as seen from a seat (None: a spectator's place); a bot there gets exactly this."""
    state = match_pb2.MatchState.FromString(match.state)
    view = match_pb2.SeatView(public=state.public)
    if seat is None:
        return view
    view.seat = seat
    view.hand.extend(cards_of(state.hands[seat]))
    if match.next.kind is Await.TURN and match.next.seat == seat:
        view.legal.MergeFromString(match.next.body)
    return view


def cards_of(mask: int) -> "list[common_pb2.Card.ValueType]":
    """The cards of a hand in pack order; bit c of `mask` stands for the card number c."""
    return [common_pb2.Card.values()[number + 1] for number in range(32) if mask >> number & 1]


def _turn(match: Match, view: match_pb2.SeatView) -> view_pb2.TurnClock:
    clock = match.clock
    turn = view_pb2.TurnClock(
        seat=match.next.seat, due_at=timestamp(clock.due_ms), reserve_from=timestamp(clock.reserve_from_ms)
    )
    if view.HasField("legal"):
        turn.legal.CopyFrom(view.legal)
    return turn


def _fairness(match: Match, told: Iterable[view_pb2.TableEvent]) -> view_pb2.FairnessView:
    """The fair deal so far, put together from what was told of it."""
    fairness = view_pb2.FairnessView()
    for event in told:
        fairness.MergeFrom(event.match_opened.fairness)
        fairness.transcript.extend(_signed_in(event))
    fairness.server_seed = match.fairness.server_seed
    del fairness.seeded_seats[:]
    fairness.seeded_seats.extend(match.fairness.seeded)
    return fairness


def signed_octets(log: Iterable[Envelope]) -> frozenset[bytes]:
    """The octets of everything the dealer signed that a table's log tells to all."""
    told = [view_pb2.TableEvent.FromString(each.payload) for each in log if each.payload]
    opened = [signed for event in told for signed in event.match_opened.fairness.transcript]
    return frozenset(each.octets for each in (*opened, *(signed for event in told for signed in _signed_in(event))))


def _signed_in(event: view_pb2.TableEvent) -> list[dealer_pb2.SignedEvent]:
    match event.WhichOneof("kind"):
        case "round_chosen":
            return list(event.round_chosen.transcript)
        case "beacon_fixed":
            return [event.beacon_fixed.transcript]
        case "cards_released":
            return [event.cards_released.transcript]
        case "seed_revealed":
            return [*event.seed_revealed.untold, event.seed_revealed.transcript]
        case _:
            return []
