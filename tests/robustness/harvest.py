"""What the database holds in the end, table by table, together with what the clients have on tape."""

from collections import defaultdict
from collections.abc import Sequence

import asyncpg

from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from robustness.histories import OutboxRow, StoredTable, TableHistory, Tape

_TABLES = """
    SELECT t.table_id, t.version, t.sequence, t.state, t.ruleset_json, p.sequence
    FROM belot_table.tables t JOIN belot_table.table_published p ON p.table_id = t.table_id
"""
_EVENTS = """
    SELECT table_id, sequence, kind, at_ms, payload, only_seat, seat_payload
    FROM belot_table.table_events ORDER BY table_id, sequence
"""
_REQUESTS = "SELECT table_id, player_id, request_id, response FROM belot_table.table_requests"
_OUTBOX = """
    SELECT table_id, outbox_id, kind, payload, acknowledged_ms IS NOT NULL
    FROM belot_table.outbox ORDER BY table_id, outbox_id
"""
_INBOX = "SELECT payload FROM belot_rating.inbox ORDER BY match_id"
_BEHIND = """
    SELECT count(*) FROM belot_table.tables t JOIN belot_table.table_published p ON p.table_id = t.table_id
    WHERE p.sequence < t.sequence
    UNION ALL
    SELECT count(*) FROM belot_table.outbox WHERE acknowledged_ms IS NULL
"""


async def all_told(dsn: str) -> bool:
    """Whether everything committed is also marked as published, and every outbox row as acknowledged."""
    connection = await asyncpg.connect(dsn)
    try:
        return not any(row["count"] for row in await connection.fetch(_BEHIND))
    finally:
        await connection.close()


async def harvest(dsn: str, tapes: Sequence[Tape]) -> tuple[TableHistory, ...]:
    """The history of every table; `dsn` is the administrator's."""
    connection = await asyncpg.connect(dsn)
    try:
        tables = [StoredTable(*row) for row in await connection.fetch(_TABLES)]
        logs: dict[str, list[Envelope]] = defaultdict(list)
        for row in await connection.fetch(_EVENTS):
            logs[row["table_id"]].append(Envelope(*row))
        requests: dict[str, dict[tuple[str, str], bytes]] = defaultdict(dict)
        for table_id, player_id, request_id, response in await connection.fetch(_REQUESTS):
            requests[table_id][player_id, request_id] = response
        outbox: dict[str, list[OutboxRow]] = defaultdict(list)
        for table_id, *values in await connection.fetch(_OUTBOX):
            outbox[table_id].append(OutboxRow(*values))
        inbox: dict[str, list[bytes]] = defaultdict(list)
        for (payload,) in await connection.fetch(_INBOX):
            inbox[view_pb2.MatchFinished.FromString(payload).table_id].append(payload)
    finally:
        await connection.close()
    return tuple(
        TableHistory(
            table,
            tuple(logs[table.table_id]),
            requests[table.table_id],
            tuple(outbox[table.table_id]),
            tuple(tape for tape in tapes if tape.table_id == table.table_id),
            tuple(inbox[table.table_id]),
        )
        for table in tables
    )
