"""Whom a private table lets in."""

from dataclasses import replace

import pytest

from belot_table import seating
from belot_table.admission import admits
from belot_table.table import Options, Table
from support.table_values import NOW, playing, seated

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
