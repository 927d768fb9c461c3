"""The inbox in PostgreSQL, schema `belot_rating`: the port, and the adapter over queries.sql."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, Protocol

import asyncpg
import structlog

from belot_kit.errors import DomainError, Reason
from belot_kit.pages import Page
from belot_kit.postgres import Pool as Connections
from belot_kit.queries import load_queries
from belot_rating.inbox import Pool

PACKAGE: Final = "belot_rating"
_SQL = load_queries(PACKAGE)
_KEEP_RESULT: Final = _SQL["keep_result"]
_FIND_RESULT: Final = _SQL["find_result"]
_LIST_RESULTS: Final = _SQL["list_results"]
_LATEST: Final = (2**62, "")
_AWAY: Final = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a session that the server ends between two messages of ours
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
)
"""How asyncpg says that the server is not there, is starting or stopping, or is too busy."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Entry:
    """A result on its way into the inbox; `payload` is an encoded MatchFinished."""

    match_id: str
    pool: Pool
    rated: bool
    fingerprint: bytes
    payload: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """A result in the inbox, and when it came there (unix ms, the database's clock)."""

    match_id: str
    received_ms: int
    payload: bytes = field(default=b"", repr=False)


class Inbox(Protocol):
    """The port. Errors of every method: DomainError UNAVAILABLE when the database does not answer."""

    async def keep(self, entry: Entry) -> Kept | None:
        """Keep a result, durably; None when its match has one already, which stays."""

    async def find(self, match_id: str) -> tuple[Kept, bytes] | None:
        """The result of a match (without payload) and its fingerprint."""

    async def latest(self, page: Page) -> Sequence[Kept]:
        """Results after the page's key, latest first, one more than its size."""


class PostgresInbox:
    """The inbox over a pool of connections whose search path is the schema."""

    def __init__(self, connections: Connections) -> None:
        """Nothing is asked yet."""
        self._connections = connections

    async def keep(self, entry: Entry) -> Kept | None:
        """See Inbox."""
        pool = entry.pool
        values = (entry.match_id, entry.payload, entry.fingerprint, pool.ruleset, pool.seats, pool.pack, entry.rated)
        with _unavailable():
            received_ms: int | None = await self._connections.fetchval(_KEEP_RESULT, *values)
        return None if received_ms is None else Kept(entry.match_id, received_ms)

    async def find(self, match_id: str) -> tuple[Kept, bytes] | None:
        """See Inbox."""
        with _unavailable():
            row = await self._connections.fetchrow(_FIND_RESULT, match_id)
        return None if row is None else (Kept(match_id, row["received_ms"]), row["fingerprint"])

    async def latest(self, page: Page) -> Sequence[Kept]:
        """See Inbox."""
        with _unavailable():
            rows = await self._connections.fetch(_LIST_RESULTS, *(page.after or _LATEST), page.size + 1)
        return [Kept(row["match_id"], row["received_ms"], row["payload"]) for row in rows]


@contextmanager
def _unavailable() -> Iterator[None]:
    try:
        yield
    except _AWAY as error:
        _log.warning("database_away", error=type(error).__name__)
        raise DomainError(Reason.UNAVAILABLE, "the database does not answer") from None
