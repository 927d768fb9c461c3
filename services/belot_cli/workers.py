"""Work spread over processes, with a progress bar for the person who waits."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from belot_bot import thinker
from belot_engine import solver

Task = TypeVar("Task")
Result = TypeVar("Result")
Item = TypeVar("Item")


def usual_jobs() -> int:
    """How many processes are started where nothing was said: one a processor."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def engine_kind() -> str:
    """Which engine runs here: `compiled`, where a wheel with it is installed, or `pure Python`."""
    return "pure Python" if solver.__file__.endswith(".py") else "compiled"


def each_done(work: Callable[[Task], Result], tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Result]]:
    """Every task with its result, in whatever order they come; `work` is a module's function.

    Closing the iterator, or Ctrl-C, ends the processes at once, and so does the death of this one.
    Errors: those of `work`; BrokenProcessPool when a process was lost.
    """
    if jobs == 1 or len(tasks) < 2:
        yield from ((task, work(task)) for task in tasks)
        return
    # Forked from a server that has nothing but the policies: no threads, channels or sockets of ours come along.
    context = get_context("forkserver")
    pool = ProcessPoolExecutor(min(jobs, len(tasks)), mp_context=context, initializer=thinker.begin)
    try:
        waiting = {pool.submit(work, task): task for task in tasks}
        for done in as_completed(waiting):
            yield waiting.pop(done), done.result()
    finally:
        # Before 3.14 the executor has no word of its own for ending those that are at work.
        processes = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for process in processes:
            process.kill()


def with_bar(items: Iterable[Item], what: str, total: int, done: int = 0) -> Iterator[Item]:
    """The same items; on a terminal a bar on standard error counts them, `done` of `total` before the first."""
    console = Console(stderr=True)
    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        bar = progress.add_task(what, total=total, completed=done)
        for item in items:
            yield item
            progress.advance(bar)
