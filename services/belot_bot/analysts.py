"""Deals solved in processes of their own, beside those that think for bots: an analysis never makes a bot wait.

A deal is solved once, however many ask for it, and kept for a while: who asked for more than there was time for asks
again and finds it. How long a deal may take is bounded by its budget of positions, so that no process hangs.
"""

import asyncio
import os
from collections import OrderedDict
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import asynccontextmanager
from multiprocessing import get_context
from typing import Final

import structlog

from belot_bot import thinker
from belot_bot.analysis import MatchAnalysis
from belot_bot.record import MatchRecord, read_record
from belot_engine.analysis import DealAnalysis, PlayedDeal, analyse_deal
from belot_kit.deadlines import DEFAULT_SECONDS, remaining_seconds

_log = structlog.get_logger(__name__)

#: Deals that are solved or wait for it; of what is asked beyond, nothing is begun.
MOST_WAITING: Final = 64
#: Answers that are kept, some 20 KB each.
MOST_KEPT: Final = 512
#: What is left of a call's time for the way back.
_RESERVE_SECONDS: Final = 0.15
#: Below the processes that bots wait for.
_NICENESS: Final = 10


class Analysts:
    """The pool; made by ``analysts``. All its methods belong to the event loop."""

    def __init__(self, processes: int) -> None:
        """So many processes; they are started when the first match is analysed."""
        self._processes = processes
        self._pool = _pool(processes)
        self._known: OrderedDict[PlayedDeal, asyncio.Future[DealAnalysis]] = OrderedDict()

    async def analyse(self, proof: bytes) -> tuple[MatchAnalysis, int]:
        """What is solved by the end of the call's deadline, and how many deals are not. Raises NotAnalysable."""
        loop = asyncio.get_running_loop()
        limit = remaining_seconds()
        until = loop.time() + (DEFAULT_SECONDS if limit is None else limit) - _RESERVE_SECONDS
        # It plays the match again, which takes some tenths of a second.
        record = await asyncio.to_thread(read_record, proof)
        asked = [self._asked(hand.played) for hand in record.hands]
        waiting = [future for future in asked if future is not None and not future.done()]
        if waiting:
            await asyncio.wait(waiting, timeout=max(0.0, until - loop.time()))
        found = [(hand, deal) for hand, deal in zip(record.hands, map(_solved, asked), strict=True) if deal is not None]
        solved = MatchRecord(record.match_id, record.rules, tuple(hand for hand, _ in found))
        return MatchAnalysis(solved, tuple(deal for _, deal in found)), len(asked) - len(found)

    def _asked(self, deal: PlayedDeal) -> "asyncio.Future[DealAnalysis] | None":
        """The answer to come, None where too many wait already."""
        known = self._known.get(deal)
        if known is not None:
            self._known.move_to_end(deal)
            return known
        if sum(not future.done() for future in self._known.values()) >= MOST_WAITING:
            return None
        try:
            future = asyncio.wrap_future(self._pool.submit(analyse_deal, deal))
        except BrokenProcessPool:
            self._replace()
            future = asyncio.wrap_future(self._pool.submit(analyse_deal, deal))
        self._known[deal] = future
        future.add_done_callback(lambda done: self._came(deal, done))
        return future

    def _came(self, deal: PlayedDeal, future: "asyncio.Future[DealAnalysis]") -> None:
        """Keep an answer; forget a question that was lost with its process, and the oldest answers."""
        if future.cancelled() or future.exception() is not None:
            self._known.pop(deal, None)
        while len(self._known) > MOST_KEPT:
            self._known.popitem(last=False)

    def _replace(self) -> None:
        _log.error("analysis_processes_replaced")
        _end(self._pool)
        self._pool = _pool(self._processes)

    def close(self) -> None:
        """End the processes, whatever they are doing."""
        _end(self._pool)


@asynccontextmanager
async def analysts(processes: int) -> AsyncIterator[Analysts]:
    """A pool for as long as the block lasts."""
    pool = Analysts(processes)
    try:
        yield pool
    finally:
        pool.close()


def _solved(future: "asyncio.Future[DealAnalysis] | None") -> DealAnalysis | None:
    if future is None or not future.done() or future.cancelled() or future.exception() is not None:
        return None
    return future.result()


def _begin() -> None:
    os.nice(_NICENESS)
    thinker.begin()


def _pool(processes: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(processes, mp_context=get_context("forkserver"), initializer=_begin)


def _end(pool: ProcessPoolExecutor) -> None:
    # Before 3.14 the executor has no word of its own for it, and waits at exit for a process that is at work.
    processes = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for process in processes:
        process.kill()
