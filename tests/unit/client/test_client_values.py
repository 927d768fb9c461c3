"""The client's small pure things: cards as text, refusals as exceptions, the proof that a readme runs."""

import ast
import re
from pathlib import Path

import pytest

import belot_client
from belot.common.v1 import common_pb2, errors_pb2
from belot_client.cards import CARDS, SUITS, card, cards_from_wire, in_pack_order, number_of, points_of, suit
from belot_client.errors import Refused, Superseded, comes_back, refused_in_stream

README = Path(next(iter(belot_client.__path__))) / "README.md"


def test_cards_are_numbered_as_the_messages_number_them() -> None:
    names = ["SEVEN", "EIGHT", "NINE", "TEN", "JACK", "QUEEN", "KING", "ACE"]
    for suit_name, letter in zip(("CLUBS", "DIAMONDS", "HEARTS", "SPADES"), "CDHS", strict=True):
        for rank_name, rank in zip(names, "789TJQKA", strict=True):
            value = common_pb2.Card.Value(f"CARD_{rank_name}_OF_{suit_name}")
            assert cards_from_wire([value]) == (f"{rank}{letter}",)
            assert number_of(card(f"{rank}{letter}")) == value - 1


def test_the_points_of_a_pack_are_those_of_one_trump_suit_and_three_plain_ones() -> None:
    for trump in SUITS:
        assert sum(points_of(each, trump) for each in CARDS) == 62 + 3 * 30


def test_pack_order_is_by_suit_and_then_by_rank() -> None:
    assert in_pack_order([card("AS"), card("7C"), card("TH"), card("9H")]) == ("7C", "9H", "TH", "AS")


@pytest.mark.parametrize("text", ["", "1C", "7X", "C7", "10H", "7c"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="a card is"):
        card(text)


def test_what_is_no_suit_is_refused() -> None:
    with pytest.raises(ValueError, match="a suit is"):
        suit("X")


def test_a_refusal_of_a_card_says_what_is_legal() -> None:
    refused = refused_in_stream(
        errors_pb2.Refusal(
            code=9,
            reason=errors_pb2.ERROR_REASON_ILLEGAL_CARD,
            message="for developers",
            metadata={"clause": "must_follow", "legal_cards": "8H AH", "version": "17"},
            localized_message="You must follow suit.",
        )
    )
    assert (refused.reason, refused.clause, refused.legal_cards, refused.version) == (
        "ILLEGAL_CARD",
        "must_follow",
        ("8H", "AH"),
        17,
    )
    assert str(refused) == "ILLEGAL_CARD: You must follow suit."


def test_a_superseded_stream_is_an_exception_of_its_own_and_does_not_come_back() -> None:
    refused = refused_in_stream(errors_pb2.Refusal(reason=errors_pb2.ERROR_REASON_STREAM_SUPERSEDED))
    assert isinstance(refused, Superseded)
    assert not comes_back(refused)


@pytest.mark.parametrize(
    ("reason", "again"),
    [
        ("UNAVAILABLE", True),
        ("DRAINING", True),
        ("STREAM_TOO_SLOW", True),
        ("SOMETHING_NEWER", True),
        ("UNAUTHENTICATED", False),
        ("TABLE_NOT_FOUND", False),
    ],
)
def test_a_stream_comes_back_unless_that_makes_no_sense(reason: str, again: bool) -> None:
    assert comes_back(Refused(reason, "")) is again


def test_the_examples_in_the_readme_are_python_and_the_first_has_about_thirty_lines() -> None:
    first, *others = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    assert ast.parse(first)
    assert len(first.splitlines()) < 45
    for example in others:
        exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - our own text
