"""Figures over packs: the recipe's are inconspicuous, and shuffles that are known to be wrong are found."""

import random
from collections.abc import Callable, Sequence
from math import isclose

import pytest

from belot_fair.distribution import Tally, chi_square, count_match, empty_tally, void_figures
from belot_fair.recipe import commitment, shuffle

ALARM = 1e-6
PACKS = 1_500

Shuffle = Callable[[random.Random, int], Sequence[int]]


def _pack(number: int, size: int) -> tuple[int, ...]:
    seeds = tuple(bytes([number % 251, seat]) * 8 for seat in range(4))
    return shuffle(commitment(number.to_bytes(32, "big")), number, seeds, 0, bytes(32), size)


def swap_with_any(drawn: random.Random, _number: int) -> Sequence[int]:
    """Each position with any other, also with one that was settled: not all orders come equally often."""
    pack = list(range(32))
    for at in range(32):
        other = drawn.randrange(32)
        pack[at], pack[other] = pack[other], pack[at]
    return pack


def never_itself(drawn: random.Random, _number: int) -> Sequence[int]:
    """The range one too small: no card stays where it was."""
    pack = list(range(32))
    for at in range(31, 0, -1):
        other = drawn.randrange(at)
        pack[at], pack[other] = pack[other], pack[at]
    return pack


def cut_off(drawn: random.Random, _number: int) -> Sequence[int]:
    """Numbers of four bits, cut off at the range: high positions of large ranges are never drawn."""
    pack = list(range(32))
    for at in range(31, 0, -1):
        other = drawn.getrandbits(4) % (at + 1)
        pack[at], pack[other] = pack[other], pack[at]
    return pack


def kind_to_one_seat(drawn: random.Random, number: int) -> Sequence[int]:
    """Fair, but an ace is moved to seat 0 in one pack of five."""
    pack = list(_pack(number, 32))
    if drawn.random() < 0.2:
        at = pack.index(7)
        pack[at], pack[0] = pack[0], pack[at]
    return pack


def tally_of(deal: Shuffle, size: int = 32, hand: int = 6) -> Tally:
    drawn, tally = random.Random(1), empty_tally(size)
    for first in range(0, PACKS, 10):
        packs = [deal(drawn, first + at) for at in range(10)]
        hands = [cards for pack in packs for cards in [pack[at * hand : (at + 1) * hand] for at in range(4)]]
        tally = count_match(tally, packs, hands)
    return tally


@pytest.mark.parametrize(("size", "hand"), [(32, 6), (24, 5)])
def test_packs_of_the_recipe_raise_no_alarm(size: int, hand: int) -> None:
    tally = tally_of(lambda _drawn, number: _pack(number, size), size, hand)
    found = chi_square(tally)
    assert (tally.packs, tally.matches, found.degrees) == (PACKS, PACKS // 10, (size - 1) ** 2)
    assert found.chance > 0.001
    (voids,) = void_figures(tally)
    assert (voids.hand_size, voids.hands) == (hand, 4 * PACKS)
    assert abs(voids.deviations) < 3.5
    assert isclose(voids.rate, voids.expected_rate, rel_tol=0.1)


@pytest.mark.parametrize("wrong", [swap_with_any, never_itself, cut_off, kind_to_one_seat])
def test_a_biased_shuffle_is_found(wrong: Shuffle) -> None:
    assert chi_square(tally_of(wrong)).chance < ALARM


def test_hands_of_too_many_suits_are_found_where_positions_are_fair() -> None:
    def by_suits(drawn: random.Random, _number: int) -> Sequence[int]:
        # Every card everywhere equally often, but neighbours are of different suits.
        ranks, suits, turn = list(range(8)), list(range(4)), drawn.randrange(32)
        drawn.shuffle(ranks)
        drawn.shuffle(suits)
        pack = [8 * suit + rank for rank in ranks for suit in suits]
        return pack[turn:] + pack[:turn]

    tally = tally_of(by_suits)
    (voids,) = void_figures(tally)
    assert voids.deviations < -6


def test_of_nothing_there_is_nothing_to_say() -> None:
    found = chi_square(empty_tally(32))
    assert (found.value, found.chance) == (0.0, 1.0)
    assert void_figures(empty_tally(32)) == ()


def test_voids_are_counted_by_hand() -> None:
    tally = count_match(empty_tally(32), (), [(0, 1, 2), (0, 8, 16), (0, 8, 16, 24)])
    assert {size: (found.hands, found.voids) for size, found in tally.hands.items()} == {3: (2, 4), 4: (1, 0)}
