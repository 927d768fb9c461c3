"""A level contract of classic and announces: held, failed, or dealt anew, as the table has it."""

import pytest

from belot_engine.events import Contract, LineKind
from belot_engine.given import GivenDeal
from support.positions import scored, values

_LEVEL = GivenDeal(0, (81, 81), (4, 4))
_EACH = pytest.mark.parametrize("name", ["classic", "announces"])


@_EACH
def test_the_takers_half_is_held_and_the_defence_has_its_own_at_once(name: str) -> None:
    sheet = scored(name, _LEVEL)
    assert (sheet.contract, sheet.scores, sheet.held) == (Contract.LEVEL, (0, 81), 81)
    assert values(sheet, LineKind.HELD_BACK) == (81, 0)


@_EACH
def test_held_points_go_to_the_side_that_wins_the_next_deal(name: str) -> None:
    made = scored(name, GivenDeal(0, (100, 62), (4, 4), held=81))
    failed = scored(name, GivenDeal(0, (60, 102), (4, 4), held=81))
    assert (made.scores, made.held) == ((181, 62), 0)
    assert (failed.scores, failed.held) == ((0, 243), 0)
    assert values(made, LineKind.HELD_WON) == (81, 0)


@_EACH
def test_ties_in_a_row_add_up(name: str) -> None:
    sheet = scored(name, GivenDeal(1, (81, 81), (4, 4), held=81))
    assert (sheet.scores, sheet.held) == ((81, 0), 162)


@_EACH
def test_a_belote_is_marked_at_once_by_its_owner(name: str) -> None:
    assert scored(name, GivenDeal(0, (71, 91), (4, 4), bela=(20, 0))).scores == (20, 91)
    assert scored(name, GivenDeal(0, (91, 71), (4, 4), bela=(0, 20))).scores == (0, 91)


@_EACH
def test_a_table_may_let_it_fail(name: str) -> None:
    sheet = scored(name, _LEVEL, litige="fail")
    assert (sheet.contract, sheet.scores, sheet.held) == (Contract.FAILED, (0, 162), 0)


@_EACH
def test_a_table_may_deal_anew(name: str) -> None:
    sheet = scored(name, _LEVEL, litige="redeal")
    assert (sheet.contract, sheet.scores, sheet.held) == (Contract.CANCELLED, (0, 0), 0)
