"""The easy bot, which is also what the clock plays for a person whose time is up."""

from belot_bot.view import SeatView
from belot_engine.cards import POINTS, SUIT_MASK, cards_of, mask_points
from belot_engine.state import Accept, Action, Choose, LegalActions, Pass, Play


def choose(view: SeatView, seed: bytes) -> Action:
    """The lowest legal card; in the auction a pass, or, when forced, the suit with most points in hand.

    Cards go by points, then rank, then suit C D H S; suits by the points of their cards in hand, counted as trumps,
    then C D H S. There is no chance in it: ``seed`` is not read.
    """
    if view.legal.cards and view.trump is not None:
        return Play(min(cards_of(view.legal.cards), key=lambda card: lowest_first(view.trump or 0, card)))
    return _bid(view.hand, view.legal)


def lowest_first(trump: int, card: int) -> tuple[int, int, int]:
    """A key that puts the card to part with first: points, then rank, then suit."""
    return POINTS[trump][card], card & 7, card >> 3


def _bid(hand: int, legal: LegalActions) -> Action:
    if legal.may_pass:
        return Pass()
    if legal.may_accept:
        return Accept()
    return Choose(max(legal.suits, key=lambda suit: (mask_points(suit, hand & SUIT_MASK[suit]), -suit)))
