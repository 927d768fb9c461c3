"""Rules processes are killed under whole matches: the moves go on, at once where another process lives."""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from belot.rules.v1 import rules_pb2
from belot_cli.lifeline import PARENT_VARIABLE
from belot_kit.app import READY_FILE_VARIABLE
from belot_kit.grpc_client import call
from belot_kit.replicas import Replicas, open_replicas
from belot_table.rules_port import ApplyCall, RulesClient
from support.eventually import eventually
from support.rules_client import at_random, play_match, start_request

SEED = 20
QUICK_SECONDS = 0.3
BACK_SECONDS = 1.0


class RulesProcess:
    """`belot serve rules` at a unix socket, which can be killed and started again."""

    def __init__(self, folder: Path, name: str) -> None:
        self.address = f"unix:{folder}/{name}.sock"
        self._ready_file = folder / f"{name}.ready"
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        """Start it and wait until it is ready."""
        self._ready_file.unlink(missing_ok=True)
        settings = {
            "BELOT_RULES__LISTEN": self.address,
            READY_FILE_VARIABLE: str(self._ready_file),
            PARENT_VARIABLE: str(os.getpid()),
        }
        self._process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "belot_cli.main", "serve", "rules"),
            env={**os.environ, **settings},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        await eventually(self._ready_file.exists)

    async def end(self, number: signal.Signals = signal.SIGKILL) -> float:
        """Send it a signal and wait for its end; the seconds that took."""
        began = time.monotonic()
        if self._process is not None and self._process.returncode is None:
            self._process.send_signal(number)
            await self._process.wait()
        return time.monotonic() - began


@asynccontextmanager
async def rules_processes(folder: Path, count: int) -> AsyncIterator[list[RulesProcess]]:
    """So many rules processes, ready."""
    processes = [RulesProcess(folder, f"rules-{number}") for number in range(count)]
    try:
        await asyncio.gather(*(each.start() for each in processes))
        yield processes
    finally:
        for each in processes:
            await each.end()


class Mover:
    """Plays matches over replicas of the rules, one move after another, and takes the time of each."""

    def __init__(self, replicas: Replicas[RulesClient]) -> None:
        self._replicas = replicas
        self._rng = random.Random(SEED)
        self.moves = 0
        self.slowest_s = 0.0
        self.enough = asyncio.Event()

    async def play(self) -> None:
        """Match after match until it is enough."""
        ruleset = await self._replicas.ask(
            lambda rules: call(rules.stub.GetRuleset, rules_pb2.GetRulesetRequest(name="bela"))
        )
        start = start_request(ruleset.ruleset.json)
        while not self.enough.is_set():
            started = await self._replicas.ask(lambda rules: call(rules.stub.StartMatch, start))
            await play_match(started.applied, self._apply, at_random(self._rng), self._rng)

    async def _apply(self, request: rules_pb2.ApplyRequest) -> rules_pb2.Applied:
        state = request.state.SerializeToString()
        seat = request.seat if request.HasField("seat") else None
        item = ApplyCall(state, request.state.ruleset_json, seat, request.action.SerializeToString())
        began = time.monotonic()
        reply = await self._replicas.ask(lambda rules: rules.actions.call(item))
        self.slowest_s = max(self.slowest_s, time.monotonic() - began)
        self.moves += 1
        assert reply.WhichOneof("result") == "applied", reply.refusal.message
        return reply.applied

    async def move_on(self, moves: int = 50) -> None:
        """Wait for so many more moves."""
        goal = self.moves + moves
        await eventually(lambda: self.moves >= goal)


async def while_playing(processes: list[RulesProcess], disturb: Callable[[Mover], Awaitable[None]]) -> Mover:
    """Play on all the processes, disturb, and play on for a while."""
    print(f"seed {SEED}")
    addresses = [each.address for each in processes]
    async with open_replicas("rules", addresses, RulesClient, RulesClient.run) as replicas:
        await eventually(lambda: len(replicas.live) == len(addresses))
        mover = Mover(replicas)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(mover.play())
            await mover.move_on()
            await disturb(mover)
            await mover.move_on()
            mover.enough.set()
    return mover


async def test_a_killed_rules_process_delays_no_move_while_another_lives(tmp_path: Path) -> None:
    async with rules_processes(tmp_path, 2) as processes:

        async def kill(mover: Mover) -> None:
            await processes[0].end()

        mover = await while_playing(processes, kill)
    print(f"slowest {mover.slowest_s:.3f} s of {mover.moves}")
    assert mover.slowest_s < QUICK_SECONDS


async def test_a_single_rules_process_killed_and_started_again_goes_on_soon_after_it_is_ready(tmp_path: Path) -> None:
    async with rules_processes(tmp_path, 1) as processes:

        async def kill_and_restart(mover: Mover) -> None:
            await processes[0].end()
            known = mover.moves
            await processes[0].start()
            ready = time.monotonic()
            await eventually(lambda: mover.moves > known)
            print(f"back after {time.monotonic() - ready:.3f} s")
            assert time.monotonic() - ready < BACK_SECONDS

        await while_playing(processes, kill_and_restart)


async def test_a_stopping_rules_process_ends_at_once_and_delays_no_move(tmp_path: Path) -> None:
    async with rules_processes(tmp_path, 2) as processes:
        took: list[float] = []

        async def stop(mover: Mover) -> None:
            took.append(await processes[0].end(signal.SIGTERM))

        mover = await while_playing(processes, stop)
    assert took[0] < 1.0
    print(f"slowest {mover.slowest_s:.3f} s of {mover.moves}")
    assert mover.slowest_s < QUICK_SECONDS
