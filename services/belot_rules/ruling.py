"""Reported moves: what a report says, and the verdict of the validator that every move of every match goes through.

Pure. A verdict follows from the report alone, so that a kept one can be found again at any time: `rule` on the same
ruleset, trump suit, cards and move gives the same answer as on the day.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from belot_engine.cards import cards_of, mask_of
from belot_engine.errors import Clause, InputError
from belot_engine.explain import explain
from belot_engine.notation import Position, position_text
from belot_engine.ruleset import Ruleset

#: What a report may expect: a clause that should have forbidden the card, that it should have been legal, or nothing.
LEGAL = "legal"
EXPECTATIONS = frozenset({"", LEGAL, *(clause.value for clause in Clause)})


class Treatment(StrEnum):
    """What became of a reported move."""

    ALLOWED = "allowed"
    BLOCKED = "blocked"


@dataclass(frozen=True, slots=True)
class Report:
    """A move that somebody thinks was treated wrongly.

    ``played`` are the cards of the present trick, or of the whole deal with the tricks before it complete; ``hand`` is
    the mask before the move; ``expected`` is one of EXPECTATIONS.
    """

    ruleset: Ruleset
    trump: int
    played: tuple[int, ...] = field(repr=False)
    hand: int = field(repr=False)
    move: int = field(repr=False)
    treatment: Treatment
    expected: str = ""
    comment: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class RuledOn:
    """The verdict: whether the card is legal, the clause that forbids it ("" for none), the mask of the legal cards,
    and the other published rulesets that would allow the card."""

    legal: bool
    clause: str
    legal_cards: int = field(repr=False)
    allowed_by: tuple[str, ...] = ()


def table_of(report: Report) -> tuple[int, ...]:
    """The cards on the table: those of ``played`` that belong to no complete trick."""
    return report.played[len(report.played) - len(report.played) % report.ruleset.seats :]


def rule(report: Report) -> RuledOn:
    """Judge the move. Raises InputError naming ``trump``, ``played``, ``hand`` or ``move``."""
    _check_played(report)
    try:
        found = explain(report.ruleset, report.trump, table_of(report), report.hand, report.move)
    except InputError as refusal:
        field_name = {"table": "played", "card": "move"}.get(refusal.field, refusal.field)
        raise InputError(field_name, refusal.message) from None
    asked = found.asked
    if asked is None:
        raise InputError("move", "a card is due")
    return RuledOn(asked.legal, asked.clause.value if asked.clause else "", found.legal, asked.allowed_by)


def treated_rightly(report: Report, ruled: RuledOn) -> bool:
    """Whether the move was let through or refused as the rules have it."""
    return (report.treatment is Treatment.ALLOWED) == ruled.legal


def expectation_met(report: Report, ruled: RuledOn) -> bool | None:
    """Whether what was expected is what the rules say; None when nothing was said."""
    if not report.expected:
        return None
    return ruled.legal if report.expected == LEGAL else report.expected == ruled.clause


def position_of(report: Report) -> str:
    """The position as one line of notation."""
    rules = report.ruleset
    return position_text(Position(rules.name, report.trump, table_of(report), report.hand, rules.seats, rules.pack))


def _check_played(report: Report) -> None:
    rules, played = report.ruleset, report.played
    if len(set(played)) != len(played):
        raise InputError("played", "a card is named twice")
    if mask_of(played) & report.hand:
        raise InputError("hand", "a card was played and is in the hand")
    if len(played) // rules.seats + len(cards_of(report.hand)) > rules.hand_size:
        raise InputError("hand", f"with the tricks played it is more than {rules.hand_size} cards")
