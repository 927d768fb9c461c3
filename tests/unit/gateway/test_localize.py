"""Which language a caller reads, and what a refusal says in it."""

from collections.abc import Mapping

import pytest

from belot_engine.errors import Clause
from belot_gateway.localize import Kind, bid_words, catalogues, language_for, sentence, text
from belot_kit.errors import Reason

LANGUAGES = ("en", "fr", "hr", "pl", "ro")

NEGOTIATED = {
    "": "en",
    "en": "en",
    "en-GB": "en",
    "xx": "en",
    "xx, en;q=0.1": "en",
    "*": "en",
    ";;,,q=": "en",
    "e" * 9_999: "en",
    "hr": "hr",
    "HR": "hr",
    "hr-HR": "hr",
    "hr_HR": "hr",
    "ro-MD": "ro",
    "ro-RO, en;q=0.8": "ro",
    "mo": "ro",
    "fr-CA-x-private": "fr",
    "bs": "hr",
    "sr-Latn-RS": "hr",
    "cnr-ME": "hr",
    "pl;q=0.4, fr;q=0.9": "fr",
    "pl;q=0.9, fr;q=0.9": "pl",
    "de, pl;q=0.2, *;q=0.1": "pl",
    "pl ; q=0.3 , ro ; Q=0.7": "ro",
    "pl;level=1;q=0.1, fr;q=0.2": "fr",
    "fr;q=0": "en",
    "sr, hr;q=0, pl;q=0.1": "pl",
    "fr;q=nonsense, pl;q=0.1": "pl",
    "fr;q=nan, pl;q=0.1": "pl",
    "fr;q=7, pl;q=0.1": "pl",
    "fr;q=-1, pl;q=0.1": "pl",
}


def test_five_languages_are_spoken() -> None:
    assert tuple(sorted(catalogues())) == LANGUAGES


@pytest.mark.parametrize(("header", "language"), NEGOTIATED.items(), ids=[header[:30] for header in NEGOTIATED])
def test_the_language_that_fits_best_is_spoken(header: str, language: str) -> None:
    assert language_for(header) == language


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_said_in_words_of_its_own(language: str) -> None:
    said = {sentence(language, reason, {}) for reason in Reason}
    assert len(said) == len(Reason)


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_illegal_card_is_explained_by_its_clause(language: str) -> None:
    said = {sentence(language, "ILLEGAL_CARD", {"clause": clause}) for clause in Clause}
    assert len(said) == len(Clause)
    assert sentence(language, "ILLEGAL_CARD", {"clause": "newer"}) == sentence(language, "ILLEGAL_CARD", {})


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "You must follow suit."),
        ("fr", "Vous devez fournir à la couleur demandée."),
        ("hr", "Morate odgovoriti na traženu boju."),
        ("pl", "Musisz dołożyć do koloru."),
        ("ro", "Trebuie să dați la culoare."),
    ],
)
def test_the_duty_to_follow_is_said_as_players_say_it(language: str, said: str) -> None:
    assert sentence(language, "ILLEGAL_CARD", {"clause": "must_follow"}) == said


def test_a_seat_is_counted_from_one() -> None:
    assert sentence("en", "NOT_YOUR_TURN", {"seat": "0"}) == "It is not your turn: seat 1 is to act."
    assert sentence("hr", "NOT_YOUR_TURN", {"seat": "3"}) == "Niste na redu: na redu je mjesto 4."


def test_what_may_be_said_in_the_auction_is_listed() -> None:
    said = sentence("fr", "ILLEGAL_BID", {"seat": "1", "allowed": "pass accept C D"})
    assert said == "Cette enchère n’est pas permise maintenant. Vous pouvez dire\u00a0: je passe, je prends, ♣, ♦."
    assert bid_words("hr", "H S") == "♥, ♠"


@pytest.mark.parametrize("metadata", [{}, {"seat": ""}, {"seat": "nobody"}, {"seat": "-1"}, {"allowed": ""}])
def test_without_the_facts_the_plain_sentence_is_said(metadata: Mapping[str, str]) -> None:
    assert sentence("en", "NOT_YOUR_TURN", metadata) == "It is not your turn."
    assert sentence("en", "ILLEGAL_BID", metadata) == "This bid is not allowed now."


def test_facts_cannot_smuggle_placeholders_in() -> None:
    assert "{seat}" in sentence("en", "ILLEGAL_BID", {"allowed": "{seat}", "seat": "1"})


def test_what_has_no_sentence_still_says_something() -> None:
    assert sentence("xx", "SOMETHING_NEWER", {}) == sentence("en", "INTERNAL", {})
    assert sentence("hr", "SOMETHING_NEWER", {}) == sentence("hr", "INTERNAL", {})
    assert text("hr", Kind.LINE, "something_newer") == "something_newer"
