"""A match from its first deal to its result: start it, ask what it needs, apply one action after another."""

from belot_engine.cards import side_count
from belot_engine.errors import EngineError
from belot_engine.ruleset import Ruleset
from belot_engine.state import MatchState, Phase, Standing


def start(ruleset: Ruleset, first_dealer: int) -> MatchState:
    """The state of a match before its first card. Raises EngineError for a dealer who has no seat."""
    if not 0 <= first_dealer < ruleset.seats:
        raise EngineError(f"no seat {first_dealer}")
    nothing = (0,) * side_count(ruleset.seats)
    standing = Standing(totals=nothing, bolts=nothing, held=0, target=ruleset.target, deals=0, sheets=())
    return MatchState(
        ruleset=ruleset,
        first_dealer=first_dealer,
        hand_number=0,
        phase=Phase.AWAITING_CARDS,
        deal_stage=0,
        turn=None,
        hands=(0,) * ruleset.seats,
        up_card=None,
        bids=(),
        declarer=None,
        trump=None,
        tricks=(),
        trick=(),
        standing=standing,
        result=None,
    )
