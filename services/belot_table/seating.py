"""Who sits where: sitting down, leaving, being ready, bots for free seats; the match opens when all are ready.

Pure: a table and a wish in, a step or `Refused` out.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from belot_table.clock import begin_turn
from belot_table.no_show import is_binding
from belot_table.stand_in import STAND_IN_LEVEL
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
    SeatPresence,
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
        still_since_ms=now_ms,
    )


def set_up(table: Table, maker: str, sit_as: str) -> Step:
    """The first step of a new table: its maker sits at seat 0 under the name `sit_as`, unless that is empty."""
    made = replace(table, maker=maker)
    seat = Seat(0, Actor.PERSON, maker, sit_as)
    if not sit_as:
        return step(table, made, StatusChanged(Status.WAITING))
    return step(table, with_seat(made, seat), StatusChanged(Status.WAITING), SeatChanged(seat))


def table_like(old: Table, table_id: str, now_ms: int) -> Table:
    """An empty table with the options of another one, at version 0, its seats kept for the same people."""
    kept = tuple(each.player_id for each in old.seats)
    options = replace(old.options, reserved_for=kept, ends_by_ms=0)
    return replace(new_table(table_id, options, old.ruleset, old.ruleset_json, old.sides, now_ms), mutes=old.mutes)


def set_up_rematch(table: Table, old: Table, first: Seat) -> Step:
    """The first step of a rematch's table: bots where bots sat, and the person who asked for it."""
    bots = [each for each in old.seats if not each.player_id]
    sitting = [Seat(each.seat, Actor.BOT, "", each.display_name, each.bot_level, True) for each in bots]
    sitting.append(first)
    after = table
    for seat in sitting:
        after = with_seat(after, seat)
    return step(table, after, StatusChanged(Status.WAITING), *(SeatChanged(each) for each in sitting))


def is_open(table: Table) -> bool:
    """Whether the table waits or plays."""
    return table.status < Status.FINISHED


def set_connected(table: Table, player_id: str, connected: bool) -> Step:
    """The player's connection is away for longer than the grace, or back; no clock moves. NOT_SEATED.

    Once the match is over nobody is told any more.
    """
    seat = own_seat(table, player_id)
    if not is_open(table) or seat.disconnected is not connected:
        return unchanged(table)
    changed = replace(seat, disconnected=not connected)
    return step(table, with_seat(table, changed), SeatPresence(seat.seat, connected))


def sit_down(table: Table, player_id: str, name: str, wanted: int | None) -> Step:
    """Take the seat wanted, or the first free one: the player's own where seats are kept for players.

    TABLE_NOT_OPEN, ALREADY_SEATED, SEAT_TAKEN, TABLE_FULL; PERMISSION_DENIED when it is kept for somebody else.
    """
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
    kept = dict(enumerate(table.options.reserved_for))
    open_to_him = [each for each in free if wanted in (None, each) and kept.get(each, "") in ("", player_id)]
    if not open_to_him:
        raise Refused("PERMISSION_DENIED", "this seat is kept for somebody else")
    own = [each for each in open_to_him if kept.get(each) == player_id]
    seat = Seat((own or open_to_him)[0], Actor.PERSON, player_id, name)
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
    """Bots for all free seats. Where persons sit, one of them must ask. TABLE_NOT_OPEN, NOT_SEATED, TABLE_FULL;
    PERMISSION_DENIED where those must come for whom the seats are kept.
    """
    _must_wait(table)
    if is_binding(table):
        raise Refused("PERMISSION_DENIED", "the seats are kept for players who must come")
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


def open_all(table: Table, opening: Opening) -> Step:
    """The match opens with those who sit here, ready or not. TABLE_NOT_OPEN."""
    _must_wait(table)
    return _maybe_open(
        table, replace(table, seats=tuple(replace(each, ready=True) for each in table.seats)), (), opening
    )


def leave(table: Table, player_id: str, now_ms: int) -> Step:
    """Leave the seat: before the match it is free again, from its opening on a bot takes it. NOT_SEATED.

    TABLE_NOT_OPEN once the match is over: what happened stays as it was.
    """
    seat = own_seat(table, player_id)
    if table.status is Status.WAITING:
        freed = Seat(seat.seat)
        left = with_seat(table, freed)
        if not persons(left) and not is_binding(table):
            closed = replace(left, status=Status.CLOSED)
            return step(table, closed, SeatLeft(seat.seat, player_id), StatusChanged(Status.CLOSED))
        return step(table, left, SeatLeft(seat.seat, player_id), SeatChanged(freed))
    if table.status in BEFORE_PLAY or table.status is Status.PLAYING:
        return _replace_by_bot(table, seat, now_ms)
    raise Refused("TABLE_NOT_OPEN", "the match is over")


def _replace_by_bot(table: Table, seat: Seat, now_ms: int) -> Step:
    match = table.running
    bot = replace(
        seat,
        kind=Actor.BOT,
        player_id="",
        display_name=f"Bot {seat.seat + 1}",
        bot_level=STAND_IN_LEVEL,
        disconnected=False,
    )
    stints = match.stints
    if not seat.stood_in:
        stints = (*stints, Stint(seat.seat, Actor.BOT, STAND_IN_LEVEL, match.hand, match.trick))
    match = replace(match, stints=stints, leavers=(*match.leavers, seat.player_id))
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
