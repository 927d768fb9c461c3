"""What a table service leaves for other systems."""

import asyncpg

from belot.table.v1 import view_pb2
from support.databases import Database


async def outbox_of(database: Database, table_id: str) -> list[view_pb2.MatchFinished]:
    """The results that wait in the outbox of one table, or were delivered."""
    connection = await asyncpg.connect(database.dsn)
    try:
        rows = await connection.fetch("SELECT payload FROM belot_table.outbox WHERE table_id = $1", table_id)
    finally:
        await connection.close()
    return [view_pb2.MatchFinished.FromString(row["payload"]) for row in rows]
