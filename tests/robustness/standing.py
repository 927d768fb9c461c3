"""Where tables stand that do not end: what the database holds of one, and what each of its clients knows.

For findings: names, numbers and times, never a card or a seed.
"""

from collections.abc import Iterable, Sequence

import asyncpg

from belot_table.records import decode_table
from belot_table.table import Await, Table
from robustness.tables_at_play import Place

_STANDING = """
    SELECT t.version, t.state, t.ruleset_json, t.updated_ms - n.ms AS moved, p.sequence AS published, p.settled,
        w.kind, w.seat, w.version AS meant_for, w.due_ms - n.ms AS due, w.claimed_until_ms - n.ms AS claimed,
        (SELECT count(*) FROM belot_table.outbox o
         WHERE o.table_id = t.table_id AND o.acknowledged_ms IS NULL) AS outbox,
        (SELECT e.kind FROM belot_table.table_events e
         WHERE e.table_id = t.table_id ORDER BY e.sequence DESC LIMIT 1) AS last_event
    FROM belot_table.tables t
    CROSS JOIN (SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS ms) n
    LEFT JOIN belot_table.table_published p ON p.table_id = t.table_id
    LEFT JOIN belot_table.table_timers w ON w.table_id = t.table_id
    WHERE t.table_id = $1
"""
_COURSE = """
    SELECT e.kind, count(*) AS times, max(e.at_ms) - (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS last
    FROM belot_table.table_events e WHERE e.table_id = $1
    GROUP BY e.kind ORDER BY max(e.sequence)
"""
_SEEN = """
    SELECT player_id, away, seen_ms - (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS seen
    FROM belot_table.table_presence WHERE table_id = $1
"""
_LOST = "no such table in the database"


async def standing(dsn: str, places: Iterable[Place]) -> dict[str, str]:
    """By table id, where each place's table and its clients stand now, in a few lines; `dsn` is the administrator's."""
    connection = await asyncpg.connect(dsn)
    try:
        return {each.table_id: await _of_place(connection, each) for each in places}
    finally:
        await connection.close()


async def _of_place(connection: "asyncpg.Connection[asyncpg.Record]", place: Place) -> str:
    row = await connection.fetchrow(_STANDING, place.table_id)
    seen = {each["player_id"]: each for each in await connection.fetch(_SEEN, place.table_id)}
    lines = [_LOST]
    if row is not None:
        table = decode_table(row["state"], row["ruleset_json"])
        course = [
            f"{each['kind']} x{each['times']} {_seconds(each['last'])}"
            for each in await connection.fetch(_COURSE, place.table_id)
        ]
        lines = [_of_row(row, table), "the last of each kind: " + ", ".join(course), *_of_seats(table, seen)]
    return "\n".join(f"    {line}" for line in [*lines, *(each.standing() for each in place.parts)])


def _of_row(row: asyncpg.Record, table: Table) -> str:
    timer = (
        f"timer {row['kind'] or 'none'} seat {row['seat']} for version {row['meant_for']}, "
        f"due {_seconds(row['due'])}, claimed until {_seconds(row['claimed'])}"
    )
    return (
        f"{table.status.name} version {row['version']} sequence {table.sequence}, last {row['last_event']} "
        f"{_seconds(row['moved'])}; {_awaited(table)}; {timer}; published {row['published']} settled {row['settled']}; "
        f"outbox {row['outbox']}"
    )


def _awaited(table: Table) -> str:
    """What the match waits for."""
    match = table.match
    if match is None:
        return "no match"
    if match.next.kind is Await.NOTHING:
        return f"seeds of seats {match.fairness.seeded}"
    turn = f" of seat {match.next.seat}" if match.next.kind is Await.TURN else ""
    return f"waits for {match.next.kind.value}{turn}, hand {match.hand} trick {match.trick}, stints {len(match.stints)}"


def _of_seats(table: Table, seen: dict[str, asyncpg.Record]) -> Sequence[str]:
    lines = []
    for seat in table.seats:
        last = seen.get(seat.player_id)
        presence = f"seen {_seconds(last['seen'])}, away {last['away']}" if last is not None else "not seen"
        held = f"{seat.kind.name} {seat.player_id or seat.bot_level} ready {seat.ready}"
        lines.append(f"seat {seat.seat}: {held} disconnected {seat.disconnected}, {presence}")
    return lines


def _seconds(from_now_ms: int | None) -> str:
    """A time by the database's clock, as seconds from now."""
    if from_now_ms is None:
        return "-"
    return "never" if abs(from_now_ms) > 86_400_000 else f"{from_now_ms / 1000:+.1f} s"
