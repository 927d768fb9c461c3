"""Bots that think do so in processes of their own: what happens when such a process dies, hangs or is slow."""

import asyncio
import os
import random
import signal
import time
from collections.abc import AsyncIterator

import pytest

from belot_bot.policy import Policy, policy_of
from belot_bot.thinking import Decision, Fallback, Thinkers, thinkers
from belot_bot.view import SeatView, seat_view
from belot_engine.errors import InputError
from belot_engine.match import legal_actions
from belot_engine.rulesets import resolve
from belot_engine.state import LegalActions
from belot_kit.deadlines import deadline_scope
from support.eventually import eventually
from support.playouts import steps

SEED = bytes(32)


def level(name: str) -> Policy:
    policy = policy_of(name)
    assert policy is not None
    return policy


def views(number: int) -> list[SeatView]:
    """Turns in which there is something to weigh."""
    found = []
    for step in steps(resolve("classic", 4, 32, {}), random.Random("thinking")):
        legal = legal_actions(step.before)
        if legal is not None and legal.cards.bit_count() > 2:
            found.append(seat_view(step.before, legal))
        if len(found) == number:
            break
    return found


@pytest.fixture
async def pool() -> AsyncIterator[Thinkers]:
    async with thinkers(1) as running:
        yield running


def processes(pool: Thinkers) -> list[int]:
    return [process.pid for process in (pool._pool._processes or {}).values() if process.pid is not None]


async def decided(pool: Thinkers, view: SeatView, seconds: float = 5.0) -> Decision:
    with deadline_scope(time.monotonic() + seconds):
        return await pool.decide(level("hard"), view, SEED)


async def test_the_pool_decides_what_the_policy_decides(pool: Thinkers) -> None:
    for view in views(6):
        assert await decided(pool, view) == Decision(level("hard").choose(view, SEED), level("hard"))


async def test_a_decision_that_would_come_too_late_is_made_by_normal(pool: Thinkers) -> None:
    view = views(1)[0]
    decision = await decided(pool, view, seconds=0.051)
    assert decision == Decision(level("normal").choose(view, SEED), level("normal"), Fallback.DEADLINE)


async def test_a_process_that_dies_is_replaced(pool: Thinkers) -> None:
    view = views(1)[0]
    await decided(pool, view)
    before = processes(pool)
    os.kill(before[0], signal.SIGKILL)
    decision = await decided(pool, view)
    assert decision == Decision(level("hard").choose(view, SEED), level("hard"))
    assert processes(pool) != before


async def test_questions_on_the_way_when_a_process_dies_are_all_answered(pool: Thinkers) -> None:
    asked = [asyncio.create_task(decided(pool, view)) for view in views(12)]
    await asyncio.sleep(0)
    os.kill(processes(pool)[0], signal.SIGKILL)
    decisions = await asyncio.gather(*asked)
    assert {decision.policy.level for decision in decisions} <= {"hard", "normal"}
    assert (await decided(pool, views(1)[0])).fallback is None


async def test_a_process_that_is_stopped_is_passed_over_and_then_replaced() -> None:
    view = views(1)[0]
    async with thinkers(1, hangs_s=1.0) as pool, asyncio.timeout(20):
        stopped = processes(pool)[0]
        os.kill(stopped, signal.SIGSTOP)
        assert (await decided(pool, view, seconds=0.2)).fallback is Fallback.DEADLINE
        while (await decided(pool, view, seconds=1.0)).fallback is not None:
            pass
        assert stopped not in processes(pool)


async def test_the_event_loop_goes_on_while_bots_think(pool: Thinkers) -> None:
    asked = asyncio.gather(*[decided(pool, view) for view in views(10)])
    turns = 0
    while not asked.done():
        await asyncio.sleep(0)
        turns += 1
    assert all(decision.fallback is None for decision in await asked)
    # Each decision takes milliseconds, a turn of the loop microseconds.
    assert turns > 100


async def test_the_processes_end_with_the_pool() -> None:
    async with thinkers(2) as pool:
        running = processes(pool)
        assert len(running) == 2

    await eventually(lambda: not any(_alive(pid) for pid in running))


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def test_a_view_that_cannot_be_is_an_error_not_a_fallback(pool: Thinkers) -> None:
    view = views(1)[0]
    broken = SeatView(
        rules=view.rules,
        seat=0,
        dealer=0,
        hand=3,
        up_card=view.up_card,
        bids=(),
        declarer=1,
        trump=2,
        tricks=(),
        trick=(),
        legal=LegalActions(0, cards=3),
    )
    with pytest.raises(InputError):
        await decided(pool, broken)
    assert (await decided(pool, view)).fallback is None
