"""Events of the game onto a match: pure, one small function for each thing that can happen."""

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from belot.rules.v1 import match_pb2
from belot_client.cards import cards_from_wire, from_wire, in_pack_order, points_of, suit_from_wire
from belot_client.snapshot import bid_of, claim_of, meld_of, result_of, sheet_of
from belot_client.view import Hand, Match, Phase, Standing, TableState, Trick
from belot_fair.bodies import OUT_OF_PLAY, SHOWN_TO_ALL, Opened
from belot_fair.bodies import Hand as ReleasedHand

_LAST_TRICK_POINTS: Final = 10
_CANCELLED: Final = "cancelled"


def begin(state: TableState) -> TableState:
    """The match before its first card, from what was bound when it was opened."""
    transcript = state.fairness.transcript if state.fairness else ()
    opened = transcript[0].event.body if transcript else None
    if not isinstance(opened, Opened):
        return state
    sides = tuple(opened.sides)
    nothing = (0,) * (max(sides) + 1)
    target = json.loads(opened.ruleset_json).get("target") or 0
    match = Match(
        first_dealer=opened.first_dealer,
        sides=sides,
        pack_size=opened.pack_size,
        hand=_new_hand(0, opened.first_dealer, len(sides)),
        standing=Standing(nothing, nothing, target=int(target)),
    )
    return replace(state, match=match)


def released(state: TableState) -> TableState:
    """Cards left the dealer: how many each seat got stands in the transcript, which cards in private events."""
    match, fairness = state.match, state.fairness
    if match is None or fairness is None:
        return state
    body = fairness.transcript[-1].event.body
    if not isinstance(body, ReleasedHand):
        return state
    sizes = list(match.hand.sizes)
    for _, seat in body.positions:
        if seat not in (SHOWN_TO_ALL, OUT_OF_PLAY):
            sizes[seat] += 1
    return replace(state, match=replace(match, hand=replace(match.hand, sizes=tuple(sizes))))


def fold_game(state: TableState, event: match_pb2.MatchEvent, at_ms: int) -> TableState:
    """The state after something happened in the game at `at_ms`; kinds that are not known change nothing."""
    kind = event.WhichOneof("kind")
    match = state.match
    if match is None or kind is None:
        return state
    if kind in _DECISIONS:
        state = _decided(state, at_ms)
    if kind in _TABLE_STEPS:
        return _TABLE_STEPS[kind](state, match, event)
    step = _HAND_STEPS.get(kind)
    if step is None:
        return state
    return replace(state, match=replace(match, hand=step(match.hand, event, state.viewer_seat)))


def _decided(state: TableState, at_ms: int) -> TableState:
    """Somebody acted: the turn is over, and what went beyond its time is taken from the reserve."""
    turn, reserves = state.turn, state.reserves_ms
    if turn is not None and not state.bot_decides and turn.seat < len(reserves):
        left = max(0, reserves[turn.seat] - max(0, at_ms - turn.reserve_from_ms))
        reserves = (*reserves[: turn.seat], left, *reserves[turn.seat + 1 :])
    return replace(state, turn=None, reserves_ms=reserves, bot_decides=False)


def _new_hand(number: int, dealer: int, seats: int) -> Hand:
    return Hand(number=number, dealer=dealer, sizes=(0,) * seats)


def _next_hand(match: Match) -> Match:
    seats, number = len(match.sides), match.hand.number + 1
    hand = _new_hand(number, (match.first_dealer + number) % seats, seats)
    return replace(match, hand=hand, last_hand=match.hand)


# --- what changes the hand alone -----------------------------------------------------------------------------------


