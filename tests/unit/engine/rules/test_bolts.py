"""Club: a failed contract is a bolt, and every third bolt costs ten."""

import pytest

from belot_engine.events import LineKind
from belot_engine.given import GivenDeal
from support.positions import scored, values


@pytest.mark.parametrize(
    ("before", "after", "score"), [(0, 1, 0), (1, 2, 0), (2, 3, -10), (3, 4, 0), (4, 5, 0), (5, 6, -10)]
)
def test_every_third_bolt_costs_ten(before: int, after: int, score: int) -> None:
    sheet = scored("club", GivenDeal(0, (60, 102), (4, 4), bolts=(before, 1)))
    assert (sheet.bolts, sheet.scores) == ((after, 1), (score, 16))
    assert values(sheet, LineKind.BOLT) == (1, 0)
    assert values(sheet, LineKind.PENALTY) == ((score, 0) if score else None)


def test_a_contract_that_is_made_or_level_is_no_bolt() -> None:
    for points in ((100, 62), (81, 81)):
        assert scored("club", GivenDeal(0, points, (4, 4), bolts=(2, 0))).bolts == (2, 0)


def test_a_declarer_without_a_point_is_fined_and_gets_no_bolt() -> None:
    sheet = scored("club", GivenDeal(0, (0, 162), (1, 7), bolts=(2, 0)))
    assert (sheet.scores, sheet.bolts) == ((-10, 16), (2, 0))


@pytest.mark.parametrize("name", ["bela", "classic", "announces"])
def test_nobody_else_counts_bolts(name: str) -> None:
    assert scored(name, GivenDeal(0, (60, 102), (4, 4))).bolts == (0, 0)
