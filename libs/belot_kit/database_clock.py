"""The database's clock as a Clock: what all replicas of a service write and compare times by.

Replicas' own clocks may differ by seconds. A table's times are written by one replica, fired by another and shown to
players, so they come from one clock, which every replica has anyway.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from belot_kit.clock import Clock
from belot_kit.postgres import Pool

_log = structlog.get_logger(__name__)

EVERY_SECONDS: Final = 10.0
CLOSE_MS: Final = 50
"""An answer that took longer than this tells the time too roughly to be the only one."""

_TRIES: Final = 5
_NOW_MS: Final = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint"


class DatabaseClock:
    """The database's time, carried on by this machine's monotonic clock between one question and the next.

    The database answers at some moment between question and answer: that is how far its time is known. An estimate
    within is kept, so that this clock hardly ever jumps; one outside is moved to the nearer end.
    """

    def __init__(self, ask_ms: Callable[[], Awaitable[int]], own: Clock) -> None:
        """`ask_ms` gives the database's Unix time in milliseconds; `measure` once before the first use."""
        self._ask_ms = ask_ms
        self._own = own
        self._ahead_ms: float | None = None

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch. Errors: RuntimeError before the first measurement."""
        if self._ahead_ms is None:
            raise RuntimeError("the database's clock was not measured yet")
        return int(self._own.monotonic() * 1000 + self._ahead_ms)

    def monotonic(self) -> float:
        """Seconds of this machine's monotonic clock."""
        return self._own.monotonic()

    async def measure(self) -> None:
        """Ask the database what time it is, and again as long as it takes its time. Errors: those of `ask_ms`."""
        for _ in range(_TRIES):
            if await self._ask() <= CLOSE_MS:
                return

    async def _ask(self) -> float:
        """Ask once; how far apart, in milliseconds, the answer leaves the earliest and the latest time it may be."""
        asked = self._own.monotonic() * 1000
        database_ms = await self._ask_ms()
        least, most = database_ms - self._own.monotonic() * 1000, database_ms + 1 - asked
        known = (least + most) / 2 if self._ahead_ms is None else self._ahead_ms
        self._ahead_ms = min(max(known, least), most)
        return most - least

    async def run(self) -> None:
        """Measure every ten seconds, for ever; while the database does not answer, time goes on without it."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            try:
                await self.measure()
            except Exception as error:
                _log.warning("clock_not_measured", error=type(error).__name__)


def asking(pool: Pool) -> Callable[[], Awaitable[int]]:
    """What a DatabaseClock asks, over a pool."""

    async def ask_ms() -> int:
        now: int = await pool.fetchval(_NOW_MS)
        return now

    return ask_ms
