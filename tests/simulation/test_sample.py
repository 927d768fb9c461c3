"""A sample of seeds in every test run: the same ones each time, and as many that nobody has played before."""

import secrets
from collections.abc import Iterable

import pytest

from simulation.run import simulate

FIXED = range(1, 61)
NEW = 40


@pytest.mark.parametrize("first", [FIXED.start, FIXED.start + 20, FIXED.start + 40])
def test_nothing_is_lost_whatever_the_seed_has_in_store(first: int) -> None:
    _play(range(first, first + 20))


def test_nothing_is_lost_with_seeds_never_played_before() -> None:
    first = secrets.randbelow(10**9)
    print(f"seeds {first} to {first + NEW - 1}")
    _play(range(first, first + NEW))


def _play(seeds: Iterable[int]) -> None:
    moves = 0
    for seed in seeds:
        outcome = simulate(seed)
        moves += outcome.moves
        assert not outcome.findings, (
            f"PYTHONPATH=tests python -m simulation --seed {seed}",
            [str(finding) for finding in outcome.findings],
        )
    assert moves > 0
