"""The timers of tables, as their database has them."""

import asyncpg

from support.databases import Database


async def due_now(database: Database, table_id: str) -> None:
    """Whatever the table waits for is due at once."""
    connection = await asyncpg.connect(database.dsn)
    try:
        await connection.execute("UPDATE belot_table.table_timers SET due_ms = 1 WHERE table_id = $1", table_id)
    finally:
        await connection.close()


async def overslept(database: Database, table_id: str) -> None:
    """The table waits for its expiry, and for a long time."""
    connection = await asyncpg.connect(database.dsn)
    try:
        await connection.execute(
            "UPDATE belot_table.table_timers SET kind = 'expiry', due_ms = due_ms + 600000 WHERE table_id = $1",
            table_id,
        )
    finally:
        await connection.close()


async def timer_of(database: Database, table_id: str) -> tuple[str, int, int]:
    """What a table waits for, in how many milliseconds it is due, and for which version."""
    connection = await asyncpg.connect(database.dsn)
    try:
        row = await connection.fetchrow(
            "SELECT kind, due_ms - (extract(epoch FROM now()) * 1000)::bigint AS left_ms, version"
            " FROM belot_table.table_timers WHERE table_id = $1",
            table_id,
        )
    finally:
        await connection.close()
    assert row is not None
    return row["kind"], row["left_ms"], row["version"]
