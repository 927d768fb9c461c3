"""When tables act by themselves: one timer a table, fired from memory here, or by the scan when its process died.

A table's turn usually moves on long before its timer is due. So the heap is not touched by every move: what is armed
stays armed, and when it comes due it looks at the timer that is current then.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
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
        self._scheduler: TimerScheduler[DueTimer] = TimerScheduler(store, self._due, lambda due: due.table_id, clock)
        self._current: dict[str, Timer] = {}
        self._armed: dict[str, int] = {}
        self._running: set[str] = set()
        self._tasks: asyncio.TaskGroup | None = None
        self._fire: Fire | None = None

    async def run(self, fire: Fire) -> None:
        """Fire what is due, for ever; `fire` runs one step, and one that fails is tried again."""
        async with asyncio.TaskGroup() as tasks:
            self._tasks, self._fire = tasks, fire
            tasks.create_task(self._scheduler.run())

    def schedule(self, table_id: str, timer: Timer | None) -> None:
        """The timer of a table from now on; None: it waits for nothing."""
        if timer is None:
            self._current.pop(table_id, None)
            return
        self._current[table_id] = timer
        self._arm(table_id, timer)

    def _arm(self, table_id: str, timer: Timer) -> None:
        armed = self._armed.get(table_id)
        if armed is None or armed > timer.due_ms:
            self._armed[table_id] = timer.due_ms
            self._scheduler.schedule(DueTimer(table_id, timer), timer.due_ms)

    async def _due(self, due: DueTimer) -> None:
        table_id, timer = due.table_id, due.timer
        self._armed.pop(table_id, None)
        current = self._current.get(table_id)
        if current is None and timer.due_ms > self._clock.now_ms():
            return
        if current is not None and current.version > timer.version:
            timer = current
        if timer.due_ms > self._clock.now_ms():
            self._arm(table_id, timer)
        elif table_id in self._running:
            self._current[table_id] = timer
        elif self._tasks is not None:
            self._current.pop(table_id, None)
            self._running.add(table_id)
            self._tasks.create_task(self._run_one(DueTimer(table_id, timer)))

    async def _run_one(self, due: DueTimer) -> None:
        table_id = due.table_id
        try:
            if self._fire is not None:
                await self._fire(due)
        except Exception as error:
            self._try_again(due, error)
        finally:
            self._running.discard(table_id)
            waiting = self._current.get(table_id)
            if waiting is not None:
                self._arm(table_id, waiting)

    def _try_again(self, due: DueTimer, error: Exception) -> None:
        known = error if isinstance(error, DomainError) else None
        wait_ms = (known.retry_after_ms if known else None) or RETRY_MS
        reason = known.reason if known else type(error).__name__
        _log.warning("table_step_failed", table_id=due.table_id, kind=due.timer.kind, reason=reason)
        if due.table_id not in self._current:
            self._current[due.table_id] = replace(due.timer, due_ms=self._clock.now_ms() + wait_ms)
