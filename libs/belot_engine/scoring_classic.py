"""French scoring: the takers need strictly more than the defence, belote and melds counted on both sides.

Belote stays with its owner in every case. All the tricks are worth 252 instead of 162, to either side. A level deal
goes by the table's litige: held for the winner of the next deal, failed, or dealt anew. Where melds are played for, a
side that takes all the tricks gets the other one's too, takers who fail leave theirs to the defence with everything
else, and a level deal holds the takers' with their half.
"""

from belot_engine.events import Contract, LineKind, ScoreLine
from belot_engine.outcome import DealOutcome, Tally, at, sweeper, taken_lines
from belot_engine.ruleset import Ruleset
from belot_engine.state import Standing


def tally(ruleset: Ruleset, standing: Standing, outcome: DealOutcome) -> Tally:
    """Score one deal; see the head of this file."""
    sides = len(outcome.points)
    takers, defence = outcome.declarer, 1 - outcome.declarer
    bonus, melds = _bonus(ruleset, outcome), _melds(ruleset, outcome)
    points = tuple(outcome.points[side] + melds[side] + bonus[side] for side in range(sides))
    contract = _judge(ruleset, outcome, points)
    lines = taken_lines(outcome, ruleset.last_trick, melds, outcome.bela)
    if contract is Contract.CANCELLED:
        return Tally(contract, (0,) * sides, tuple(lines), standing.bolts, standing.held)
    held_back = points[takers] if contract is Contract.LEVEL else 0
    shares = {
        Contract.MADE: points,
        Contract.FAILED: at(defence, sum(points), sides),
        Contract.LEVEL: at(defence, points[defence], sides),
    }[contract]
    winner = takers if contract is Contract.MADE else defence
    held_won = at(winner, 0 if contract is Contract.LEVEL else standing.held, sides)
    scores = tuple(shares[side] + outcome.bela[side] + held_won[side] for side in range(sides))
    extra = [
        ScoreLine(LineKind.SWEEP, bonus),
        ScoreLine(LineKind.HELD_WON, held_won),
        ScoreLine(LineKind.HELD_BACK, at(takers, held_back, sides)),
    ]
    lines += [line for line in extra if any(line.values)]
    held = standing.held + held_back if contract is Contract.LEVEL else 0
    return Tally(contract, scores, tuple(lines), standing.bolts, held)


def _bonus(ruleset: Ruleset, outcome: DealOutcome) -> tuple[int, ...]:
    winner = sweeper(outcome)
    if winner is None or not ruleset.sweep:
        return (0,) * len(outcome.points)
    return at(winner, ruleset.sweep_bonus, len(outcome.points))


def _melds(ruleset: Ruleset, outcome: DealOutcome) -> tuple[int, ...]:
    """The recognised melds per side; those of a side without a trick move to the one that took everything."""
    winner = sweeper(outcome)
    if winner is None or not ruleset.sweep:
        return outcome.melds
    return at(winner, sum(outcome.melds), len(outcome.melds))


def _judge(ruleset: Ruleset, outcome: DealOutcome, points: tuple[int, ...]) -> Contract:
    """Made, failed, or what the table does with a level deal. All the tricks settle it whatever the belote."""
    winner = sweeper(outcome)
    if winner is not None:
        return Contract.MADE if winner == outcome.declarer else Contract.FAILED
    takers, defence = (points[side] + outcome.bela[side] for side in (outcome.declarer, 1 - outcome.declarer))
    if takers != defence:
        return Contract.MADE if takers > defence else Contract.FAILED
    return {"carry": Contract.LEVEL, "redeal": Contract.CANCELLED}.get(ruleset.litige, Contract.FAILED)
