"""What the database holds about certain tables and matches, as one digest each, in every schema of every service."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import asyncpg

_BY_KEY: Final = ("table_id", "match_id")
_RESTLESS_TABLES: Final = ("table_presence", "table_published")
"""Who was seen when, and how far the relay is: they change by themselves."""

_RESTLESS_COLUMNS: Final = ("claimed_until_ms", "acknowledged_ms", "attempts", "refusal")
_COLUMNS: Final = """
    SELECT c.table_schema, c.table_name, array_agg(c.column_name::text) AS columns
    FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema LIKE 'belot\\_%' AND t.table_type = 'BASE TABLE'
    GROUP BY 1, 2 ORDER BY 1, 2
"""
_UNDELIVERED: Final = "SELECT count(*) FROM belot_table.outbox WHERE table_id = $1 AND acknowledged_ms IS NULL"


@dataclass(frozen=True, slots=True)
class Ledger:
    """A digest for each asked key, and the number of rows of every table of the database, by ``schema.table``."""

    digests: Mapping[str, str]
    counts: Mapping[str, int]


async def ledger(pool: "asyncpg.Pool[asyncpg.Record]", keys: Sequence[str]) -> Ledger:
    """Everything there is about `keys` (ids of tables and matches) at one moment."""
    async with pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
        found: dict[str, list[str]] = defaultdict(list)
        counts: dict[str, int] = {}
        for schema, name, columns in await connection.fetch(_COLUMNS):
            place = f'"{schema}"."{name}"'
            counts[f"{schema}.{name}"] = await connection.fetchval(f"SELECT count(*) FROM {place}")  # noqa: S608
            key = next((each for each in _BY_KEY if each in columns), None)
            if key is None or name in _RESTLESS_TABLES:
                continue
            rows = await connection.fetch(
                f"SELECT {key} AS key, md5((to_jsonb(t) - $2::text[])::text) AS digest FROM {place} t "  # noqa: S608
                f"WHERE {key} = ANY($1) ORDER BY 1, 2",
                list(keys),
                [*_RESTLESS_COLUMNS, *(("due_ms",) if "attempts" in columns else ())],
            )
            for row in rows:
                found[row["key"]].append(f"{place} {row['digest']}")
    return Ledger({key: sha256("\n".join(found[key]).encode()).hexdigest() for key in keys}, counts)


async def delivered(pool: "asyncpg.Pool[asyncpg.Record]", table_id: str) -> bool:
    """Whether all that other services are to learn of a table has reached them."""
    waiting: int = await pool.fetchval(_UNDELIVERED, table_id)
    return waiting == 0
