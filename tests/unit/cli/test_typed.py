"""What a person types at the table, and how it is understood."""

import pytest

from belot_cli.cards import read_card, read_suit
from belot_cli.scene import Choices, Scene, SeatScene, Stage
from belot_cli.typed import (
    Accept,
    Choose,
    ComeBack,
    Help,
    Leave,
    Pass,
    PlayCard,
    Say,
    ShowTable,
    Unclear,
    hint,
    numbered_choices,
    understand,
)

SEATS = tuple(SeatScene(name, seat % 2, 8) for seat, name in enumerate(("Ana", "West", "North", "East")))
PLAYING = Scene(SEATS, me=0, stage=Stage.PLAYING, trump=2, hand=(0, 7, 20), turn=0, choices=Choices(cards=(0, 7)))
BIDDING = Scene(SEATS, me=0, stage=Stage.BIDDING, hand=(0, 7, 20), turn=0, choices=Choices(may_pass=True, suits=(1, 2)))
UP_CARD = Scene(SEATS, me=0, stage=Stage.BIDDING, up_card=19, choices=Choices(may_pass=True, may_accept=True))


@pytest.mark.parametrize(
    ("text", "card"),
    [("7C", 0), ("7c", 0), ("10h", 19), ("TH", 19), ("j♠", 28), (" AS ", 31), ("1H", None), ("", None)],
)
def test_a_card_is_read_in_every_usual_writing(text: str, card: int | None) -> None:
    assert read_card(text) == card


@pytest.mark.parametrize(
    ("text", "suit"), [("hearts", 2), ("Heart", 2), ("he", 2), ("♥", 2), ("s", 3), ("x", None), ("", None)]
)
def test_a_suit_is_read_by_name_sign_and_beginning(text: str, suit: int | None) -> None:
    assert read_suit(text) == suit


def test_numbers_count_the_legal_cards_in_the_order_of_the_hand() -> None:
    assert numbered_choices(PLAYING) == (7, 0)  # the ace of clubs stands before the seven
    assert understand("2", PLAYING) == PlayCard(0)


def test_an_illegal_card_is_still_sent_so_that_the_server_can_say_why() -> None:
    assert understand("JH", PLAYING) == PlayCard(20)


def test_a_number_that_no_card_has_is_not_understood() -> None:
    assert understand("3", PLAYING) == Unclear(hint(PLAYING))


def test_bids_are_understood() -> None:
    assert understand("pass", BIDDING) == Pass()
    assert understand("hearts", BIDDING) == Choose(2)
    assert understand("take", UP_CARD) == Accept()


def test_naming_the_suit_of_the_up_card_takes_it() -> None:
    assert understand("hearts", UP_CARD) == Accept()


def test_h_is_help_and_q_leaves_at_any_time() -> None:
    for scene in (PLAYING, BIDDING, UP_CARD):
        assert understand("h", scene) == Help()
        assert understand("q", scene) == Leave()
        assert understand("", scene) == ShowTable()


def test_the_hint_names_what_the_auction_allows_with_its_number() -> None:
    assert hint(BIDDING) == "bid: 1 pass, 2 diamonds, 3 hearts (h help, q leave)"
    offered = "1 pass, 2 take (hearts, you get 10♥)"
    assert hint(UP_CARD) == f"bid: {offered} (h help, q leave)"
    assert understand("3", BIDDING) == Choose(2)
    assert understand("2", UP_CARD) == Accept()
    assert understand("3", UP_CARD) == Unclear(hint(UP_CARD))


def test_a_person_comes_back_with_one_word() -> None:
    assert understand(" Back ", PLAYING) == ComeBack()


@pytest.mark.parametrize(("line", "text"), [("say Hello there", "Hello there"), ("  SAY  7C  ", "7C")])
def test_words_are_said_as_they_were_typed(line: str, text: str) -> None:
    assert understand(line, PLAYING) == Say(text)


def test_saying_nothing_is_not_understood() -> None:
    assert isinstance(understand("say", PLAYING), Unclear)
