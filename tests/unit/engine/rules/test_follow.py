"""Holding the led suit: follow."""

import pytest

from support.positions import FOUR, legal, legal_in, refused


@pytest.mark.parametrize("name", FOUR)
def test_who_holds_the_led_suit_follows(name: str) -> None:
    assert legal(f"{name} H | 7C | 8C AC JH AS") == "8C AC"
    assert refused(f"{name} H | 7C | 8C JH AS") == {"JH": "must_follow", "AS": "must_follow"}


def test_a_trump_does_not_take_the_place_of_the_led_suit() -> None:
    assert legal_in(FOUR, "H | 7C 8H | 9C 9H") == ["9C"] * 4


def test_the_leader_plays_anything() -> None:
    assert legal_in(FOUR, "H | | 7C 8D JH AS") == ["7C 8D JH AS"] * 4


def test_who_has_neither_the_led_suit_nor_trumps_plays_anything() -> None:
    assert legal_in(FOUR, "H | 7C | 8D AS") == ["8D AS"] * 4


@pytest.mark.parametrize("form", ["2x24", "2x32", "3x24", "3x32", "4x24"])
def test_it_is_the_same_at_every_table(form: str) -> None:
    assert legal(f"club {form} H | 9C | TC AC JH") == "TC AC"
