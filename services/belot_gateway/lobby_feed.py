"""The lobby: the public tables of this moment, kept for all streams that watch them.

Changes come by the bus, which may lose them; so while anybody watches, the list is read anew every 5 s and what
differs is sent as changes.
"""

import asyncio
from typing import Final, Protocol

import structlog
from google.protobuf.message import DecodeError

from belot.table.v1 import table_pb2, view_pb2
from belot_events.channels import LOBBY
from belot_gateway.convert import lobby_batch, lobby_changed_batch
from belot_gateway.viewer import Viewer
from belot_kit.bus import Bus, Subscription
from belot_kit.errors import DomainError

_log = structlog.get_logger(__name__)

MOST_TABLES: Final = 200
REFRESH_SECONDS: Final = 5.0
_GONE: Final = frozenset({view_pb2.TABLE_STATUS_FINISHED, view_pb2.TABLE_STATUS_CLOSED})


class TableList(Protocol):
    """Where tables are listed."""

    async def list_tables(self, request: table_pb2.ListTablesRequest) -> table_pb2.ListTablesResponse:
        """A page of tables."""


class LobbyFeed:
    """All viewers of the lobby in this process. `run` runs as long as the process."""

    def __init__(self, bus: Bus, tables: TableList) -> None:
        """Nothing is read before somebody watches."""
        self._bus = bus
        self._source = tables
        self._viewers: dict[Viewer, None] = {}  # in the order in which they came
        self._tables: dict[str, view_pb2.TableSummary] = {}
        self._wanted = asyncio.Event()
        self._opening = asyncio.Lock()
        self._subscription: Subscription | None = None

    async def add(self, viewer: Viewer) -> None:
        """Send the tables now, then every change. UNAVAILABLE."""
        async with self._opening:
            if self._subscription is None:
                self._subscription = await self._bus.subscribe(LOBBY, self._receive, self._wanted.set)
            if not self._viewers:
                await self._refresh()
                self._wanted.set()
        newest = sorted(self._tables.values(), key=lambda table: table.created_at.ToNanoseconds(), reverse=True)
        viewer.offer(lobby_batch(newest[:MOST_TABLES]))
        self._viewers[viewer] = None

    def remove(self, viewer: Viewer) -> None:
        """Send him nothing more."""
        self._viewers.pop(viewer, None)

    async def run(self) -> None:
        """Read the list every 5 s while anybody watches; stop listening when nobody does."""
        while True:
            await self._wanted.wait()
            self._wanted.clear()
            while self._viewers:
                try:
                    async with asyncio.timeout(REFRESH_SECONDS):
                        await self._wanted.wait()
                except TimeoutError:
                    pass
                self._wanted.clear()
                await self._try_refresh()
            async with self._opening:
                if not self._viewers and self._subscription is not None:
                    self._subscription.close()
                    self._subscription = None
                    self._tables.clear()

    async def _try_refresh(self) -> None:
        try:
            await self._refresh()
        except DomainError as error:
            _log.warning("lobby_unread", reason=error.reason)

    async def _refresh(self) -> None:
        known = set(self._tables)
        page = await self._source.list_tables(table_pb2.ListTablesRequest(page_size=MOST_TABLES))
        for table in page.tables:
            self._take(table)
        listed = {table.table_id for table in page.tables}
        oldest = page.tables[-1].created_at.ToNanoseconds() if page.next_page_token else 0
        for table_id in known - listed:
            self._vanish(table_id, oldest)

    def _vanish(self, table_id: str, oldest: int) -> None:
        """A known table is not on the list: it is gone, or only older than what a full page shows."""
        table = self._tables.get(table_id)
        if table is None:
            return
        if table.created_at.ToNanoseconds() < oldest:
            del self._tables[table_id]
            return
        gone = view_pb2.TableSummary()
        gone.CopyFrom(table)
        gone.status, gone.version = view_pb2.TABLE_STATUS_CLOSED, table.version + 1
        self._take(gone)

    def _receive(self, payload: bytes) -> None:
        try:
            self._take(view_pb2.TableSummary.FromString(payload))
        except DecodeError:
            _log.error("lobby_message_unreadable")

    def _take(self, table: view_pb2.TableSummary) -> None:
        known = self._tables.get(table.table_id)
        if known is not None and known.version >= table.version:
            return
        if table.status in _GONE:
            if self._tables.pop(table.table_id, None) is None:
                return
        else:
            self._tables[table.table_id] = table
        batch = lobby_changed_batch(table)
        for viewer in tuple(self._viewers):
            viewer.offer(batch)
