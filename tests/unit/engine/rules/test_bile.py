"""Club counts in bile: ten points each, a last digit of 6 and more goes up, 5 and less goes down."""

import pytest

from belot_engine.given import GivenDeal
from belot_engine.scoring_club import bile
from support.positions import scored


@pytest.mark.parametrize(
    ("points", "whole"),
    [(0, 0), (4, 0), (5, 0), (6, 1), (9, 1), (10, 1), (15, 1), (16, 2), (55, 5), (56, 6), (80, 8), (162, 16)],
)
def test_points_are_rounded_at_six(points: int, whole: int) -> None:
    assert bile(points) == whole


@pytest.mark.parametrize(("theirs", "scores"), [(75, (9, 7)), (76, (8, 8)), (36, (12, 4)), (35, (13, 3))])
def test_the_defenders_are_rounded_and_the_declarer_gets_the_rest_of_16(theirs: int, scores: tuple[int, int]) -> None:
    assert scored("club", GivenDeal(0, (162 - theirs, theirs), (4, 4))).scores == scores


@pytest.mark.parametrize(("melds", "pot"), [((20, 0), 18), ((50, 0), 21), ((0, 100), 26)])
def test_the_pot_grows_by_one_for_ten_points_of_melds(melds: tuple[int, int], pot: int) -> None:
    assert sum(scored("club", GivenDeal(0, (100, 62), (4, 4), melds=melds)).scores) == pot


def test_level_sides_each_get_their_own_and_nobody_a_bolt() -> None:
    sheet = scored("club", GivenDeal(0, (106 - 50, 106), (4, 4), melds=(50, 0)))
    assert (sheet.scores, sheet.bolts) == ((11, 11), (0, 0))
