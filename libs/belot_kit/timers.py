"""Timers that survive a crash: rows in the database, and a heap in memory that fires our own ones on time.

A timer is committed with what it is about; then `schedule` puts it into the memory of this process, which fires it
when due. Every quarter of a second a scan claims overdue rows that nobody fired, because their process died or was
late. A timer may so fire twice or fire late; firing is the ordinary conditional command, and the version seen makes it
correct.

At most one timer of a key fires at a time; one that is scheduled meanwhile is kept and has its turn afterwards. Timers
in memory wait for nothing but that, however slow those of other keys are. The scan takes over a limited number.
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

SCAN_SECONDS: Final = 0.25
GRACE_MS: Final = 250
_CLAIM: Final = 100
_TAKEN_OVER_AT_ONCE: Final = 256

Timer = TypeVar("Timer")
Timer_co = TypeVar("Timer_co", covariant=True)


class TimerStore(Protocol[Timer_co]):
    """Where timers are kept."""

    async def claim_overdue(self, grace_ms: int, limit: int) -> Sequence[Timer_co]:
        """At most `limit` rows due for more than `grace_ms` by the database's clock, taken with SKIP LOCKED and
        pushed into the future a little, so that others leave them alone until then."""


def _log_failure(timer: object, error: Exception) -> None:
    _log.warning("timer_failed", error=type(error).__name__)


class TimerScheduler(Generic[Timer]):
    """Fires timers; works while `run` runs. Cancelling `run` ends it: the rows stay for others."""

    def __init__(
        self,
        store: TimerStore[Timer],
        fire: Callable[[Timer], Awaitable[None]],
        key: Callable[[Timer], Hashable],
        clock: Clock,
        *,
        failed: Callable[[Timer, Exception], None] = _log_failure,
        scan_s: float = SCAN_SECONDS,
        grace_ms: int = GRACE_MS,
    ) -> None:
        """`fire` runs a due timer and removes its row; `key` tells timers apart (table, kind, seat).

        `failed` hears of what `fire` raised; it may schedule the timer again. The scan tries again in any case.
        """
        self._store = store
        self._fire = fire
        self._key = key
        self._clock = clock
        self._failed = failed
        self._scan_s = scan_s
        self._grace_ms = grace_ms
        self._timers: dict[Hashable, tuple[int, Timer]] = {}
        self._heap: list[tuple[int, int, Hashable]] = []
        self._armed: dict[Hashable, int] = {}
        self._numbers = itertools.count()
        self._firing: set[Hashable] = set()
        self._taken_over = 0
        self._wake = asyncio.Event()

    def schedule(self, timer: Timer, due_ms: int) -> None:
        """Fire `timer` at `due_ms` (Unix time) from memory; it takes the place of one with the same key."""
        key = self._key(timer)
        self._timers[key] = (due_ms, timer)
        self._arm(key, due_ms)

    def cancel(self, key: Hashable) -> None:
        """Forget the timer with this key, if it is in memory; one that fires already goes on."""
        self._timers.pop(key, None)

    def __contains__(self, key: Hashable) -> bool:
        """Whether a timer with this key waits in memory."""
        return key in self._timers

    def __len__(self) -> int:
        """How many timers wait in memory."""
        return len(self._timers)

    async def run(self) -> None:
        """Fire what is due, for ever."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._run_heap(tasks))
            tasks.create_task(self._run_scan(tasks))

    def _arm(self, key: Hashable, due_ms: int) -> None:
        """Look at a key's timer at this time at the latest.

        A key that is looked at earlier anyway stays as it is: most timers are replaced by later ones long before they
        are due, and so the heap is not touched by every move of a game.
        """
        armed = self._armed.get(key)
        if key in self._firing or (armed is not None and armed <= due_ms):
            return
        self._armed[key] = due_ms
        heapq.heappush(self._heap, (due_ms, next(self._numbers), key))
        self._wake.set()

    async def _run_heap(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            self._wake.clear()
            wait_s = self._fire_due(tasks)
            try:
                async with asyncio.timeout(wait_s):
                    await self._wake.wait()
            except TimeoutError:
                continue

    def _fire_due(self, tasks: asyncio.TaskGroup) -> float | None:
        """Start what is due and return the seconds until the next look; None when there is none."""
        while self._heap:
            now_ms = self._clock.now_ms()
            armed_ms, _, key = self._heap[0]
            if armed_ms > now_ms:
                return (armed_ms - now_ms) / 1000
            heapq.heappop(self._heap)
            if self._armed.get(key) != armed_ms:  # armed for an earlier time since, and looked at then
                continue
            del self._armed[key]
            known = self._timers.get(key)
            if known is None or key in self._firing:  # cancelled, or it has its turn after the one that fires
                continue
            due_ms, timer = known
            if due_ms > now_ms:
                self._arm(key, due_ms)
                continue
            del self._timers[key]
            self._firing.add(key)
            tasks.create_task(self._run_one(timer, key, "memory"))
        return None

    async def _run_scan(self, tasks: asyncio.TaskGroup) -> None:
        while True:
            limit = min(_CLAIM, _TAKEN_OVER_AT_ONCE - self._taken_over)
            overdue = await self._claim(limit) if limit else ()
            for timer in overdue:
                self._take_over(tasks, timer)
            if not limit or len(overdue) < limit:
                await asyncio.sleep(self._scan_s)

    async def _claim(self, limit: int) -> Sequence[Timer]:
        try:
            return await self._store.claim_overdue(self._grace_ms, limit)
        except Exception as error:
            _log.warning("timer_scan_failed", error=type(error).__name__)
            return ()

    def _take_over(self, tasks: asyncio.TaskGroup, timer: Timer) -> None:
        key = self._key(timer)
        if key in self._firing:  # if it is not this timer that fires, its row is claimed again
            return
        known = self._timers.get(key)
        if known is not None and known[1] == timer:
            del self._timers[key]
        self._firing.add(key)
        self._taken_over += 1
        tasks.create_task(self._run_one(timer, key, "scan")).add_done_callback(self._taken_over_ended)

    def _taken_over_ended(self, _: "asyncio.Task[None]") -> None:
        self._taken_over -= 1

    async def _run_one(self, timer: Timer, key: Hashable, source: str) -> None:
        try:
            await self._fire(timer)
            TIMERS_FIRED.labels(source).inc()
        except Exception as error:
            TIMER_FAILURES.inc()
            self._failed(timer, error)
        finally:
            self._firing.discard(key)
            waiting = self._timers.get(key)
            if waiting is not None:
                self._arm(key, waiting[0])
