"""Cards as numbers, masks and text."""

import pytest

from belot_engine.cards import (
    PACK_MASK,
    POINTS,
    SUIT_MASK,
    card_points,
    cards_of,
    mask_of,
    mask_points,
    ranks_in,
    side_count,
    side_of,
)
from belot_engine.errors import NotationError
from belot_engine.notation import (
    Position,
    card_text,
    cards_text,
    hand_text,
    parse_card,
    parse_cards,
    parse_hand,
    parse_position,
    parse_suit,
    position_text,
    suit_text,
)


def test_a_card_is_eight_times_its_suit_plus_its_rank() -> None:
    assert [parse_card(text) for text in ("7C", "9D", "TH", "JS", "AS")] == [0, 10, 19, 28, 31]
    assert all(parse_card(card_text(card)) == card for card in range(32))


def test_every_pack_is_worth_152_under_every_trump() -> None:
    for pack in PACK_MASK.values():
        assert {mask_points(trump, pack) for trump in range(4)} == {152}


def test_trump_and_plain_suits_have_their_points() -> None:
    assert [sum(POINTS[0][card] for card in cards_of(SUIT_MASK[suit])) for suit in range(4)] == [62, 30, 30, 30]
    hearts = [parse_card(rank + "H") for rank in "J9ATKQ87"]
    assert [card_points(parse_suit("H"), card) for card in hearts] == [20, 14, 11, 10, 4, 3, 0, 0]
    assert [card_points(parse_suit("C"), card) for card in hearts] == [2, 0, 11, 10, 4, 3, 0, 0]


def test_a_mask_gives_its_cards_back() -> None:
    hand = parse_hand("AS 7C 9D")
    assert cards_of(hand) == (0, 10, 31)
    assert mask_of(cards_of(hand)) == hand
    assert hand_text(hand) == "7C 9D AS"
    assert ranks_in(hand, parse_suit("D")) == (2,)


def test_the_small_pack_has_no_sevens_and_eights() -> None:
    assert PACK_MASK[24].bit_count() == 24
    assert not PACK_MASK[24] & parse_hand("7C 8C 7D 8D 7H 8H 7S 8S")


def test_partners_sit_opposite_and_fewer_players_are_alone() -> None:
    assert [side_of(seat, 4) for seat in range(4)] == [0, 1, 0, 1]
    assert [side_of(seat, 3) for seat in range(3)] == [0, 1, 2]
    assert [side_count(seats) for seats in (2, 3, 4)] == [2, 3, 2]


@pytest.mark.parametrize("line", ["club H | 9C QH 7C | 8D 9H TH", "bela S | | 7C", "club 3x24 S | 9C | TC"])
def test_a_position_reads_and_writes_the_same(line: str) -> None:
    assert position_text(parse_position(line)) == line


def test_a_position_says_what_a_seat_sees() -> None:
    assert parse_position("club H | 9C | AH") == Position("club", 2, parse_cards("9C"), parse_hand("AH"))
    assert cards_text(parse_cards("QH 9C")) == "QH 9C"


@pytest.mark.parametrize("text", ["", "1C", "10C", "cC", "7X", "7c", "7CC"])
def test_a_text_that_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_card(text)


@pytest.mark.parametrize(
    "text",
    ["club | 9C | AH", "club H 9C AH", "club H | 9C | 9C", "club X | | AH", "club 3 S | | 7C", "club x S | | 7C", ""],
)
def test_a_text_that_is_no_position_is_refused(text: str) -> None:
    with pytest.raises(NotationError):
        parse_position(text)


@pytest.mark.parametrize("number", [-1, 32])
def test_a_number_that_is_no_card_has_no_text(number: int) -> None:
    with pytest.raises(NotationError):
        card_text(number)


def test_suits_are_letters() -> None:
    assert [suit_text(suit) for suit in range(4)] == list("CDHS")
    with pytest.raises(NotationError):
        suit_text(4)
    with pytest.raises(NotationError):
        parse_suit("")


def test_a_card_named_twice_is_refused() -> None:
    with pytest.raises(NotationError):
        parse_cards("7C 7C")
