"""A process's connections to databases in memory: the stores' ports, over a line that takes its time and may fail."""

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

from belot_events.envelope import Envelope
from belot_kit.pages import Page
from belot_table.committing import Commit, Request
from belot_table.complaints import Filed, MessageReport
from belot_table.delivery_store import Parcel, PutOff, Survey
from belot_table.presence import Player, Unseen
from belot_table.store import Answered, DueTimer, Listing, Published
from belot_table.table import Table
from support.memory_tables import TableRows

Answer = TypeVar("Answer")


class Line(Protocol):
    """Has a statement done by the database. Errors: DomainError UNAVAILABLE; then it may have been done."""

    async def __call__(self, name: str, statement: Callable[[], Answer]) -> Answer:
        """The statement's answer; `name` is for the record."""


async def straight(name: str, statement: Callable[[], Answer]) -> Answer:
    """A line that does it at once."""
    return statement()


class MemoryTableStore:
    """The table service's Store, and what its group committer executes."""

    def __init__(self, rows: TableRows, line: Line = straight) -> None:
        self._rows = rows
        self._line = line

    async def commit(self, commits: Sequence[Commit]) -> Sequence[bool]:
        """See belot_table.committing."""
        return await self._line("commit", lambda: self._rows.commit(commits))

    async def create(self, commit: Commit) -> bool:
        """See Store."""
        return await self._line("create", lambda: self._rows.create(commit))

    async def load(self, table_id: str, known: Table | None) -> Table | None:
        """See Store."""
        return await self._line("load", lambda: self._rows.load(table_id, known))

    async def expect_player(self, table_id: str, player_id: str) -> None:
        """See Store."""
        await self._line("expect_player", lambda: self._rows.expect_player(table_id, player_id))

    async def find_request(self, table_id: str, player_id: str, request_id: str) -> Answered | None:
        """See Store."""
        return await self._line("find_request", lambda: self._rows.find_request(table_id, player_id, request_id))

    async def keep_request(self, table_id: str, version: int, request: Request, now_ms: int) -> bool:
        """See Store."""
        return await self._line("keep_request", lambda: self._rows.keep_request(table_id, version, request))

    async def find_match(self, match_id: str) -> str | None:
        """See Store."""
        return await self._line("find_match", lambda: self._rows.find_match(match_id))

    async def find_invitation(self, code: str) -> str | None:
        """See Store."""
        return await self._line("find_invitation", lambda: self._rows.find_invitation(code))

    async def list_matches(self, player_id: str, page: Page, *, private: bool) -> Sequence[Table]:
        """See Store."""
        return await self._line("list_matches", lambda: self._rows.list_matches(player_id, page, private))

    async def list_tables(self, listing: Listing, page: Page) -> Sequence[Table]:
        """See Store."""
        return await self._line("list_tables", lambda: self._rows.list_tables(listing, page))

    async def events_after(self, table_id: str, sequence: int, limit: int) -> tuple[Envelope, ...]:
        """See Store."""
        return await self._line("events_after", lambda: self._rows.events_after(table_id, sequence, limit))

    async def facts(self, table_id: str, sequence: int) -> tuple[Envelope, ...]:
        """See Store."""
        return await self._line("facts", lambda: self._rows.facts(table_id, sequence))

    async def said_since(self, table_id: str, since_ms: int, most: int) -> tuple[Envelope, ...]:
        """See Store."""
        return await self._line("said_since", lambda: self._rows.said_since(table_id, since_ms, most))

    async def reported_by(self, table_id: str, player_id: str, since_ms: int, sequence: int) -> Sequence[Filed]:
        """See Store."""
        return await self._line("reported_by", lambda: self._rows.reported_by(table_id, player_id, since_ms, sequence))

    async def list_reports(self, speaker_id: str, page: Page) -> Sequence[MessageReport]:
        """See Store."""
        return await self._line("list_reports", lambda: self._rows.list_reports(speaker_id, page))

    async def claim_overdue(self, grace_ms: int, limit: int) -> Sequence[DueTimer]:
        """See Store."""
        return await self._line("claim_overdue", lambda: self._rows.claim_overdue(grace_ms, limit))

    async def claim_unpublished(self, age_ms: int, limit: int) -> Sequence[Published]:
        """See Store."""
        return await self._line("claim_unpublished", lambda: self._rows.claim_unpublished(age_ms, limit))

    async def mark_published(self, marks: Sequence[Published]) -> None:
        """See Store."""
        await self._line("mark_published", lambda: self._rows.mark_published(marks))

    async def forget_requests(self, before_ms: int) -> None:
        """See Store."""
        await self._line("forget_requests", lambda: self._rows.forget_requests(before_ms))


class MemoryPresence:
    """The table service's PresenceStore."""

    def __init__(self, rows: TableRows, line: Line = straight) -> None:
        self._rows = rows
        self._line = line

    async def see(self, players: Sequence[Player]) -> Sequence[Player]:
        """See PresenceStore."""
        return await self._line("see", lambda: self._rows.see(players))

    async def claim_unseen(self, grace_ms: int, limit: int) -> Sequence[Unseen]:
        """See PresenceStore."""
        return await self._line("claim_unseen", lambda: self._rows.claim_unseen(grace_ms, limit))

    async def mark(self, player: Player, *, away: bool, seen_ms: int | None = None) -> bool:
        """See PresenceStore."""
        return await self._line("mark", lambda: self._rows.mark(player, away, seen_ms))

    async def forget(self, player: Player) -> None:
        """See PresenceStore."""
        await self._line("forget", lambda: self._rows.forget(player))


class MemoryDeliveries:
    """The table service's DeliveryStore."""

    def __init__(self, rows: TableRows, line: Line = straight) -> None:
        self._rows = rows
        self._line = line

    async def claim(self, consumer: str, limit: int, claim_ms: int) -> Sequence[Parcel]:
        """See DeliveryStore."""
        return await self._line("claim", lambda: self._rows.claim_parcels(consumer, limit, claim_ms))

    async def acknowledge(self, parcels: Sequence[Parcel]) -> None:
        """See DeliveryStore."""
        await self._line("acknowledge", lambda: self._rows.acknowledge(parcels))

    async def put_off(self, late: Sequence[PutOff]) -> None:
        """See DeliveryStore."""
        await self._line("put_off", lambda: self._rows.put_off_parcels(late))

    async def survey(self, consumer: str) -> Survey:
        """See DeliveryStore."""
        return await self._line("survey", lambda: self._rows.survey(consumer))
