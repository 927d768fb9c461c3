"""French belote with announces: classic play, melds on top; the first ruleset that came after the three."""

import json
from pathlib import Path
from typing import Any

import pytest

from belot_engine.compare import compare
from belot_engine.events import Contract
from belot_engine.given import GivenDeal, melds_given
from belot_engine.notation import parse_hand, parse_suit
from belot_engine.rulesets import resolve
from support.positions import legal, scored

_RULES = resolve("announces", 4, 32, {})
_CASES = json.loads((Path(__file__).parents[3] / "golden" / "legal_cards.json").read_text())["cases"]


@pytest.mark.parametrize("case", [case for case in _CASES if case["ruleset"] == "classic"], ids=lambda case: case["id"])
def test_disputed_positions_are_judged_as_in_classic(case: dict[str, Any]) -> None:
    rest = f"{case['trump']} | {' '.join(case['trick'])} | {' '.join(case['hand'])}"
    assert legal(f"announces {rest}") == legal(f"classic {rest}")


def test_it_differs_from_classic_by_its_melds_alone() -> None:
    differences = compare(resolve("classic", 4, 32, {}), _RULES)
    assert {item.knob for item in differences} == {"melds", "meld_order", "meld_tie", "melds_shown"}


def _points(*hands: str, trump: str = "S") -> tuple[int, ...]:
    masks = [parse_hand(hand) for hand in hands] + [0] * (4 - len(hands))
    return melds_given(_RULES, parse_suit(trump), masks, 0).points


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("7C 8C 9C", 20),
        ("7C 8C 9C TC", 50),
        ("7C 8C 9C TC JC", 100),
        ("7C 8C 9C TC JC QC", 100),
        ("JC JD JH JS", 200),
        ("9C 9D 9H 9S", 150),
        ("AC AD AH AS", 100),
        ("KC KD KH KS", 100),
        ("QC QD QH QS", 100),
        ("TC TD TH TS", 100),
        ("8C 8D 8H 8S", 0),
        ("7C 7D 7H 7S", 0),
    ],
)
def test_what_a_meld_is_worth(hand: str, points: int) -> None:
    assert _points(hand) == (points, 0)


def test_the_best_meld_decides_and_its_side_scores_all() -> None:
    assert _points("TC JC QC", "7D 8D 9D TD", "7H 8H 9H", "7S 8S 9S") == (0, 70)


def test_points_go_first() -> None:
    assert _points("TC JC QC KC AC", "9D 9H 9S 9C") == (0, 150)


def test_a_four_goes_over_a_run() -> None:
    assert _points("TC JC QC KC AC", "TD TH TS") == (100, 0)
    assert _points("7C 8C 9C TC JC", "QC QD QH QS") == (0, 100)


def test_a_longer_run_goes_over_a_higher_one() -> None:
    assert _points("TC JC QC KC AC", "7D 8D 9D TD JD QD") == (0, 100)


def test_a_higher_run_goes_over_a_lower_one() -> None:
    assert _points("TC JC QC", "JD QD KD") == (0, 20)


def test_trump_goes_over_a_plain_suit() -> None:
    assert _points("TC JC QC", "TS JS QS") == (0, 20)
    assert _points("TC JC QC", "TS JS QS", trump="C") == (20, 0)


def test_fully_equal_melds_count_for_nobody_the_partners_weaker_ones_included() -> None:
    assert _points("TC JC QC", "TD JD QD", "7H 8H 9H") == (0, 0)


def test_takers_who_fail_leave_their_melds_to_the_defence() -> None:
    sheet = scored("announces", GivenDeal(0, (60, 102), (4, 4), melds=(40, 0)))
    assert (sheet.contract, sheet.scores) == (Contract.FAILED, (0, 202))


def test_a_level_deal_holds_the_takers_melds_with_their_half() -> None:
    sheet = scored("announces", GivenDeal(0, (71, 91), (4, 4), melds=(20, 0)))
    assert (sheet.contract, sheet.scores, sheet.held) == (Contract.LEVEL, (0, 91), 91)
