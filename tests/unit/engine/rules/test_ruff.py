"""Void in the led suit: a trump is due, in classic and announces not while the partner is winning."""

from support.positions import FOUR, legal, legal_in, refused

_ALWAYS = ("club", "bela")
_UNLESS_PARTNER = ("classic", "announces")


def test_a_trump_is_due_on_an_opponents_card() -> None:
    assert legal_in(FOUR, "H | AC | 7D 7H 8H") == ["7H 8H"] * 4
    assert refused("club H | AC | 7D 7H") == {"7D": "must_trump"}


def test_a_trump_is_due_on_the_partners_card_in_club_and_bela() -> None:
    assert legal_in(_ALWAYS, "H | AC 7C | 7D 8H") == ["8H"] * 2


def test_nothing_is_due_while_the_partner_is_winning_in_classic_and_announces() -> None:
    assert legal_in(_UNLESS_PARTNER, "H | AC 7C | 7D 8H") == ["7D 8H"] * 2
    assert legal_in(_UNLESS_PARTNER, "H | 7C AC 8C | 7D 8H") == ["7D 8H"] * 2


def test_a_trump_is_due_once_an_opponent_has_taken_over() -> None:
    assert legal_in(FOUR, "H | TC AC | 7D 8H") == ["8H"] * 4
    assert legal_in(FOUR, "H | 7C TC AC | 7D 8H") == ["8H"] * 4


def test_nobody_has_a_partner_at_smaller_tables() -> None:
    assert legal("club 3x32 H | AC 7C | 7D 8H") == "8H"
