"""Cards and suits as text: ``JS`` is the jack of spades, ``TH`` the ten of hearts, ``C D H S`` the suits.

Pure. The numbers of the messages (belot.common.v1) are card number + 1 and suit number + 1.
"""

from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", str)
"""A card's text, rank before suit: ``7C`` to ``AS``."""
Suit = NewType("Suit", str)
"""A suit's letter: ``C``, ``D``, ``H`` or ``S``."""

SUITS: Final = tuple(Suit(letter) for letter in "CDHS")
RANKS: Final = "789TJQKA"
CARDS: Final = tuple(Card(rank + suit) for suit in SUITS for rank in RANKS)
"""All 32, by card number (8 * suit + rank)."""

_NUMBERS: Final = {card: number for number, card in enumerate(CARDS)}
_TRUMP_POINTS: Final = dict(zip(RANKS, (0, 0, 14, 10, 20, 3, 4, 11), strict=True))
_PLAIN_POINTS: Final = dict(zip(RANKS, (0, 0, 0, 10, 2, 3, 4, 11), strict=True))


def card(text: str) -> Card:
    """The card of a text. ValueError when there is none."""
    if text not in _NUMBERS:
        raise ValueError("a card is a rank of 789TJQKA and a suit of CDHS, as in JS")
    return Card(text)


def suit(text: str) -> Suit:
    """The suit of a letter. ValueError when there is none."""
    if text not in SUITS:
        raise ValueError("a suit is one of C, D, H, S")
    return Suit(text)


def number_of(found: Card) -> int:
    """The card's number, 8 * suit + rank."""
    return _NUMBERS[found]


def suit_of(found: Card) -> Suit:
    """The card's suit."""
    return Suit(found[1])


def points_of(found: Card, trump: Suit | None) -> int:
    """What the card counts when `trump` is trump."""
    return (_TRUMP_POINTS if found[1] == trump else _PLAIN_POINTS)[found[0]]


def from_wire(value: int) -> Card | None:
    """The card of a message's value; None for unspecified."""
    return CARDS[value - 1] if value else None


def cards_from_wire(values: Iterable[int]) -> tuple[Card, ...]:
    """The cards of a message's values."""
    return tuple(CARDS[value - 1] for value in values)


def suit_from_wire(value: int) -> Suit | None:
    """The suit of a message's value; None for unspecified."""
    return SUITS[value - 1] if value else None


def in_pack_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards by number."""
    return tuple(sorted(cards, key=number_of))