def _deal_started(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    return replace(hand, number=event.deal_started.hand_number, dealer=event.deal_started.dealer)


def _hand_dealt(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    dealt = event.hand_dealt
    if dealt.seat != viewer:
        return hand
    return replace(hand, own=in_pack_order((*hand.own, *cards_from_wire(dealt.cards))))


def _up_card_turned(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    return replace(hand, up_card=from_wire(event.up_card_turned.card))


def _bid_made(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    return replace(hand, bids=(*hand.bids, bid_of(event.bid_made)))


def _trump_chosen(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    """The auction is over; the card turned up, where there is one, joins the declarer's hand."""
    chosen = event.trump_chosen
    hand = replace(hand, declarer=chosen.declarer, trump=suit_from_wire(chosen.trump), phase=Phase.AWAITING_CARDS)
    if hand.up_card is None:
        return hand
    own = in_pack_order((*hand.own, hand.up_card)) if chosen.declarer == viewer else hand.own
    return replace(hand, own=own, sizes=_counted(hand.sizes, chosen.declarer, 1))


def _counted(sizes: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*sizes[:seat], sizes[seat] + more, *sizes[seat + 1 :])


def _melds_shown(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    return replace(hand, melds=tuple(meld_of(meld) for meld in event.melds_shown.melds))


def _bela_announced(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    return replace(hand, bela=event.bela_announced.seat)


def _card_played(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    played = event.card_played
    found = cards_from_wire((played.card,))
    trick = Trick(played.seat, found) if hand.trick is None else replace(hand.trick, cards=hand.trick.cards + found)
    own = tuple(card for card in hand.own if card not in found) if played.seat == viewer else hand.own
    return replace(hand, trick=trick, own=own, sizes=_counted(hand.sizes, played.seat, -1))


def _trick_won(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    if hand.trick is None:
        return hand
    points = sum(points_of(card, hand.trump) for card in hand.trick.cards)
    trick = replace(hand.trick, winner=event.trick_won.seat, points=points)
    phase = Phase.AWAITING_CARDS if event.trick_won.last else hand.phase
    return replace(hand, tricks=(*hand.tricks, trick), trick=None, phase=phase)


def _tricks_claimed(hand: Hand, event: match_pb2.MatchEvent, viewer: int | None) -> Hand:
    """The cards count as played: they lie open, and no hand has any."""
    claim = claim_of(event.tricks_claimed)
    return replace(hand, claim=claim, sizes=(0,) * len(hand.sizes), own=(), phase=Phase.AWAITING_CARDS)


# --- what changes more than the hand -------------------------------------------------------------------------------


def _deal_scored(state: TableState, match: Match, event: match_pb2.MatchEvent) -> TableState:
    sheet = sheet_of(event.deal_scored)
    deals = match.standing.deals_played + (sheet.outcome != _CANCELLED)
    standing = Standing(sheet.totals, sheet.bolts, sheet.held, sheet.target, deals)
    return replace(state, sheets=(*state.sheets, sheet), match=_next_hand(replace(match, standing=standing)))


def _hand_passed_out(state: TableState, match: Match, event: match_pb2.MatchEvent) -> TableState:
    return replace(state, match=_next_hand(match))


def _match_ended(state: TableState, match: Match, event: match_pb2.MatchEvent) -> TableState:
    """The last hand stays readable: a deal that was just scored was its end, not the beginning of another one.

    A match that something else than its rules ended broke off in the hand that it was in.
    """
    hand = match.hand
    result = result_of(event.match_ended)
    by_rules = result.outcome in _BY_RULES
    if by_rules and match.last_hand is not None and not hand.bids and hand.trump is None:
        hand = match.last_hand
    ended = replace(match, hand=replace(hand, phase=Phase.FINISHED), last_hand=None, result=result)
    return replace(state, match=ended, turn=None)


_BY_RULES: Final = frozenset({"won", "drawn"})
_DECISIONS: Final = frozenset({"bid_made", "card_played", "tricks_claimed"})
_HAND_STEPS: Final[Mapping[str, Callable[[Hand, match_pb2.MatchEvent, int | None], Hand]]] = {
    "deal_started": _deal_started,
    "hand_dealt": _hand_dealt,
    "up_card_turned": _up_card_turned,
    "bid_made": _bid_made,
    "trump_chosen": _trump_chosen,
    "melds_shown": _melds_shown,
    "bela_announced": _bela_announced,
    "card_played": _card_played,
    "trick_won": _trick_won,
    "tricks_claimed": _tricks_claimed,
}
_TABLE_STEPS: Final[Mapping[str, Callable[[TableState, Match, match_pb2.MatchEvent], TableState]]] = {
    "deal_scored": _deal_scored,
    "hand_passed_out": _hand_passed_out,
    "match_ended": _match_ended,
}
