"""When tables act by themselves: one timer a table, fired from memory here, or by the scan when its process died."""

from collections.abc import Awaitable, Callable
from typing import Final

import structlog

from belot_kit.clock import Clock
from belot_kit.errors import DomainError
from belot_kit.timers import TimerScheduler
from belot_table.clock import Timer
from belot_table.store import DueTimer, Store

_log = structlog.get_logger(__name__)

RETRY_MS: Final = 1_000
"""How long after a step failed it is tried again."""

Fire = Callable[[DueTimer], Awaitable[None]]


class TableTimers:
    """Fires the timers of tables, one at a time for each; works while `run` runs."""

    def __init__(self, store: Store, clock: Clock) -> None:
        """The store is scanned for timers that nobody fired."""
        self._clock = clock
        self._scheduler: TimerScheduler[DueTimer] = TimerScheduler(
            store, self._due, lambda due: due.table_id, clock, failed=self._try_again
        )
        self._fire: Fire | None = None

    async def run(self, fire: Fire) -> None:
        """Fire what is due, for ever; `fire` runs one step, and one that fails is tried again."""
        self._fire = fire
        await self._scheduler.run()

    def schedule(self, table_id: str, timer: Timer | None) -> None:
        """The timer of a table from now on; None: it waits for nothing."""
        if timer is None:
            self._scheduler.cancel(table_id)
        else:
            self._scheduler.schedule(DueTimer(table_id, timer), timer.due_ms)

    async def _due(self, due: DueTimer) -> None:
        if self._fire is not None:
            await self._fire(due)

    def _try_again(self, due: DueTimer, error: Exception) -> None:
        known = error if isinstance(error, DomainError) else None
        wait_ms = (known.retry_after_ms if known else None) or RETRY_MS
        reason = known.reason if known else type(error).__name__
        _log.warning("table_step_failed", table_id=due.table_id, kind=due.timer.kind, reason=reason)
        if due.table_id not in self._scheduler:
            self._scheduler.schedule(due, self._clock.now_ms() + wait_ms)
