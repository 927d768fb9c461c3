"""Whom a private table lets in."""

from dataclasses import replace

import pytest

from belot_table import seating
from belot_table.admission import admits, hides_match
from belot_table.table import Options, Table
from support.table_values import NOW, finished, opening, playing, seated, seeding

PRIVATE = Options("classic", private=True, reserved_for=("", "", "clara"))
CODE = "ABCDEFGHJK"


def private_table(kinds: str = "P...") -> Table:
    """A private table of mia's where anna sits and a seat is kept for clara."""
    return replace(seated(kinds, PRIVATE), maker="mia", invitation_code=CODE)


@pytest.mark.parametrize(
    ("player", "code", "let_in"),
    [
        ("anna", "", True),
        ("clara", "", True),
        ("mia", "", True),
        ("eva", "", False),
        ("", "", False),
        ("eva", CODE, True),
        ("", CODE, True),
        ("eva", " abcde fghjk ", True),
        ("eva", "ABCDEFGHJ", False),
        ("eva", "   ", False),
    ],
    ids=["seated", "kept", "maker", "stranger", "nobody", "code", "anybody's code", "typed", "wrong", "blanks"],
)
def test_a_private_table_lets_in_who_has_part_in_it_or_its_code(player: str, code: str, let_in: bool) -> None:
    assert admits(private_table(), player, code) is let_in


def test_a_private_table_without_a_code_is_not_opened_by_an_empty_one() -> None:
    assert not admits(replace(private_table(), invitation_code=""), "eva", " ")


def test_a_public_table_lets_everybody_in() -> None:
    assert admits(seated("P..."), "eva")
    assert admits(seated("P..."), "")


def test_who_left_during_the_match_may_still_look() -> None:
    table = seating.leave(playing("PPPP", Options("classic", private=True)), "boris", NOW).table
    assert admits(table, "boris")


ALONE = Options("classic", no_spectators=True)


@pytest.mark.parametrize("table", [opening("PPPP", ALONE), seeding("PPPP", ALONE), playing("PPPP", ALONE)])
def test_a_match_without_spectators_is_shown_to_its_players_alone(table: Table) -> None:
    assert [hides_match(table, player) for player in ("anna", "eva", "")] == [False, True, True]
    assert not hides_match(replace(table, options=Options("classic")), "eva")


def test_who_left_such_a_match_does_not_watch_it() -> None:
    assert hides_match(seating.leave(playing("PPPP", ALONE), "boris", NOW).table, "boris")


def test_before_and_after_the_match_anybody_may_look() -> None:
    over = finished("PPPP")
    assert not hides_match(seated("PP..", ALONE), "eva")
    assert not hides_match(replace(over, options=ALONE), "eva")
