"""Child processes: started together, waited for, started again when they die, stopped in reverse order.

Every child leads a session of its own, so that a terminal's Ctrl-C reaches us alone and we choose the order.
Each writes to its own log file. It ends with us when we are killed (see lifeline.py).
"""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from belot_cli.lifeline import PARENT_VARIABLE

Probe = Callable[[], Awaitable[bool]]

READY_SECONDS = 30.0
_STOP_SECONDS = 8.0
_POLL_SECONDS = 0.05
_BACKOFF_SECONDS = (0.1, 0.5, 1.0, 2.0, 5.0)
_STEADY_SECONDS = 30.0
_TAIL_LINES = 6
_TAIL_OCTETS = 8_192


class ChildFailedError(RuntimeError):
    """A child did not become ready; the text has the end of its log."""


@dataclass(frozen=True, slots=True)
class ChildPlan:
    """One child: what to run and how to know that it is ready. `environment` is added to ours.

    Children of a higher `rank` are stopped before those of a lower one.
    """

    name: str
    command: tuple[str, ...]
    ready: Probe = field(repr=False)
    rank: int = 0
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(slots=True)
class _Child:
    """A plan with the process that now carries it out; `deaths` counts those in a row."""

    plan: ChildPlan
    process: asyncio.subprocess.Process
    started: float
    deaths: int = 0


class Supervisor:
    """The children of one fleet. Use it from one event loop; `say` prints a line for whoever watches."""

    def __init__(self, logs: Path, say: Callable[[str], None]) -> None:
        """Nothing runs yet. `logs` is an existing directory. `on_change` is called when a child was started again."""
        self._logs = logs
        self._say = say
        self._children: dict[str, _Child] = {}
        self._stopping = False
        self._held: set[str] = set()
        self.on_change: Callable[[], None] = lambda: None

    async def start(self, plans: Sequence[ChildPlan]) -> None:
        """Start these children at once and wait for all. Errors: ChildFailedError; what was started then still runs."""
        for plan in plans:
            _keep_last_log(self._logs / f"{plan.name}.log")
            self._children[plan.name] = _Child(plan, await self._spawn(plan), time.monotonic())
        await _all_or_first_error([self._ready(self._children[plan.name]) for plan in plans])

    async def watch(self) -> None:
        """Start again whatever dies, with growing pauses, until cancelled."""
        async with asyncio.TaskGroup() as group:
            for child in self._children.values():
                group.create_task(self._keep_alive(child))

    def pid(self, name: str) -> int:
        """The process id of a child. Errors: KeyError."""
        return self._children[name].process.pid

    def pids(self) -> tuple[tuple[str, int], ...]:
        """Names and process ids, in order of start."""
        return tuple((name, child.process.pid) for name, child in self._children.items())

    async def kill(self, name: str) -> None:
        """Kill a child outright and leave it dead until `revive`."""
        self._held.add(name)
        process = self._children[name].process
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()

    async def revive(self, name: str) -> None:
        """Start a killed child again and wait until it is ready. Errors: ChildFailedError."""
        child = self._children[name]
        child.process, child.started = await self._spawn(child.plan), time.monotonic()
        self._held.discard(name)
        await self._ready(child)

    async def stop(self) -> None:
        """End all children, rank by rank from the highest; kill what does not end in time."""
        self._stopping = True
        end = time.monotonic() + _STOP_SECONDS
        for rank in sorted({child.plan.rank for child in self._children.values()}, reverse=True):
            processes = [child.process for child in self._children.values() if child.plan.rank == rank]
            await asyncio.gather(*(_stop(process, max(end - time.monotonic(), 0.5)) for process in processes))

    def kill_all(self) -> None:
        """End all children now."""
        self._stopping = True
        for child in self._children.values():
            if child.process.returncode is None:
                with contextlib.suppress(ProcessLookupError):
                    child.process.kill()

    async def _spawn(self, plan: ChildPlan) -> asyncio.subprocess.Process:
        with (self._logs / f"{plan.name}.log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *plan.command,
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, **plan.environment, PARENT_VARIABLE: str(os.getpid())},
                start_new_session=True,
            )

    async def _ready(self, child: _Child) -> None:
        end = time.monotonic() + READY_SECONDS
        while not await child.plan.ready():
            if child.process.returncode is not None:
                raise ChildFailedError(f"{child.plan.name} ended at its start:\n{self._tail(child.plan.name)}")
            if time.monotonic() > end:
                raise ChildFailedError(
                    f"{child.plan.name} was not ready after {READY_SECONDS:.0f} s:\n{self._tail(child.plan.name)}"
                )
            await asyncio.sleep(_POLL_SECONDS)

    async def _keep_alive(self, child: _Child) -> None:
        while True:
            process = child.process
            status = await process.wait()
            if self._stopping:
                return
            if child.plan.name in self._held or child.process is not process:
                await asyncio.sleep(_POLL_SECONDS)  # somebody killed it on purpose and will start it again
                continue
            await self._restart(child, status)

    async def _restart(self, child: _Child, status: int) -> None:
        steady = time.monotonic() - child.started > _STEADY_SECONDS
        child.deaths = 1 if steady else child.deaths + 1
        pause = _BACKOFF_SECONDS[min(child.deaths, len(_BACKOFF_SECONDS)) - 1]
        self._say(f"{child.plan.name} ended ({_how(status)}): starting it again in {pause:g} s")
        await asyncio.sleep(pause)
        child.process, child.started = await self._spawn(child.plan), time.monotonic()
        self.on_change()
        try:
            await self._ready(child)
            self._say(f"{child.plan.name} is ready again")
        except ChildFailedError as failed:
            self._say(str(failed))

    def _tail(self, name: str) -> str:
        path = self._logs / f"{name}.log"
        with path.open("rb") as log:
            log.seek(max(path.stat().st_size - _TAIL_OCTETS, 0))
            lines = log.read().decode(errors="replace").strip().splitlines()[-_TAIL_LINES:]
        return "\n".join(f"    {line}" for line in lines) + f"\n  (log: {path})"


async def _all_or_first_error(waits: Sequence[Awaitable[None]]) -> None:
    tasks = [asyncio.ensure_future(wait) for wait in waits]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _stop(process: asyncio.subprocess.Process, seconds: float) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


def _keep_last_log(path: Path) -> None:
    """Begin a new log; the one of the run before stays beside it."""
    with contextlib.suppress(FileNotFoundError):
        path.replace(path.with_name(f"{path.name}.1"))


def _how(status: int) -> str:
    if status >= 0:
        return f"exit status {status}"
    with contextlib.suppress(ValueError):
        return signal.Signals(-status).name
    return f"signal {-status}"
