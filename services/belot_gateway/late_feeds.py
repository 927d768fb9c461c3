"""Tables shown late: for each one that has spectators here, a feed that reads the log and passes on what is old enough.

The bus has no part in it. A page of the log is read, each event waits in it until it is due, then the next page is
read; so at most one page is held, however long the delay is. When the log has nothing more, nothing can be due before
the whole delay has passed, so nobody looks earlier.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

import structlog

from belot_events.envelope import Envelope
from belot_gateway.hub import TableFeed, TableLog
from belot_gateway.spectating import due, wait_ms
from belot_gateway.table_fleet import EventPage
from belot_kit.clock import Clock
from belot_kit.errors import DomainError

_log = structlog.get_logger(__name__)

_RETRY_SECONDS: Final = 0.5
_LEAST_SECONDS: Final = 0.5
"""However short a table's delay is: so often its log is read at most when nothing happens there."""


@dataclass(eq=False, slots=True)
class _Running:
    feed: TableFeed
    task: asyncio.Task[None]


class LateFeeds:
    """The late feeds of the process; works while `running` is entered."""

    def __init__(self, log: TableLog, clock: Clock) -> None:
        """`clock` may be wrong: what it is off the clock of the log is measured with every page that is read."""
        self._log = log
        self._clock = clock
        self._ahead_ms = 0
        self._feeds: dict[str, _Running] = {}
        self._group: asyncio.TaskGroup | None = None

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Pass events on while the block runs."""
        async with asyncio.TaskGroup() as self._group:
            yield
            for running in self._feeds.values():
                running.task.cancel()

    def acquire(self, table_id: str, delay_ms: int, head: int) -> TableFeed:
        """The feed of a table, which all its spectators share; a new one begins after `head`. `release` it when done.

        The delay is a table's for good.
        """
        if self._group is None:
            raise AssertionError("late feeds are used outside `running`")
        running = self._feeds.get(table_id)
        if running is None:
            feed = TableFeed(table_id, lambda _feed: None)
            feed.head = head
            running = _Running(feed, self._group.create_task(self._pass_on(feed, delay_ms)))
            self._feeds[table_id] = running
        running.feed.interested += 1
        return running.feed

    def release(self, feed: TableFeed) -> None:
        """Give a feed back; the last one to do so ends it."""
        feed.interested -= 1
        running = self._feeds.get(feed.table_id)
        if feed.interested == 0 and running is not None and running.feed is feed:
            del self._feeds[feed.table_id]
            running.task.cancel()

    async def until_due(self, table_id: str, sequence: int, delay_ms: int) -> None:
        """Wait until the event with this number is old enough. TABLE_NOT_FOUND, UNAVAILABLE."""
        page = await self._read(table_id, sequence - 1)
        for envelope in page.events[:1]:
            await self._wait(envelope, delay_ms)

    async def _read(self, table_id: str, after: int) -> EventPage:
        """A page of the log. Its way here counts as our being ahead: that shows things later, never earlier."""
        page = await self._log.list_events(table_id, after)
        if page.at_ms:
            self._ahead_ms = self._clock.now_ms() - page.at_ms
        return page

    def _now_ms(self) -> int:
        """Now, by the clock of the log."""
        return self._clock.now_ms() - self._ahead_ms

    async def _pass_on(self, feed: TableFeed, delay_ms: int) -> None:
        while True:
            try:
                page = await self._read(feed.table_id, feed.head or 0)
            except DomainError as error:
                _log.warning("table_log_unread", table_id=feed.table_id, reason=error.reason)
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if page.events:
                await self._show(feed, page.events, delay_ms)
            else:
                await asyncio.sleep(max(delay_ms / 1000, _LEAST_SECONDS))

    async def _show(self, feed: TableFeed, left: Sequence[Envelope], delay_ms: int) -> None:
        while left:
            await self._wait(left[0], delay_ms)
            shown = due(left, delay_ms, self._now_ms())
            feed.take(shown)
            left = left[len(shown) :]

    async def _wait(self, envelope: Envelope, delay_ms: int) -> None:
        """Wait until an event is due; looked at again afterwards, for clocks are set right now and then."""
        while True:
            left = wait_ms(envelope.at_ms, delay_ms, self._now_ms())
            if left <= 0:
                return
            await asyncio.sleep(left / 1000)
