"""The clock of a turn, the reserve, and what a table waits for."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from belot_table import course, seating
from belot_table.clock import BEACON_MARGIN_MS, SEED_MARGIN_MS, Timer, TimerKind, next_timer, spend_reserve
from belot_table.table import Await, Clock, Next, Options, Status, Table
from support.table_values import (
    NOW,
    drawing,
    finished,
    opening,
    playing,
    seated,
    seeding,
    told,
    waiting_table,
)


def due(table: Table) -> tuple[TimerKind, int] | None:
    """What the table waits for, and until when."""
    timer = next_timer(table, NOW)
    return None if timer is None else (timer.kind, timer.due_ms)


def test_a_card_has_its_time_and_then_the_reserve() -> None:
    clock = playing("PPPP").running.clock
    assert (clock.reserve_from_ms - NOW, clock.due_ms - NOW) == (20_000, 80_000)


def test_a_bid_has_its_own_time() -> None:
    assert playing("PPPP", bidding=True).running.clock.reserve_from_ms - NOW == 15_000


def test_a_bot_has_its_delay_and_no_reserve() -> None:
    clock = playing("PBPB", Options("classic", bot_delay_ms=700)).running.clock
    assert (clock.reserve_from_ms - NOW, clock.due_ms - NOW) == (700, 700)


def test_acting_in_time_costs_nothing() -> None:
    assert spend_reserve(Clock(0, 100, 400, (300, 300)), 1, 100) == (300, 300)


def test_an_overrun_is_taken_from_the_seats_own_reserve() -> None:
    assert spend_reserve(Clock(0, 100, 400, (300, 300)), 1, 150) == (300, 250)


def test_a_turn_that_timed_out_leaves_no_reserve() -> None:
    assert spend_reserve(Clock(0, 100, 400, (300, 300)), 0, 10_000) == (0, 300)


@given(st.integers(0, 10_000), st.integers(0, 10_000), st.integers(-10_000, 30_000))
def test_a_reserve_never_grows_nor_goes_below_zero(time: int, reserve: int, now: int) -> None:
    left = spend_reserve(Clock(0, time, time + reserve, (reserve,)), 0, now)[0]
    assert 0 <= left <= reserve


def test_a_reserve_that_was_used_is_missing_at_the_next_turn() -> None:
    used = replace(playing("PPPP").running.clock, reserves_ms=(0, 5_000, 0, 0))
    table = playing("PPPP")
    table = replace(table, match=replace(table.running, clock=used))
    timer = next_timer(table, NOW)
    assert timer is not None
    assert timer.due_ms == used.due_ms


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (waiting_table(), (TimerKind.EXPIRY, NOW + 30 * 60_000)),
        (opening("PPPP"), (TimerKind.OPEN, NOW)),
        (seeding("PPPP"), (TimerKind.SEED, NOW + 10_000 + SEED_MARGIN_MS)),
        (seeding("BBBB"), (TimerKind.SEED, NOW)),
        (drawing("PPPP"), (TimerKind.BEACON, NOW + 3_000 + BEACON_MARGIN_MS)),
        (playing("PPPP"), (TimerKind.TURN, NOW + 80_000)),
        (playing("PBPB"), (TimerKind.BOT, NOW)),
        (finished("PPPP"), (TimerKind.REVEAL, NOW)),
    ],
    ids=["waiting", "opening", "seeding", "seeding of bots", "drawing", "a person's turn", "a bot's turn", "finished"],
)
def test_a_table_waits_for_one_thing(table: Table, expected: tuple[TimerKind, int]) -> None:
    assert due(table) == expected


def test_a_match_that_waits_for_cards_is_dealt_to_at_once() -> None:
    start = course.Applied(b"", Next(Await.CARDS), 0, 0, ())
    table = course.beacon_fixed(drawing("PPPP"), told("beacon_fixed"), start, NOW).table
    assert due(table) == (TimerKind.DEAL, NOW)


def test_seeds_are_closed_at_once_when_the_last_person_has_sent() -> None:
    table = seeding("PBPB")
    for seat in (0, 2):
        assert due(table) == (TimerKind.SEED, NOW + 10_000 + SEED_MARGIN_MS)
        table = course.seeded(table, seat, told("seed_received")).table
    assert due(table) == (TimerKind.SEED, NOW)


def test_a_revealed_table_waits_for_nothing() -> None:
    assert due(course.revealed(finished("PPPP"), b"s" * 32, told("seed_revealed")).table) is None


def test_a_waiting_table_may_have_a_time_of_its_own() -> None:
    assert due(waiting_table(options=Options("classic", waiting_ms=60_000))) == (TimerKind.EXPIRY, NOW + 60_000)


def test_a_closed_table_waits_for_nothing() -> None:
    table = seating.leave(seated("P..."), "anna", NOW).table
    assert (table.status, due(table)) == (Status.CLOSED, None)


def test_a_timer_is_meant_for_one_version() -> None:
    table = playing("PPPP", turn=2)
    assert next_timer(table, NOW) == Timer(TimerKind.TURN, NOW + 80_000, table.version, 2)
