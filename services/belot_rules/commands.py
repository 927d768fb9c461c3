"""What the rules service does, one function a use case: all pure, errors as the whole system speaks them."""

from collections.abc import Mapping

from belot_engine.errors import AuditBreach, BadDeal, OptionError, Violation
from belot_engine.match import apply, start
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import forms_of, resolve, ruleset_names
from belot_engine.state import Action, Applied, MatchState
from belot_kit.errors import invalid_field
from belot_rules.refusals import refused, refused_options

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
