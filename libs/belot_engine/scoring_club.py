"""Club scoring: bile, bolts, and the pot of a deal.

A bila is ten points. The pot is 16 bile and one for every ten points of melds and bela that stand. The receiver gets
the pot less what the others get, who score their own points rounded (a last digit of 6 and more goes up). The
receiver is the declarer when he has more than the best opponent (alone against two: as much is enough), else that
opponent, and the declarer gets nothing and a bolt. Cards left out of play are scored, but not compared.
"""

from belot_engine.events import Contract, LineKind, ScoreLine
from belot_engine.outcome import DealOutcome, Tally, at, taken_lines
from belot_engine.ruleset import Ruleset
from belot_engine.state import Standing

_CARD_POINTS = 152


def bile(points: int, unit: int = 10) -> int:
    """Points as bile: a last digit of 5 and less is dropped, 6 and more counts as a whole one."""
    return (points + 4) // unit


def tally(ruleset: Ruleset, standing: Standing, outcome: DealOutcome) -> Tally:
    """Score one deal; see the head of this file."""
    sides = range(len(outcome.points))
    melds = tuple(outcome.melds[side] if outcome.tricks[side] else 0 for side in sides)
    bela = tuple(outcome.bela[side] if outcome.tricks[side] else 0 for side in sides)
    compared = tuple(outcome.points[side] + melds[side] + bela[side] for side in sides)
    own = tuple(
        bile(compared[side] + (outcome.out_points if side == outcome.last else 0), ruleset.unit) for side in sides
    )
    pot = (_CARD_POINTS + ruleset.last_trick) // ruleset.unit + (sum(melds) + sum(bela)) // ruleset.unit
    contract, receivers = _judge(outcome, compared)
    pointless = contract is Contract.FAILED and compared[outcome.declarer] == 0
    bolt = at(outcome.declarer, int(contract is Contract.FAILED and not pointless), len(own))
    bolts = tuple(old + new for old, new in zip(standing.bolts, bolt, strict=True))
    shares = own if contract is Contract.LEVEL else _shares(outcome, contract, own, pot, receivers)
    penalty = tuple(
        -ruleset.penalty
        * (_without_points(outcome, side, pointless) + (bolt[side] and bolts[side] % ruleset.bolts_per_penalty == 0))
        for side in sides
    )
    lines = taken_lines(outcome, ruleset.last_trick, melds, bela)
    extra = [ScoreLine(LineKind.BOLT, bolt), ScoreLine(LineKind.PENALTY, penalty)]
    lines += [line for line in extra if any(line.values)]
    scores = tuple(share + fine for share, fine in zip(shares, penalty, strict=True))
    return Tally(contract, scores, tuple(lines), bolts, 0)


def _without_points(outcome: DealOutcome, side: int, pointless: bool) -> bool:
    return outcome.tricks[side] == 0 or (pointless and side == outcome.declarer)


def _judge(outcome: DealOutcome, compared: tuple[int, ...]) -> tuple[Contract, tuple[int, ...]]:
    """What became of the contract and who receives the pot, in turn; nobody does when two sides are level."""
    declarer = outcome.declarer
    best = max(points for side, points in enumerate(compared) if side != declarer)
    if compared[declarer] == best and len(compared) == 2:
        return Contract.LEVEL, ()
    if compared[declarer] >= best:
        return Contract.MADE, (declarer,)
    return Contract.FAILED, tuple(side for side in outcome.turn_order if side != declarer and compared[side] == best)


def _shares(
    outcome: DealOutcome, contract: Contract, own: tuple[int, ...], pot: int, receivers: tuple[int, ...]
) -> tuple[int, ...]:
    """Bile per side before penalties: the receivers share what is over, an odd one goes to the earlier in turn."""
    shares = list(own)
    if contract is Contract.FAILED:
        shares[outcome.declarer] = 0
    rest = pot - sum(share for side, share in enumerate(shares) if side not in receivers)
    each, odd = divmod(rest, len(receivers))
    for place, side in enumerate(receivers):
        shares[side] = each + (place < odd)
    return tuple(shares)
