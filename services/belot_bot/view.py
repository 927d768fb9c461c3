"""What a bot decides from: the position as one seat sees it, in the engine's own values.

The server makes it from the message a person at that seat gets; an offline check makes the very same value from a
replayed match. Whatever the two cannot both know is not in it.
"""

from dataclasses import dataclass

from belot_engine.events import Bid
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import LegalActions, MatchState, Trick


@dataclass(frozen=True, slots=True)
class SeatView:
    """A position for the seat that is to act.

    rules     the ruleset of this name, seats and pack with its standard options
    seat      the seat to act
    dealer    the seat that dealt this hand
    hand      its cards, as a mask
    up_card   the card turned up in this hand, None where there is none
    bids      the auction so far
    declarer  who chose trumps, None before
    trump     the trump suit, None before
    tricks    finished tricks of this deal
    trick     cards on the table in the order of play
    legal     what the seat may do; at least one thing
    """

    rules: Ruleset
    seat: int
    dealer: int
    hand: int
    up_card: int | None
    bids: tuple[Bid, ...]
    declarer: int | None
    trump: int | None
    tricks: tuple[Trick, ...]
    trick: tuple[int, ...]
    legal: LegalActions


def seat_view(state: MatchState, legal: LegalActions) -> SeatView:
    """The position of a match for the seat to act, who may do what ``legal`` says; nobody else's cards are in it."""
    rules = state.ruleset
    return SeatView(
        rules=resolve(rules.name, rules.seats, rules.pack, {}),
        seat=legal.seat,
        dealer=state.dealer,
        hand=state.hands[legal.seat],
        up_card=state.up_card,
        bids=state.bids,
        declarer=state.declarer,
        trump=state.trump,
        tricks=state.tricks,
        trick=state.trick,
        legal=legal,
    )
