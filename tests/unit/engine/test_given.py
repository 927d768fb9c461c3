"""Deals in figures and in hands, as people bring them."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_engine.errors import InputError
from belot_engine.events import Contract, LineKind
from belot_engine.given import GivenDeal, deal_positions, melds_given, score_given
from belot_engine.notation import parse_hand, parse_suit
from belot_engine.rulesets import resolve
from support.positions import scored, values

_GOLDEN = Path(__file__).parents[2] / "golden"
_SCORES = json.loads((_GOLDEN / "scores.json").read_text())["cases"]
_DEALS = json.loads((_GOLDEN / "deal_maps.json").read_text())["deals"]
_DEAL = GivenDeal(0, (100, 62), (4, 4))


@pytest.mark.parametrize("case", _SCORES, ids=lambda case: case["id"])
def test_every_worked_number_comes_out_of_figures(case: dict[str, Any]) -> None:
    figures = {name: tuple(value) if isinstance(value, list) else value for name, value in case["outcome"].items()}
    before = {name: value for name, value in case.get("before", {}).items() if name in ("totals", "bolts", "held")}
    first = figures.pop("turn_order")[0]
    deal = GivenDeal(**figures, first=first, **{k: tuple(v) if isinstance(v, list) else v for k, v in before.items()})
    sheet = score_given(resolve(case["ruleset"], case["seats"], case["pack"], case["options"]), deal)
    expected = {
        name: value for name, value in case["expect"].items() if name in ("scores", "contract", "held", "bolts")
    }
    assert {name: getattr(sheet, name) for name in expected} == {
        name: tuple(value) if isinstance(value, list) else value for name, value in expected.items()
    }


def test_the_least_that_has_to_be_said() -> None:
    sheet = score_given(resolve("bela", 4, 32, {}), GivenDeal(0, (72, 90), (4, 4), melds=(20, 0), bela=(0, 0)))
    assert (sheet.scores, sheet.contract) == ((92, 90), Contract.MADE)
    assert values(sheet, LineKind.CARDS) == (72, 90)
    assert values(sheet, LineKind.LAST_TRICK) is None
    assert values(sheet, LineKind.MELDS) == (20, 0)


def test_the_last_trick_is_a_line_of_its_own_once_it_is_said_who_took_it() -> None:
    sheet = scored("bela", replace(_DEAL, last=1))
    assert (values(sheet, LineKind.CARDS), values(sheet, LineKind.LAST_TRICK)) == ((100, 52), (0, 10))


def test_what_stood_before_is_carried_on() -> None:
    sheet = scored("club", replace(_DEAL, totals=(40, 50), bolts=(2, 0)))
    assert (sheet.totals, sheet.bolts) == ((50, 56), (2, 0))


@pytest.mark.parametrize(
    ("table", "change", "field"),
    [
        ("bela", {"points": (100, 62, 0)}, "points"),
        ("bela", {"points": (100, 61)}, "points"),
        ("bela", {"points": (172, -10)}, "points"),
        ("bela", {"points": (162, 0), "tricks": (0, 8)}, "points"),
        ("bela", {"tricks": (4, 5)}, "tricks"),
        ("bela", {"tricks": (4,)}, "tricks"),
        ("bela", {"declarer": 2}, "declarer"),
        ("bela", {"declarer": -1}, "declarer"),
        ("bela", {"first": 2}, "first"),
        ("bela", {"melds": (20, 20)}, "melds"),
        ("bela", {"melds": (25, 0)}, "melds"),
        ("bela", {"melds": (-20, 0)}, "melds"),
        ("classic", {"melds": (20, 0)}, "melds"),
        ("bela", {"bela": (20, 20)}, "bela"),
        ("bela", {"bela": (10, 0)}, "bela"),
        ("bela", {"bolts": (-1, 0)}, "bolts"),
        ("bela", {"totals": (1, 2, 3)}, "totals"),
        ("bela", {"held": 81}, "held"),
        ("classic", {"held": -1}, "held"),
        ("bela", {"last": 2}, "last"),
        ("bela", {"last": 1, "points": (156, 6)}, "last"),
        ("bela", {"out_points": 10, "points": (90, 62)}, "out_points"),
        ("club 2x32", {"tricks": (5, 5), "out_points": 10, "points": (90, 62)}, "last"),
        ("club 2x32", {"tricks": (5, 5), "out_points": -10, "points": (110, 62)}, "out_points"),
    ],
)
def test_figures_that_cannot_be_are_refused_by_name(table: str, change: dict[str, Any], field: str) -> None:
    with pytest.raises(InputError) as refusal:
        scored(table, replace(_DEAL, **change))
    assert refusal.value.field == field


def _hands(*texts: str) -> list[int]:
    return [parse_hand(text) for text in texts]


def test_melds_are_summed_by_side() -> None:
    club = resolve("club", 4, 32, {})
    given = melds_given(club, parse_suit("H"), _hands("7C 8C 9C", "TD JD QD KD", "KH QH", "7S 8S 9S"), 0)
    assert given.points == (0, 70)
    assert [meld.player for meld in given.counted] == [1, 3]
    assert [len(melds) for melds in given.by_seat] == [1, 1, 0, 1]
    assert given.bela == 0


def test_melds_of_two_and_three_players_go_by_player() -> None:
    assert melds_given(resolve("club", 3, 32, {}), 0, _hands("7C 8C 9C", "", "TD JD QD KD"), 0).points == (0, 0, 50)
    assert melds_given(resolve("club", 2, 32, {}), 0, _hands("7C 8C 9C", ""), 1).points == (20, 0)


def test_no_melds_are_found_where_none_are_played() -> None:
    given = melds_given(resolve("classic", 4, 32, {}), 0, _hands("7C 8C 9C", "", "", "QC KC"), 0)
    assert (given.points, given.counted, given.by_seat, given.bela) == ((0, 0), (), ((), (), (), ()), 1)


@pytest.mark.parametrize(
    ("trump", "hands", "first", "field"),
    [
        (4, ["", "", "", ""], 0, "trump"),
        (0, ["", "", "", ""], 4, "first"),
        (0, ["", "", ""], 0, "hands"),
        (0, ["7C", "7C", "", ""], 0, "hands"),
        (0, ["7C 8C 9C TC JC QC KC AC 7D", "", "", ""], 0, "hands"),
    ],
)
def test_hands_that_cannot_be_are_refused_by_name(trump: int, hands: list[str], first: int, field: str) -> None:
    with pytest.raises(InputError) as refusal:
        melds_given(resolve("club", 4, 32, {}), trump, _hands(*hands), first)
    assert refusal.value.field == field


def test_a_card_that_the_pack_does_not_have_is_refused() -> None:
    with pytest.raises(InputError):
        melds_given(resolve("club", 4, 24, {}), 0, _hands("7C", "", "", ""), 0)


@pytest.mark.parametrize("deal", _DEALS)
def test_the_published_deal_maps_come_out(deal: dict[str, Any]) -> None:
    rules = resolve(deal["ruleset"], deal["players"], deal["pack"], {})
    given = deal_positions(rules, deal["dealer"], deal["declarer"])
    assert [list(hand) for hand in given.hands] == deal["hands"]
    assert (given.up_card, list(given.out)) == (deal["up_card"], deal["out"])


@pytest.mark.parametrize(("dealer", "declarer", "field"), [(4, 0, "dealer"), (0, -1, "declarer")])
def test_a_seat_that_is_none_is_refused(dealer: int, declarer: int, field: str) -> None:
    with pytest.raises(InputError) as refusal:
        deal_positions(resolve("bela", 4, 32, {}), dealer, declarer)
    assert refusal.value.field == field
