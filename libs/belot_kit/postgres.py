"""Connections to PostgreSQL: a pool for reads and ordinary writes, and the one connection that commits.

Each service works in its own schema under its own role, both called like its package (``belot_table``).
"""

import asyncio
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import asyncpg

Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record]"

_COMMIT_SETTINGS: Final = {
    # A group commit's arrays vary in length. Its plan must not vary with them: always by primary key.
    "plan_cache_mode": "force_generic_plan",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "enable_mergejoin": "off",
}


@dataclass(frozen=True, slots=True)
class PostgresOptions:
    """Where a service's database is and how it is used.

    `dsn` is ``postgresql://user@host/db`` (or ``...@/db?host=/directory`` for a unix socket), `password` comes from
    a file, never from the dsn. `schema` becomes the search path. `role`, if given, is taken on after connecting.
    """

    dsn: str
    schema: str
    application_name: str
    password: str | None = field(default=None, repr=False)
    role: str | None = None
    pool_min: int = 1
    pool_max: int = 8
    statement_timeout_ms: int = 5_000
    connect_timeout_s: float = 5.0


def _server_settings(options: PostgresOptions) -> dict[str, str]:
    settings = {
        "application_name": options.application_name,
        "search_path": options.schema,
        "statement_timeout": str(options.statement_timeout_ms),
        "idle_in_transaction_session_timeout": "10000",
        "timezone": "UTC",
    }
    return settings | ({"role": options.role} if options.role else {})


async def open_pool(options: PostgresOptions) -> Pool:
    """A pool of connections; ``async with`` closes it. Errors: OSError or asyncpg's when the server is not there."""
    return await asyncpg.create_pool(
        options.dsn,
        password=options.password,
        min_size=options.pool_min,
        max_size=options.pool_max,
        timeout=options.connect_timeout_s,
        command_timeout=options.statement_timeout_ms / 1000 + 1,
        server_settings=_server_settings(options),
    )


async def open_commit_connection(options: PostgresOptions) -> Connection:
    """A connection of its own for group commits, with the planner bound to index lookups."""
    return await asyncpg.connect(
        options.dsn,
        password=options.password,
        timeout=options.connect_timeout_s,
        command_timeout=options.statement_timeout_ms / 1000 + 1,
        server_settings={**_server_settings(options), **_COMMIT_SETTINGS},
    )


class CommitConnection:
    """The commit connection as something that lasts: opened when first asked for and again after it broke.

    Its user (a group committer) runs one statement at a time.
    """

    def __init__(self, options: PostgresOptions) -> None:
        """Nothing is opened yet."""
        self._options = options
        self._connection: Connection | None = None
        self._lock = asyncio.Lock()

    async def get(self) -> Connection:
        """The live connection. Errors: OSError or asyncpg's when the server is not there."""
        if self._connection is not None and not self._connection.is_closed():
            return self._connection
        async with self._lock:
            if self._connection is None or self._connection.is_closed():
                self._connection = await open_commit_connection(self._options)
            return self._connection

    async def close(self) -> None:
        """Close it, if open."""
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()
