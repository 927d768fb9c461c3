"""Everything in which a run takes place: time, the lines between processes, databases, the bus, and the trace."""

import asyncio
import contextlib
import contextvars
import hashlib
import random
from collections.abc import Callable, Coroutine
from typing import Final, TypeVar

import grpc

from belot_kit.errors import DomainError, Reason
from belot_kit.failpoints import watch
from simulation.plan import Faults, Plan
from support.memory_dealer import DealerRows
from support.memory_grpc import Fate, MemoryChannel, Network
from support.memory_ratings import InboxRows
from support.memory_stores import Line
from support.memory_tables import TableRows
from support.memory_valkey import MemoryValkey, Push
from support.virtual_time import VirtualLoop

_QUICK: Final = (0.0002, 0.003)
_SLOW: Final = (0.05, 2.5)
_LATE: Final = (0.005, 0.5)
_DOWN: Final = (0.05, 1.5)

Answer = TypeVar("Answer")
Run = Callable[["World", "Process"], Coroutine[object, object, None]]

_process: contextvars.ContextVar["Process | None"] = contextvars.ContextVar("simulated_process", default=None)


class Process:
    """One life of a process: its tasks, until it is killed. What it has sent by then may still arrive."""

    def __init__(self, world: "World", name: str) -> None:
        self.name = name
        self.alive = True
        self.tasks: dict[asyncio.Task[object], None] = {}
        self._world = world
        self._context = contextvars.copy_context()
        self._context.run(_process.set, self)

    def start(self, work: Coroutine[object, object, Answer]) -> "asyncio.Task[Answer]":
        """A task of this process."""
        return self._world.loop.create_task(work, context=self._context.copy())

    def kill(self) -> None:
        """It is gone at once: nobody hears of it any more, and what was in its memory is lost."""
        if not self.alive:
            return
        self.alive = False
        self._world.say(self.name, "dies")
        self._world.network.drop(self.name)
        self._world.valkey.cut(f"{self.name}-")
        for task in tuple(self.tasks):
            task.cancel()

    async def buried(self) -> None:
        """Return once all its tasks have ended; they reach nobody, whatever they do at their end."""
        while self.tasks:
            await asyncio.wait(tuple(self.tasks), timeout=0.01)
            for task in tuple(self.tasks):
                task.cancel()


