"""Questions about the rules and their answers: protobuf on one side, the engine's values on the other."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from typing import Final

from belot.rules.v1 import rulings_pb2
from belot_engine.cards import cards_of, mask_of
from belot_engine.compare import Difference
from belot_engine.errors import CLAUSE_TEXT, Clause, NotationError
from belot_engine.explain import Explanation, Verdict
from belot_engine.given import GivenDeal
from belot_engine.notation import Position, parse_position, position_text
from belot_engine.ruleset import Ruleset
from belot_engine.state import Standing
from belot_kit.errors import DomainError, invalid_field
from belot_rules import commands
from belot_rules.convert.known import MOST, Known, know, read_ruleset
from belot_rules.convert.reading import read_cards, read_suit
from belot_rules.convert.writing import CARD, SUIT, write_cards
from belot_rules.played_deal import Played
from belot_rules.ruling import (
    EXPECTATIONS,
    Report,
    RuledOn,
    Treatment,
    expectation_met,
    position_of,
    treated_rightly,
)
from belot_rules.store import KeptDispute

_LONGEST_ID: Final = 64
_LONGEST_COMMENT: Final = 1_000
_LONGEST_POSITION: Final = 300
_TREATMENT: Final = {
    rulings_pb2.MOVE_TREATMENT_ALLOWED: Treatment.ALLOWED,
    rulings_pb2.MOVE_TREATMENT_BLOCKED: Treatment.BLOCKED,
}
_TREATMENT_OF: Final = {treatment: value for value, treatment in _TREATMENT.items()}


def read_choice(choice: rulings_pb2.RulesetChoice, place: str) -> Ruleset:
    """The ruleset of a choice, which is the field `place`. Raises DomainError RULESET_NOT_FOUND, OPTION_INVALID."""
    with _inside(place):
        return commands.ruleset_for_table(choice.name, choice.seats, choice.pack_size, choice.options)


@contextmanager
def _inside(place: str) -> Iterator[None]:
    try:
        yield
    except DomainError as error:
        error.violations = tuple(replace(each, field=f"{place}.{each.field}") for each in error.violations)
        raise


def read_identifier(field: str, value: str) -> str:
    """1..64 printable ASCII characters. Raises DomainError INVALID_ARGUMENT."""
    if not 1 <= len(value) <= _LONGEST_ID or not value.isascii() or not value.isprintable():
        raise invalid_field(field, f"must be 1 to {_LONGEST_ID} printable ASCII characters")
    return value


def read_question(request: rulings_pb2.ExplainRequest) -> tuple[Ruleset, Position, int | None]:
    """Ruleset, position and the card that is asked about. Raises DomainError."""
    if request.position:
        position = _written(request)
        named = rulings_pb2.RulesetChoice(name=position.ruleset, seats=position.seats, pack_size=position.pack)
        named.options.update(request.ruleset.options)
        rules = read_choice(named, "ruleset")
    else:
        rules = read_choice(request.ruleset, "ruleset")
        position = Position(
            ruleset=rules.name,
            trump=read_suit(request.trump, "trump"),
            trick=read_cards(request.table, "table"),
            hand=_hand(request.hand, "hand"),
            seats=rules.seats,
            pack=rules.pack,
        )
    return rules, position, read_cards([request.card], "card")[0] if request.card else None


def _written(request: rulings_pb2.ExplainRequest) -> Position:
    if request.trump or request.table or request.hand:
        raise invalid_field("position", "it says trump, table and hand: leave those away")
    if len(request.position) > _LONGEST_POSITION:
        raise invalid_field("position", f"at most {_LONGEST_POSITION} characters")
    try:
        return parse_position(request.position)
    except NotationError as refusal:
        raise invalid_field("position", str(refusal)) from None


def _hand(values: Iterable[int], field: str) -> int:
    cards = read_cards(values, field)
    if len(set(cards)) != len(cards):
        raise invalid_field(field, "a card is named twice")
    return mask_of(cards)


def write_explanation(ruleset: Ruleset, position: Position, found: Explanation) -> rulings_pb2.ExplainResponse:
    """A position judged."""
    return rulings_pb2.ExplainResponse(
        ruleset=know(ruleset).ref,
        legal=write_cards(cards_of(found.legal)),
        refused=[_verdict(each) for each in found.refused],
        asked=None if found.asked is None else _verdict(found.asked),
        position=position_text(position),
    )


def _verdict(verdict: Verdict) -> rulings_pb2.CardVerdict:
    clause = verdict.clause.value if verdict.clause else ""
    return write_verdict(verdict.card, clause, verdict.allowed_by)


def write_verdict(card: int, clause: str, allowed_by: Sequence[str]) -> rulings_pb2.CardVerdict:
    """The judgement on a card; no clause: it is legal."""
    return rulings_pb2.CardVerdict(
        card=CARD[card],
        legal=not clause,
        clause=clause,
        reason=CLAUSE_TEXT[Clause(clause)] if clause else "",
        allowed_by=allowed_by,
    )


def write_comparison(
    first: Ruleset, second: Ruleset, differences: Iterable[Difference]
) -> rulings_pb2.CompareRulesetsResponse:
    """What tells two rulesets apart."""
    return rulings_pb2.CompareRulesetsResponse(
        first=know(first).ref,
        second=know(second).ref,
        differences=[
            rulings_pb2.KnobDifference(name=each.knob, description=each.about, first=each.first, second=each.second)
            for each in differences
        ],
    )


def read_filed(request: rulings_pb2.DisputeRequest) -> commands.Filed:
    """A report as it came in. Raises DomainError INVALID_ARGUMENT, RULESET_NOT_FOUND, OPTION_INVALID."""
    return commands.Filed(
        player_id=read_identifier("player_id", request.player_id),
        request_id=read_identifier("request_id", request.request_id),
        fingerprint=sha256(request.report.SerializeToString(deterministic=True)).digest(),
        report=_report(request.report),
    )


def _report(report: rulings_pb2.DisputeReport) -> Report:
    if report.treatment not in _TREATMENT:
        raise invalid_field("report.treatment", "must say whether the card was allowed or blocked")
    if report.expected not in EXPECTATIONS:
        known = ", ".join(sorted(EXPECTATIONS - {""}))
        raise invalid_field("report.expected", f"must be empty or one of {known}")
    if len(report.comment) > _LONGEST_COMMENT or "\x00" in report.comment:
        raise invalid_field("report.comment", f"at most {_LONGEST_COMMENT} characters")
    return Report(
        ruleset=_reported_ruleset(report).ruleset,
        trump=read_suit(report.trump, "report.trump"),
        played=read_cards(report.played, "report.played"),
        hand=_hand(report.hand, "report.hand"),
        move=read_cards([report.move], "report.move")[0],
        treatment=_TREATMENT[report.treatment],
        expected=report.expected,
        comment=report.comment,
    )


def _reported_ruleset(report: rulings_pb2.DisputeReport) -> Known:
    if not report.ruleset_json:
        return know(read_choice(report.ruleset, "report.ruleset"))
    if report.HasField("ruleset"):
        raise invalid_field("report.ruleset", "ruleset_json says it: leave it away")
    return read_ruleset(report.ruleset_json, "report.ruleset_json")


def write_dispute(kept: KeptDispute) -> rulings_pb2.Dispute:
    """A verdict as it is kept."""
    report, ruled = kept.report, kept.ruled
    known = know(report.ruleset)
    message = rulings_pb2.Dispute(
        dispute_id=kept.dispute_id,
        report=_write_report(report, known),
        ruleset=known.ref,
        ruleset_json=known.json,
        ruling=_ruling(report, ruled),
        verdict=write_verdict(report.move, ruled.clause, ruled.allowed_by),
        legal=write_cards(cards_of(ruled.legal_cards)),
        expectation_met=expectation_met(report, ruled),
        position=position_of(report),
    )
    message.ruled_at.FromMilliseconds(kept.ruled_ms)
    return message


def _ruling(report: Report, ruled: RuledOn) -> "rulings_pb2.Ruling.ValueType":
    right = treated_rightly(report, ruled)
    return rulings_pb2.RULING_TREATED_RIGHTLY if right else rulings_pb2.RULING_TREATED_WRONGLY


def _write_report(report: Report, known: Known) -> rulings_pb2.DisputeReport:
    return rulings_pb2.DisputeReport(
        ruleset_json=known.json,
        trump=SUIT[report.trump],
        played=write_cards(report.played),
        hand=write_cards(cards_of(report.hand)),
        move=CARD[report.move],
        treatment=_TREATMENT_OF[report.treatment],
        expected=report.expected,
        comment=report.comment,
    )


def read_figures(request: rulings_pb2.ScoreDealRequest) -> GivenDeal:
    """A deal in figures and what stood before. Raises DomainError INVALID_ARGUMENT for a figure without bound."""
    deal, before = request.figures, request.before
    return GivenDeal(
        declarer=deal.declarer_side,
        points=_figures("figures.points", deal.points),
        tricks=_figures("figures.tricks", deal.tricks),
        melds=_figures("figures.melds", deal.melds),
        bela=_figures("figures.bela", deal.bela),
        last=deal.last_side if deal.HasField("last_side") else None,
        first=deal.first_side,
        out_points=deal.out_points,
        totals=_figures("before.totals", before.totals),
        bolts=_figures("before.bolts", before.bolts),
        held=_figures("before.held", [before.held])[0],
    )


def read_played(request: rulings_pb2.ScoreDealRequest) -> Played:
    """A deal card by card. Raises DomainError INVALID_ARGUMENT."""
    deal = request.played
    cards = read_cards(deal.cards, "played.cards")
    return Played(deal.dealer, deal.declarer, read_suit(deal.trump, "played.trump"), cards)


def read_before(ruleset: Ruleset, before: rulings_pb2.DealStanding) -> Standing:
    """What stood before a deal. Raises DomainError INVALID_ARGUMENT."""
    return commands.standing_before(
        ruleset,
        _figures("before.totals", before.totals),
        _figures("before.bolts", before.bolts),
        _figures("before.held", [before.held])[0],
    )


def _figures(field: str, values: Sequence[int]) -> tuple[int, ...]:
    if any(not -MOST < value < MOST for value in values):
        raise invalid_field(field, f"must be between -{MOST} and {MOST}")
    return tuple(values)
