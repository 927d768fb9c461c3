"""Cards in the order of their strength under a trump suit: the numbering that searches and play-outs count in.

A ranked card is 8*suit + strength. Trumps are suit 3, the plain suits keep their order as 0, 1 and 2. So of two cards
the greater number wins if it is of the same suit or a trump, points never fall within a suit, and one table serves
every trump suit. Masks have the same meaning as everywhere, bit c for card c.
"""

from typing import Final

from belot_engine.cards import PLAIN_ORDER, TRUMP_ORDER
from belot_engine.ruleset import Ruleset

#: From here on cards are trumps.
FIRST_TRUMP: Final = 24
TRUMPS: Final = 0xFF000000
#: SUIT[suit]: every card of a ranked suit; HIGHER[card]: those of its suit above it, and none of a higher suit.
SUIT: Final[list[int]] = [0xFF << 8 * suit for suit in range(4)]
HIGHER: Final[list[int]] = [0xFF << (card & 24) & -2 << card for card in range(32)]
#: POINTS[card] in a trick.
POINTS: Final[list[int]] = [0, 0, 0, 2, 3, 4, 10, 11] * 3 + [0, 0, 3, 4, 10, 11, 14, 20]


def _byte_map(order: tuple[int, ...]) -> list[int]:
    return [sum(1 << order[rank] for rank in range(8) if byte >> rank & 1) for byte in range(256)]


_RANKED: Final[list[list[int]]] = [_byte_map(PLAIN_ORDER), _byte_map(TRUMP_ORDER)]
_PLACE: Final[list[list[int]]] = [
    [3 if suit == trump else suit - (suit > trump) for suit in range(4)] for trump in range(4)
]
_CARD: Final[list[list[int]]] = [
    [
        8 * _PLACE[trump][card >> 3] + (TRUMP_ORDER if card >> 3 == trump else PLAIN_ORDER)[card & 7]
        for card in range(32)
    ]
    for trump in range(4)
]
_BACK: Final[list[list[int]]] = [[cards.index(ranked) for ranked in range(32)] for cards in _CARD]


class Table:
    """What searches need of a ruleset; made once by ``table_of``.

    ``rises`` whether a plain lead has to be beaten, ``spares`` whether the partner's trick need not be ruffed.
    """

    __slots__ = ("last_trick", "rises", "seats", "spares")

    def __init__(self, seats: int, rises: bool, spares: bool, last_trick: int) -> None:
        """Made by ``table_of``."""
        self.seats = seats
        self.rises = rises
        self.spares = spares
        self.last_trick = last_trick


def table_of(ruleset: Ruleset) -> Table:
    """The table of a ruleset."""
    spares = ruleset.seats == 4 and ruleset.ruff == "unless_partner"
    return Table(ruleset.seats, ruleset.beat_plain == "until_ruffed", spares, ruleset.last_trick)


def ranked_mask(trump: int, mask: int) -> int:
    """A mask of cards as a mask of ranked cards."""
    place, plain, trumps = _PLACE[trump], _RANKED[0], _RANKED[1]
    ranked = 0
    for suit in range(4):
        byte = mask >> 8 * suit & 0xFF
        if byte:
            ranked |= (trumps[byte] if suit == trump else plain[byte]) << 8 * place[suit]
    return ranked


def ranked_card(trump: int, card: int) -> int:
    """A card as a ranked card."""
    return _CARD[trump][card]


def card_of(trump: int, ranked: int) -> int:
    """A ranked card as a card."""
    return _BACK[trump][ranked]


def points_in(mask: int) -> int:
    """Points of a mask of ranked cards."""
    points = 0
    while mask:
        low = mask & -mask
        points += POINTS[low.bit_length() - 1]
        mask ^= low
    return points
