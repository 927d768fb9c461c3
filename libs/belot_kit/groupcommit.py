"""Group commit: many small commits go to the database as one statement.

No time window: whatever is ready when the connection is free goes together. Two items with one key never share a
batch, nor do they run at once, because the second was decided on a version that the first changes.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import structlog

from belot_kit.errors import DomainError, Reason
from belot_kit.metrics import COMMIT_BATCH_ITEMS, COMMIT_FALLBACKS, COMMIT_SECONDS

_log = structlog.get_logger(__name__)

MAX_BATCH: Final = 64
_MAX_WAITING: Final = 10_000

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(eq=False, slots=True)
class _Waiting(Generic[Item, Result]):
    key: Hashable
    item: Item
    done: asyncio.Future[Result]


class GroupCommitter(Generic[Item, Result]):
    """Commits items in groups; works while `run` runs. Cancelling `run` fails what was not yet handed over."""

    def __init__(
        self,
        execute: Callable[[Sequence[Item]], Awaitable[Sequence[Result]]],
        *,
        name: str,
        max_batch: int = MAX_BATCH,
        lanes: int = 1,
    ) -> None:
        """`execute(items)` commits all or nothing of a batch and returns one result an item, in order; what an item's
        guard refuses is a result, not an error. `lanes` batches may run at once (two where fsync is slow).
        """
        self._execute = execute
        self._name = name
        self._max_batch = max_batch
        self._lanes = lanes
        self._waiting: deque[_Waiting[Item, Result]] = deque()
        self._busy: set[Hashable] = set()
        self._wake = asyncio.Event()

    async def commit(self, key: Hashable, item: Item) -> Result:
        """Commit one item, together with others, and return its result.

        Cancelling the caller does not undo a commit under way. Errors: DomainError UNAVAILABLE when too many wait or
        the committer is closed; else what `execute` raised for this item alone.
        """
        if len(self._waiting) >= _MAX_WAITING:
            raise DomainError(Reason.UNAVAILABLE, "too many commits are waiting")
        waiting = _Waiting[Item, Result](key, item, asyncio.get_running_loop().create_future())
        self._waiting.append(waiting)
        self._wake.set()
        return await waiting.done

    async def run(self) -> None:
        """Commit whatever comes, for ever."""
        try:
            async with asyncio.TaskGroup() as tasks:
                for _ in range(self._lanes):
                    tasks.create_task(self._lane())
        finally:
            for waiting in self._waiting:
                _fail(waiting, DomainError(Reason.UNAVAILABLE, "no more commits are taken"))
            self._waiting.clear()

    async def _lane(self) -> None:
        while True:
            batch = self._take()
            if not batch:
                self._wake.clear()
                await self._wake.wait()
                continue
            try:
                await self._commit(batch)
            finally:
                for each in batch:  # something is left only when we are cancelled
                    _fail(each, DomainError(Reason.UNAVAILABLE, "the commit was cut; it may have happened"))
                self._busy.difference_update(each.key for each in batch)
                self._wake.set()

    def _take(self) -> list[_Waiting[Item, Result]]:
        """The next batch: in order of arrival, but what shares a key with a batch under way waits."""
        batch: list[_Waiting[Item, Result]] = []
        later: list[_Waiting[Item, Result]] = []
        while self._waiting and len(batch) < self._max_batch:
            each = self._waiting.popleft()
            if each.done.done():  # its caller gave up
                continue
            if each.key in self._busy:
                later.append(each)
            else:
                self._busy.add(each.key)
                batch.append(each)
        self._waiting.extendleft(reversed(later))
        return batch

    async def _commit(self, batch: Sequence[_Waiting[Item, Result]]) -> None:
        began = time.perf_counter()
        try:
            results = await self._execute([each.item for each in batch])
            if len(results) != len(batch):
                raise RuntimeError("a group commit must give one result an item")
        except Exception as error:
            if len(batch) == 1:
                _fail(batch[0], error)
                return
            _log.warning("group_commit_failed", committer=self._name, items=len(batch), error=type(error).__name__)
            COMMIT_FALLBACKS.labels(self._name).inc()
            for each in batch:
                await self._commit([each])
            return
        COMMIT_BATCH_ITEMS.labels(self._name).observe(len(batch))
        COMMIT_SECONDS.labels(self._name).observe(time.perf_counter() - began)
        for each, result in zip(batch, results, strict=True):
            if not each.done.done():
                each.done.set_result(result)


def _fail(waiting: _Waiting[Item, Result], error: Exception) -> None:
    if not waiting.done.done():
        waiting.done.set_exception(error)
