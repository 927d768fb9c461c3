"""Between a line of notation and the state of a match."""

from collections.abc import Sequence
from dataclasses import replace

from belot_engine.audit import audit
from belot_engine.cards import side_count
from belot_engine.deal_end import claimed, new_hand
from belot_engine.deal_map import FIRST_STAGE, LAST_STAGE, OUT_STAGE, stage_count
from belot_engine.deal_notation import DealLine
from belot_engine.errors import AuditBreach, NotationError
from belot_engine.scoring import fresh_standing
from belot_engine.state import MatchState, Phase


def line_of(state: MatchState, seen: Sequence[int] | None = None) -> DealLine:
    """What a line tells of a state: every hand, or those of the seats in ``seen`` alone."""
    return DealLine(
        ruleset=state.ruleset,
        dealer=state.dealer,
        hand_number=state.hand_number,
        up_card=state.up_card,
        bids=state.bids,
        declarer=state.declarer,
        trump=state.trump,
        tricks=state.tricks,
        trick=state.trick,
        hands=_hands(state, seen),
        claim=(state.claim.player, state.claim.agreed) if state.claim else None,
        standing=replace(state.standing, sheets=()),
        over=state.phase is Phase.FINISHED,
    )


def _hands(state: MatchState, seen: Sequence[int] | None) -> tuple[int | None, ...]:
    """What is held now; once a claim was made what was, which everybody has seen."""
    if state.claim is not None:
        return state.claim.hands
    return tuple(hand if seen is None or seat in seen else None for seat, hand in enumerate(state.hands))


def state_of(deal: DealLine) -> MatchState:
    """The state that a line describes, ready to be played on; its earlier sheets are not known.

    Raises NotationError when a hand is not known, the match is over, or no match comes to such a state.
    """
    if deal.over:
        raise NotationError("the match is over")
    hands = tuple(hand for hand in deal.hands if hand is not None)
    if len(hands) != deal.ruleset.seats:
        raise NotationError("a hand is not known")
    phase, stage = _phase(deal, hands)
    claim = None
    if deal.claim is not None and deal.trump is not None:
        claim = claimed(deal.ruleset, deal.trump, len(deal.tricks), *deal.claim, hands)
    seats = deal.ruleset.seats
    turn = {
        Phase.BIDDING: (deal.dealer + 1 + len(deal.bids)) % seats,
        Phase.PLAYING: (deal.leader + len(deal.trick)) % seats,
    }.get(phase)
    begun = new_hand(deal.ruleset, (deal.dealer - deal.hand_number) % seats, deal.hand_number, deal.standing)
    state = replace(
        begun,
        phase=phase,
        deal_stage=stage,
        turn=turn,
        hands=hands if claim is None else (0,) * seats,
        up_card=deal.up_card,
        bids=deal.bids,
        declarer=deal.declarer,
        trump=deal.trump,
        tricks=deal.tricks,
        trick=deal.trick,
        claim=claim,
    )
    _check(state)
    return state


def _phase(deal: DealLine, hands: tuple[int, ...]) -> tuple[Phase, int]:
    """What the match waits for, and how many stages of the deal are done."""
    rules = deal.ruleset
    if deal.declarer is None:
        dealt = any(hands) or deal.up_card is not None
        return (Phase.BIDDING, LAST_STAGE) if dealt else (Phase.AWAITING_CARDS, FIRST_STAGE)
    if len(deal.tricks) == rules.hand_size or deal.claim:
        if stage_count(rules) <= OUT_STAGE:
            raise NotationError("the deal is played out")
        return Phase.AWAITING_CARDS, OUT_STAGE
    full = deal.tricks or deal.trick or max(hand.bit_count() for hand in hands) == rules.hand_size
    return (Phase.PLAYING, OUT_STAGE) if full else (Phase.AWAITING_CARDS, LAST_STAGE)


def _check(state: MatchState) -> None:
    """Whether the hands have as many cards as they must, and everything that an audit asks."""
    rules = state.ruleset
    first = sum(seat == 0 and stage == FIRST_STAGE for _, seat, stage in rules.deal_map[0])
    for seat, hand in enumerate(state.hands):
        took_up = rules.turned_up and seat == state.declarer
        due = first + took_up if state.deal_stage == LAST_STAGE else 0
        if state.phase is not Phase.PLAYING and hand.bit_count() != due:
            raise NotationError(f"seat {seat} has {hand.bit_count()} cards, not {due}")
    if (state.up_card is not None) != (rules.turned_up and state.deal_stage > FIRST_STAGE):
        raise NotationError("the card turned up is missing, or there is none in this game")
    try:
        audit(replace(state, standing=fresh_standing(rules, side_count(rules.seats))))
    except AuditBreach as breach:
        raise NotationError(str(breach)) from breach
