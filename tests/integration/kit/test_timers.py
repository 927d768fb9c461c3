"""Timers under asyncio as it is: on time, one of a key at a time, none lost, none held up by others."""

import asyncio
from dataclasses import dataclass, field

from belot_kit.clock import SystemClock
from belot_kit.tasks import background
from belot_kit.timers import TimerScheduler


@dataclass
class Timers:
    """A store of timers in memory; `overdue` are the rows the next scan claims."""

    overdue: list[str] = field(default_factory=list)
    fired: asyncio.Queue[str] = field(default_factory=asyncio.Queue)
    failures: int = 0

    async def claim_overdue(self, grace_ms: int, limit: int) -> list[str]:
        """Give each row once."""
        claimed, self.overdue = self.overdue[:limit], self.overdue[limit:]
        return claimed

    async def fire(self, timer: str) -> None:
        """Remember, or fail first."""
        if self.failures:
            self.failures -= 1
            self.overdue.append(timer)
            raise RuntimeError
        self.fired.put_nowait(timer)


def scheduler_of(timers: Timers) -> TimerScheduler[str]:
    """A scheduler whose timers are their own keys up to the colon."""
    return TimerScheduler(
        timers, timers.fire, lambda timer: timer.partition(":")[0], SystemClock(), scan_s=0.02, grace_ms=0
    )


async def test_timers_fire_when_due_and_in_order() -> None:
    timers = Timers()
    scheduler = scheduler_of(timers)
    now = SystemClock().now_ms()
    async with background(scheduler.run()):
        scheduler.schedule("late", now + 60)
        scheduler.schedule("soon", now + 30)
        scheduler.schedule("overdue", now - 1)
        assert [await timers.fired.get() for _ in range(3)] == ["overdue", "soon", "late"]
        assert SystemClock().now_ms() >= now + 60
    assert len(scheduler) == 0


async def test_a_replaced_or_cancelled_timer_does_not_fire() -> None:
    timers = Timers()
    scheduler = scheduler_of(timers)
    now = SystemClock().now_ms()
    scheduler.schedule("turn:old", now)
    scheduler.schedule("turn:new", now + 30)
    scheduler.schedule("seed:gone", now)
    scheduler.cancel("seed")
    scheduler.schedule("end", now + 60)
    async with background(scheduler.run()):
        assert await timers.fired.get() == "turn:new"
        assert SystemClock().now_ms() >= now + 30
        assert await timers.fired.get() == "end"


async def test_the_scan_fires_what_nobody_fired_and_tries_failures_again() -> None:
    timers = Timers(overdue=["orphan"], failures=2)
    async with background(scheduler_of(timers).run()):
        assert await timers.fired.get() == "orphan"


class Steps:
    """Timers that begin and then wait: `began` tells which did, `go_on` lets them end."""

    def __init__(self) -> None:
        self.began: asyncio.Queue[str] = asyncio.Queue()
        self.go_on = asyncio.Event()
        self.running: list[str] = []
        self.most_of_one_key = 0

    async def fire(self, timer: str) -> None:
        """Begin, and end when told; a quick one at once."""
        self.running.append(key_of(timer))
        self.most_of_one_key = max(self.most_of_one_key, self.running.count(key_of(timer)))
        self.began.put_nowait(timer)
        if "quick" not in timer:
            await self.go_on.wait()
        self.running.remove(key_of(timer))


def key_of(timer: str) -> str:
    """What comes before the colon."""
    return timer.partition(":")[0]


async def test_a_timer_scheduled_while_its_key_fires_has_its_turn_afterwards() -> None:
    timers, steps = Timers(), Steps()
    scheduler = TimerScheduler(timers, steps.fire, key_of, SystemClock(), scan_s=60)
    now = SystemClock().now_ms()
    async with asyncio.timeout(10), background(scheduler.run()):
        scheduler.schedule("table:first", now)
        assert await steps.began.get() == "table:first"
        scheduler.schedule("table:second", now)
        scheduler.schedule("table:third", now)
        scheduler.schedule("other", now)
        assert await steps.began.get() == "other"
        assert steps.began.empty()
        steps.go_on.set()
        assert await steps.began.get() == "table:third"
    assert steps.most_of_one_key == 1


async def test_a_timer_due_while_the_scan_fires_its_key_has_its_turn_afterwards() -> None:
    timers, steps = Timers(overdue=["table:claimed"]), Steps()
    scheduler = TimerScheduler(timers, steps.fire, key_of, SystemClock(), scan_s=60)
    scheduler.schedule("table:newer", SystemClock().now_ms() + 30)
    scheduler.schedule("other:quick", SystemClock().now_ms() + 60)
    async with asyncio.timeout(10), background(scheduler.run()):
        assert [await steps.began.get() for _ in range(2)] == ["table:claimed", "other:quick"]
        steps.go_on.set()
        assert await steps.began.get() == "table:newer"
    assert steps.most_of_one_key == 1


async def test_slow_timers_hold_up_no_others() -> None:
    timers, steps = Timers(overdue=[f"orphan {number}" for number in range(300)]), Steps()
    scheduler = TimerScheduler(timers, steps.fire, key_of, SystemClock(), scan_s=0.02)
    now = SystemClock().now_ms()
    async with asyncio.timeout(10), background(scheduler.run()):
        for number in range(1_000):
            scheduler.schedule(f"slow {number}", now)
        begun = [await steps.began.get() for _ in range(1_000 + 256)]
        scheduler.schedule("quick", now)
        assert await steps.began.get() == "quick"
        assert len(timers.overdue) == 300 - 256, "the scan takes over no more than it can run"
        steps.go_on.set()
        begun += [await steps.began.get() for _ in range(300 - 256)]
    assert len(set(begun)) == 1_300


async def test_a_later_timer_in_place_of_an_earlier_one_fires_late_and_an_earlier_one_early() -> None:
    timers = Timers()
    scheduler = scheduler_of(timers)
    now = SystemClock().now_ms()
    scheduler.schedule("a:soon", now + 20)
    scheduler.schedule("a:late", now + 60)
    scheduler.schedule("b:late", now + 60_000)
    scheduler.schedule("b:soon", now + 40)
    async with asyncio.timeout(10), background(scheduler.run()):
        assert [await timers.fired.get() for _ in range(2)] == ["b:soon", "a:late"]
        assert SystemClock().now_ms() >= now + 60
    assert len(scheduler) == 0


async def test_who_hears_of_a_failure_may_schedule_the_timer_again() -> None:
    timers = Timers(failures=1)

    def again(timer: str, error: Exception) -> None:
        timers.overdue.clear()
        scheduler.schedule(f"{timer}:{type(error).__name__}", SystemClock().now_ms() + 20)

    scheduler = TimerScheduler(timers, timers.fire, key_of, SystemClock(), failed=again, scan_s=60)
    scheduler.schedule("step", SystemClock().now_ms())
    async with asyncio.timeout(10), background(scheduler.run()):
        assert await timers.fired.get() == "step:RuntimeError"
