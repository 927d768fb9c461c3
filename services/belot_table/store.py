"""What the table service keeps in PostgreSQL: the port, and the adapter over queries.sql."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from belot_events.envelope import Envelope
from belot_kit.pages import Page
from belot_kit.postgres import Pool
from belot_kit.queries import load_queries
from belot_table.clock import Timer, TimerKind
from belot_table.committing import Commit, Request, event_columns, timer_columns, unavailable
from belot_table.complaints import Filed, MessageReport
from belot_table.records import decode_table, encode_table
from belot_table.table import Status, Table, persons

PACKAGE: Final = "belot_table"
_SQL = load_queries(PACKAGE)
_CREATE_TABLE = _SQL["create_table"]
_LOAD_TABLE = _SQL["load_table"]
_FIND_REQUEST = _SQL["find_request"]
_KEEP_REQUEST = _SQL["keep_request"]
_FIND_MATCH = _SQL["find_match"]
_FIND_INVITATION = _SQL["find_invitation"]
_LIST_MATCHES = _SQL["list_matches"]
_LIST_EVENTS = _SQL["list_events"]
_LIST_FACTS = _SQL["list_facts"]
_CLAIM_TIMERS = _SQL["claim_timers"]
_CLAIM_UNPUBLISHED = _SQL["claim_unpublished"]
_MARK_PUBLISHED = _SQL["mark_published"]
_FORGET_REQUESTS = _SQL["forget_requests"]
_LISTS: Final = {name: _SQL[name] for name in ("list_lobby", "list_public", "list_seated")}

_LIST_REPORTS = _SQL["list_reports"]
_ACTIVE: Final = frozenset(each for each in Status if each < Status.FINISHED)
_FIRST_KEY: Final = (2**62, "")
_MOST_SEATS: Final = 4


@dataclass(frozen=True, slots=True)
class Answered:
    """What is known of a request: the table's version now, and, when it was answered, its fingerprint and response."""

    version: int
    fingerprint: bytes | None = None
    response: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class DueTimer:
    """A table's timer as stored."""

    table_id: str
    timer: Timer


@dataclass(frozen=True, slots=True)
class Published:
    """A table's events are published up to `sequence`; `settled` when the table has come to rest with it."""

    table_id: str
    sequence: int
    settled: bool = False


@dataclass(frozen=True, slots=True)
class Listing:
    """Which tables: of one player, or of the lobby when `seated` is empty, in any of these states."""

    statuses: tuple[Status, ...]
    seated: str = ""


class Store(Protocol):
    """The port. Errors: DomainError UNAVAILABLE when the database does not answer."""

    async def create(self, commit: Commit) -> bool:
        """Write a new table, whose players count as connected now; False when it exists."""

    async def load(self, table_id: str, known: Table | None) -> Table | None:
        """The current state; `known` itself when it is current. None when there is no such table."""

    async def expect_player(self, table_id: str, player_id: str) -> None:
        """A player is about to sit down: he counts as connected now, and is missed later if nobody names him."""

    async def find_request(self, table_id: str, player_id: str, request_id: str) -> Answered | None:
        """What was answered to a request; None when there is no such table."""

    async def keep_request(self, table_id: str, version: int, request: Request, now_ms: int) -> bool:
        """Keep what is answered to a request that changes nothing; whether the table stood at that version, and no
        answer was kept before."""

    async def find_match(self, match_id: str) -> str | None:
        """The table of a match."""

    async def find_invitation(self, code: str) -> str | None:
        """The private table that a code leads to."""

    async def list_matches(self, player_id: str, page: Page, *, private: bool) -> Sequence[Table]:
        """A player's finished tables after the page's key, newest first, one more than its size."""

    async def list_tables(self, listing: Listing, page: Page) -> Sequence[Table]:
        """Tables after the page's key, newest first, one more than its size."""

    async def events_after(self, table_id: str, sequence: int, limit: int) -> tuple[Envelope, ...]:
        """Committed events after a sequence, in order."""

    async def facts(self, table_id: str, sequence: int) -> tuple[Envelope, ...]:
        """The events up to a sequence that a snapshot needs."""

    async def said_since(self, table_id: str, since_ms: int, most: int) -> tuple[Envelope, ...]:
        """The last things said at a table after a time, in order, at most so many."""

    async def reported_by(self, table_id: str, player_id: str, since_ms: int, sequence: int) -> Sequence[Filed]:
        """What a player reported at a table after a time, in order; the event `sequence`, if he did, in any case."""

    async def list_reports(self, speaker_id: str, page: Page) -> Sequence[MessageReport]:
        """Reported messages after the page's key, latest first, one more than its size; empty speaker: of all."""

    async def claim_overdue(self, grace_ms: int, limit: int) -> Sequence[DueTimer]:
        """Timers that nobody fired."""

    async def claim_unpublished(self, age_ms: int, limit: int) -> Sequence[Published]:
        """Tables with events that nobody published, and how far they are published."""

    async def mark_published(self, marks: Sequence[Published]) -> None:
        """Remember how far tables are published."""

    async def forget_requests(self, before_ms: int) -> None:
        """Drop requests of tables that came to rest before then."""


