"""What is done to a fleet while it plays, by name. Each call is one blow, healed when it returns.

`struck` is called at the moment from which recovery is counted.
"""

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import asyncpg

from belot_kit.bus import Bus, BusOptions
from belot_kit.embedded.processes import process_alive
from belot_kit.tasks import background
from support.eventually import eventually
from support.faulty_proxy import FaultyProxy
from support.fleet import Fleet

FROZEN_SECONDS = 5.0
AWAY_SECONDS = 10.0
SLOW_SECONDS = 8.0
HOLE_SECONDS = 8.0
BETWEEN_SECONDS = 0.5
SKEWED_SECONDS = 5.0
SKEWS = (-30.0, 30.0)
DELAYS = (0.05, 0.3)

_TERMINATE = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'
"""


@dataclass(frozen=True, slots=True)
class Arena:
    """The fleet that plays, the lines of its clients, the source of all choices, and whom to tell of a blow."""

    fleet: Fleet
    proxies: Sequence[FaultyProxy]
    rng: random.Random
    struck: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of blow. `proxied`: clients come through proxies. `lasts_s`: how long a blow lasts by itself."""

    name: str
    what: str
    strike: Callable[[Arena], Awaitable[None]]
    proxied: bool = False
    lasts_s: float = 0.0


def _one_of(arena: Arena, service: str) -> str:
    """The name of a process of a service."""
    return arena.rng.choice(sorted(name for name in arena.fleet.pids if name.partition("-")[0] == service))


def _kill(service: str) -> Callable[[Arena], Awaitable[None]]:
    async def strike(arena: Arena) -> None:
        name = _one_of(arena, service)
        await arena.fleet.kill(name)
        arena.struck()
        await arena.fleet.revive(name)

    return strike


def _freeze(service: str) -> Callable[[Arena], Awaitable[None]]:
    async def strike(arena: Arena) -> None:
        pid = arena.fleet.pids[_one_of(arena, service)]
        os.kill(pid, signal.SIGSTOP)
        arena.struck()
        try:
            await asyncio.sleep(FROZEN_SECONDS)
        finally:
            os.kill(pid, signal.SIGCONT)

    return strike


async def _valkey(arena: Arena, *command: str) -> None:
    bus = Bus(BusOptions(arena.fleet.servers.valkey_url, "faults"))
    async with background(bus.run()):
        await bus.wait_connected()
        await bus.execute(*command)


async def _kill_pubsub(arena: Arena) -> None:
    await _valkey(arena, "CLIENT", "KILL", "TYPE", "pubsub")
    arena.struck()


async def _kill_valkey_clients(arena: Arena) -> None:
    await _valkey(arena, "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes")
    arena.struck()


async def _empty_valkey(arena: Arena) -> None:
    with arena.fleet.without_server("valkey"):
        arena.struck()


async def _valkey_away(arena: Arena) -> None:
    with arena.fleet.without_server("valkey"):
        arena.struck()
        await asyncio.sleep(AWAY_SECONDS)


async def _restart_postgres(arena: Arena) -> None:
    arena.struck()
    with arena.fleet.without_server("postgres"):
        pass


async def _crash_postgres(arena: Arena) -> None:
    """An immediate shutdown: no checkpoint, the log is replayed at the start."""
    lock = arena.fleet.local.spec.state / "postgres" / "cluster" / "postmaster.pid"
    arena.struck()
    os.kill(_postmaster(lock), signal.SIGQUIT)
    with arena.fleet.without_server("postgres"):
        pass


def _postmaster(lock: Path) -> int:
    return int(lock.read_text().splitlines()[0])


async def _terminate_backends(arena: Arena) -> None:
    connection = await asyncpg.connect(arena.fleet.servers.dsn)
    try:
        await connection.fetchval(_TERMINATE)
    finally:
        await connection.close()
    arena.struck()


async def _clock_skew(arena: Arena) -> None:
    """One table service comes back with its clock half a minute off, and is put right after a while."""
    name = _one_of(arena, "table")
    settings = arena.fleet.settings_of(name)
    right = settings.read_text(encoding="utf-8")
    settings.write_text(f"clock_offset_s = {arena.rng.choice(SKEWS)}\n{right}", encoding="utf-8")
    try:
        await _anew(arena, name)
        arena.struck()
        await asyncio.sleep(SKEWED_SECONDS)
    finally:
        settings.write_text(right, encoding="utf-8")
    await _anew(arena, name)


