"""Streams that never read among many that do: what the others notice of them, and what the gateway's memory does.

``PYTHONPATH=tests python -m bench.slow_readers``. All streams follow the lobby, of which large news come at a steady
rate, and one table. In the first window all of them read; in the second some do not, until each has been ended with
STREAM_TOO_SLOW; then they resume after their last event.
"""

import argparse
import asyncio
import gc
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from belot_kit.errors import Reason
from belot_kit.tasks import background
from bench.figures import line, percentile
from bench.processes import memory_by_service
from support.fleet import Fleet, running_fleet
from support.raw_streams import RawGuest, guest
from support.readers import Flood, Reader, crowd


async def _publish(flood: Flood, owner: RawGuest, table_id: str, arguments: argparse.Namespace) -> None:
    """Large news at a steady rate, and an event of the table after each tenth, for one window."""
    until = time.perf_counter() + arguments.seconds
    due = time.perf_counter()
    while due < until:
        await flood.publish()
        if flood.version % 10 == 0:
            await owner.ready(table_id, flood.version % 20 == 0)
        due += 1 / arguments.rate
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def _window(title: str, readers: Sequence[Reader], owner: RawGuest, arguments: argparse.Namespace) -> str:
    """One window; its line."""
    for reader in readers:
        reader.latencies.clear()
    await _publish(readers[0].flood, owner, readers[0].table_id, arguments)
    flood = readers[0].flood
    async with asyncio.timeout(30):
        for reader in readers:
            while reader.version < flood.version:
                reader.changed.clear()
                await reader.changed.wait()
    waited = [latency for reader in readers for latency in reader.latencies]
    p50 = f"p50 {1000 * percentile(waited, 0.5):.1f} ms, {len(readers)} streams, {arguments.rate:.0f} news/s"
    return line(f"{title}, p99", 1000 * percentile(waited, 0.99), "ms", p50)


async def _until_ended(slow: Sequence[Reader], flood: Flood) -> float:
    """Go on until the gateway has given every slow stream up; how long that took, seconds."""
    began = time.perf_counter()
    async with asyncio.timeout(60):
        while await flood.listeners([reader.channel for reader in slow]):
            await flood.publish()
            await asyncio.sleep(0.1)
    return time.perf_counter() - began


async def _resume(slow: Sequence[Reader], owner: RawGuest) -> str:
    """Read what is left of the ended streams, and open them again after their last event."""
    ended: list[Reason | None] = []
    for reader in slow:
        await reader.read()
        ended.append(reader.ended)
    sequence = (await owner.ready(slow[0].table_id, False)).sequence
    for reader in slow:
        reader.open(reader.head)
        await reader.read_up_to(sequence)
    whole = sum(reader.in_order and reader.snapshots == 1 for reader in slow)
    too_slow = sum(reason is Reason.STREAM_TOO_SLOW for reason in ended)
    return f"{too_slow} of {len(slow)} ended with STREAM_TOO_SLOW, {whole} resumed without a gap or a snapshot"


async def _watch(pid: int, most: list[int]) -> None:
    """Keep the most memory that a process had (PSS, KiB)."""
    while True:
        most[0] = max(most[0], memory_by_service({"": pid})[""])
        await asyncio.sleep(0.5)


async def _measure(fleet: Fleet, arguments: argparse.Namespace) -> None:
    address, gateway = fleet.gateways[0], fleet.pids["gateway-0"]
    async with AsyncExitStack() as stack:
        owner = await stack.enter_async_context(guest(address, "Owner"))
        crowded = crowd(address, fleet.servers.valkey_url, owner, arguments.streams, arguments.octets)
        readers = await stack.enter_async_context(crowded)
        slow, steady = readers[: arguments.slow], readers[arguments.slow :]
        await stack.enter_async_context(background(*(reader.read() for reader in steady)))
        gc.collect()
        gc.freeze()
        async with background(*(reader.read() for reader in slow)):
            await _window("warming up", steady, owner, arguments)
            print(await _window("all read: news to the others", steady, owner, arguments), flush=True)
        for reader in slow:  # whose call was cancelled with their reading: they begin anew, and read no more
            await reader.begin(reader.head)
        before = memory_by_service({"": gateway})[""]
        most = [before]
        async with background(_watch(gateway, most)):
            print(await _window("some never read: news to the others", steady, owner, arguments), flush=True)
            took = await _until_ended(slow, slow[0].flood)
        print(line("slow streams still open after it for", took, "s"))
        print(line("gateway's memory before it", before / 1024, "MiB"))
        print(
            line(
                "gateway's memory, most", most[0] / 1024, "MiB", f"{(most[0] - before) / len(slow):.0f} KiB a slow one"
            )
        )
        print(await _resume(slow, owner))
        print("the others got everything in order:", all(reader.in_order for reader in steady))


async def _run(arguments: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(prefix="belot-bench-") as state:
        async with running_fleet(Path(state), durable=True, log_level="WARNING") as fleet:
            await _measure(fleet, arguments)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="bench.slow_readers", description=__doc__)
    parser.add_argument("--streams", type=int, default=200, help="streams in all")
    parser.add_argument("--slow", type=int, default=20, help="of which so many never read in the second window")
    parser.add_argument("--rate", type=float, default=8, help="news a second")
    parser.add_argument("--octets", type=int, default=16_000, help="size of each piece of news")
    parser.add_argument("--seconds", type=float, default=20, help="length of each window")
    arguments = parser.parse_args()
    print(f"{arguments.streams} streams, {arguments.slow} of them slow, {os.cpu_count()} cores")
    asyncio.run(_run(arguments))


if __name__ == "__main__":
    main()
