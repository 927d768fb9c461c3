"""Who sits where: sitting down, leaving, being ready, bots for free seats; the match opens when all are ready.

Pure: a table and a wish in, a step or `Refused` out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from belot_table.clock import begin_turn
from belot_table.table import (
    BEFORE_PLAY,
    Actor,
    Await,
    Clock,
    Happening,
    Match,
    Options,
    Refused,
    RulesetRef,
    Seat,
    SeatChanged,
    SeatLeft,
    Status,
    StatusChanged,
    Step,
    Stint,
    Table,
    own_seat,
    persons,
    seat_of,
    step,
    unchanged,
    with_seat,
)

STAND_IN_LEVEL: Final = "normal"
"""The level of the bot that goes on for a person who left."""


@dataclass(frozen=True, slots=True)
class Opening:
    """Random things a match needs when it opens: its id, and 16 octets a seat."""

    match_id: str
    participants: tuple[bytes, ...]


def new_table(
    table_id: str, options: Options, ruleset: RulesetRef, ruleset_json: str, sides: Sequence[int], now_ms: int
) -> Table:
    """An empty table at version 0: the first step makes it 1."""
    seats = tuple(Seat(seat) for seat in range(len(sides)))
    return Table(
        table_id=table_id,
        version=0,
        sequence=0,
        status=Status.WAITING,
        options=options,
        ruleset=ruleset,
        ruleset_json=ruleset_json,
        sides=tuple(sides),
        seats=seats,
        created_ms=now_ms,
    )


def set_up(table: Table, maker: str, sit_as: str) -> Step:
    """The first step of a new table: its maker sits at seat 0 under the name `sit_as`, unless that is empty."""
    seat = Seat(0, Actor.PERSON, maker, sit_as)
    if not sit_as:
        return step(table, table, StatusChanged(Status.WAITING))
    return step(table, with_seat(table, seat), StatusChanged(Status.WAITING), SeatChanged(seat))


def sit_down(table: Table, player_id: str, name: str, wanted: int | None) -> Step:
    """Take the seat wanted, or the first free one. TABLE_NOT_OPEN, ALREADY_SEATED, SEAT_TAKEN, TABLE_FULL."""
    _must_wait(table)
    if seat_of(table, player_id) is not None:
        raise Refused("ALREADY_SEATED", "you sit at this table already")
    if wanted is not None and wanted >= len(table.seats):
        raise Refused("INVALID_ARGUMENT", f"this table has {len(table.seats)} seats", field="action.sit_down.seat")
    free = [each.seat for each in table.seats if each.kind is Actor.NOBODY]
    if not free:
        raise Refused("TABLE_FULL", "no seat is free")
    if wanted is not None and wanted not in free:
        raise Refused("SEAT_TAKEN", f"seat {wanted} is taken", seat=wanted)
    seat = Seat(free[0] if wanted is None else wanted, Actor.PERSON, player_id, name)
    return step(table, with_seat(table, seat), SeatChanged(seat))


def set_ready(table: Table, player_id: str, ready: bool, opening: Opening) -> Step:
    """Say that one is ready, or not; the last one to be ready opens the match. TABLE_NOT_OPEN, NOT_SEATED."""
    _must_wait(table)
    seat = own_seat(table, player_id)
    if seat.ready is ready:
        return unchanged(table)
    changed = replace(seat, ready=ready)
    return _maybe_open(table, with_seat(table, changed), [SeatChanged(changed)], opening)


def fill_with_bots(table: Table, player_id: str, level: str, opening: Opening) -> Step:
    """Bots for all free seats. Where persons sit, one of them must ask. TABLE_NOT_OPEN, NOT_SEATED, TABLE_FULL."""
    _must_wait(table)
    if persons(table):
        own_seat(table, player_id)
    free = [each for each in table.seats if each.kind is Actor.NOBODY]
    if not free:
        raise Refused("TABLE_FULL", "no seat is free")
    bots = [
        Seat(each.seat, Actor.BOT, bot_level=level, display_name=f"Bot {each.seat + 1}", ready=True) for each in free
    ]
    filled = table
    for bot in bots:
        filled = with_seat(filled, bot)
    return _maybe_open(table, filled, [SeatChanged(bot) for bot in bots], opening)


def leave(table: Table, player_id: str, now_ms: int) -> Step:
    """Leave the seat: before the match it is free again, from its opening on a bot takes it. NOT_SEATED.

    TABLE_NOT_OPEN once the match is over: what happened stays as it was.
    """
    seat = own_seat(table, player_id)
    if table.status is Status.WAITING:
        freed = Seat(seat.seat)
        left = with_seat(table, freed)
        if not persons(left):
            closed = replace(left, status=Status.CLOSED)
            return step(table, closed, SeatLeft(seat.seat, player_id), StatusChanged(Status.CLOSED))
        return step(table, left, SeatLeft(seat.seat, player_id), SeatChanged(freed))
    if table.status in BEFORE_PLAY or table.status is Status.PLAYING:
        return _replace_by_bot(table, seat, now_ms)
    raise Refused("TABLE_NOT_OPEN", "the match is over")


def _replace_by_bot(table: Table, seat: Seat, now_ms: int) -> Step:
    match = table.running
    bot = replace(seat, kind=Actor.BOT, player_id="", display_name=f"Bot {seat.seat + 1}", bot_level=STAND_IN_LEVEL)
    stint = Stint(seat.seat, Actor.BOT, STAND_IN_LEVEL, match.hand, match.trick)
    match = replace(match, stints=(*match.stints, stint), leavers=(*match.leavers, seat.player_id))
    after = replace(with_seat(table, bot), match=match)
    events: tuple[Happening, ...] = (SeatLeft(seat.seat, seat.player_id), SeatChanged(bot))
    if table.status is Status.PLAYING and match.next.kind is Await.TURN and match.next.seat == seat.seat:
        clock, turn = begin_turn(after, match.next, match.clock.reserves_ms, now_ms)
        after, events = replace(after, match=replace(match, clock=clock)), (*events, turn)
    return step(table, after, *events)


def _must_wait(table: Table) -> None:
    if table.status is not Status.WAITING:
        raise Refused("TABLE_NOT_OPEN", "the match has started or the table is closed")


def _maybe_open(before: Table, table: Table, events: Sequence[Happening], opening: Opening) -> Step:
    if not all(each.kind is not Actor.NOBODY and each.ready for each in table.seats):
        return step(before, table, *events)
    seats = tuple(
        replace(each, participant=octets) for each, octets in zip(table.seats, opening.participants, strict=True)
    )
    bound = tuple(Stint(each.seat, each.kind, each.bot_level) for each in seats)
    reserves = (table.options.reserve_ms,) * len(seats)
    match = Match(opening.match_id, bound, clock=Clock(reserves_ms=reserves))
    opened = replace(table, status=Status.OPENING, seats=seats, match=match)
    return step(before, opened, *events, StatusChanged(Status.OPENING))
