"""Club: a side without a trick loses ten, its melds and bela are void, and the others get 16 and their own."""

import pytest

from belot_engine.events import LineKind
from belot_engine.given import GivenDeal
from support.positions import scored, values


@pytest.mark.parametrize("declarer", [0, 1])
def test_it_is_fined_whoever_declared(declarer: int) -> None:
    sheet = scored("club", GivenDeal(declarer, (162, 0), (8, 0), melds=(0, 100)))
    assert sheet.scores == (16, -10)
    assert values(sheet, LineKind.MELDS) is None


def test_its_bela_is_void() -> None:
    assert scored("club", GivenDeal(0, (162, 0), (8, 0), bela=(0, 20))).scores == (16, -10)


def test_the_others_count_their_own_melds() -> None:
    assert scored("club", GivenDeal(0, (162, 0), (8, 0), melds=(150, 0))).scores == (31, -10)


def test_two_of_three_may_be_without() -> None:
    assert scored("club 3x32", GivenDeal(0, (162, 0, 0), (10, 0, 0))).scores == (16, -10, -10)


def test_with_the_option_off_nobody_gets_them_in_bela() -> None:
    deal = GivenDeal(1, (0, 162), (0, 8), melds=(50, 0), bela=(20, 0))
    assert scored("bela", deal, stiglja="off").scores == (0, 162)
