"""Who cannot overruff plays a lower trump, in every ruleset; only under the partner's ruff are classic players free."""

from support.positions import FOUR, legal_in, refused


def test_a_lower_trump_is_due_under_an_opponents_ruff() -> None:
    assert legal_in(FOUR, "H | AC 9H | 7D 7H AH") == ["7H AH"] * 4
    assert refused("classic H | AC 9H | 7D 7H AH") == {"7D": "must_trump"}


def test_a_lower_trump_is_due_under_the_partners_ruff_in_club_and_bela() -> None:
    assert legal_in(("club", "bela"), "H | AC 9H 7C | 7D 7H") == ["7H"] * 2


def test_anything_goes_under_the_partners_ruff_in_classic_and_announces_a_lower_trump_too() -> None:
    assert legal_in(("classic", "announces"), "H | AC 9H 7C | 7D 7H") == ["7D 7H"] * 2
