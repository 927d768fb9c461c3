"""Positions and deals in short for tests of single rules."""

from belot_engine.events import LineKind, ScoreSheet
from belot_engine.explain import explain
from belot_engine.given import GivenDeal, score_given
from belot_engine.notation import card_text, hand_text, parse_position
from belot_engine.rulesets import resolve

#: The rulesets for four with 32 cards.
FOUR = ("club", "bela", "classic", "announces")


def legal(position: str) -> str:
    """The legal cards of a position in notation, as text."""
    where = parse_position(position)
    rules = resolve(where.ruleset, where.seats, where.pack, {})
    return hand_text(explain(rules, where.trump, where.trick, where.hand).legal)


def refused(position: str) -> dict[str, str]:
    """Every card of a position that may not be played, with its clause."""
    where = parse_position(position)
    rules = resolve(where.ruleset, where.seats, where.pack, {})
    verdicts = explain(rules, where.trump, where.trick, where.hand).refused
    return {card_text(verdict.card): verdict.clause.value if verdict.clause else "" for verdict in verdicts}


def legal_in(names: tuple[str, ...], rest: str) -> list[str]:
    """The legal cards of one position (trump and what follows it) in several rulesets."""
    return [legal(f"{name} {rest}") for name in names]


def scored(table: str, deal: GivenDeal, **options: str) -> ScoreSheet:
    """The sheet of a deal at a table such as ``club 3x32``, or ``bela`` for four with 32 cards."""
    name, _, form = table.partition(" ")
    seats, pack = (int(part) for part in (form or "4x32").split("x"))
    return score_given(resolve(name, seats, pack, options), deal)


def values(sheet: ScoreSheet, kind: LineKind) -> tuple[int, ...] | None:
    """The values of a line of a sheet, None when it is left away."""
    return next((line.values for line in sheet.lines if line.kind is kind), None)
