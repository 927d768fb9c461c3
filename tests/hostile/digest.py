"""What the database holds about certain tables and matches, as digests of rows, in every schema of every service."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import asyncpg

_BY_KEY: Final = ("table_id", "match_id")
_RESTLESS_TABLES: Final = ("table_presence", "table_published")
"""Who was seen when, and how far the relay is: they change by themselves."""

_RESTLESS_COLUMNS: Final = ("claimed_until_ms", "acknowledged_ms", "attempts", "refusal", "counted")
"""Claims of workers, deliveries, and whether a match is in the statistics: written without anybody asking."""
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
    """For each asked key a digest of every row about it, and how many rows every table has, by ``schema.table``."""

    rows: Mapping[str, frozenset[str]]
    counts: Mapping[str, int]

    def changed(self, after: "Ledger", keys: Sequence[str]) -> list[str]:
        """The tables of the database in which something about these keys is not as it was."""
        lines = (line for key in keys for line in self.rows[key] ^ after.rows[key])
        return sorted({line.partition(" ")[0] for line in lines})


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
                found[row["key"]].append(f"{schema}.{name} {row['digest']}")
    return Ledger({key: frozenset(found[key]) for key in keys}, counts)


async def delivered(pool: "asyncpg.Pool[asyncpg.Record]", table_id: str) -> bool:
    """Whether all that other services are to learn of a table has reached them."""
    waiting: int = await pool.fetchval(_UNDELIVERED, table_id)
    return waiting == 0
