"""Cards and suits as a terminal shows them and as a person types them. No rule of the game is in here.

A card is its number, 8 * suit + rank, suits C D H S and ranks 7 8 9 10 J Q K A from 0; a suit is its number.
"""

from collections.abc import Iterable

RANKS = ("7", "8", "9", "10", "J", "Q", "K", "A")
SUIT_LETTERS = "CDHS"
SUIT_SIGNS = "♣♦♥♠"
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")
_PLAIN_ORDER = (0, 1, 2, 6, 3, 4, 5, 7)  # rank -> strength: 7 8 9 J Q K 10 A
_TRUMP_ORDER = (0, 1, 6, 4, 7, 2, 3, 5)  # 7 8 Q K 10 A 9 J
_SHOWN_SUITS = (3, 2, 0, 1)  # black and red in turn reads better than pack order
_RANK_WORDS = {"7": 0, "8": 1, "9": 2, "10": 3, "T": 3, "J": 4, "Q": 5, "K": 6, "A": 7}
_SUIT_WORDS = {letter: number for number, letter in enumerate(SUIT_LETTERS)}
_SUIT_WORDS |= {sign: number for number, sign in enumerate(SUIT_SIGNS)}
_SUIT_NAMES = {name.upper(): number for number, name in enumerate(SUIT_NAMES)}


def suit_of(card: int) -> int:
    """The suit of a card."""
    return card // 8


def show_card(card: int) -> str:
    """A card as people read it: ``10♥``."""
    return f"{RANKS[card % 8]}{SUIT_SIGNS[card // 8]}"


def show_cards(cards: Iterable[int]) -> str:
    """Cards with spaces between: ``10♥ K♠``."""
    return " ".join(show_card(card) for card in cards)


def show_suit(suit: int) -> str:
    """A suit with its sign: ``♥ hearts``."""
    return f"{SUIT_SIGNS[suit]} {SUIT_NAMES[suit]}"


def read_card(text: str) -> int | None:
    """The card in what a person typed (``7c``, ``10H``, ``th``, ``J♠``), or None."""
    word = text.strip().upper()
    rank, suit = _RANK_WORDS.get(word[:-1]), _SUIT_WORDS.get(word[-1:])
    return None if rank is None or suit is None else 8 * suit + rank


def read_suit(text: str) -> int | None:
    """The suit in what a person typed (``hearts``, ``heart``, ``hea``, ``h``, ``♥``), or None."""
    word = text.strip().upper()
    if word in _SUIT_WORDS:
        return _SUIT_WORDS[word]
    found = [number for name, number in _SUIT_NAMES.items() if word and name.startswith(word)]
    return found[0] if len(found) == 1 else None


def sort_hand(cards: Iterable[int], trump: int | None) -> tuple[int, ...]:
    """A hand as people hold it: trump first, suit by suit, each from its strongest card down."""

    def place(card: int) -> tuple[int, int]:
        suit, rank = card // 8, card % 8
        strength = _TRUMP_ORDER[rank] if suit == trump else _PLAIN_ORDER[rank]
        return (-1 if suit == trump else _SHOWN_SUITS.index(suit), -strength)

    return tuple(sorted(cards, key=place))
