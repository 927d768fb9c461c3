"""Everything the engine refuses, as typed errors that a service can turn into its own."""

from enum import StrEnum


class EngineError(ValueError):
    """Root of the engine's errors: the caller handed in something that cannot be."""


class OptionError(EngineError):
    """A table option (or ruleset, seats, pack) that does not exist or has no such value."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class InputError(EngineError):
    """A position, a deal or figures that cannot be; ``field`` names the part that is wrong."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field
        self.message = message


class NotationError(EngineError):
    """A text that is no card, hand or position."""


class BadDeal(EngineError):  # noqa: N818 - named after what it is at the table
    """Cards that were not asked for, not all that were, or cards that are already out."""


class AuditBreach(EngineError):  # noqa: N818
    """Something that is always true of a deal is not: the state or the outcome is broken, never a player's fault."""


class Reason(StrEnum):
    """Why an action was refused."""

    NOT_YOUR_TURN = "not_your_turn"
    CARD_NOT_HELD = "card_not_held"
    UNKNOWN_CARD = "unknown_card"
    WRONG_PHASE = "wrong_phase"
    ILLEGAL_BID = "illegal_bid"
    ILLEGAL_CARD = "illegal_card"
    CLAIM_NOT_CERTAIN = "claim_not_certain"


class Clause(StrEnum):
    """The duty that an illegal card breaks."""

    MUST_FOLLOW = "must_follow"
    MUST_BEAT = "must_beat"
    MUST_TRUMP = "must_trump"
    MUST_OVERTRUMP = "must_overtrump"
    MUST_RISE_IN_TRUMP = "must_rise_in_trump"


CLAUSE_TEXT: dict[Clause, str] = {
    Clause.MUST_FOLLOW: "a card of the led suit is held and must be played",
    Clause.MUST_BEAT: "a card that beats the best one of the led suit is held and must be played",
    Clause.MUST_TRUMP: "the led suit is not held, a trump is, and must be played",
    Clause.MUST_OVERTRUMP: "a trump above the best one on the table is held and must be played",
    Clause.MUST_RISE_IN_TRUMP: "trumps were led and a higher one is held, which must be played",
}


class Violation(EngineError):  # noqa: N818
    """An action that the rules do not allow now; the state is as it was.

    ``clause`` is set for ILLEGAL_CARD alone; ``legal`` is the mask of the cards the acting seat may play now
    (0 when no card is due).
    """

    def __init__(self, reason: Reason, message: str, clause: Clause | None = None, legal: int = 0) -> None:
        super().__init__(message)
        self.reason = reason
        self.clause = clause
        self.message = message
        self.legal = legal
