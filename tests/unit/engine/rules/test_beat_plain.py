"""Duty to beat the best card of a plain led suit: in bela alone, until the trick is ruffed."""

from support.positions import legal, legal_in, refused

_OTHERS = ("club", "classic", "announces")


def test_bela_beats_a_plain_card_if_it_can() -> None:
    assert legal("bela S | 9H | 7H TH AH") == "TH AH"
    assert refused("bela S | 9H | 7H TH AH") == {"7H": "must_beat"}


def test_the_other_rulesets_follow_freely() -> None:
    assert legal_in(_OTHERS, "S | 9H | 7H TH AH") == ["7H TH AH"] * 3


def test_bela_beats_the_partner_too() -> None:
    assert legal("bela S | KH 7H | 8H AH") == "AH"


def test_the_best_card_of_the_suit_is_to_be_beaten_and_not_the_led_one() -> None:
    assert legal("bela S | 9H KH | QH TH") == "TH"


def test_who_cannot_beat_follows_with_anything() -> None:
    assert legal("bela S | AH | 7H TH") == "7H TH"


def test_the_duty_ends_when_the_trick_is_ruffed() -> None:
    assert legal("bela S | 9H 7S | 7H TH") == "7H TH"


def test_a_card_thrown_off_is_not_to_be_beaten() -> None:
    assert legal("bela S | 9H AC | 7H TH") == "TH"
