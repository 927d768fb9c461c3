"""Committed events on their way to whoever watches: published after the commit, and again by the relay if that failed.

A publication that arrived is remembered some time later, together with others: what a crash loses of that memory is
published twice, which readers notice by the sequence.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

import structlog

from belot_events.channels import LOBBY, player_channel, table_channel
from belot_events.envelope import Envelope
from belot_events.wire import encode_batch
from belot_kit.bus import Bus
from belot_kit.errors import DomainError
from belot_kit.outbox import OutboxRelay
from belot_kit.resp import Reply
from belot_table.convert import summary_of
from belot_table.store import Published, Store
from belot_table.table import SeatChanged, SeatLeft, StatusChanged, Step, persons

_log = structlog.get_logger(__name__)

_MARK_SECONDS: Final = 0.1
_DRAIN_SECONDS: Final = 1.0
_RELAY_AGE_MS: Final = 500
_RELAY_EVENTS: Final = 500
_MOST_KEPT: Final = 1_000
"""Refused publications that are kept in memory; the relay has the others, half a second and more later."""

_SEEN_IN_LISTS: Final = (SeatChanged, SeatLeft, StatusChanged)


class Publisher:
    """Publishes steps and remembers how far each table is published; works while `run` runs."""

    def __init__(self, bus: Bus, store: Store) -> None:
        """The relay asks the store for what was left behind."""
        self._bus = bus
        self._store = store
        self._marks: dict[str, Published] = {}
        self._kept: list[tuple[bytes, Published]] = []
        self._under_way: set[asyncio.Future[Reply]] = set()
        self.relay = OutboxRelay("table_events", Unpublished(bus, store))

    def publish(self, step: Step, envelopes: Sequence[Envelope], *, at_rest: bool) -> None:
        """Send a committed step to everybody who listens; `at_rest` says that it was the table's last."""
        table = step.table
        self._send(encode_batch(envelopes), Published(table.table_id, table.sequence, at_rest))
        if not any(isinstance(each, _SEEN_IN_LISTS) for each in step.events):
            return
        if not table.options.private:
            self._bus.publish(LOBBY, summary_of(table).SerializeToString())
        left = tuple(each.player_id for each in step.events if isinstance(each, SeatLeft))
        for player_id in (*persons(table), *left):
            self._bus.publish(player_channel(player_id), table.table_id.encode())

    def _send(self, batch: bytes, mark: Published) -> None:
        sent = self._bus.publish(table_channel(mark.table_id), batch)
        self._under_way.add(sent)
        sent.add_done_callback(lambda done: self._sent(done, batch, mark))

    def _sent(self, done: asyncio.Future[Reply], batch: bytes, mark: Published) -> None:
        self._under_way.discard(done)
        if done.cancelled() or done.exception() is not None:
            if len(self._kept) < _MOST_KEPT:
                self._kept.append((batch, mark))
            return
        known = self._marks.get(mark.table_id)
        if known is None or known.sequence < mark.sequence:
            self._marks[mark.table_id] = mark

    async def run(self) -> None:
        """Write down what was published, and publish once more what the bus refused, every 100 ms, for ever."""
        while True:
            await asyncio.sleep(_MARK_SECONDS)
            if self._kept and self._bus.connected:
                kept, self._kept = self._kept, []
                for batch, mark in kept:
                    self._send(batch, mark)
            await self.flush()

    async def drain(self) -> None:
        """Wait a moment for what is on its way, then write it down: the last thing before the end."""
        if self._under_way:
            await asyncio.wait(self._under_way, timeout=_DRAIN_SECONDS)
            await asyncio.sleep(0)  # callbacks of the last ones
        await self.flush()

    async def flush(self) -> None:
        """Write down what was published so far; on failure the relay finds out by itself."""
        if not self._marks:
            return
        marks, self._marks = tuple(self._marks.values()), {}
        try:
            await self._store.mark_published(marks)
        except DomainError as error:
            _log.warning("marks_lost", tables=len(marks), reason=error.reason)


class Unpublished:
    """What the relay works on: tables with events that were committed but not published."""

    def __init__(self, bus: Bus, store: Store) -> None:
        """Both are shared with the publisher."""
        self._bus = bus
        self._store = store

    async def fetch(self, limit: int) -> Sequence[Published]:
        """Tables and how far they are published."""
        return await self._store.claim_unpublished(_RELAY_AGE_MS, limit)

    async def publish(self, rows: Sequence[Published]) -> Sequence[Published]:
        """Publish what follows; returns how far it came."""
        return [arrived for each in rows if (arrived := await self._publish(each)) is not None]

    async def mark(self, rows: Sequence[Published]) -> None:
        """Remember it."""
        await self._store.mark_published(rows)

    async def _publish(self, row: Published) -> Published | None:
        head = row.sequence
        while envelopes := await self._store.events_after(row.table_id, head, _RELAY_EVENTS):
            try:
                await self._bus.publish(table_channel(row.table_id), encode_batch(envelopes))
            except DomainError:
                return None
            head = envelopes[-1].sequence
            if len(envelopes) < _RELAY_EVENTS:
                break
        return Published(row.table_id, head, row.settled)
