"""What the rules service does, one function a use case, errors as the whole system speaks them.

All is pure but for the verdicts that are kept.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from belot_engine.cards import side_count
from belot_engine.compare import Difference, compare
from belot_engine.deal_notation import deal_text
from belot_engine.deal_state import line_of
from belot_engine.errors import AuditBreach, BadDeal, InputError, OptionError, Violation
from belot_engine.events import ScoreSheet
from belot_engine.explain import Explanation, explain
from belot_engine.given import GivenDeal, score_given
from belot_engine.match import apply, start
from belot_engine.notation import Position
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import forms_of, resolve, ruleset_names
from belot_engine.scoring import fresh_standing, score_deal
from belot_engine.state import Action, Applied, MatchState, Standing
from belot_kit.clock import Clock
from belot_kit.errors import DomainError, Reason, invalid_field
from belot_kit.ids import id_for_request
from belot_rules.played_deal import Played, outcome_of
from belot_rules.refusals import refused, refused_options
from belot_rules.ruling import Report, rule
from belot_rules.store import Disputes, KeptDispute

#: What a table gets that does not say how many play and with which pack.
USUAL_SEATS, USUAL_PACK = 4, 32


def published_rulesets() -> tuple[Ruleset, ...]:
    """Every ruleset in every form, with its standard options."""
    return tuple(resolve(name, form.seats, form.pack, {}) for name in ruleset_names() for form in forms_of(name))


def ruleset_for_table(name: str, seats: int, pack: int, options: Mapping[str, str]) -> Ruleset:
    """The ruleset of a table; 0 seats or cards stand for the usual ones.

    Raises DomainError RULESET_NOT_FOUND for the name, OPTION_INVALID for anything else.
    """
    try:
        return resolve(name, seats or USUAL_SEATS, pack or USUAL_PACK, options)
    except OptionError as error:
        raise refused_options(error) from None


def start_match(ruleset: Ruleset, first_dealer: int) -> MatchState:
    """The state before the first deal. Raises DomainError INVALID_ARGUMENT for a dealer who has no seat."""
    if first_dealer >= ruleset.seats:
        raise invalid_field("first_dealer", f"seats are 0 to {ruleset.seats - 1}")
    return start(ruleset, first_dealer)


def apply_action(state: MatchState, seat: int | None, action: Action) -> Applied:
    """Do one action. Raises DomainError with the reason, the clause and what would have been legal."""
    try:
        return apply(state, seat, action)
    except (Violation, BadDeal, AuditBreach) as error:
        raise refused(error, state) from None


def describe_position(state: MatchState) -> str:
    """A state as one line of deal notation, all hands open."""
    return deal_text(line_of(state))


@dataclass(frozen=True, slots=True)
class Filed:
    """A report as it came in: who sent it, under which request, SHA-256 of what it said."""

    player_id: str
    request_id: str
    fingerprint: bytes
    report: Report


def compare_rulesets(first: Ruleset, second: Ruleset) -> tuple[Difference, ...]:
    """What differs, in words."""
    return compare(first, second)


def explain_position(ruleset: Ruleset, position: Position, card: int | None) -> Explanation:
    """A position judged. Raises DomainError INVALID_ARGUMENT naming the part that cannot be."""
    with _named_by({}):
        return explain(ruleset, position.trump, position.trick, position.hand, card)


def score_figures(ruleset: Ruleset, deal: GivenDeal) -> ScoreSheet:
    """The sheet of a deal in figures. Raises DomainError INVALID_ARGUMENT naming the figure that cannot be."""
    before = dict.fromkeys(("totals", "bolts", "held"), "before")
    with _named_by(before, "figures", {"declarer": "declarer_side", "last": "last_side", "first": "first_side"}):
        return score_given(ruleset, deal)


def score_played(ruleset: Ruleset, deal: Played, before: Standing) -> ScoreSheet:
    """The sheet of a deal card by card. Raises DomainError INVALID_ARGUMENT naming what cannot be."""
    with _named_by({}, "played"):
        outcome = outcome_of(ruleset, deal)
    return score_deal(ruleset, before, 0, deal.trump, outcome)


def standing_before(ruleset: Ruleset, totals: tuple[int, ...], bolts: tuple[int, ...], held: int) -> Standing:
    """What stands before a deal; empty for zeros. Raises DomainError INVALID_ARGUMENT."""
    sides = side_count(ruleset.seats)
    for name, figures in (("totals", totals), ("bolts", bolts)):
        if figures and len(figures) != sides:
            raise invalid_field(f"before.{name}", f"one number for each of {sides} sides")
    if held and ruleset.litige != "carry":
        raise invalid_field("before.held", "nothing is held")
    fresh = fresh_standing(ruleset, sides)
    return replace(fresh, totals=totals or fresh.totals, bolts=bolts or fresh.bolts, held=held)


async def file_dispute(disputes: Disputes, clock: Clock, filed: Filed) -> KeptDispute:
    """Rule on a reported move and keep the verdict; sent again, the request finds the one it has.

    Raises DomainError INVALID_ARGUMENT naming the part of the report that cannot be, REQUEST_ID_REUSED, UNAVAILABLE.
    """
    with _named_by({}, "report"):
        ruled = rule(filed.report)
    dispute = KeptDispute(
        dispute_id=id_for_request("dispute", filed.player_id, filed.request_id),
        player_id=filed.player_id,
        request_id=filed.request_id,
        fingerprint=filed.fingerprint,
        report=filed.report,
        ruled=ruled,
        ruled_ms=clock.now_ms(),
    )
    if await disputes.keep(dispute):
        return dispute
    kept = await find_dispute(disputes, dispute.dispute_id, filed.player_id)
    if kept.fingerprint != filed.fingerprint:
        raise DomainError(Reason.REQUEST_ID_REUSED, "this request id was used for something else")
    return kept


async def find_dispute(disputes: Disputes, dispute_id: str, player_id: str) -> KeptDispute:
    """A kept verdict; a player who is named sees his own alone. Raises DomainError DISPUTE_NOT_FOUND, UNAVAILABLE."""
    kept = await disputes.find(dispute_id)
    if kept is None or player_id not in ("", kept.player_id):
        raise DomainError(Reason.DISPUTE_NOT_FOUND, "there is no such dispute", dispute_id=dispute_id)
    return kept


@contextmanager
def _named_by(places: Mapping[str, str], place: str = "", fields: Mapping[str, str] | None = None) -> Iterator[None]:
    """What the engine refuses inside the block, named as the request does.

    `place` is the message that the field is in, `places` says where others are, `fields` what is called otherwise.
    """
    try:
        yield
    except InputError as refusal:
        parts = (places.get(refusal.field, place), (fields or {}).get(refusal.field, refusal.field))
        raise invalid_field(".".join(part for part in parts if part), refusal.message) from None
