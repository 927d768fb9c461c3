"""Which worlds to believe in: many are drawn, each is weighed by how the others' words and cards fit it, some are kept.

How likely a word is goes by the count of the hand it was said with, a card by what the play-outs' player thinks of it
beside the others that could have been played. All of it is whole numbers, steps of 1/64 of a natural logarithm, so
that the same worlds are kept on every machine.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from belot_bot.bidding import hand_worth
from belot_bot.plan import Plan
from belot_bot.view import SeatView
from belot_engine.auction import bid_options
from belot_engine.cards import cards_of, side_masks
from belot_engine.credence import doubt_of_plays
from belot_engine.deal_map import FIRST_STAGE, stage_places
from belot_engine.events import BidKind
from belot_engine.playout import Playout
from belot_engine.ranked import ranked_card, ranked_mask, table_of
from belot_engine.worlds import Chance

#: Over so many steps a weight falls to 1/e.
_STEPS: Final = 64
#: The worth of a hand with which a bot that samples plays as often as not, and by how much more it does so in e of
#: e + 1 cases: measured over some hundred deals among hard bots, and a little towards normal ones.
_MIDDLE, _SPREAD = 70, 16
#: The same for suits: one that is worth so much less is named less often by 1/e.
_SUIT_SPREAD: Final = 10
#: The least likelihood of anything, because others may bid by what they like.
_LEAST: Final = 0.02
#: Weights by steps, from a million down to nothing.
_WEIGHT: Final = tuple(round(1_000_000 * math.exp(-step / _STEPS)) for step in range(14 * _STEPS))


def credible(view: SeatView, dealt: Sequence[Sequence[int]], chance: Chance, plan: Plan) -> list[int]:
    """Which of some worlds are kept, by number: ``plan.worlds`` of them, one that is likely more than once.

    ``dealt`` are the full hands of each world before the first lead, by seat.
    """
    words, cards, play = _words(view), _cards(view), _playout(view)
    first, doubts = (view.dealer + 1) % view.rules.seats, []
    for hands in dealt:
        said = sum([_doubt_of_words(each, hands[each.seat], chance) for each in words])
        ranked = [ranked_mask(view.trump or 0, hand) for hand in hands]
        # Half, because the play-outs' player sees more than those who played, and is surer than they were.
        doubts.append(said + doubt_of_plays(play, ranked, first, cards, view.seat, plan.spread) // 2)
    least = min(doubts)
    weights = [_WEIGHT[min(doubt - least, len(_WEIGHT) - 1)] for doubt in doubts]
    total, kept, passed, at = sum(weights), [], 0, 0
    offset = chance.below(256)
    for number in range(plan.worlds):
        point = (number * 256 + offset) * total // (256 * plan.worlds)
        while passed + weights[at] <= point:
            passed += weights[at]
            at += 1
        kept.append(at)
    return kept


@dataclass(frozen=True, slots=True)
class _Word:
    """A word of another seat: the suits it could name, the one it did (None: a pass), and whether it had to."""

    suits: tuple[int, ...]
    suit: int | None
    forced: bool


@dataclass(frozen=True, slots=True)
class _Words:
    """All words of another seat, in whose hand ``first`` cards and the one turned up were there."""

    seat: int
    words: tuple[_Word, ...]
    first: int
    up_card: int


def _words(view: SeatView) -> list[_Words]:
    rules, up_card = view.rules, view.up_card
    places = stage_places(rules.deal_map, view.dealer, None, FIRST_STAGE)
    named = tuple(suit for suit in range(4) if up_card is None or suit != up_card >> 3)
    found: list[list[_Word]] = [[] for _ in range(rules.seats)]
    for spoken, bid in enumerate(view.bids):
        offered = (up_card >> 3,) if up_card is not None and spoken < rules.seats else named
        forced = not bid_options(rules, bid.player, up_card, spoken).may_pass
        found[bid.player].append(_Word(offered, None if bid.kind is BidKind.PASS else bid.suit, forced))
    return [
        _Words(
            seat=seat,
            words=tuple(words),
            first=sum(owner == seat for _, owner in places),
            up_card=0 if up_card is None else 1 << up_card,
        )
        for seat, words in enumerate(found)
        if words and seat != view.seat
    ]


def _steps(likelihood: float) -> int:
    return round(-_STEPS * math.log(_LEAST + (1 - 2 * _LEAST) * likelihood))


def _plays(worth: int) -> float:
    return 1 / (1 + math.exp((_MIDDLE - worth) / _SPREAD))


#: How unlikely it is to play, and to pass, by what the hand is worth with its best suit; and to name a suit that is
#: worth so much less than the best.
_TO_PLAY: Final = tuple(_steps(_plays(worth)) for worth in range(320))
_TO_PASS: Final = tuple(_steps(1 - _plays(worth)) for worth in range(320))
_TO_NAME: Final = tuple(_steps(math.exp(-less / _SUIT_SPREAD)) for less in range(320))


def _doubt_of_words(words: _Words, dealt: int, chance: Chance) -> int:
    """How unlikely a seat's words are with this hand; which of its cards came before the auction is drawn by chance."""
    hand = _before_auction(dealt & ~words.up_card, words.first, chance) | words.up_card
    doubt = 0
    for word in words.words:
        best = max([hand_worth(hand, suit) for suit in word.suits])
        if word.suit is None:
            doubt += _TO_PASS[best]
        else:
            doubt += _TO_NAME[best - hand_worth(hand, word.suit)] + (0 if word.forced else _TO_PLAY[best])
    return doubt


def _before_auction(hand: int, due: int, chance: Chance) -> int:
    """So many cards of a hand."""
    cards = list(cards_of(hand))
    while len(cards) > due:
        at = chance.below(len(cards))
        hand ^= 1 << cards[at]
        cards[at] = cards[-1]
        cards.pop()
    return hand


def _cards(view: SeatView) -> list[int]:
    """The cards played so far, ranked, in order."""
    trump = view.trump or 0
    cards = [ranked_card(trump, card) for trick in view.tricks for card in trick.cards]
    return cards + [ranked_card(trump, card) for card in view.trick]


def _playout(view: SeatView) -> Playout:
    sides = side_masks(view.rules.seats)
    return Playout(table_of(view.rules), sides, sides[view.declarer or 0], view.rules.last_trick)
