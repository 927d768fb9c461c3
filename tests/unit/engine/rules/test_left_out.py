"""Cards left out of play with two or three players: scored by the last trick, not compared."""

import pytest

from belot_engine.errors import InputError
from belot_engine.events import Contract, LineKind
from belot_engine.given import GivenDeal
from support.positions import scored, values


def test_their_points_go_to_the_winner_of_the_last_trick() -> None:
    sheet = scored("club 2x32", GivenDeal(0, (100, 42), (6, 4), last=1, out_points=20))
    assert values(sheet, LineKind.LEFT_OUT) == (0, 20)
    assert sheet.scores == (10, 6)


def test_they_do_not_count_in_the_contract() -> None:
    sheet = scored("club 2x32", GivenDeal(0, (60, 70), (5, 5), last=0, out_points=32))
    assert sheet.contract is Contract.FAILED


def test_who_took_the_last_trick_has_to_be_said() -> None:
    with pytest.raises(InputError) as refusal:
        scored("club 2x32", GivenDeal(0, (100, 42), (6, 4), out_points=20))
    assert refusal.value.field == "last"


def test_four_players_leave_nothing_out() -> None:
    with pytest.raises(InputError) as refusal:
        scored("club", GivenDeal(0, (100, 42), (4, 4), last=0, out_points=20))
    assert refusal.value.field == "out_points"
