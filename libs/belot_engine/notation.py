"""Cards, hands and positions as text and back: ``7C 9D TH JS``, suits as ``C D H S``.

A position is what a seat that must play sees: ``club H | 9C QH 7C | 9H TH 8D`` is the ruleset's name and the trump
suit, the cards on the table in order, and the hand. Where it is not four players with 32 cards, seats and pack stand
after the name: ``club 3x24 H | 9C | 9H TH``. A whole deal has a line of its own, see ``deal_notation.py``.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_engine.cards import RANKS, SUITS, cards_of, mask_of
from belot_engine.errors import NotationError

_CARD_OF: dict[str, int] = {
    rank + suit: 8 * suit_number + rank_number
    for suit_number, suit in enumerate(SUITS)
    for rank_number, rank in enumerate(RANKS)
}
_TEXT_OF: tuple[str, ...] = tuple(_CARD_OF)


@dataclass(frozen=True, slots=True)
class Position:
    """A seat's view when it is to play: ruleset name, trump suit, cards on the table in order, hand mask, form."""

    ruleset: str
    trump: int
    trick: tuple[int, ...]
    hand: int
    seats: int = 4
    pack: int = 32


def card_text(card: int) -> str:
    """A card as two letters. Raises NotationError when there is no such card."""
    if not 0 <= card < len(_TEXT_OF):
        raise NotationError("no such card")
    return _TEXT_OF[card]


def parse_card(text: str) -> int:
    """The card that two letters name."""
    if text not in _CARD_OF:
        raise NotationError(f"{text!r} is no card; a card is rank and suit, as in TH")
    return _CARD_OF[text]


def cards_text(cards: Sequence[int]) -> str:
    """Cards in the order given, with blanks between."""
    return " ".join(card_text(card) for card in cards)


def parse_cards(text: str) -> tuple[int, ...]:
    """Cards in the order written; none twice."""
    cards = tuple(parse_card(word) for word in text.split())
    if len(set(cards)) != len(cards):
        raise NotationError("a card is named twice")
    return cards


def hand_text(hand: int) -> str:
    """A mask of cards as text, by suit and rank."""
    return cards_text(cards_of(hand))


def parse_hand(text: str) -> int:
    """The mask of the cards that a text names."""
    return mask_of(parse_cards(text))


def suit_text(suit: int) -> str:
    """A suit as its letter."""
    if not 0 <= suit < len(SUITS):
        raise NotationError("no such suit")
    return SUITS[suit]


def parse_suit(text: str) -> int:
    """The suit that a letter names."""
    if len(text) != 1 or text not in SUITS:
        raise NotationError(f"{text!r} is no suit; suits are {' '.join(SUITS)}")
    return SUITS.index(text)


def position_text(position: Position) -> str:
    """A position as one line."""
    usual = (position.seats, position.pack) == (4, 32)
    form = "" if usual else f" {position.seats}x{position.pack}"
    head = f"{position.ruleset}{form} {suit_text(position.trump)}"
    return " | ".join((head, cards_text(position.trick), hand_text(position.hand))).replace("|  |", "| |")


def parse_position(text: str) -> Position:
    """The position that a line describes. Raises NotationError."""
    parts = text.split("|")
    head = parts[0].split()
    if len(parts) != 3 or len(head) not in (2, 3):
        raise NotationError("a position is: ruleset trump | cards on the table | hand")
    seats, pack = parse_form(head[1]) if len(head) == 3 else (4, 32)
    trick, hand = parse_cards(parts[1]), parse_hand(parts[2])
    if mask_of(trick) & hand:
        raise NotationError("a card is on the table and in the hand")
    return Position(head[0], parse_suit(head[-1]), trick, hand, seats, pack)


def parse_form(text: str) -> tuple[int, int]:
    """Seats and cards of the pack from a text such as ``4x32``."""
    seats, cross, pack = text.partition("x")
    if not (cross and all(part.isascii() and part.isdecimal() and len(part) <= 3 for part in (seats, pack))):
        raise NotationError(f"{text!r} is no form; a form is seats x pack, as in 4x32")
    return int(seats), int(pack)
