"""The auction: what the seat to speak may say, and what its word leads to."""

from belot_engine.errors import Reason, Violation
from belot_engine.events import Bid, BidKind
from belot_engine.ruleset import Ruleset
from belot_engine.state import Accept, Choose, LegalActions, Pass

_SUITS = (0, 1, 2, 3)


def bid_options(ruleset: Ruleset, seat: int, up_card: int | None, spoken: int) -> LegalActions:
    """What a seat may say when so many words were spoken.

    Without a card turned up any suit may be named; with one, its suit is accepted in the first round and another
    one named later. The last to speak is the dealer, who may be forced.
    """
    last_word = spoken == ruleset.bidding_rounds * ruleset.seats - 1
    may_pass = not (last_word and ruleset.nobody_chooses == "dealer_chooses")
    if up_card is None:
        return LegalActions(seat, may_pass=may_pass, suits=_SUITS)
    if spoken < ruleset.seats:
        return LegalActions(seat, may_pass=may_pass, may_accept=True)
    return LegalActions(seat, may_pass=may_pass, suits=tuple(suit for suit in _SUITS if suit != up_card >> 3))


def checked_bid(options: LegalActions, up_card: int | None, action: Pass | Accept | Choose) -> Bid:
    """The word that an action speaks. Raises Violation ILLEGAL_BID when it may not be said now."""
    if isinstance(action, Pass):
        if options.may_pass:
            return Bid(options.seat, BidKind.PASS)
        raise Violation(Reason.ILLEGAL_BID, "the dealer has to choose a suit")
    if isinstance(action, Accept):
        if options.may_accept and up_card is not None:
            return Bid(options.seat, BidKind.ACCEPT, up_card >> 3)
        raise Violation(Reason.ILLEGAL_BID, "there is no card to accept now")
    if action.suit in options.suits:
        return Bid(options.seat, BidKind.CHOOSE, action.suit)
    raise Violation(Reason.ILLEGAL_BID, "this suit may not be chosen now")


def passed_out(ruleset: Ruleset, spoken: int) -> bool:
    """Whether the auction is over when so many words were spoken, all of them passes."""
    return spoken == ruleset.bidding_rounds * ruleset.seats
