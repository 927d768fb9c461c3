"""Duplicate deals between two policies."""

import random

import pytest

from belot_bot import easy, normal
from belot_bot.arena import Difference, duplicate_deal, figure, pack_of
from belot_bot.hard import choose as hard
from belot_bot.view import SeatView
from belot_engine.rulesets import resolve
from belot_engine.state import Action, Pass
from support.playouts import every_form

SEED = b"arena"


def never(view: SeatView, seed: bytes) -> Action:
    """Passes as long as it may and plays as easy does."""
    return Pass() if view.legal.may_pass else easy.choose(view, seed)


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_a_policy_against_itself_makes_no_difference(rules: object) -> None:
    for number in range(6):
        assert duplicate_deal(rules, normal.choose, normal.choose, SEED, number) == Difference(number, 0.0, 0.0)  # type: ignore[arg-type]


def test_a_deal_follows_from_its_seed_and_number_alone() -> None:
    rules = resolve("bela", 4, 32, {})
    numbers = list(range(8))
    first = {number: duplicate_deal(rules, normal.choose, easy.choose, SEED, number) for number in numbers}
    random.Random(1).shuffle(numbers)
    assert {number: duplicate_deal(rules, normal.choose, easy.choose, SEED, number) for number in numbers} == first
    assert any(first[number] != duplicate_deal(rules, normal.choose, easy.choose, b"x", number) for number in numbers)


def test_packs_are_whole_and_differ() -> None:
    packs = [pack_of(24, SEED, number) for number in range(50)]
    assert all(sorted(pack) == [8 * suit + rank for suit in range(4) for rank in range(2, 8)] for pack in packs)
    assert len(set(packs)) == 50


def test_a_hand_that_nobody_takes_makes_no_difference() -> None:
    assert duplicate_deal(resolve("classic", 4, 32, {}), never, never, SEED, 0) == Difference(0, 0.0, 0.0)


def test_a_figure_has_its_interval() -> None:
    found = figure([0.0, 2.0] * 50)
    assert (found.mean, found.deals) == (1.0, 100)
    assert found.half_width == pytest.approx(0.197, abs=0.001)


@pytest.mark.parametrize(("name", "seats", "pack"), [("club", 4, 32), ("club", 2, 24)])
def test_hard_beats_normal_on_duplicate_deals_beyond_chance(name: str, seats: int, pack: int) -> None:
    rules = resolve(name, seats, pack, {})
    found = figure(duplicate_deal(rules, hard, normal.choose, SEED, number).card_points for number in range(25))
    assert found.mean - found.half_width > 0, found
