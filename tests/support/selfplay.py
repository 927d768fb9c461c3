"""Bots against bots on duplicate deals: every pack is played twice, the second time with the sides exchanged.

Run it: ``python -m support.selfplay --deals 400`` (with ``tests`` on the path).
"""

import argparse
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from belot_bot.policy import choose
from belot_bot.view import seat_view
from belot_engine.cards import side_count, side_of
from belot_engine.events import DealScored, LineKind, ScoreSheet
from belot_engine.match import apply, legal_actions, start
from belot_engine.ruleset import Ruleset
from belot_engine.state import Applied, MatchState, Phase
from support.playouts import deal_from, every_form, shuffled

_TAKEN = (LineKind.CARDS, LineKind.LAST_TRICK, LineKind.LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean with half the width of its 95 % interval, over so many duplicate deals."""

    mean: float
    half_width: float
    deals: int

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half_width:.1f} over {self.deals} duplicate deals"


@dataclass(frozen=True, slots=True)
class Duel:
    """What side 0's level makes more than the other's per deal, in card points and in the score of the ruleset."""

    card_points: Figure
    score: Figure


def play_deal(rules: Ruleset, levels: Sequence[str], pack: Sequence[int], first_dealer: int) -> ScoreSheet | None:
    """One deal by bots, a level for each seat; None when nobody chose or the match ended before a card was played."""
    state = start(rules, first_dealer)
    while True:
        applied = apply(state, None, deal_from(state, pack)) if state.turn is None else _decide(state, levels)
        for event in applied.events:
            if isinstance(event, DealScored):
                return event.sheet
        state = applied.state
        if state.hand_number > 0 or state.phase is Phase.FINISHED:
            return None


def _decide(state: MatchState, levels: Sequence[str]) -> Applied:
    legal = legal_actions(state)
    if legal is None:
        raise AssertionError("nobody is to act")
    return apply(state, legal.seat, choose(seat_view(state, legal), levels[legal.seat], b""))


def duel(rules: Ruleset, challenger: str, other: str, deals: int, rng: random.Random) -> Duel:
    """The challenger takes each side in turn of every deal, the other level has the remaining ones."""
    sides, seats = side_count(rules.seats), rules.seats
    points: list[float] = []
    scores: list[float] = []
    for number in range(deals):
        pack = shuffled(rng, rules.pack)
        margins = []
        for mine in range(sides):
            levels = [challenger if side_of(seat, seats) == mine else other for seat in range(seats)]
            margins.append(_margins(play_deal(rules, levels, pack, number % seats), mine, sides))
        points.append(statistics.fmean(margin for margin, _ in margins))
        scores.append(statistics.fmean(margin for _, margin in margins))
    return Duel(_figure(points), _figure(scores))


def _margins(sheet: ScoreSheet | None, mine: int, sides: int) -> tuple[float, float]:
    """Card points and score that a side made more than the others on average."""
    if sheet is None:
        return 0.0, 0.0
    taken = [sum(line.values[side] for line in sheet.lines if line.kind in _TAKEN) for side in range(sides)]
    return _ahead(taken, mine), _ahead(sheet.scores, mine)


def _ahead(values: Sequence[int], mine: int) -> float:
    return values[mine] - (sum(values) - values[mine]) / (len(values) - 1)


def _figure(values: Sequence[float]) -> Figure:
    return Figure(statistics.fmean(values), 1.96 * statistics.stdev(values) / len(values) ** 0.5, len(values))


def main() -> None:
    """Print a line for every form of every ruleset."""
    parser = argparse.ArgumentParser(description="Bots against bots on duplicate deals.")
    parser.add_argument("--challenger", default="normal")
    parser.add_argument("--other", default="easy")
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    for rules in every_form():
        found = duel(rules, given.challenger, given.other, given.deals, random.Random(given.seed))
        name = f"{rules.name} {rules.seats}x{rules.pack}"
        print(f"{name:14} card points {found.card_points}; score {found.score}")


if __name__ == "__main__":
    main()
