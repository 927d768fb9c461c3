"""An event loop in which time is a number: nothing waits, and whatever happens follows from one seed.

The loop is asyncio's own. Its selector never looks at a file: told to wait, it lets time pass at once. What is ready at
the same moment runs in an order drawn from the seed, so that code which leans on the order of callbacks shows it.
"""

import asyncio
import contextvars
import gc
import os
import random
import selectors
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar, cast
from unittest.mock import patch

EPOCH_MS: Final = 1_800_000_000_000
"""The unix time at which virtual time begins."""

BEGIN: Final = 1_000.0
"""The loop's seconds at that moment."""

_MOST_TURNS: Final = 3_000_000

Result = TypeVar("Result")
OnTask = Callable[["asyncio.Task[object]", contextvars.Context | None], None]
"""Hears of each new task and of the context it was given (None: the one it was made in)."""


class Standstill(RuntimeError):  # noqa: N818 - the name says it
    """Nothing is ready and nothing is due, ever; or callbacks follow on callbacks without end."""


class VirtualClock:
    """What time it is; only the loop lets it pass."""

    def __init__(self) -> None:
        self.seconds = BEGIN

    def monotonic(self) -> float:
        """The loop's seconds."""
        return self.seconds

    def now_ms(self) -> int:
        """Unix milliseconds."""
        return EPOCH_MS + int((self.seconds - BEGIN) * 1000)


class _Selector:
    """A selector that waits for nothing; registrations go to a real one, which is never asked."""

    def __init__(self, clock: VirtualClock, rng: random.Random | None) -> None:
        self._clock = clock
        self._rng = rng
        self._real = selectors.SelectSelector()
        self._turns = 0
        self.loop: asyncio.SelectorEventLoop | None = None

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)

    def select(self, timeout: float | None = None) -> list[object]:
        """Let `timeout` seconds pass, or put what is ready in another order."""
        self._turns += 1
        if timeout is None or self._turns > _MOST_TURNS:
            raise Standstill("nothing more can happen" if timeout is None else "it goes on for ever")
        if timeout > 0:
            self._clock.seconds += timeout
        elif self._rng is not None and self.loop is not None:
            ready = self.loop._ready  # type: ignore[attr-defined]  # asyncio has no other place for this
            if len(ready) > 1:
                handles = list(ready)
                self._rng.shuffle(handles)
                ready.clear()
                ready.extend(handles)
        return []


class _NumberedTask(asyncio.Task[Result]):
    """A task whose place in sets follows from its number and not from its address, or no run would be like another."""

    def __init__(self, number: int, work: Coroutine[object, object, Result], **others: object) -> None:
        self._number = number
        super().__init__(work, **others)  # type: ignore[arg-type]

    def __hash__(self) -> int:
        return self._number


class VirtualLoop:
    """A loop with its clock. `rng` draws the order of what is ready (None: as asyncio has it)."""

    def __init__(self, rng: random.Random | None) -> None:
        self.clock = VirtualClock()
        self.on_task: OnTask | None = None
        self._tasks = 0
        selector = _Selector(self.clock, rng)
        self.loop = selector.loop = asyncio.SelectorEventLoop(cast("selectors.BaseSelector", selector))
        self.loop.time = self.clock.monotonic  # type: ignore[method-assign]
        self.loop.run_in_executor = self._at_once  # type: ignore[method-assign, assignment]
        self.loop.set_task_factory(self._task)  # type: ignore[arg-type]

    def _task(
        self, loop: asyncio.AbstractEventLoop, work: Coroutine[object, object, Result], **others: object
    ) -> "asyncio.Task[Result]":
        self._tasks += 1
        task = _NumberedTask(self._tasks, work, loop=loop, **others)
        if self.on_task is not None:
            context = cast("contextvars.Context | None", others.get("context"))
            self.on_task(cast("asyncio.Task[object]", task), context)
        return task

    def _at_once(self, executor: object, work: Callable[..., Result], *arguments: object) -> "asyncio.Future[Result]":
        """Threads would bring their own time: what is meant for one is done here and now."""
        done: asyncio.Future[Result] = self.loop.create_future()
        try:
            done.set_result(work(*arguments))
        except Exception as error:
            done.set_exception(error)
        return done


def run_virtually(make: Callable[[VirtualLoop], Coroutine[object, object, Result]], rng: random.Random) -> Result:
    """Run the work to its end in a loop of its own. Errors: its own; Standstill."""
    with _drawn_from(rng):
        virtual = VirtualLoop(random.Random(rng.random()))
        loop = virtual.loop
        try:
            return loop.run_until_complete(make(virtual))
        finally:
            for task in asyncio.all_tasks(loop):
                task.cancel()
            loop.set_exception_handler(lambda *_: None)
            _quietly_end(loop)


def _quietly_end(loop: asyncio.SelectorEventLoop) -> None:
    left = sorted(asyncio.all_tasks(loop), key=hash)
    if left:
        loop.run_until_complete(asyncio.wait(left, timeout=60))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()


@contextmanager
def _drawn_from(rng: random.Random) -> Iterator[None]:
    """The system's entropy and Python's own generator come from the seed; no cyclic collection at odd moments."""
    entropy, kept = random.Random(rng.random()), random.getstate()
    random.seed(rng.random())
    collecting = gc.isenabled()
    gc.disable()
    try:
        with patch.object(random, "_urandom", entropy.randbytes), patch.object(os, "urandom", entropy.randbytes):
            yield
    finally:
        random.setstate(kept)
        if collecting:
            gc.enable()
