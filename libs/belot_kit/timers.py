"""Timers that survive a crash: rows in the database, and a heap in memory that fires our own ones on time.

A timer is committed with what it is about; then `schedule` puts it into the heap of this process, which fires it when
due. Every half second a scan claims overdue rows that nobody fired, because their process died or was late. A timer
may so fire twice or fire late; firing is the ordinary conditional command, and the version seen makes it correct.
"""

import asyncio
import heapq
import itertools
from collections.abc import Awaitable, Callable, Hashable, Sequence
from typing import Final, Generic, Protocol, TypeVar

import structlog

from belot_kit.clock import Clock
from belot_kit.metrics import TIMER_FAILURES, TIMERS_FIRED

_log = structlog.get_logger(__name__)

SCAN_SECONDS: Final = 0.5
GRACE_MS: Final = 250
_CLAIM: Final = 100
_AT_ONCE: Final = 64

Timer = TypeVar("Timer")
Timer_co = TypeVar("Timer_co", covariant=True)


class TimerStore(Protocol[Timer_co]):
    """Where timers are kept."""

    async def claim_overdue(self, grace_ms: int, limit: int) -> Sequence[Timer_co]:
        """At most `limit` rows due for more than `grace_ms` by the database's clock, taken with SKIP LOCKED and
        pushed into the future a little, so that others leave them alone until then."""


class TimerScheduler(Generic[Timer]):
    """Fires timers; works while `run` runs. Cancelling `run` ends it: the rows stay for others."""

    def __init__(
        self,
        store: TimerStore[Timer],
        fire: Callable[[Timer], Awaitable[None]],
        key: Callable[[Timer], Hashable],
        clock: Clock,
        *,
        scan_s: float = SCAN_SECONDS,
        grace_ms: int = GRACE_MS,
    ) -> None:
        """`fire` runs a due timer and removes its row; `key` tells timers apart (table, kind, seat)."""
        self._store = store
        self._fire = fire
        self._key = key
        self._clock = clock
        self._scan_s = scan_s
        self._grace_ms = grace_ms
        self._heap: list[tuple[int, int, Hashable]] = []
        self._timers: dict[Hashable, tuple[int, int, Timer]] = {}
        self._numbers = itertools.count()
        self._firing: set[Hashable] = set()
        self._wake = asyncio.Event()
        self._places = asyncio.Semaphore(_AT_ONCE)

    def schedule(self, timer: Timer, due_ms: int) -> None:
        """Fire `timer` at `due_ms` (Unix time) from memory; it takes the place of one with the same key."""
        key = self._key(timer)
        number = next(self._numbers)
        self._timers[key] = (due_ms, number, timer)
        heapq.heappush(self._heap, (due_ms, number, key))
        self._wake.set()

    def cancel(self, key: Hashable) -> None:
        """Forget the timer with this key, if it is in memory."""
        self._timers.pop(key, None)

    def __len__(self) -> int:
        """How many timers are in memory."""
        return len(self._timers)

    async def run(self) -> None:
        """Fire what is due, for ever."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._run_heap(tasks))
            tasks.create_task(self._run_scan(tasks))

    async def _run_heap(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            self._wake.clear()
            wait_s = await self._fire_due(tasks)
            try:
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()
            except TimeoutError:
                continue

    async def _fire_due(self, tasks: asyncio.TaskGroup) -> float | None:
        """Start what is due and return the seconds until the next one; None when there is none."""
        while self._heap:
            due_ms, number, key = self._heap[0]
            known = self._timers.get(key)
            if known is None or known[1] != number:  # cancelled or replaced
                heapq.heappop(self._heap)
                continue
            wait_ms = due_ms - self._clock.now_ms()
            if wait_ms > 0:
                return wait_ms / 1000
            heapq.heappop(self._heap)
            del self._timers[key]
            await self._start(tasks, known[2], "memory")
        return None

    async def _run_scan(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            try:
                overdue = await self._store.claim_overdue(self._grace_ms, _CLAIM)
            except Exception as error:
                _log.warning("timer_scan_failed", error=type(error).__name__)
                overdue = ()
            for timer in overdue:
                self.cancel(self._key(timer))
                await self._start(tasks, timer, "scan")
            if len(overdue) < _CLAIM:
                await asyncio.sleep(self._scan_s)

    async def _start(self, tasks: asyncio.TaskGroup, timer: Timer, source: str) -> None:
        key = self._key(timer)
        if key in self._firing:
            return
        self._firing.add(key)
        await self._places.acquire()
        tasks.create_task(self._run_one(timer, key, source))

    async def _run_one(self, timer: Timer, key: Hashable, source: str) -> None:
        try:
            await self._fire(timer)
            TIMERS_FIRED.labels(source).inc()
        except Exception as error:
            TIMER_FAILURES.inc()
            _log.warning("timer_failed", error=type(error).__name__)
        finally:
            self._firing.discard(key)
            self._places.release()
