"""One run, one table of figures: ``make bench``."""

import argparse
import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from bench import deciding, pure
from bench.echo import echo_calls_per_second
from bench.figures import line, percentile
from bench.load import Meter, Pacer, tables_at_play
from bench.processes import cpu_by_service
from support.fleet import Fleet, running_fleet


async def _window(fleet: Fleet, meter: Meter, seconds: float, title: str) -> Iterator[str]:
    """Measures one window of play and gives its lines."""
    meter.acknowledged, meter.latencies = 0, []
    before, generator, began = cpu_by_service(fleet.pids), time.process_time(), time.perf_counter()
    meter.recording = True
    await asyncio.sleep(seconds)
    meter.recording = False
    took = time.perf_counter() - began
    spent = {name: after - before[name] for name, after in cpu_by_service(fleet.pids).items()}
    moves = max(meter.acknowledged, 1)
    share = ", ".join(f"{name} {1000 * cpu / moves:.2f}" for name, cpu in spent.items())
    return iter(
        (
            line(f"{title}: durable moves", meter.acknowledged / took, "moves/s"),
            line(f"{title}: move to seen by all, p50", 1000 * percentile(meter.latencies, 0.5), "ms"),
            line(f"{title}: move to seen by all, p99", 1000 * percentile(meter.latencies, 0.99), "ms"),
            line(f"{title}: services' CPU a move", 1000 * sum(spent.values()) / moves, "ms", share),
            line(f"{title}: generator's share of one core", 100 * (time.process_time() - generator) / took, "%"),
        )
    )


async def _fleet_figures(arguments: argparse.Namespace, echo: float) -> None:
    with tempfile.TemporaryDirectory(prefix="belot-bench-") as state:
        services = {"tables": arguments.table_services, "gateways": arguments.gateways}
        async with running_fleet(Path(state), **services, durable=True, log_level="WARNING") as fleet:
            await _play(fleet, arguments, echo)


def _first_cards(meter: Meter) -> Iterator[str]:
    """From the last seed to the first cards: the round lies 1 to 2 s ahead, and its value is asked for 0.3 s later."""
    waited, note = meter.first_cards, f"{len(meter.first_cards)} clients, development beacon of 1 s, tables opening"
    yield line("last seed to first card, p50", 1000 * percentile(waited, 0.5), "ms", note)
    yield line("last seed to first card, p99", 1000 * percentile(waited, 0.99), "ms")


async def _play(fleet: Fleet, arguments: argparse.Namespace, echo: float) -> None:
    meter, pacer = Meter(), Pacer(None)
    async with tables_at_play(list(fleet.gateways), arguments.tables, meter, pacer, arguments.seed):
        for text in _first_cards(meter):
            print(text, flush=True)
        gc.collect()
        gc.freeze()
        await asyncio.sleep(2)
        for text in await _window(fleet, meter, arguments.seconds, "saturated"):
            print(text, flush=True)
        print(line("saturated: moves for one echo call", meter.acknowledged / arguments.seconds / echo, "ratio"))
        pacer.rate = arguments.rate
        await asyncio.sleep(2)
        for text in await _window(fleet, meter, arguments.seconds, f"at {arguments.rate:.0f}/s"):
            print(text, flush=True)
        if meter.refused:
            print("refusals, by reason number:", meter.refused)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument("--tables", type=int, default=100, help="tables of four scripted clients")
    parser.add_argument("--seconds", type=float, default=15, help="length of each window")
    parser.add_argument("--rate", type=float, default=300, help="moves a second of the paced window")
    parser.add_argument("--seed", type=int, default=7, help="of the players' choices")
    parser.add_argument("--table-services", type=int, default=1, help="table processes")
    parser.add_argument("--gateways", type=int, default=1, help="gateway processes")
    arguments = parser.parse_args()
    print(f"{arguments.tables} tables, four clients each, seed {arguments.seed}, {os.cpu_count()} cores")
    echo = echo_calls_per_second(4)
    print(line("bare unary echo", echo, "calls/s", "grpc.aio, 64 octets, 32 callers"), flush=True)
    for text in pure.engine_lines(2):
        print(text, flush=True)
    for text in pure.fair_lines(1):
        print(text, flush=True)
    for text in deciding.decision_lines():
        print(text, flush=True)
    asyncio.run(_fleet_figures(arguments, echo))


if __name__ == "__main__":
    main()
