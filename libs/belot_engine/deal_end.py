"""The end of a deal: from its tricks to figures, a sheet, and the next deal or the result."""

from dataclasses import replace

from belot_engine.cards import BELA_MASK, PACK_MASK, POINTS, mask_points, side_count, side_of
from belot_engine.errors import AuditBreach
from belot_engine.events import DealScored, Event, MatchEnded, MatchResult, TricksClaimed
from belot_engine.melds import recognised
from belot_engine.outcome import DealOutcome, at
from belot_engine.ruleset import Ruleset
from belot_engine.scoring import result_after, score_deal, standing_after
from belot_engine.state import Applied, MatchState, Phase, Standing, Trick


def dealt_hands(state: MatchState) -> tuple[int, ...]:
    """The hands as they were before the first lead: what is held, what was played and what was claimed."""
    hands = list(state.hands)
    seats = state.ruleset.seats
    for trick in state.tricks:
        seat = trick.leader
        for card in trick.cards:
            hands[seat] |= 1 << card
            seat = (seat + 1) % seats
    if state.claim is not None:
        hands = [held | claimed for held, claimed in zip(hands, state.claim.hands, strict=True)]
    if state.trick and state.turn is not None:
        for back, card in enumerate(reversed(state.trick), 1):
            hands[(state.turn - back) % seats] |= 1 << card
    return tuple(hands)


def claimed(
    ruleset: Ruleset, trump: int, tricks: int, player: int, agreed: bool, hands: tuple[int, ...]
) -> TricksClaimed:
    """A claim of what is left in these hands after so many tricks."""
    return TricksClaimed(player, agreed, ruleset.hand_size - tricks, claim_points(ruleset, trump, hands), hands)


def claim_points(ruleset: Ruleset, trump: int, hands: tuple[int, ...]) -> int:
    """What the cards of a claim are worth, with the points for the last trick."""
    return sum(mask_points(trump, hand) for hand in hands) + ruleset.last_trick


def deal_outcome(
    ruleset: Ruleset,
    dealer: int,
    declarer: int,
    trump: int,
    tricks: tuple[Trick, ...],
    hands: tuple[int, ...],
    claim: TricksClaimed | None = None,
) -> DealOutcome:
    """The figures of a finished deal, from its tricks, a claim of those not played, and the hands before the lead."""
    seats = ruleset.seats
    sides = side_count(seats)
    table = POINTS[trump]
    points, taken, bela = [0] * sides, [0] * sides, [0] * sides
    for trick in tricks:
        side = side_of(trick.winner, seats)
        taken[side] += 1
        for card in trick.cards:
            points[side] += table[card]
    last = side_of(claim.player if claim else tricks[-1].winner, seats)
    if claim is None:
        points[last] += ruleset.last_trick
    else:
        taken[last] += claim.tricks
        points[last] += claim.points
    pair, left_out = BELA_MASK[trump], _left_out(ruleset, hands)
    for seat, hand in enumerate(hands):
        if hand & pair == pair:
            bela[side_of(seat, seats)] = ruleset.bela_points
    first = (dealer + 1) % seats
    melds = recognised(ruleset, trump, hands, first)
    return DealOutcome(
        declarer=side_of(declarer, seats),
        points=tuple(points),
        tricks=tuple(taken),
        melds=at(melds.side, melds.points, sides) if melds else (0,) * sides,
        bela=tuple(bela),
        last=last,
        turn_order=tuple((side_of(first, seats) + place) % sides for place in range(sides)),
        out_points=mask_points(trump, left_out) if left_out else 0,
    )


def _left_out(ruleset: Ruleset, hands: tuple[int, ...]) -> int:
    dealt = 0
    for hand in hands:
        dealt |= hand
    return PACK_MASK[ruleset.pack] & ~dealt


def end_deal(state: MatchState, events: list[Event]) -> Applied:
    """Score a deal whose last trick is taken or claimed, and go on to the next one or to the result."""
    if state.declarer is None or state.trump is None:
        raise AuditBreach("a deal ends that nobody plays")
    hands = dealt_hands(state)
    dealer, tricks = state.dealer, state.tricks
    outcome = deal_outcome(state.ruleset, dealer, state.declarer, state.trump, tricks, hands, state.claim)
    sheet = score_deal(state.ruleset, state.standing, state.hand_number, state.trump, outcome)
    standing = standing_after(state.standing, sheet)
    events.append(DealScored(sheet))
    result = result_after(state.ruleset, standing)
    if result is None:
        return Applied(next_hand(state, standing), tuple(events))
    events.append(MatchEnded(result))
    return Applied(finished(state, standing, result), tuple(events))


def new_hand(ruleset: Ruleset, first_dealer: int, hand_number: int, standing: Standing) -> MatchState:
    """The state before a hand's first card."""
    return MatchState(
        ruleset=ruleset,
        first_dealer=first_dealer,
        hand_number=hand_number,
        phase=Phase.AWAITING_CARDS,
        deal_stage=0,
        turn=None,
        hands=(0,) * ruleset.seats,
        up_card=None,
        bids=(),
        declarer=None,
        trump=None,
        tricks=(),
        trick=(),
        standing=standing,
        result=None,
    )


def next_hand(state: MatchState, standing: Standing) -> MatchState:
    """The state before the next hand's first card; the next seat is its dealer."""
    return new_hand(state.ruleset, state.first_dealer, state.hand_number + 1, standing)


def finished(state: MatchState, standing: Standing, result: MatchResult) -> MatchState:
    """The last state of a match; its last deal stays readable."""
    return replace(state, phase=Phase.FINISHED, turn=None, standing=standing, result=result)
