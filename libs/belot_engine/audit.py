"""What is always true of a deal, a score and a state; a breach is a fault of the program, never of a player."""

from belot_engine.cards import CARDS, PACK_MASK, mask_points, side_count
from belot_engine.errors import AuditBreach
from belot_engine.events import Contract, LineKind, TricksClaimed
from belot_engine.outcome import DealOutcome, Tally
from belot_engine.play import trick_winner
from belot_engine.ruleset import OUT, Ruleset
from belot_engine.state import MatchState, Phase, Standing

#: Points of all the cards under any trump suit, sevens and eights being worth nothing.
CARD_POINTS = 152

_POINT_LINES = (
    LineKind.CARDS,
    LineKind.LAST_TRICK,
    LineKind.LEFT_OUT,
    LineKind.MELDS,
    LineKind.BELA,
    LineKind.SWEEP,
)


def _require(holds: bool, message: str) -> None:
    if not holds:
        raise AuditBreach(message)


def check_outcome(ruleset: Ruleset, outcome: DealOutcome) -> None:
    """Whether an outcome can be one of a deal under this ruleset. Raises AuditBreach."""
    sides = side_count(ruleset.seats)
    figures = (outcome.points, outcome.tricks, outcome.melds, outcome.bela)
    _require(all(len(figure) == sides for figure in figures), "a figure has no value for each side")
    _require(all(min(figure) >= 0 for figure in figures) and outcome.out_points >= 0, "a figure is negative")
    _require(0 <= outcome.declarer < sides and 0 <= outcome.last < sides, "no such side")
    _require(sorted(outcome.turn_order) == list(range(sides)), "the order of turn is not one of the sides")
    whole = CARD_POINTS + ruleset.last_trick
    _require(sum(outcome.points) + outcome.out_points == whole, f"the points of a deal are not {whole}")
    _require(sum(outcome.tricks) == ruleset.hand_size, "the tricks of a deal are not as many as the cards of a hand")
    idle = [side for side in range(sides) if outcome.tricks[side] == 0]
    _require(not any(outcome.points[side] for side in idle), "points without a trick")
    _require(outcome.last not in idle and outcome.points[outcome.last] >= ruleset.last_trick, "no last trick")
    _require(sum(value > 0 for value in outcome.melds) <= 1, "melds of more than one side")
    _require(ruleset.melds or not any(outcome.melds), "melds in a game without")
    _require(sum(outcome.bela) in (0, ruleset.bela_points), "more than one king and queen of trumps")
    _require(outcome.out_points == 0 or any(seat == OUT for _, seat, _ in ruleset.deal_map[0]), "no card is left out")


def check_tally(ruleset: Ruleset, standing: Standing, outcome: DealOutcome, tally: Tally) -> None:
    """Whether a tally gives out exactly what there was to be had. Raises AuditBreach."""
    lines = {line.kind: sum(line.values) for line in tally.lines}
    points = sum(lines.get(kind, 0) for kind in _POINT_LINES)
    _require(points % 2 == 0, "the sum of a deal is odd")
    given = sum(tally.scores) + tally.held - standing.held - lines.get(LineKind.PENALTY, 0)
    if tally.contract is Contract.CANCELLED:
        _require(given == 0, "a cancelled deal is scored")
    elif ruleset.unit == 1 or tally.contract is not Contract.LEVEL:
        _require(given == points // ruleset.unit, "the scores do not sum to what the deal was worth")
    _require(all(new >= old for new, old in zip(tally.bolts, standing.bolts, strict=True)), "a bolt is lost")


def audit(state: MatchState) -> None:
    """Whether a state is one that play can lead to, as far as it shows by itself. Raises AuditBreach."""
    _audit_cards(state)
    _audit_tricks(state)
    _audit_phase(state)
    standing = state.standing
    scores = [sheet.scores for sheet in standing.sheets]
    totals = tuple(sum(score[side] for score in scores) for side in range(side_count(state.seats)))
    _require(totals == standing.totals, "the totals are not the sum of the sheets")


def _audit_cards(state: MatchState) -> None:
    played = [card for trick in state.tricks for card in trick.cards] + list(state.trick)
    seen = 0
    for card in played:
        _require(0 <= card < CARDS and not seen >> card & 1, "a card was played twice")
        seen |= 1 << card
    for hand in (*state.hands, *(state.claim.hands if state.claim else ())):
        _require(not seen & hand, "a card is in two places")
        seen |= hand
    _require(not seen & ~PACK_MASK[state.ruleset.pack], "a card is not of this pack")
    waiting = state.up_card is not None and state.declarer is None
    _require(not (waiting and seen >> (state.up_card or 0) & 1), "the card turned up is in two places")


def _audit_tricks(state: MatchState) -> None:
    seats, leader = state.seats, (state.dealer + 1) % state.seats
    _require(not (state.tricks or state.trick) or state.trump is not None, "a trick without a trump suit")
    for trick in state.tricks:
        _require(trick.leader == leader and len(trick.cards) == seats, "a trick was led out of turn")
        leader = (leader + trick_winner(state.trump or 0, trick.cards)) % seats
        _require(trick.winner == leader, "a trick went to the wrong seat")
    if state.phase is Phase.PLAYING:
        _require(state.turn == (leader + len(state.trick)) % seats, "the wrong seat is to play")
        for place in range(seats):
            seat = (leader + place) % seats
            due = state.ruleset.hand_size - len(state.tricks) - (place < len(state.trick))
            _require(state.hands[seat].bit_count() == due, "a hand has too many or too few cards")
    if state.claim is not None:
        _audit_claim(state, state.claim, leader)


def _audit_claim(state: MatchState, claim: TricksClaimed, leader: int) -> None:
    due = state.ruleset.hand_size - len(state.tricks)
    _require(state.turn is None and not state.trick and not any(state.hands), "somebody plays on after a claim")
    _require(state.trump is not None and claim.player == leader, "a claim that was not made in turn")
    _require(claim.tricks == due > 0 and len(claim.hands) == state.seats, "not all that is left was claimed")
    _require(all(hand.bit_count() == due for hand in claim.hands), "a claimed hand has too many or too few cards")
    points = sum(mask_points(state.trump or 0, hand) for hand in claim.hands) + state.ruleset.last_trick
    _require(claim.points == points, "the points of a claim are not those of its cards")


def _audit_phase(state: MatchState) -> None:
    acting = state.phase in (Phase.BIDDING, Phase.PLAYING)
    _require((state.turn is not None) == acting, "somebody is to act who is not, or nobody who is")
    _require((state.result is not None) == (state.phase is Phase.FINISHED), "a result before the end, or none at it")
    _require((state.declarer is None) == (state.trump is None), "a trump suit that nobody chose")
