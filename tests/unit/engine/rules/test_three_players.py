"""Club with three: everyone alone, the declarer against the highest single opponent."""

from dataclasses import replace

from belot_engine.events import Contract
from belot_engine.given import GivenDeal
from support.positions import scored

_TRICKS = (4, 3, 3)


def test_the_declarer_receives_the_rest_of_the_pot() -> None:
    sheet = scored("club 3x32", GivenDeal(0, (80, 46, 36), _TRICKS))
    assert (sheet.contract, sheet.scores) == (Contract.MADE, (7, 5, 4))


def test_as_much_as_the_highest_opponent_is_enough() -> None:
    assert scored("club 3x32", GivenDeal(0, (60, 60, 42), _TRICKS)).contract is Contract.MADE


def test_the_highest_opponent_receives_when_the_declarer_has_less() -> None:
    sheet = scored("club 3x32", GivenDeal(0, (50, 72, 40), _TRICKS))
    assert (sheet.contract, sheet.scores, sheet.bolts) == (Contract.FAILED, (0, 12, 4), (1, 0, 0))


def test_two_opponents_level_at_the_top_share_and_the_odd_bila_goes_to_the_earlier_in_turn() -> None:
    deal = GivenDeal(0, (22, 70, 70), _TRICKS)
    assert scored("club 3x32", deal).scores == (0, 8, 8)
    odd = GivenDeal(0, (12, 50, 100), (1, 4, 5), melds=(0, 50, 0), last=2)
    assert scored("club 3x32", replace(odd, first=2)).scores == (0, 10, 11)
    assert scored("club 3x32", replace(odd, first=1)).scores == (0, 11, 10)


def test_a_player_without_a_trick_is_fined_and_his_melds_are_void() -> None:
    sheet = scored("club 3x32", GivenDeal(0, (100, 62, 0), (5, 5, 0), melds=(0, 0, 20)))
    assert sheet.scores == (10, 6, -10)


def test_three_with_the_small_pack_play_the_same() -> None:
    deal = GivenDeal(1, (50, 72, 40), (2, 3, 3))
    assert scored("club 3x24", deal).contract is Contract.MADE
