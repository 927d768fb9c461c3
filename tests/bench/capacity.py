"""How many tables one machine carries: each makes a move every three seconds, until p99 passes a limit.

``make bench-tables``. Tables are added in steps; after each step all of them rest first (memory of an idle table), then
play (latency). The last step under the limit is the answer.
"""

import argparse
import asyncio
import contextlib
import gc
import os
import random
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.echo import bare_stream_kib, echo_calls_per_second
from bench.figures import line, percentile
from bench.load import Meter, tables_at_play
from bench.processes import cpu_by_service, memory_by_service
from support.fleet import Fleet, running_fleet

_SETTLE_S: Final = 3.0


class Thinking:
    """Each player thinks for ``mean_s`` before a move, give or take half of it; at rest nobody moves."""

    def __init__(self, mean_s: float, seed: int) -> None:
        self._mean_s = mean_s
        self._rng = random.Random(seed)
        self._awake = asyncio.Event()

    def rest(self) -> None:
        """Whoever is to move next waits."""
        self._awake.clear()

    def wake(self) -> None:
        """Go on."""
        self._awake.set()

    async def turn(self) -> None:
        """Think."""
        await asyncio.sleep(self._mean_s * self._rng.uniform(0.5, 1.5))
        await self._awake.wait()


@dataclass(frozen=True, slots=True)
class Step:
    """What so many tables came to: moves a second, latency to be seen by all (ms), CPU of the services (cores).

    `idle_kib`: what an idle table with its four streams takes of each service's memory.
    """

    tables: int
    moves: float
    p50_ms: float
    p99_ms: float
    cores: float
    idle_kib: Mapping[str, float]


def _idle_kib(empty: Mapping[str, int], full: Mapping[str, int], tables: int) -> dict[str, float]:
    return {service: (full[service] - empty[service]) / tables for service in full}


async def _played(fleet: Fleet, meter: Meter, tables: int, idle_kib: Mapping[str, float], seconds: float) -> Step:
    meter.acknowledged, meter.latencies = 0, []
    before, began = sum(cpu_by_service(fleet.pids).values()), time.perf_counter()
    gc.disable()  # thousands of clients in one process pause for 30 to 80 ms at a time, which no service has to do with
    meter.recording = True
    await asyncio.sleep(seconds)
    meter.recording = False
    gc.enable()
    took = time.perf_counter() - began
    spent = sum(cpu_by_service(fleet.pids).values()) - before
    p50, p99 = (1000 * percentile(meter.latencies, share) for share in (0.5, 0.99))
    return Step(tables, meter.acknowledged / took, p50, p99, spent / took, idle_kib)


async def _steps(fleet: Fleet, arguments: argparse.Namespace) -> list[Step]:
    meter, thinking = Meter(), Thinking(arguments.every, arguments.seed)
    empty = memory_by_service(fleet.pids)
    steps: list[Step] = []
    async with contextlib.AsyncExitStack() as stack:
        tables = 0
        while tables < arguments.most and (not steps or steps[-1].p99_ms < arguments.limit):
            thinking.wake()
            more = arguments.step if steps else arguments.first or arguments.step
            opened = tables_at_play(list(fleet.gateways), more, meter, thinking, arguments.seed + tables)
            await stack.enter_async_context(opened)
            tables += more
            gc.collect()
            gc.freeze()
            thinking.rest()
            await asyncio.sleep(arguments.every * 1.5 + _SETTLE_S)
            idle = _idle_kib(empty, memory_by_service(fleet.pids), tables)
            thinking.wake()
            await asyncio.sleep(_SETTLE_S)
            steps.append(await _played(fleet, meter, tables, idle, arguments.seconds))
            print(_row(steps[-1]), flush=True)
        if meter.refused:
            print("refusals, by reason number:", meter.refused)
    return steps


def _row(step: Step) -> str:
    services = ", ".join(f"{name} {kib:.0f}" for name, kib in step.idle_kib.items() if kib >= 1)
    return (
        f"{step.tables:>6} tables {step.moves:>8.1f} moves/s   p50 {step.p50_ms:>7.1f} ms   "
        f"p99 {step.p99_ms:>8.1f} ms   {step.cores:>5.2f} cores   "
        f"{sum(step.idle_kib.values()):>6.0f} KiB an idle table ({services})"
    )


async def _run(arguments: argparse.Namespace) -> list[Step]:
    with tempfile.TemporaryDirectory(prefix="belot-bench-") as state:
        services = {"tables": arguments.table_services, "gateways": arguments.gateways}
        async with running_fleet(Path(state), **services, durable=True, log_level="WARNING") as fleet:
            return await _steps(fleet, arguments)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="make bench-tables", description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="tables to begin with; as many as in a step if not said")
    parser.add_argument("--step", type=int, default=100, help="tables added at a time")
    parser.add_argument("--most", type=int, default=2_000, help="tables at which to stop in any case")
    parser.add_argument("--every", type=float, default=3.0, help="seconds between two moves of a table")
    parser.add_argument("--limit", type=float, default=250.0, help="p99 in ms, from sending to being seen by all four")
    parser.add_argument("--seconds", type=float, default=20, help="length of each window")
    parser.add_argument("--seed", type=int, default=7, help="of the players' choices")
    parser.add_argument("--table-services", type=int, default=1, help="table processes")
    parser.add_argument("--gateways", type=int, default=1, help="gateway processes")
    arguments = parser.parse_args()
    print(line("bare unary echo", echo_calls_per_second(4), "calls/s", f"{os.cpu_count()} cores"), flush=True)
    print(line("four bare streams, a connection each", 4 * bare_stream_kib(), "KiB"), flush=True)
    within = [step for step in asyncio.run(_run(arguments)) if step.p99_ms < arguments.limit]
    print(line("tables with p99 under the limit", within[-1].tables if within else 0, "tables"))


if __name__ == "__main__":
    main()
