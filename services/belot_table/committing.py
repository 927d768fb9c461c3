"""Commits: many tables' steps in one statement, each guarded by its version and by the absence of its request.

What the guard refuses is an answer (False), never an error, so that one loser does not cost the others anything.
"""

from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import asyncpg

from belot_events.envelope import Envelope
from belot_kit.errors import DomainError, Reason
from belot_kit.postgres import CommitConnection, Connection
from belot_kit.queries import load_queries
from belot_table.clock import Timer
from belot_table.complaints import Reported
from belot_table.records import encode_table
from belot_table.table import Status, Table, persons

_COMMIT_TABLES: Final = load_queries("belot_table")["commit_tables"]
_TROUBLE: Final = (
    asyncpg.PostgresError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a session that the server ends between two messages of ours
    OSError,
    TimeoutError,
)
_NEVER_MS: Final = 2**62
_NO_TIMER: Final = ("", None, _NEVER_MS)

Column = Sequence[object]


@dataclass(frozen=True, slots=True)
class Request:
    """What is remembered of a command: who sent it, its id, what it said (SHA-256), what was answered."""

    player_id: str
    request_id: str
    fingerprint: bytes
    response: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class OutboxRow:
    """Something other systems are to learn; `outbox_id` makes it unique at its table."""

    outbox_id: str
    kind: str
    payload: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Commit:
    """One step as it is written: the table after it (its version is the one before plus 1) and all that goes along."""

    table: Table
    at_ms: int
    envelopes: tuple[Envelope, ...]
    timer: Timer | None
    request: Request | None = None
    reports: tuple[Reported, ...] = ()
    outbox: tuple[OutboxRow, ...] = ()


Execute = Callable[[Sequence[Commit]], Awaitable[Sequence[bool]]]


def committing(connection: CommitConnection) -> Execute:
    """What a group committer executes: a batch of at most 64 commits, no two of one table; who passed, in order."""

    async def execute(commits: Sequence[Commit]) -> Sequence[bool]:
        with unavailable():
            live = await connection.get()
            try:
                bits: int = await live.fetchval(_COMMIT_TABLES, *columns(commits))
            except asyncpg.InternalClientError:
                live.terminate()  # its session was ended at a bad moment: the next commit opens another
                raise
        return [bool(bits >> item & 1) for item in range(len(commits))]

    return execute


@contextmanager
def unavailable() -> Iterator[None]:
    """Whatever goes wrong with the database inside the block becomes DomainError UNAVAILABLE."""
    try:
        yield
    except _TROUBLE as error:
        raise DomainError(Reason.UNAVAILABLE, "the database does not answer") from error


async def warm_up(connection: Connection) -> None:
    """Prepare and plan the statement before the first commit waits for it."""
    await connection.fetchval(_COMMIT_TABLES, *columns(()))


def columns(commits: Sequence[Commit]) -> tuple[Column, ...]:
    """The statement's parameters, in its order."""
    rows = [(item, each) for item, commit in enumerate(commits) for each in commit.outbox]
    reports = [(item, each) for item, commit in enumerate(commits) for each in commit.reports]
    envelopes = [envelope for each in commits for envelope in each.envelopes]
    requests = [each.request for each in commits]
    timers = [timer_columns(each.timer) for each in commits]
    return (
        [each.table.table_id for each in commits],
        [each.table.version - 1 for each in commits],
        [each.table.sequence for each in commits],
        [each.table.status.value for each in commits],
        [each.table.match.match_id if each.table.match else None for each in commits],
        [" ".join(players_of(each.table)) for each in commits],
        [encode_table(each.table) for each in commits],
        [each.at_ms for each in commits],
        [each.player_id if each else None for each in requests],
        [each.request_id if each else None for each in requests],
        [each.fingerprint if each else None for each in requests],
        [each.response if each else None for each in requests],
        [kind for kind, _, _ in timers],
        [item for item, each in enumerate(commits) for _ in each.envelopes],
        *event_columns(envelopes),
        [item for item, _ in rows],
        [row.outbox_id for _, row in rows],
        [row.kind for _, row in rows],
        [row.payload for _, row in rows],
        [seat for _, seat, _ in timers],
        [due for _, _, due in timers],
        [seat_bits(each.hidden_from) for each in envelopes],
        [item for item, _ in reports],
        [each.sequence for _, each in reports],
        [each.reporter_id for _, each in reports],
        [each.speaker_id for _, each in reports],
        [each.reason for _, each in reports],
    )


def players_of(table: Table) -> tuple[str, ...]:
    """Who finds the table among his own: who sits there, and once the match is over who left it as well."""
    left = table.match.leavers if table.match is not None and table.status is Status.FINISHED else ()
    return (*persons(table), *(each for each in left if each not in persons(table)))


def event_columns(envelopes: Sequence[Envelope]) -> tuple[Column, ...]:
    """Events by column: sequence, kind, payload, only_seat, seat_payload."""
    return (
        [each.sequence for each in envelopes],
        [each.kind for each in envelopes],
        [each.payload for each in envelopes],
        [each.only_seat for each in envelopes],
        [each.seat_payload for each in envelopes],
    )


def seat_bits(seats: Iterable[int]) -> int:
    """Seats as one number: bit s stands for seat s."""
    return sum(1 << seat for seat in seats)


def timer_columns(timer: Timer | None) -> tuple[str, int | None, int]:
    """A timer's kind, seat and time; a table that waits for nothing keeps a row that is never due."""
    return _NO_TIMER if timer is None else (timer.kind.value, timer.seat, timer.due_ms)
