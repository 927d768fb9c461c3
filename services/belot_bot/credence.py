"""Which worlds to believe in: many are drawn, each is weighed by how the others' words and cards fit it, some are kept.

What a word or card seems to have cost who said or played it, in points, makes a world less likely, exponentially. The
words are held against the normal bot's count of a hand, the cards against the play-outs' player. All of it is whole
numbers, so that the same worlds are kept on every machine.
"""

import math
from collections.abc import Sequence
from typing import Final

from belot_bot.bidding import enough, hand_worth
from belot_bot.plan import Plan
from belot_bot.view import SeatView
from belot_engine.cards import cards_of, side_masks
from belot_engine.credence import regret_of_plays
from belot_engine.deal_map import FIRST_STAGE, stage_places
from belot_engine.events import BidKind
from belot_engine.playout import Playout
from belot_engine.ranked import ranked_card, ranked_mask, table_of
from belot_engine.worlds import Chance

#: Over so many steps a weight falls to 1/e.
_STEPS: Final = 64
#: Weights by steps, from a million down to nothing.
_WEIGHT: Final = tuple(round(1_000_000 * math.exp(-step / _STEPS)) for step in range(14 * _STEPS))


def credible(view: SeatView, dealt: Sequence[Sequence[int]], chance: Chance, plan: Plan) -> list[int]:
    """Which of some worlds are kept, by number: ``plan.worlds`` of them, one that is likely more than once.

    ``dealt`` are the full hands of each world before the first lead, by seat.
    """
    costs = [_steps(view, hands, chance, plan) for hands in dealt]
    least = min(costs)
    weights = [_WEIGHT[min(cost - least, len(_WEIGHT) - 1)] for cost in costs]
    total, kept, passed, at = sum(weights), [], 0, 0
    offset = chance.below(256)
    for number in range(plan.worlds):
        point = (number * 256 + offset) * total // (256 * plan.worlds)
        while passed + weights[at] <= point:
            passed += weights[at]
            at += 1
        kept.append(at)
    return kept


def _steps(view: SeatView, dealt: Sequence[int], chance: Chance, plan: Plan) -> int:
    """How unlikely a world is, in steps."""
    words = sum(
        _cost_of_words(view, seat, dealt[seat], chance) for seat in range(view.rules.seats) if seat != view.seat
    )
    return words * _STEPS // plan.word_doubt + _cost_of_cards(view, dealt) * _STEPS // (20 * plan.card_doubt)


def _cost_of_words(view: SeatView, seat: int, dealt: int, chance: Chance) -> int:
    """What a seat's words cost it with this hand; which of its cards came before the auction is drawn by chance."""
    bids = [bid for bid in view.bids if bid.player == seat]
    if not bids:
        return 0
    up_card = 0 if view.up_card is None else 1 << view.up_card
    hand = _before_auction(view, seat, dealt & ~up_card, chance) | up_card
    cost, least = 0, enough(view.rules)
    for bid in bids:
        first = view.rules.turned_up and view.bids.index(bid) < view.rules.seats
        suits = (view.up_card >> 3,) if first and view.up_card is not None else _named(view)
        best = max(hand_worth(hand, suit) for suit in suits)
        if bid.kind is BidKind.PASS:
            cost += max(0, best - least)
        elif bid.suit is not None:
            own = hand_worth(hand, bid.suit)
            forced = view.bids.index(bid) == view.rules.bidding_rounds * view.rules.seats - 1
            cost += best - own + (0 if forced else max(0, least - best))
    return cost


def _named(view: SeatView) -> tuple[int, ...]:
    """The suits that may be named where none is offered."""
    return tuple(suit for suit in range(4) if view.up_card is None or suit != view.up_card >> 3)


def _before_auction(view: SeatView, seat: int, hand: int, chance: Chance) -> int:
    """As many cards of a hand as a seat had in the auction."""
    due = sum(owner == seat for _, owner in stage_places(view.rules.deal_map, view.dealer, None, FIRST_STAGE))
    cards = list(cards_of(hand))
    while len(cards) > due:
        at = chance.below(len(cards))
        hand ^= 1 << cards[at]
        cards[at] = cards[-1]
        cards.pop()
    return hand


def _cost_of_cards(view: SeatView, dealt: Sequence[int]) -> int:
    """What the others' cards cost them in this world, in twentieths of a point."""
    trump, seats = view.trump or 0, view.rules.seats
    sides = side_masks(seats)
    play = Playout(table_of(view.rules), sides, sides[view.declarer or 0], view.rules.last_trick)
    cards = [ranked_card(trump, card) for trick in view.tricks for card in trick.cards]
    cards += [ranked_card(trump, card) for card in view.trick]
    hands = [ranked_mask(trump, hand) for hand in dealt]
    return regret_of_plays(play, hands, (view.dealer + 1) % seats, cards, view.seat)
