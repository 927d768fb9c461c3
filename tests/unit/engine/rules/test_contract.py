"""When the contract is made: more than the others in club, more than half in bela, strictly more in classic."""

import pytest

from belot_engine.events import Contract
from belot_engine.given import GivenDeal
from support.positions import scored

_FOUR = (4, 4)


@pytest.mark.parametrize(
    ("points", "contract", "scores"),
    [((82, 80), Contract.MADE, (8, 8)), ((80, 82), Contract.FAILED, (0, 16)), ((81, 81), Contract.LEVEL, (8, 8))],
)
def test_club_needs_more_than_the_others(points: tuple[int, int], contract: Contract, scores: tuple[int, int]) -> None:
    sheet = scored("club", GivenDeal(0, points, _FOUR))
    assert (sheet.contract, sheet.scores) == (contract, scores)


@pytest.mark.parametrize(
    ("points", "contract", "scores"),
    [((82, 80), Contract.MADE, (82, 80)), ((81, 81), Contract.FAILED, (0, 162)), ((80, 82), Contract.FAILED, (0, 162))],
)
def test_bela_needs_more_than_half(points: tuple[int, int], contract: Contract, scores: tuple[int, int]) -> None:
    sheet = scored("bela", GivenDeal(0, points, _FOUR))
    assert (sheet.contract, sheet.scores) == (contract, scores)


@pytest.mark.parametrize("name", ["classic", "announces"])
@pytest.mark.parametrize(
    ("points", "contract", "scores"),
    [((82, 80), Contract.MADE, (82, 80)), ((80, 82), Contract.FAILED, (0, 162)), ((81, 81), Contract.LEVEL, (0, 81))],
)
def test_classic_needs_strictly_more(
    name: str, points: tuple[int, int], contract: Contract, scores: tuple[int, int]
) -> None:
    sheet = scored(name, GivenDeal(0, points, _FOUR))
    assert (sheet.contract, sheet.scores) == (contract, scores)


def test_melds_count_in_the_contract() -> None:
    deal = GivenDeal(0, (72, 90), _FOUR, melds=(20, 0))
    contracts = [scored(name, deal).contract for name in ("club", "bela", "announces")]
    assert contracts == [Contract.MADE] * 3
    assert scored("club", GivenDeal(0, (82, 80), _FOUR, melds=(0, 20))).contract is Contract.FAILED


def test_bela_stands_outside_the_contract_of_bela_unless_the_table_counts_it() -> None:
    own, theirs = GivenDeal(0, (72, 90), _FOUR, bela=(20, 0)), GivenDeal(0, (82, 80), _FOUR, bela=(0, 20))
    assert scored("bela", own).scores == (0, 182)
    assert scored("bela", own, bela_in_limit="on").scores == (92, 90)
    assert scored("bela", theirs).scores == (82, 100)
    assert scored("bela", theirs, bela_in_limit="on").scores == (0, 182)


def test_king_and_queen_count_in_the_contract_of_the_others() -> None:
    deal = GivenDeal(0, (72, 90), _FOUR, bela=(20, 0))
    contracts = [scored(name, deal).contract for name in ("club", "classic", "announces")]
    assert contracts == [Contract.MADE] * 3


@pytest.mark.parametrize("points", range(0, 163, 2))
def test_exactly_one_more_than_half_is_the_limit_of_bela(points: int) -> None:
    tricks = (0, 8) if points == 0 else (8, 0) if points == 162 else (4, 4)
    sheet = scored("bela", GivenDeal(0, (points, 162 - points), tricks))
    assert (sheet.contract is Contract.MADE) == (points >= 162 // 2 + 1)
