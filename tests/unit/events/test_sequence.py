"""How readers keep a table's sequence without gaps and repetitions."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_events.envelope import Envelope
from belot_events.sequence import Resumption, resume, take


def _log(first: int, last: int) -> tuple[Envelope, ...]:
    return tuple(Envelope("t", number, "card_played", 0, b"x") for number in range(first, last + 1))


def test_a_batch_that_follows_on_is_taken_whole() -> None:
    assert take(3, _log(4, 6)).fresh == _log(4, 6)


def test_a_repeated_batch_is_dropped_without_a_gap() -> None:
    taken = take(6, _log(4, 6))
    assert (taken.fresh, taken.missed) == ((), False)


def test_a_batch_that_overlaps_gives_its_new_part() -> None:
    assert take(5, _log(4, 8)).fresh == _log(6, 8)


def test_a_jump_is_reported_and_nothing_is_taken() -> None:
    taken = take(3, _log(5, 6))
    assert (taken.fresh, taken.missed) == ((), True)


def test_a_hole_within_a_batch_is_reported() -> None:
    assert take(0, (*_log(1, 2), *_log(4, 5))).missed


@given(st.lists(st.tuples(st.integers(1, 30), st.integers(0, 5)), max_size=40))
def test_whatever_comes_in_what_a_reader_takes_is_contiguous(batches: list[tuple[int, int]]) -> None:
    head, seen = 0, []
    for first, more in batches:
        fresh = take(head, _log(first, first + more)).fresh
        seen += [each.sequence for each in fresh]
        head = seen[-1] if seen else 0
    assert seen == list(range(1, len(seen) + 1))


@pytest.mark.parametrize(
    ("after", "expected"),
    [
        (None, Resumption.SNAPSHOT),
        (10, Resumption.TAIL),
        (7, Resumption.TAIL),
        (6, Resumption.SNAPSHOT),
        (11, Resumption.SNAPSHOT),
    ],
    ids=["new reader", "up to date", "short tail", "long tail", "another log"],
)
def test_a_reader_that_returns_gets_a_short_tail_or_a_snapshot(after: int | None, expected: Resumption) -> None:
    assert resume(after, head=10, longest_tail=3) is expected