class PostgresStore:
    """The store in schema `belot_table`: reads and single writes over a pool (commits go through committing.py)."""

    def __init__(self, pool: Pool) -> None:
        """The pool's search path is the schema."""
        self._pool = pool

    async def create(self, commit: Commit) -> bool:
        """See Store."""
        table, request = commit.table, commit.request or Request("", "", b"", b"")
        kind, _, due = timer_columns(commit.timer)
        with unavailable():
            made = await self._pool.fetchval(
                _CREATE_TABLE,
                table.table_id,
                table.sequence,
                table.status.value,
                table.options.private,
                table.created_ms,
                " ".join(persons(table)),
                table.ruleset_json,
                encode_table(table),
                *event_columns(commit.envelopes),
                request.player_id,
                request.request_id,
                request.fingerprint,
                request.response,
                kind,
                due,
                table.invitation_code or None,
            )
        return bool(made)

    async def load(self, table_id: str, known: Table | None) -> Table | None:
        """See Store."""
        with unavailable():
            row = await self._pool.fetchrow(_LOAD_TABLE, table_id, known.version if known else 0)
        if row is None:
            return None
        return known if row["state"] is None else decode_table(row["state"], row["ruleset_json"])

    async def expect_player(self, table_id: str, player_id: str) -> None:
        """See Store."""
        with unavailable():
            await self._pool.execute(_SQL["expect_player"], table_id, player_id)

    async def find_request(self, table_id: str, player_id: str, request_id: str) -> Answered | None:
        """See Store."""
        with unavailable():
            row = await self._pool.fetchrow(_FIND_REQUEST, table_id, player_id, request_id)
        if row is None:
            return None
        return Answered(row["version"], row["fingerprint"], row["response"] or b"")

    async def keep_request(self, table_id: str, version: int, request: Request, now_ms: int) -> bool:
        """See Store."""
        who, content = (request.player_id, request.request_id), (request.fingerprint, request.response)
        with unavailable():
            kept = await self._pool.fetchval(_KEEP_REQUEST, table_id, *who, *content, version, now_ms)
        return kept is not None

    async def find_match(self, match_id: str) -> str | None:
        """See Store."""
        with unavailable():
            found: str | None = await self._pool.fetchval(_FIND_MATCH, match_id)
        return found

    async def find_invitation(self, code: str) -> str | None:
        """See Store."""
        with unavailable():
            found: str | None = await self._pool.fetchval(_FIND_INVITATION, code)
        return found

    async def list_matches(self, player_id: str, page: Page, *, private: bool) -> Sequence[Table]:
        """See Store."""
        created, table_id = page.after or _FIRST_KEY
        with unavailable():
            rows = await self._pool.fetch(_LIST_MATCHES, created, table_id, player_id, page.size + 1, private)
        return [decode_table(row["state"], row["ruleset_json"]) for row in rows]

    async def list_tables(self, listing: Listing, page: Page) -> Sequence[Table]:
        """See Store."""
        created, table_id = page.after or _FIRST_KEY
        statuses = [each.value for each in listing.statuses]
        name = "list_lobby" if _ACTIVE.issuperset(listing.statuses) else "list_public"
        seated = [listing.seated] if listing.seated else []
        query = _LISTS["list_seated" if listing.seated else name]
        with unavailable():
            rows = await self._pool.fetch(query, created, table_id, statuses, page.size + 1, *seated)
        return [decode_table(row["state"], row["ruleset_json"]) for row in rows]

    async def events_after(self, table_id: str, sequence: int, limit: int) -> tuple[Envelope, ...]:
        """See Store."""
        with unavailable():
            rows = await self._pool.fetch(_LIST_EVENTS, table_id, sequence, limit)
        return tuple(_envelope(*row) for row in rows)

    async def facts(self, table_id: str, sequence: int) -> tuple[Envelope, ...]:
        """See Store."""
        with unavailable():
            rows = await self._pool.fetch(_LIST_FACTS, table_id, sequence)
        return tuple(Envelope(*row) for row in rows)

    async def said_since(self, table_id: str, since_ms: int, most: int) -> tuple[Envelope, ...]:
        """See Store."""
        with unavailable():
            rows = await self._pool.fetch(_SQL["list_said"], table_id, since_ms, most)
        return tuple(_envelope(*row) for row in reversed(rows))

    async def reported_by(self, table_id: str, player_id: str, since_ms: int, sequence: int) -> Sequence[Filed]:
        """See Store."""
        with unavailable():
            rows = await self._pool.fetch(_SQL["reported_by"], table_id, player_id, since_ms, sequence)
        return [Filed(*row) for row in rows]

    async def list_reports(self, speaker_id: str, page: Page) -> Sequence[MessageReport]:
        """See Store."""
        key = page.after or (*_FIRST_KEY, 0, "")
        with unavailable():
            rows = await self._pool.fetch(_LIST_REPORTS, *key, page.size + 1, speaker_id or None)
        return [MessageReport(*row) for row in rows]

    async def claim_overdue(self, grace_ms: int, limit: int) -> Sequence[DueTimer]:
        """See Store."""
        with unavailable():
            rows = await self._pool.fetch(_CLAIM_TIMERS, grace_ms, limit)
        return [
            DueTimer(row["table_id"], Timer(TimerKind(row["kind"]), row["due_ms"], row["version"], row["seat"]))
            for row in rows
        ]

    async def claim_unpublished(self, age_ms: int, limit: int) -> Sequence[Published]:
        """See Store."""
        with unavailable():
            rows = await self._pool.fetch(_CLAIM_UNPUBLISHED, age_ms, limit)
        return [Published(row["table_id"], row["sequence"], row["at_rest"]) for row in rows]

    async def mark_published(self, marks: Sequence[Published]) -> None:
        """See Store."""
        with unavailable():
            await self._pool.execute(
                _MARK_PUBLISHED,
                [each.table_id for each in marks],
                [each.sequence for each in marks],
                [each.settled for each in marks],
            )

    async def forget_requests(self, before_ms: int) -> None:
        """See Store."""
        with unavailable():
            await self._pool.execute(_FORGET_REQUESTS, before_ms)


def _envelope(
    table_id: str,
    sequence: int,
    kind: str,
    at_ms: int,
    payload: bytes,
    only_seat: int | None,
    seat_payload: bytes,
    hidden: int,
) -> Envelope:
    """An event out of the log; the seats from which it is hidden are stored as bits."""
    hidden_from = tuple(seat for seat in range(_MOST_SEATS) if hidden >> seat & 1)
    return Envelope(table_id, sequence, kind, at_ms, payload, only_seat, seat_payload, hidden_from)
