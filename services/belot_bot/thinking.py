"""Decisions that take long, in processes of their own: nothing of them runs in the event loop.

A policy that thinks is asked in a pool. If its answer will not come within the deadline of the call, or its process
is lost, the fallback decides in its place, and the answer says so. A process that dies or hangs is replaced.
"""

import asyncio
import os
import time
from collections.abc import AsyncIterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from dataclasses import dataclass
from enum import Enum
from multiprocessing import get_context
from typing import Final

import structlog

from belot_bot import thinker
from belot_bot.policy import FALLBACK, Policy
from belot_bot.view import SeatView
from belot_engine.errors import InputError
from belot_engine.state import Action
from belot_kit.deadlines import DEFAULT_SECONDS, remaining_seconds

_log = structlog.get_logger(__name__)

#: A process that thinks so long about one decision hangs.
HANGS_SECONDS: Final = 10.0
#: What is left of a call's time when the fallback decides: enough for it and for the way back.
_RESERVE_SECONDS: Final = 0.05


class Fallback(Enum):
    """Why another level decided than the one asked for: it was too slow, or its process was lost or failed."""

    DEADLINE = "deadline"
    PROCESS = "process"


@dataclass(frozen=True, slots=True)
class Decision:
    """What was decided, by which policy, and why it is not the one asked for where it is not."""

    action: Action
    policy: Policy
    fallback: Fallback | None = None


class Thinkers:
    """A pool of processes that decide; made by ``thinkers``. All its methods belong to the event loop."""

    def __init__(self, processes: int, hangs_s: float = HANGS_SECONDS) -> None:
        """So many processes; one that thinks for `hangs_s` is given up and replaced."""
        self._processes = processes
        self._hangs_s = hangs_s
        self._pool = _pool(processes)
        self._given_up: dict[Future[Action | thinker.Impossible], float] = {}

    async def decide(self, policy: Policy, view: SeatView, seed: bytes) -> Decision:
        """What the policy does, or the fallback in its place. Raises InputError for a view that cannot be."""
        if not policy.thinks:
            return Decision(policy.choose(view, seed), policy)
        self._replace_frozen()
        limit = remaining_seconds()
        try:
            async with asyncio.timeout((DEFAULT_SECONDS if limit is None else limit) - _RESERVE_SECONDS):
                return Decision(await self._asked_twice(policy, view, seed), policy)
        except TimeoutError:
            return _instead(view, seed, Fallback.DEADLINE)
        except InputError:
            raise
        except Exception as error:
            # Also where the policy itself fails: it would fail again and again, and the table is to go on.
            _log.error("bot_failed", policy=policy.version, error=type(error).__name__)
            return _instead(view, seed, Fallback.PROCESS)

    async def _asked_twice(self, policy: Policy, view: SeatView, seed: bytes) -> Action:
        """The answer of the pool, or of a new one if its processes were lost on the way."""
        pool = self._pool
        try:
            return await self._asked(pool, policy, view, seed)
        except BrokenProcessPool:
            self._replace(pool)
            return await self._asked(self._pool, policy, view, seed)

    async def _asked(self, pool: ProcessPoolExecutor, policy: Policy, view: SeatView, seed: bytes) -> Action:
        future = pool.submit(thinker.think, policy.level, view, seed, self._hangs_s)
        try:
            answer = await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if not future.cancelled():
                self._given_up[future] = time.monotonic()
            raise
        if isinstance(answer, thinker.Impossible):
            raise InputError(answer.field, answer.message)
        return answer

    def _replace_frozen(self) -> None:
        """A process that did not even end itself in time was stopped from outside: all are replaced."""
        self._given_up = {future: at for future, at in self._given_up.items() if not future.done()}
        if any(time.monotonic() - at > self._hangs_s for at in self._given_up.values()):
            self._given_up.clear()
            self._replace(self._pool)

    def _replace(self, lost: ProcessPoolExecutor) -> None:
        """A new pool, unless another question that was lost with the old one has made it already."""
        if self._pool is lost:
            _log.error("bot_processes_replaced")
            self._pool = _pool(self._processes)
            _end(lost)

    async def start(self) -> None:
        """Start the processes now, so that no question waits for it."""
        await asyncio.gather(*[asyncio.wrap_future(self._pool.submit(os.getpid)) for _ in range(self._processes)])

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        _end(self._pool)


@asynccontextmanager
async def thinkers(processes: int, hangs_s: float = HANGS_SECONDS) -> AsyncIterator[Thinkers]:
    """A pool for as long as the block lasts; ready when the block begins."""
    pool = Thinkers(processes, hangs_s)
    try:
        await pool.start()
        yield pool
    finally:
        pool.close()


def _instead(view: SeatView, seed: bytes, why: Fallback) -> Decision:
    _log.warning("bot_fallback", why=why.value)
    return Decision(FALLBACK.choose(view, seed), FALLBACK, why)


def _pool(processes: int) -> ProcessPoolExecutor:
    # Forked from a server that has nothing but the policies: no threads, channels or sockets of ours come along.
    context = get_context("forkserver")
    context.set_forkserver_preload([thinker.__name__])
    return ProcessPoolExecutor(processes, mp_context=context, initializer=thinker.begin)


def _end(pool: ProcessPoolExecutor) -> None:
    # Before 3.14 the executor has no word of its own for it, and waits at exit for a process that does not answer.
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
