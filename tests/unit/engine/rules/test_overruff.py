"""A ruffed trick is overruffed if a trump allows it: the partner's too, but not in classic and announces."""

from support.positions import FOUR, legal, legal_in, refused


def test_an_opponents_ruff_is_overruffed() -> None:
    assert legal_in(FOUR, "H | AC TH | 7H 9H 7D") == ["9H"] * 4
    assert refused("bela H | AC TH | 7H 9H 7D") == {"7H": "must_overtrump", "7D": "must_trump"}


def test_the_partners_ruff_is_overruffed_in_club_and_bela() -> None:
    assert legal_in(("club", "bela"), "H | AC TH 7C | 7H 9H 7D") == ["9H"] * 2


def test_the_partners_ruff_leaves_everything_free_in_classic_and_announces() -> None:
    hand = "7D 7H 9H"
    assert legal_in(("classic", "announces"), f"H | AC TH 7C | {hand}") == [hand] * 2


def test_the_highest_ruff_is_the_one_to_overruff() -> None:
    assert legal("club H | AC 7H AH | QH 9H") == "9H"
