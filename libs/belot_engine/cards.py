"""Cards as numbers and hands as bit masks, with the tables every other module reads.

A card is 8*suit + rank: suits C D H S are 0..3, ranks 7 8 9 T J Q K A are 0..7, so 7C is 0 and AS is 31.
A set of cards is an int whose bit c stands for card c. Text form: rank then suit, ``7C 9D TH JS``.
"""

from collections.abc import Iterable

SUITS = "CDHS"
RANKS = "789TJQKA"
CARDS = 32

SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = range(8)

#: Mask of every card of a suit, by suit.
SUIT_MASK: tuple[int, ...] = tuple(0xFF << (8 * suit) for suit in range(4))

#: The packs in use: number of cards -> mask. The 24-card pack has no 7s and 8s.
PACK_MASK: dict[int, int] = {32: 0xFFFFFFFF, 24: 0xFCFCFCFC}

#: How a rank of the trump suit beats another (7 8 Q K T A 9 J rising), by rank.
TRUMP_ORDER: tuple[int, ...] = (0, 1, 6, 4, 7, 2, 3, 5)
#: How a rank of a plain suit beats another (7 8 9 J Q K T A rising), by rank.
PLAIN_ORDER: tuple[int, ...] = (0, 1, 2, 6, 3, 4, 5, 7)

_TRUMP_POINTS = (0, 0, 14, 10, 20, 3, 4, 11)
_PLAIN_POINTS = (0, 0, 0, 10, 2, 3, 4, 11)


def _points(trump: int) -> tuple[int, ...]:
    return tuple((_TRUMP_POINTS if card >> 3 == trump else _PLAIN_POINTS)[card & 7] for card in range(CARDS))


def _beaters(trump: int, card: int) -> int:
    suit, rank = card >> 3, card & 7
    order = TRUMP_ORDER if suit == trump else PLAIN_ORDER
    higher = sum(1 << (8 * suit + other) for other in range(8) if order[other] > order[rank])
    return higher if suit == trump else higher | SUIT_MASK[trump]


#: POINTS[trump][card]: what the card is worth in a trick, 152 over the pack.
POINTS: tuple[tuple[int, ...], ...] = tuple(_points(trump) for trump in range(4))

#: BEATERS[trump][card]: the cards that beat it when it is the best one on the table.
BEATERS: tuple[tuple[int, ...], ...] = tuple(
    tuple(_beaters(trump, card) for card in range(CARDS)) for trump in range(4)
)

#: BELA_MASK[trump]: king and queen of trumps.
BELA_MASK: tuple[int, ...] = tuple((1 << (8 * suit + QUEEN)) | (1 << (8 * suit + KING)) for suit in range(4))

#: The bits of a byte, ascending, by byte.
BYTE_BITS: tuple[tuple[int, ...], ...] = tuple(
    tuple(bit for bit in range(8) if value >> bit & 1) for value in range(256)
)


def cards_of(mask: int) -> tuple[int, ...]:
    """The cards of a mask in ascending order."""
    cards: list[int] = []
    while mask:
        low = mask & -mask
        cards.append(low.bit_length() - 1)
        mask ^= low
    return tuple(cards)


def mask_of(cards: Iterable[int]) -> int:
    """The mask of some cards; a card given twice counts once."""
    mask = 0
    for card in cards:
        mask |= 1 << card
    return mask


def ranks_in(mask: int, suit: int) -> tuple[int, ...]:
    """The ranks that a mask holds in a suit, ascending from the seven."""
    return BYTE_BITS[mask >> (8 * suit) & 0xFF]


def card_points(trump: int, card: int) -> int:
    """Points of one card under a trump suit."""
    return POINTS[trump][card]


def mask_points(trump: int, mask: int) -> int:
    """Points of a set of cards under a trump suit, without any bonus."""
    table = POINTS[trump]
    return sum(table[card] for card in cards_of(mask))


def side_of(seat: int, seats: int) -> int:
    """The side a seat plays for: seats 0 and 2 against 1 and 3 of four; alone with two or three players."""
    return seat & 1 if seats == 4 else seat


def side_count(seats: int) -> int:
    """How many sides a table of so many seats has."""
    return 2 if seats == 4 else seats


_SIDE_MASKS: dict[int, list[int]] = {
    seats: [
        sum(1 << other for other in range(seats) if side_of(other, seats) == side_of(seat, seats))
        for seat in range(seats)
    ]
    for seats in (2, 3, 4)
}


def side_masks(seats: int) -> list[int]:
    """The mask of the seats of its side, by seat; not to be changed."""
    return _SIDE_MASKS[seats]
