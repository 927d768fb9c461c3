"""The life of a service's process: wire, be ready, serve, and on SIGTERM go in order.

``main(app)`` wires everything from top to bottom and returns; then the service is ready. At the end, in this order:
not ready any more; quiesce (timers, relay: stop taking work); drain (tell streams, finish running calls); background
tasks are cancelled; what was entered is closed in reverse.
"""

import asyncio
import json
import os
import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path
from typing import Final, TypeVar

import structlog

from belot_kit.failpoints import load_failpoints
from belot_kit.grpc_server import GrpcServer
from belot_kit.logs import LogOptions, configure_logs
from belot_kit.ops import OpsOptions, serve_ops, tune_gc

_log = structlog.get_logger(__name__)

READY_FILE_VARIABLE: Final = "BELOT_READY_FILE"
_DRAIN_SECONDS: Final = 25.0

Entered = TypeVar("Entered")


class Step(IntEnum):
    """When something is stopped: QUIESCE takes no new work, DRAIN finishes what runs, FLUSH writes what is left."""

    QUIESCE = 1
    DRAIN = 2
    FLUSH = 3


@dataclass(frozen=True, slots=True)
class AppOptions:
    """What every service has in its settings. `ready_file` gets one line of JSON when the service is ready."""

    service: str
    ops: OpsOptions = field(default_factory=OpsOptions)
    logs: LogOptions = field(default_factory=LogOptions)
    ready_file: Path | None = None


class App:
    """What `main` wires with. Everything in it belongs to one running service."""

    def __init__(self, options: AppOptions, tasks: asyncio.TaskGroup, stack: AsyncExitStack) -> None:
        """Made by `running`, not by services."""
        self.options = options
        self.addresses: dict[str, str] = {}
        """What this service listens on, by name: ``grpc``, ``ops``."""
        self._tasks = tasks
        self._stack = stack
        self._background: list[tuple[Step | None, asyncio.Task[object]]] = []
        self._starts: list[Callable[[], Awaitable[None]]] = []
        self._stops: list[tuple[Step, Callable[[], Awaitable[None]]]] = []
        self._conditions: dict[str, Callable[[], bool]] = {}
        self._ready = False

    async def enter(self, context: AbstractAsyncContextManager[Entered]) -> Entered:
        """Enter a context that is left at the very end, in reverse order."""
        return await self._stack.enter_async_context(context)

    def spawn(self, work: Coroutine[object, object, object], *, until: Step | None = None) -> None:
        """Run a coroutine in the service's task group; its failure ends the service.

        With `until` it is cancelled at that step of stopping (timers and relays: Step.QUIESCE), else after all steps.
        """
        self._background.append((until, self._tasks.create_task(work)))

    def at_ready(self, start: Callable[[], Awaitable[None]]) -> None:
        """Call `start()` when wiring is done."""
        self._starts.append(start)

    def at_stop(self, step: Step, stop: Callable[[], Awaitable[None]]) -> None:
        """Call `stop()` at that step of stopping, for at most 25 s.

        What drains drains at once, because a server waits for the streams that another part ends; within the other
        steps the last added goes first.
        """
        self._stops.append((step, stop))

    def ready_when(self, name: str, holds: Callable[[], bool]) -> None:
        """A further condition of readiness, asked at every probe (``bus``: is it connected)."""
        self._conditions[name] = holds

    async def serve(self, server: GrpcServer, *, name: str = "grpc") -> None:
        """Start a gRPC server: healthy from readiness until stopping, then drained within its grace."""
        await server.start()
        self.addresses[name] = server.addresses[0]
        self.at_ready(lambda: server.set_serving(True))
        self.at_stop(Step.QUIESCE, lambda: server.set_serving(False))
        self.at_stop(Step.DRAIN, server.stop)

    def conditions(self) -> Mapping[str, bool]:
        """What readiness depends on, as of now."""
        return {"serving": self._ready} | {name: holds() for name, holds in self._conditions.items()}

    async def become_ready(self) -> None:
        """Wiring is done: tune the collector, start, say so."""
        tune_gc()
        for start in self._starts:
            await start()
        self._ready = True
        _write_ready_file(self.options, self.addresses)
        _log.info("ready", **self.addresses)

    async def stop(self) -> None:
        """Go through the steps; each part may fail or take too long without keeping the others from stopping."""
        self._ready = False
        _log.info("stopping")
        for step in Step:
            for task in [task for until, task in self._background if until is step]:
                await _cancelled(task)
            stops = [stop for at, stop in reversed(self._stops) if at is step]
            if step is Step.DRAIN:
                await asyncio.gather(*(_stopped(stop) for stop in stops))
            else:
                for stop in stops:
                    await _stopped(stop)
        for _, task in reversed(self._background):
            await _cancelled(task)


async def _cancelled(task: "asyncio.Task[object]") -> None:
    task.cancel()
    await asyncio.wait([task])


async def _stopped(stop: Callable[[], Awaitable[None]]) -> None:
    try:
        async with asyncio.timeout(_DRAIN_SECONDS):
            await stop()
    except Exception as error:
        _log.error("stop_failed", error=type(error).__name__, exc_info=error)


def _write_ready_file(options: AppOptions, addresses: Mapping[str, str]) -> None:
    named = os.environ.get(READY_FILE_VARIABLE)
    file = Path(named) if named else options.ready_file
    if file is None:
        return
    line = json.dumps({"service": options.service, "pid": os.getpid(), "addresses": dict(addresses)})
    # Written beside and renamed, so that who waits for it never reads half of it.
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    beside.write_text(line + "\n", encoding="utf-8")
    beside.replace(file)


@asynccontextmanager
async def running(options: AppOptions, main: Callable[[App], Awaitable[None]]) -> AsyncIterator[App]:
    """Run a service inside this process while the block lasts (tests, `belot up` in one process).

    The block begins when the service is ready. Errors: whatever `main` or a background task raises.
    """
    failures: BaseExceptionGroup[BaseException] | None = None
    try:
        async with AsyncExitStack() as stack, asyncio.TaskGroup() as tasks:
            app = App(options, tasks, stack)
            app.addresses["ops"] = await stack.enter_async_context(serve_ops(options.ops, app.conditions))
            try:
                await main(app)
                await app.become_ready()
                yield app
            finally:
                await app.stop()
    except BaseExceptionGroup as group:
        failures = group
    if failures is not None:
        raise failures.exceptions[0] if len(failures.exceptions) == 1 else failures


def run_service(options: AppOptions, main: Callable[[App], Awaitable[None]]) -> int:
    """Run a service until SIGTERM or SIGINT; returns the exit code. The first lines of a service's `main.py`.

    A second signal ends the process at once. On uvloop where it is installed.
    """
    configure_logs(options.logs, service=options.service)
    load_failpoints()
    try:
        with asyncio.Runner(loop_factory=_loop_factory()) as runner:
            runner.run(_until_signal(options, main))
    except Exception as error:
        _log.critical("service_failed", exc_info=error)
        return 1
    return 0


async def _until_signal(options: AppOptions, main: Callable[[App], Awaitable[None]]) -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, _on_signal, told)
    async with running(options, main):
        await told.wait()


def _on_signal(told: asyncio.Event) -> None:
    if told.is_set():
        os._exit(130)
    told.set()


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop]:
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop
    return uvloop.new_event_loop
