"""The normal bot's auction: count what a hand is worth with each suit as trumps, and choose when it is enough."""

from belot_bot.view import SeatView
from belot_engine.cards import ACE, BELA_MASK, TEN, ranks_in
from belot_engine.state import Accept, Action, Choose, Pass

#: What a trump is worth in the hand that chooses, by rank from the seven to the ace.
_TRUMP = (5, 5, 18, 9, 25, 6, 6, 12)
_THRESHOLD = 62


def choose_bid(view: SeatView) -> Action:
    legal, up_card = view.legal, view.up_card
    hand = view.hand if up_card is None else view.hand | 1 << up_card
    suits = (up_card >> 3,) if legal.may_accept and up_card is not None else legal.suits
    suit = max(suits, key=lambda each: (worth(hand, each), -each))
    if legal.may_pass and worth(hand, suit) < _THRESHOLD:
        return Pass()
    return Accept() if legal.may_accept else Choose(suit)


def worth(hand: int, trump: int) -> float:
    trumps = ranks_in(hand, trump)
    total = sum(_TRUMP[rank] for rank in trumps)
    if hand & BELA_MASK[trump] == BELA_MASK[trump]:
        total += 10
    for suit in range(4):
        if suit == trump:
            continue
        ranks = ranks_in(hand, suit)
        if ACE in ranks:
            total += 12
        if TEN in ranks and len(ranks) > 1:
            total += 5
        if not ranks and len(trumps) > 2:
            total += 5
    return total
