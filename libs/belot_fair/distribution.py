"""Whether packs look like fair ones: counts of card by position, counts of lacking suits, and what to expect of them.

Fairness follows from the recipe and not from statistics; these figures find a recipe that is not run as written.

Card by position: every pack puts each card somewhere once, so the counts of n cards in m packs have fixed sums of rows
and columns. (n - 1) / n times the usual chi-square has (n - 1)^2 degrees of freedom then. Hands: only cards that a seat
got before anybody bid, as later ones go where the bidding sends them.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import comb, erfc, sqrt

SUITS = 4
_SUIT_LENGTH = 8
_LOW_RANKS = 2
"""Ranks 7 and 8, which a pack of 24 lacks."""


@dataclass(frozen=True, slots=True)
class HandTally:
    """Hands of one size: how many, and how many suits were lacking in them altogether."""

    hands: int = 0
    voids: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """What was counted in packs of one size: `cells[card index * size + position]`, and hands by their size."""

    pack_size: int
    matches: int
    packs: int
    cells: tuple[int, ...]
    hands: Mapping[int, HandTally]


@dataclass(frozen=True, slots=True)
class ChiSquare:
    """A value with its degrees of freedom, and the chance that fair packs give one as large or larger."""

    value: float
    degrees: int
    chance: float


@dataclass(frozen=True, slots=True)
class VoidFigures:
    """Suits lacking in hands of one size: observed and expected share, and their distance in standard deviations."""

    hand_size: int
    hands: int
    voids: int
    rate: float
    expected_rate: float
    deviations: float


def empty_tally(pack_size: int) -> Tally:
    """Nothing counted yet."""
    return Tally(pack_size, 0, 0, (0,) * (pack_size * pack_size), {})


def card_index(card: int, pack_size: int) -> int:
    """The place of a card among those of its pack, from 0."""
    if pack_size == SUITS * _SUIT_LENGTH:
        return card
    suit, rank = divmod(card, _SUIT_LENGTH)
    return suit * (_SUIT_LENGTH - _LOW_RANKS) + rank - _LOW_RANKS


def count_match(tally: Tally, packs: Iterable[Sequence[int]], hands: Iterable[Sequence[int]]) -> Tally:
    """The tally with one more match: its packs (cards by position), and hands (cards) as dealt before any bid."""
    size, cells, counted = tally.pack_size, list(tally.cells), 0
    for pack in packs:
        counted += 1
        for position, card in enumerate(pack):
            cells[card_index(card, size) * size + position] += 1
    found = dict(tally.hands)
    for hand in hands:
        before = found.get(len(hand), HandTally())
        voids = SUITS - len({card // _SUIT_LENGTH for card in hand})
        found[len(hand)] = HandTally(before.hands + 1, before.voids + voids)
    return Tally(size, tally.matches + 1, tally.packs + counted, tuple(cells), found)


def chi_square(tally: Tally) -> ChiSquare:
    """Card by position against packs in which every card is everywhere equally often."""
    size = tally.pack_size
    degrees = (size - 1) ** 2
    if not tally.packs:
        return ChiSquare(0.0, degrees, 1.0)
    expected = tally.packs / size
    plain = sum((count - expected) ** 2 for count in tally.cells) / expected
    value = plain * (size - 1) / size
    return ChiSquare(value, degrees, _upper_tail(value, degrees))


def void_figures(tally: Tally) -> tuple[VoidFigures, ...]:
    """Lacking suits by size of hand. Hands of one pack are taken as independent, which is nearly so."""
    return tuple(_void_figures(tally.pack_size, size, found) for size, found in sorted(tally.hands.items()))


def _void_figures(pack_size: int, hand_size: int, found: HandTally) -> VoidFigures:
    one, two = (_chance_without(pack_size, hand_size, suits) for suits in (1, 2))
    mean = SUITS * one
    variance = mean + SUITS * (SUITS - 1) * two - mean**2
    spread = sqrt(variance * found.hands)
    deviations = (found.voids - mean * found.hands) / spread if spread else 0.0
    rate = found.voids / (SUITS * found.hands) if found.hands else 0.0
    return VoidFigures(hand_size, found.hands, found.voids, rate, one, deviations)


def _chance_without(pack_size: int, hand_size: int, suits: int) -> float:
    """The chance that a hand lacks these particular suits."""
    return comb(pack_size - suits * pack_size // SUITS, hand_size) / comb(pack_size, hand_size)


def _upper_tail(value: float, degrees: int) -> float:
    """The chance of this chi-square or a larger one, by the cube root of Wilson and Hilferty."""
    ninth = 2 / (9 * degrees)
    deviation = ((value / degrees) ** (1 / 3) - (1 - ninth)) / sqrt(ninth)
    return erfc(deviation / sqrt(2)) / 2
