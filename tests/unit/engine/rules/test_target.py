"""When a match ends: its target, past it, level past it, or a number of deals."""

from dataclasses import replace

import pytest

from belot_engine.events import Outcome
from belot_engine.given import GivenDeal, score_given
from belot_engine.rulesets import options_of, resolve
from belot_engine.scoring import fresh_standing, result_after


@pytest.mark.parametrize(
    ("name", "default", "others"),
    [("club", 101, ("51", "151")), ("bela", 1001, ("501", "701")), ("classic", 1000, ("1", "777", "10000"))],
)
def test_the_targets_of_a_ruleset(name: str, default: int, others: tuple[str, ...]) -> None:
    assert resolve(name, 4, 32, {}).target == default
    assert [resolve(name, 4, 32, {"target": value}).target for value in others] == [int(value) for value in others]


def _winner(name: str, totals: tuple[int, ...], **options: str) -> tuple[Outcome, int | None] | None:
    rules = resolve(name, 4, 32, options)
    standing = replace(fresh_standing(rules, 2), totals=totals, deals=6)
    result = result_after(rules, standing)
    return None if result is None else (result.outcome, result.winner)


@pytest.mark.parametrize(("name", "target"), [("club", 101), ("bela", 1001), ("classic", 1000), ("announces", 1000)])
def test_reaching_the_target_wins_and_the_higher_of_two_does(name: str, target: int) -> None:
    assert _winner(name, (target - 1, 0)) is None
    assert _winner(name, (target, 0)) == (Outcome.WON, 0)
    assert _winner(name, (target, target + 2)) == (Outcome.WON, 1)
    assert _winner(name, (target + 5, target + 5)) is None


@pytest.mark.parametrize(("name", "extension"), [("club", 50), ("bela", 0), ("classic", 0), ("announces", 0)])
def test_level_past_the_target_extends_it_by_50_in_club_and_plays_on_elsewhere(name: str, extension: int) -> None:
    rules = resolve(name, 4, 32, {})
    level = rules.target + 9
    deal = GivenDeal(0, (100, 62), (4, 4))
    gained = score_given(rules, deal).scores
    sheet = score_given(rules, replace(deal, totals=(level - gained[0], level - gained[1])))
    assert sheet.totals == (level, level)
    assert (sheet.extension, sheet.target) == (extension, rules.target + extension)


@pytest.mark.parametrize("name", ["club", "bela", "classic", "announces"])
def test_a_number_of_deals_takes_the_place_of_a_target_and_level_is_a_draw(name: str) -> None:
    assert "deals" in {option.name for option in options_of(name)}
    assert _winner(name, (9000, 0), deals="7") is None
    assert _winner(name, (30, 20), deals="6") == (Outcome.WON, 0)
    assert _winner(name, (30, 30), deals="6") == (Outcome.DRAWN, None)
