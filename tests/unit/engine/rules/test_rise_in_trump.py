"""Trumps led: rise above the best one if able, even over the partner; every ruleset has it."""

from support.positions import FOUR, legal_in, refused


def test_a_higher_trump_is_due() -> None:
    assert legal_in(FOUR, "H | TH | 8H QH 9H JH AC") == ["9H JH"] * 4
    assert refused("club H | TH | 8H 9H AC") == {"8H": "must_rise_in_trump", "AC": "must_follow"}


def test_over_the_partner_too() -> None:
    assert legal_in(FOUR, "H | AH 7H | 8H JH") == ["JH"] * 4


def test_above_the_best_on_the_table() -> None:
    assert legal_in(FOUR, "H | TH 9H | AH JH") == ["JH"] * 4


def test_who_cannot_rise_plays_any_trump() -> None:
    assert legal_in(FOUR, "H | JH | 7H 9H AC") == ["7H 9H"] * 4


def test_who_has_no_trump_plays_anything() -> None:
    assert legal_in(FOUR, "H | JH | 7C AS") == ["7C AS"] * 4
