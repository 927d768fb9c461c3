"""Random play-outs at full speed for players that weigh what may come: ints and masks, no states, no events.

A kernel is a ruleset under one trump suit with the tables of ``play.py`` and ``cards.py`` at hand. ``playout`` goes
from a known position to the end of the deal, every legal card about equally likely. Chance comes from outside, as
one byte for every card still to be played. Nothing is checked here: a position that cannot be has no meaning.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from belot_engine.cards import BEATERS, BYTE_BITS, POINTS, SUIT_MASK
from belot_engine.play import RISERS, trick_points, trick_winner
from belot_engine.ruleset import Ruleset


def _picks() -> tuple[int, ...]:
    picks = [0] * 65536
    for value in range(1, 256):
        bits = BYTE_BITS[value]
        for chance in range(256):
            picks[value << 8 | chance] = bits[chance * len(bits) >> 8]
    return tuple(picks)


#: _PICK[ranks << 8 | chance]: the rank that a byte of chance picks out of a byte of ranks.
_PICK = _picks()
_BIT: tuple[int, ...] = tuple(1 << card for card in range(32))
#: _SUIT_CARDS[suit][ranks]: the cards of a byte of ranks.
_SUIT_CARDS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(8 * suit + rank for rank in bits) for bits in BYTE_BITS) for suit in range(4)
)


@dataclass(frozen=True, slots=True)
class Kernel:
    """What a play-out needs of a ruleset under a trump suit.

    ``risers``, ``beaters`` and ``points`` go by card; ``followers`` are the seats after a leader in turn, by leader;
    ``partner_of`` is the seat whose trick need not be ruffed, -1 where every trick has to be.
    """

    seats: int
    trump: int
    risers: tuple[int, ...]
    beaters: tuple[int, ...]
    points: tuple[int, ...]
    followers: tuple[tuple[int, ...], ...]
    partner_of: tuple[int, ...]
    last_trick: int


@dataclass(frozen=True, slots=True)
class Taken:
    """What each seat took in the tricks played out: points, with those for the last trick, and tricks."""

    points: tuple[int, ...]
    tricks: tuple[int, ...]


@lru_cache(maxsize=256)
def kernel(ruleset: Ruleset, trump: int) -> Kernel:
    """The kernel of a ruleset under a trump suit; made once."""
    seats = ruleset.seats
    free = seats == 4 and ruleset.ruff == "unless_partner"
    return Kernel(
        seats=seats,
        trump=trump,
        risers=RISERS[ruleset.beat_plain][trump],
        beaters=BEATERS[trump],
        points=POINTS[trump],
        followers=tuple(tuple((leader + place) % seats for place in range(1, seats)) for leader in range(seats)),
        partner_of=tuple((seat + 2) % 4 if free else -1 for seat in range(seats)),
        last_trick=ruleset.last_trick,
    )


def playout(rules: Kernel, hands: Sequence[int], turn: int, trick: Sequence[int], chance: bytes) -> Taken:
    """Play the rest of a deal at random from a known position.

    ``hands`` are masks by seat, ``turn`` the seat to act, which holds at least one card, ``trick`` the cards on the
    table in order. ``chance`` has a byte for every card of the hands; the same bytes lead to the same tricks.
    """
    masks, held = list(hands), [_cards(hand) for hand in hands]
    points, tricks = [0] * rules.seats, [0] * rules.seats
    risers, beaters, worths = rules.risers, rules.beaters, rules.points
    trumps, trump_base, partner_of, bytes_left = SUIT_MASK[rules.trump], 8 * rules.trump, rules.partner_of, iter(chance)
    winner, best, worth, rest = _on_table(rules, turn, trick)
    led = trick[0] if trick else -1
    for left in range(len(held[turn]), 0, -1):
        if led < 0:
            led = best = held[winner].pop(next(bytes_left) * left >> 8)
            masks[winner] ^= _BIT[led]
            worth, rest = worths[led], rules.followers[winner]
        base, beating = led & 24, beaters[best]
        suit = SUIT_MASK[base >> 3]
        for seat, byte in zip(rest, bytes_left):  # noqa: B905 - the bytes go on where this trick ends
            hand = masks[seat]
            due = hand & suit
            if due:
                card = base + _PICK[(due & risers[best] or due) >> base << 8 | byte]
                held[seat].remove(card)
            elif (due := hand & trumps) and partner_of[seat] != winner:
                card = trump_base + _PICK[(due & risers[best] or due) >> trump_base << 8 | byte]
                held[seat].remove(card)
            else:
                card = held[seat].pop(byte * left >> 8)
            masks[seat] = hand ^ _BIT[card]
            worth += worths[card]
            if beating >> card & 1:
                best, winner, beating = card, seat, beaters[card]
        points[winner] += worth
        tricks[winner] += 1
        led = -1
    points[winner] += rules.last_trick
    return Taken(tuple(points), tuple(tricks))


def _on_table(rules: Kernel, turn: int, trick: Sequence[int]) -> tuple[int, int, int, tuple[int, ...]]:
    """Who wins the trick on the table so far, with which card, its points, and the seats still to play to it.

    With an empty table it is the leader who is named, no card, no points, and nobody.
    """
    if not trick:
        return turn, -1, 0, ()
    leader = (turn - len(trick)) % rules.seats
    place = trick_winner(rules.trump, trick)
    worth = trick_points(rules.trump, trick)
    return (leader + place) % rules.seats, trick[place], worth, rules.followers[leader][len(trick) - 1 :]


def _cards(hand: int) -> list[int]:
    """The cards of a mask as a list of its own."""
    clubs, diamonds, hearts, spades = _SUIT_CARDS
    return [*clubs[hand & 255], *diamonds[hand >> 8 & 255], *hearts[hand >> 16 & 255], *spades[hand >> 24]]
