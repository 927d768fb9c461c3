"""The engine's refusals as the whole system speaks them."""

from collections.abc import Mapping
from typing import Final

import structlog
from prometheus_client import Counter

from belot_engine.cards import SUITS
from belot_engine.deal_notation import deal_text
from belot_engine.deal_state import line_of
from belot_engine.errors import AuditBreach, BadDeal, EngineError, OptionError, Violation
from belot_engine.errors import Reason as Rule
from belot_engine.match import legal_actions
from belot_engine.notation import hand_text
from belot_engine.ruleset import ruleset_hash
from belot_engine.state import MatchState
from belot_kit.errors import DomainError, FieldViolation, PreconditionViolation, Reason, invalid_field

_log = structlog.get_logger(__name__)

AUDIT_BREACHES: Final = Counter(
    "belot_rules_audit_breaches_total",
    "Deals that did not add up: a fault of the program, somebody must look.",
    ("ruleset",),
)

_REASON: Final[Mapping[Rule, Reason]] = {
    Rule.NOT_YOUR_TURN: Reason.NOT_YOUR_TURN,
    Rule.CARD_NOT_HELD: Reason.CARD_NOT_HELD,
    Rule.UNKNOWN_CARD: Reason.UNKNOWN_CARD,
    Rule.WRONG_PHASE: Reason.WRONG_PHASE,
    Rule.ILLEGAL_BID: Reason.ILLEGAL_BID,
    Rule.ILLEGAL_CARD: Reason.ILLEGAL_CARD,
    Rule.CLAIM_NOT_CERTAIN: Reason.CLAIM_NOT_CERTAIN,
}


def refused(error: EngineError, state: MatchState) -> DomainError:
    """Why an action was refused in a state, with what would have been legal.

    Metadata: ``seat`` that is to act, ``phase``, and for it alone who acted in turn ``clause`` and ``legal_cards``
    ("8H AH") or ``allowed`` ("pass accept C D"). A breach of what is always true is ours: it is logged as an alarm,
    without cards, and answered as AUDIT_BREACH, which stops the table.
    """
    if isinstance(error, Violation):
        return _violation(error, state)
    if isinstance(error, BadDeal):
        return invalid_field("action.deal.cards", str(error))
    if isinstance(error, AuditBreach):
        AUDIT_BREACHES.labels(state.ruleset.name).inc()
        where = {"ruleset": state.ruleset.name, "ruleset_hash": ruleset_hash(state.ruleset)}
        _log.critical("rules_audit_breach", breach=str(error), hand_number=state.hand_number, **where)
        return DomainError(Reason.AUDIT_BREACH, f"the deal does not add up: {error}")
    return DomainError(Reason.INTERNAL, "the rules refuse without a reason")


def refused_options(error: OptionError) -> DomainError:
    """Why no ruleset has these options; the field is named as the request names it."""
    if error.field == "ruleset":
        return DomainError(Reason.RULESET_NOT_FOUND, error.message)
    field = {"seats": "seats", "pack": "pack_size"}.get(error.field, f"options.{error.field}")
    return DomainError(
        Reason.OPTION_INVALID, str(error), violations=[FieldViolation(field, error.message)], option=error.field
    )


def _violation(violation: Violation, state: MatchState) -> DomainError:
    malformed = violation.reason is Rule.UNKNOWN_CARD
    broken = violation.clause.value if violation.clause else violation.reason.value
    error = DomainError(
        _REASON[violation.reason],
        violation.message,
        violations=[FieldViolation("action.play.card", "not a card of this pack")] if malformed else (),
        preconditions=() if malformed else [PreconditionViolation("RULE", broken, violation.message)],
    )
    error.metadata = _facts(violation, state)
    _log.info("rules_refused", reason=error.reason.value, position=_public_line(state))
    return error


def _public_line(state: MatchState) -> str:
    """The deal as one line with the cards that lie open and no hand: this much may stand in a log.

    The clause and the card that was tried are left out: with the table they would tell of the hand.
    """
    try:
        return deal_text(line_of(state, seen=()))
    except EngineError:  # a state that no line can tell of is no reason to answer otherwise
        return ""


def _facts(violation: Violation, state: MatchState) -> dict[str, str]:
    facts = {"phase": state.phase.value}
    if state.turn is not None:
        facts["seat"] = str(state.turn)
    if violation.clause is not None:
        facts["clause"] = violation.clause.value
    if violation.legal:
        facts["legal_cards"] = hand_text(violation.legal)
    if violation.reason is Rule.ILLEGAL_BID:
        facts["allowed"] = _allowed(state)
    return facts


def _allowed(state: MatchState) -> str:
    """What the seat to speak may say: ``pass``, ``accept`` and the letters of the suits it may choose."""
    legal = legal_actions(state)
    if legal is None:
        return ""
    words = ["pass"] * legal.may_pass + ["accept"] * legal.may_accept
    return " ".join(words + [SUITS[suit] for suit in legal.suits])
