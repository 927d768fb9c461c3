"""The last trick is worth ten points more, and every deal 162."""

import random

import pytest

from belot_engine.events import LineKind, TrickWon
from belot_engine.play import trick_points
from belot_engine.ruleset import Ruleset
from support.playouts import every_form, random_playout, steps

_EACH = pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")


@_EACH
def test_the_last_trick_and_no_other_has_ten_points_more(rules: Ruleset) -> None:
    for step in steps(rules, random.Random(17)):
        for event in step.applied.events:
            if isinstance(event, TrickWon):
                extra = event.points - trick_points(step.before.trump or 0, event.cards)
                assert extra == (10 if event.last else 0)


@_EACH
def test_the_sheet_gives_them_to_one_side(rules: Ruleset) -> None:
    for sheet in random_playout(rules, random.Random(18)).standing.sheets:
        (line,) = [line for line in sheet.lines if line.kind is LineKind.LAST_TRICK]
        assert sorted(line.values) == [0] * (len(line.values) - 1) + [10]
