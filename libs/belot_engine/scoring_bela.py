"""Bela scoring: more than half of everything, or nothing.

Everything is 162, the recognised melds and 90 for all the tricks. Bela stands outside unless the table counts it,
and is added to its owner's score. A declarer who fails leaves everything, bela included, to the others.
"""

from belot_engine.events import Contract, LineKind, ScoreLine
from belot_engine.outcome import DealOutcome, Tally, at, sweeper, taken_lines
from belot_engine.ruleset import Ruleset
from belot_engine.state import Standing


def tally(ruleset: Ruleset, standing: Standing, outcome: DealOutcome) -> Tally:
    """Score one deal; see the head of this file."""
    sides = len(outcome.points)
    declarer = outcome.declarer
    melds, bela, bonus = _after_sweep(ruleset, outcome)
    raw = tuple(outcome.points[side] + melds[side] + bonus[side] for side in range(sides))
    whole = tuple(raw[side] + bela[side] for side in range(sides))
    judged = whole if ruleset.bela_in_limit else raw
    made = judged[declarer] >= sum(judged) // 2 + 1
    scores = whole if made else at(1 - declarer, sum(whole), sides)
    lines = taken_lines(outcome, ruleset.last_trick, melds, bela)
    if any(bonus):
        lines.append(ScoreLine(LineKind.SWEEP, bonus))
    contract = Contract.MADE if made else Contract.FAILED
    return Tally(contract, scores, tuple(lines), standing.bolts, 0)


def _after_sweep(ruleset: Ruleset, outcome: DealOutcome) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Melds, bela and bonus per side once all tricks of one side are considered.

    With the bonus on, the recognised melds move to the side that took everything; off, the other side's are
    void. Its bela is lost in both cases.
    """
    sides = len(outcome.points)
    winner = sweeper(outcome)
    if winner is None:
        return outcome.melds, outcome.bela, (0,) * sides
    bela = at(winner, outcome.bela[winner], sides)
    if ruleset.sweep:
        return at(winner, sum(outcome.melds), sides), bela, at(winner, ruleset.sweep_bonus, sides)
    return at(winner, outcome.melds[winner], sides), bela, (0,) * sides
