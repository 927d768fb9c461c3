"""The relay: publishes what was committed but not published, because a process may die between the two.

It runs at once at the start, then every second, and whenever it is nudged.
"""

import asyncio
from collections.abc import Sequence
from typing import Final, Protocol, TypeVar

import structlog

from belot_kit.metrics import OUTBOX_FAILURES, OUTBOX_PUBLISHED

_log = structlog.get_logger(__name__)

EVERY_SECONDS: Final = 1.0
_BATCH: Final = 100

Row = TypeVar("Row")


class Outbox(Protocol[Row]):
    """Where unpublished rows are and where they go. All three may raise; the relay then tries again a round later."""

    async def fetch(self, limit: int) -> Sequence[Row]:
        """The oldest rows not yet published, at most `limit`; rows another relay works on are left out
        (claimed by time, with SKIP LOCKED)."""

    async def publish(self, rows: Sequence[Row]) -> Sequence[Row]:
        """Publish in order and return the rows that arrived; publishing twice must be harmless."""

    async def mark(self, rows: Sequence[Row]) -> None:
        """Remember that these are published."""


class OutboxRelay:
    """Relays one outbox; works while `run` runs, and cancelling `run` ends it."""

    def __init__(self, name: str, outbox: Outbox[Row], *, every_s: float = EVERY_SECONDS) -> None:
        """`name` is for metrics and logs."""
        self._name = name
        self._outbox: Outbox[object] = outbox  # type: ignore[assignment]  # it only gets back what it gave
        self._every_s = every_s
        self._nudged = asyncio.Event()

    def nudge(self) -> None:
        """Run now and not at the next second."""
        self._nudged.set()

    async def run(self) -> None:
        """Relay for ever."""
        while True:
            self._nudged.clear()
            try:
                await self.relay_all()
            except Exception as error:
                OUTBOX_FAILURES.labels(self._name).inc()
                _log.warning("outbox_relay_failed", outbox=self._name, error=type(error).__name__)
                await asyncio.sleep(self._every_s)  # a nudge must not make a failing relay spin
                continue
            try:
                async with asyncio.timeout(self._every_s):
                    await self._nudged.wait()
            except TimeoutError:
                continue

    async def relay_all(self) -> int:
        """Publish until nothing is left or nothing arrives any more; returns how many rows were published."""
        total = 0
        while rows := await self._outbox.fetch(_BATCH):
            arrived = await self._outbox.publish(rows)
            if arrived:
                await self._outbox.mark(arrived)
                OUTBOX_PUBLISHED.labels(self._name).inc(len(arrived))
                total += len(arrived)
            if len(arrived) < len(rows) or len(rows) < _BATCH:
                break
        return total