class World:
    """One run's surroundings. `stormy` says whether faults happen now."""

    def __init__(self, virtual: VirtualLoop, plan: Plan, trace: list[str] | None) -> None:
        """With `trace` every line is kept as well."""
        self.loop = virtual.loop
        self.clock = virtual.clock
        self.plan = plan
        self.stormy = False
        self.processes: dict[str, Process] = {}
        self.ended: list[str] = []
        self.deaths = 0
        self._digest = hashlib.blake2b(digest_size=8)
        self._trace = trace
        lines = Weather(self, random.Random(f"lines {plan.seed}"))
        self._fate = random.Random(f"fate {plan.seed}")
        self._lines = lines
        self.network = Network(lines, self.reached)
        self.valkey = MemoryValkey(lines)
        self.tables = TableRows(self.clock.now_ms)
        self.dealer = DealerRows(self.clock.now_ms)
        self.ratings = InboxRows(self.clock.now_ms)
        virtual.on_task = self._on_task
        self.loop.set_exception_handler(self._unhandled)

    # -- the trace

    @property
    def digest(self) -> str:
        """The hash of everything that happened so far, in order."""
        return self._digest.hexdigest()

    def say(self, who: str, what: str) -> None:
        """Something happened."""
        line = f"{self.clock.seconds:.6f} {who}: {what}"
        self._digest.update(line.encode())
        if self._trace is not None:
            self._trace.append(line)

    def reached(self, who: str, what: str) -> None:
        """A message reached somebody, who may die of it."""
        self.say(who, what)
        self._may_die(who, self.plan.faults.dies)

    def _may_die(self, who: str, rate: float) -> bool:
        process = self.processes.get(who)
        if process is None or not self.stormy or not process.alive or self._fate.random() >= rate:
            return False
        self.deaths += 1
        process.kill()
        return True

    # -- processes

    def _on_task(self, task: "asyncio.Task[object]", context: contextvars.Context | None) -> None:
        process = _process.get() if context is None else context.get(_process)
        if process is not None:
            process.tasks[task] = None
            task.add_done_callback(lambda done: process.tasks.pop(done, None))
            if not process.alive:
                task.cancel()

    def _unhandled(self, loop: asyncio.AbstractEventLoop, context: dict[str, object]) -> None:
        """A callback failed. The dead may; in a living process it is a finding."""
        handle = context.get("handle")
        if handle is None:
            return
        process: Process | None = handle._context.get(_process)  # type: ignore[attr-defined]  # whose it is
        if process is None or process.alive:
            self.ended.append(f"a callback failed: {context.get('exception')!r}")

    def passed(self, place: str) -> None:
        """A failpoint was passed, by whichever process runs now."""
        process = _process.get()
        if process is not None and process.alive:
            self.say(process.name, f"is at {place}")
            if self._may_die(process.name, self.plan.faults.dies_at_places):
                raise asyncio.CancelledError

    async def keep(self, name: str, run: Run) -> None:
        """A process that is started again whenever it was killed. One that ends by itself is a finding."""
        while True:
            process = self.processes[name] = Process(self, name)
            self.say(name, "starts")
            life = process.start(run(self, process))
            await asyncio.wait([life])
            if process.alive:
                error = None if life.cancelled() else life.exception()
                self.ended.append(f"{name} ended by itself: {error!r}")
                process.kill()
            await process.buried()
            await asyncio.sleep(self._fate.uniform(*_DOWN))

    async def cut_the_bus(self) -> None:
        """Break bus connections now and then, as long as faults happen."""
        every = self.plan.faults.cut_every_s
        while every:
            await asyncio.sleep(self._fate.uniform(0.2, 1.8) * every)
            if self.stormy:
                name = self._fate.choice((*self.processes, ""))
                self.say(name, "loses the bus")
                self.valkey.cut(*([f"{name}-"] if name else []))

    def watching_places(self) -> "contextlib.AbstractContextManager[None]":
        """Processes may die at failpoints while the block runs."""
        return watch(self.passed)

    # -- what a process reaches

    def channel(self, process: Process, address: str) -> grpc.aio.Channel:
        """A channel of a process to an address."""
        return as_channel(self.network.channel(address, process.name))

    def line(self, process: Process) -> Line:
        """A process's line to its database, which does what it has heard of even when who asked is gone."""

        async def do(name: str, statement: Callable[[], Answer]) -> Answer:
            if not process.alive:
                raise asyncio.CancelledError
            answer: asyncio.Future[Answer] = self.loop.create_future()
            self.loop.call_later(self._lines.delay(), self._execute, process, name, statement, answer)
            return await answer

        return do

    def _execute(
        self, process: Process, name: str, statement: Callable[[], Answer], answer: "asyncio.Future[Answer]"
    ) -> None:
        self.say("database", f"{name} for {process.name}")
        error: DomainError | None = DomainError(Reason.UNAVAILABLE, "the database does not answer")
        found: Answer | None = None
        if not self._lines.refuses():
            try:
                found, error = statement(), None
            except DomainError as refusal:
                error = refusal

        def back() -> None:
            if answer.done():
                return
            self.reached(process.name, f"the database answers {name}")
            if answer.done() or not process.alive:
                return
            if error is not None:
                answer.set_exception(error)
            elif self._lines.is_silent():
                answer.set_exception(DomainError(Reason.UNAVAILABLE, "the answer was lost"))
            else:
                answer.set_result(found)  # type: ignore[arg-type]  # it is the statement's own

        self.loop.call_later(self._lines.delay(), back)


class Weather:
    """How lines, the bus and databases behave: as the plan has it while faults happen, else sound and quick."""

    def __init__(self, world: World, rng: random.Random) -> None:
        self._world = world
        self._rng = rng

    def _happens(self, rate: float) -> bool:
        return self._world.stormy and rate > 0.0 and self._rng.random() < rate

    @property
    def _faults(self) -> Faults:
        return self._world.plan.faults

    def delay(self) -> float:
        """Some milliseconds, now and then much more."""
        return self._rng.uniform(*(_SLOW if self._happens(self._faults.slow) else _QUICK))

    def fate(self) -> Fate:
        """See support.memory_grpc.Lines."""
        faults = self._faults
        if self._happens(faults.line_lost):
            return self._rng.choice((Fate.QUESTION_LOST, Fate.ANSWER_LOST))
        if self._happens(faults.line_silent):
            return Fate.SILENCE
        return Fate.TWICE if self._happens(faults.line_twice) else Fate.SOUND

    def breaks(self) -> bool:
        """See support.memory_grpc.Lines."""
        return self._happens(self._faults.line_breaks)

    def push(self) -> Push:
        """See support.memory_valkey.BusLines."""
        faults = self._faults
        if self._happens(faults.push_lost):
            return Push.LOST
        if self._happens(faults.push_late):
            return Push.LATE
        return Push.TWICE if self._happens(faults.push_twice) else Push.SOUND

    def late(self) -> float:
        """See support.memory_valkey.BusLines."""
        return self._rng.uniform(*_LATE)

    def refuses(self) -> bool:
        """Whether the database does not do a statement."""
        return self._happens(self._faults.base_refuses)

    def is_silent(self) -> bool:
        """Whether its answer is lost."""
        return self._happens(self._faults.base_silent)


def as_channel(channel: MemoryChannel) -> grpc.aio.Channel:
    """The channel as generated stubs want it typed."""
    return channel  # type: ignore[return-value]  # it has what they use
