"""The normal bot's auction: count what a hand is worth with each suit as trumps, and choose when it is enough.

The weights are about the card points by which the choosing side came out ahead in some thousand deals among normal
bots, each card of the hand taken for itself.
"""

from typing import Final

from belot_bot.view import SeatView
from belot_engine.cards import ACE, BYTE_BITS, KING, QUEEN, TEN
from belot_engine.errors import InputError
from belot_engine.ruleset import Ruleset
from belot_engine.state import Accept, Action, Choose, Pass

#: A trump in the hand that chooses, by rank from the seven to the ace; king and queen together; an ace of a plain
#: suit; a ten there that another card guards; a plain suit that is not held at all.
_TRUMP: Final = (10, 10, 33, 20, 53, 20, 20, 30)
_BELA, _ACE, _GUARDED_TEN, _VOID = 10, 19, 4, 6

#: From which worth on a hand is played: more than makes it more often than not, because whoever passes may see the
#: others fail; and more again where no card is turned up, which would be known and strong.
_ENOUGH: Final = 90
_ENOUGH_BLIND: Final = 105


def choose_bid(view: SeatView) -> Action:
    """The suit of most worth if it is enough or somebody has to choose, else a pass.

    Raises InputError for a view that lets a suit be accepted and has no card turned up.
    """
    legal, up_card = view.legal, view.up_card
    hand = view.hand if up_card is None else view.hand | 1 << up_card
    suits = (up_card >> 3,) if legal.may_accept and up_card is not None else legal.suits
    if not suits:
        if legal.may_pass:
            return Pass()
        raise InputError("up_card", "no card is turned up whose suit could be accepted")
    suit = max(suits, key=lambda each: (hand_worth(hand, each), -each))
    if legal.may_pass and hand_worth(hand, suit) < enough(view.rules):
        return Pass()
    return Accept() if legal.may_accept else Choose(suit)


def enough(rules: Ruleset) -> int:
    """From which worth on a hand is played."""
    return _ENOUGH if rules.turned_up else _ENOUGH_BLIND


def _side_suit(ranks: tuple[int, ...]) -> int:
    if not ranks:
        return _VOID
    return _ACE * (ACE in ranks) + _GUARDED_TEN * (TEN in ranks and len(ranks) > 1)


def _trump_suit(ranks: tuple[int, ...]) -> int:
    return sum(_TRUMP[rank] for rank in ranks) + _BELA * (QUEEN in ranks and KING in ranks)


#: What the cards of one suit are worth as trumps, and as another suit, by their byte.
_AS_TRUMPS: Final = tuple(_trump_suit(ranks) for ranks in BYTE_BITS)
_BESIDE: Final = tuple(_side_suit(ranks) for ranks in BYTE_BITS)


def hand_worth(hand: int, trump: int) -> int:
    """What a hand is worth in the auction with a suit as trumps, the card turned up included."""
    own = hand >> 8 * trump & 255
    beside = _BESIDE[hand & 255] + _BESIDE[hand >> 8 & 255] + _BESIDE[hand >> 16 & 255] + _BESIDE[hand >> 24]
    return _AS_TRUMPS[own] - _BESIDE[own] + beside
