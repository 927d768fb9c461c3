"""Time at a table: the clock of a turn with its reserve, and the one timer that a table waits for.

Pure: unix milliseconds in and out. A turn's end is settled when it begins; nothing a player tries moves it.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from belot_table.no_show import is_binding
from belot_table.table import (
    Actor,
    Await,
    Clock,
    Next,
    SeatChanged,
    SeatLeft,
    Status,
    Step,
    Table,
    TurnStarted,
    bound_stints,
)

BEACON_MARGIN_MS: Final = 300
"""How long after a round is due its beacon is first asked for."""

SEED_MARGIN_MS: Final = 50
"""How long after the seed deadline the dealer is asked to close: two clocks never agree to the millisecond."""

HALT_MS: Final = 10 * 60_000
"""How long a table whose deal does not add up is left alone before its step is tried again."""

STAND_IN_MS: Final = 1_500
"""How long a bot that stands in for a person waits at least, so that he can take his turn himself."""


_LIMITED: Final = frozenset({Status.WAITING, Status.SEEDING, Status.DRAWING, Status.PLAYING})


class TimerKind(StrEnum):
    """What happens when the timer of a table is due."""

    OPEN = "open"
    SEED = "seed"
    BEACON = "beacon"
    DEAL = "deal"
    BOT = "bot"
    TURN = "turn"
    REVEAL = "reveal"
    EXPIRY = "expiry"
    LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Timer:
    """The next thing a table does by itself; it is meant for this `version` of it alone."""

    kind: TimerKind
    due_ms: int
    version: int
    seat: int | None = None


def begin_turn(table: Table, turn: Next, reserves_ms: tuple[int, ...], now_ms: int) -> tuple[Clock, TurnStarted]:
    """The clock of a turn that begins now, and the word of it; a bot has its delay and no reserve.

    A person for whom a bot stands in is told what he may do: he may do it himself.
    """
    options, seat = table.options, table.seats[turn.seat]
    if seat.kind is Actor.BOT:
        due = now_ms + (max(options.bot_delay_ms, STAND_IN_MS) if seat.stood_in else options.bot_delay_ms)
        return Clock(now_ms, due, due, reserves_ms), TurnStarted(
            turn.seat, due, due, turn.body if seat.stood_in else b""
        )
    reserve_from = now_ms + (options.bid_ms if turn.bidding else options.card_ms)
    due = reserve_from + reserves_ms[turn.seat]
    return Clock(now_ms, reserve_from, due, reserves_ms), TurnStarted(turn.seat, due, reserve_from, turn.body)


def spend_reserve(clock: Clock, seat: int, now_ms: int) -> tuple[int, ...]:
    """The reserves after the seat acted now: only what went beyond the time for the bid or card is gone."""
    overrun = max(0, now_ms - clock.reserve_from_ms)
    left = max(0, clock.reserves_ms[seat] - overrun)
    return (*clock.reserves_ms[:seat], left, *clock.reserves_ms[seat + 1 :])


def next_timer(table: Table, now_ms: int) -> Timer | None:
    """The timer of a table whose latest step was taken at `now_ms`; None when it waits for nothing more.

    A halted table rests before its step is tried again. The limit of a match comes whatever else is waited for, but a
    match that is being opened is waited for in any case.
    """
    timer = _TIMERS[table.status](table, now_ms)
    if timer is not None and table.halted:
        timer = replace(timer, due_ms=table.still_since_ms + HALT_MS)
    limit = table.options.ends_by_ms
    if timer is None or not limit or table.status not in _LIMITED or timer.due_ms <= limit:
        return timer
    return Timer(TimerKind.LIMIT, limit, table.version)


def time_is_over(table: Table, now_ms: int) -> bool:
    """Whether the limit of a match that is undecided has come."""
    return 0 < table.options.ends_by_ms <= now_ms and table.status in _LIMITED


def stamped(done: Step, at_ms: int) -> Step:
    """A step that remembers since when the seats of a waiting table are as they are; talk does not count."""
    if done.table.status is not Status.WAITING:
        return done
    if not any(isinstance(each, (SeatChanged, SeatLeft)) for each in done.events):
        return done
    return Step(replace(done.table, still_since_ms=at_ms), done.events)


def seeds_complete(table: Table) -> bool:
    """Whether every person of the opened match has sent a seed."""
    sent = table.running.fairness.seeded
    return all(each.actor is not Actor.PERSON or each.seat in sent for each in bound_stints(table))


def _waiting(table: Table, now_ms: int) -> Timer | None:
    since = table.still_since_ms or now_ms  # a table of the release before does not say
    if is_binding(table):
        since = table.created_ms
    return Timer(TimerKind.EXPIRY, since + table.options.waiting_ms, table.version)


def _opening(table: Table, now_ms: int) -> Timer | None:
    return Timer(TimerKind.OPEN, now_ms, table.version)


def _seeding(table: Table, now_ms: int) -> Timer | None:
    deadline = table.running.fairness.seed_deadline_ms + SEED_MARGIN_MS
    return Timer(TimerKind.SEED, now_ms if seeds_complete(table) else deadline, table.version)


def _drawing(table: Table, now_ms: int) -> Timer | None:
    return Timer(TimerKind.BEACON, table.running.fairness.round_due_ms + BEACON_MARGIN_MS, table.version)


def _playing(table: Table, now_ms: int) -> Timer | None:
    match = table.running
    if match.next.kind is not Await.TURN:
        return Timer(TimerKind.DEAL, now_ms, table.version)
    seat = match.next.seat
    kind = TimerKind.BOT if table.seats[seat].kind is Actor.BOT else TimerKind.TURN
    return Timer(kind, match.clock.due_ms, table.version, seat)


def _finished(table: Table, now_ms: int) -> Timer | None:
    fairness = table.running.fairness
    # Of a match that ended before the dealer opened it nothing is to be revealed.
    return None if fairness.server_seed or not fairness.commitment else Timer(TimerKind.REVEAL, now_ms, table.version)


def _closed(table: Table, now_ms: int) -> Timer | None:
    return None


_TIMERS: Final = {
    Status.WAITING: _waiting,
    Status.OPENING: _opening,
    Status.SEEDING: _seeding,
    Status.DRAWING: _drawing,
    Status.PLAYING: _playing,
    Status.FINISHED: _finished,
    Status.CLOSED: _closed,
}