async def _anew(arena: Arena, name: str) -> None:
    await arena.fleet.kill(name)
    await arena.fleet.revive(name)


async def _rolling_restart(arena: Arena) -> None:
    """Every process in turn: asked to end, and started again once it has."""
    arena.struck()
    for name, pid in arena.fleet.pids.items():
        os.kill(pid, signal.SIGTERM)
        await eventually(lambda gone=pid: not process_alive(gone), seconds=30)  # type: ignore[misc]
        await arena.fleet.revive(name)
        await asyncio.sleep(BETWEEN_SECONDS)


async def _slow_network(arena: Arena) -> None:
    for proxy in arena.proxies:
        proxy.delay_s = DELAYS
    arena.struck()
    await asyncio.sleep(SLOW_SECONDS)
    _heal(arena)


async def _reset_connections(arena: Arena) -> None:
    for proxy in arena.proxies:
        proxy.reset()
    arena.struck()


async def _half_open(arena: Arena) -> None:
    arena.rng.choice(arena.proxies).half_open()
    arena.struck()
    await asyncio.sleep(HOLE_SECONDS)
    _heal(arena)


async def _black_hole(arena: Arena) -> None:
    arena.rng.choice(arena.proxies).black_hole()
    arena.struck()
    await asyncio.sleep(HOLE_SECONDS)
    _heal(arena)


def _heal(arena: Arena) -> None:
    for proxy in arena.proxies:
        proxy.heal()


FAULTS: tuple[Fault, ...] = (
    Fault("kill_gateway", "SIGKILL of one gateway", _kill("gateway")),
    Fault("kill_table", "SIGKILL of one table service", _kill("table")),
    Fault("kill_rules", "SIGKILL of the rules", _kill("rules")),
    Fault("kill_dealer", "SIGKILL of the dealer", _kill("dealer")),
    Fault("kill_bot", "SIGKILL of the bots", _kill("bot")),
    Fault("kill_rating", "SIGKILL of the ratings", _kill("rating")),
    Fault("freeze_table", "one table service stopped for 5 s and back", _freeze("table"), lasts_s=FROZEN_SECONDS),
    Fault("freeze_gateway", "one gateway stopped for 5 s and back", _freeze("gateway"), lasts_s=FROZEN_SECONDS),
    Fault("freeze_rules", "the rules stopped for 5 s and back", _freeze("rules"), lasts_s=FROZEN_SECONDS),
    Fault("clock_skew", "the clock of one table service 30 s off for 5 s", _clock_skew, lasts_s=SKEWED_SECONDS + 4),
    Fault("kill_pubsub", "every pub/sub connection killed", _kill_pubsub),
    Fault("kill_publishers", "every other Valkey connection killed", _kill_valkey_clients),
    Fault("empty_valkey", "Valkey restarted empty", _empty_valkey),
    Fault("valkey_away", "Valkey away for 10 s", _valkey_away, lasts_s=AWAY_SECONDS),
    Fault("restart_postgres", "PostgreSQL restarted", _restart_postgres),
    Fault("crash_postgres", "PostgreSQL crashed and recovered", _crash_postgres),
    Fault("terminate_backends", "every session of PostgreSQL terminated", _terminate_backends),
    Fault("slow_network", "50-300 ms late, each piece, for 8 s", _slow_network, proxied=True, lasts_s=SLOW_SECONDS),
    Fault("reset_connections", "all clients' connections reset", _reset_connections, proxied=True),
    Fault("half_open", "one gateway's side of its connections gone", _half_open, proxied=True, lasts_s=HOLE_SECONDS),
    Fault("black_hole", "one gateway's lines swallow all for 8 s", _black_hole, proxied=True, lasts_s=HOLE_SECONDS),
    Fault("rolling_restart", "SIGTERM and start of everything, one by one", _rolling_restart, lasts_s=15.0),
)
"""In the order in which `make robust` runs them."""

BY_NAME = {fault.name: fault for fault in FAULTS}
