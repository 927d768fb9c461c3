"""A fleet on this machine for as long as a block lasts: servers, migrations, one process a service.

`belot up` runs one over the state directory, `belot play` a private one, tests their own.
"""

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from belot_cli.fleet import (
    SEAL_KEYS,
    SIGNING_KEY,
    BeaconChoice,
    FleetPlanError,
    FleetSpec,
    Places,
    ServicePlan,
    gateway_addresses,
    plan_fleet,
    toml_of,
)
from belot_cli.migrate_command import migrate_all
from belot_cli.probe import free_port, is_ready, taken_because
from belot_cli.servers import ServerAddresses, Servers, running_servers
from belot_cli.state_dir import secret_file
from belot_cli.supervisor import ChildPlan, Supervisor
from belot_kit.embedded.processes import EmbeddedServerError, own_account, socket_directory


@dataclass(frozen=True, slots=True)
class LocalFleet:
    """A running fleet: where its gateways listen, which beacon it deals by, what keeps it running."""

    spec: FleetSpec
    gateways: tuple[str, ...]
    beacon: BeaconChoice
    supervisor: Supervisor
    servers: Servers

    @property
    def beacon_name(self) -> str:
        """The drand chain's name: "quicknet" or "belot-dev"."""
        return "quicknet" if self.beacon is BeaconChoice.QUICKNET else "belot-dev"

    async def watch(self) -> None:
        """Start again whatever dies, until cancelled."""
        async with asyncio.TaskGroup() as group:
            group.create_task(self.supervisor.watch())
            group.create_task(self.servers.watch())


@asynccontextmanager
async def local_fleet(
    spec: FleetSpec,
    named: ServerAddresses,
    supervisor: Supervisor,
    say: Callable[[str], None],
    *,
    durable: bool = True,
) -> AsyncIterator[LocalFleet]:
    """Run a fleet while the block lasts; the block begins when every process is ready. Enter it in the main thread.

    `named` are servers to use in place of embedded ones, `supervisor` will have the processes, `say` prints a line.
    The caller has opened the state directory and holds its lock. Errors: FleetPlanError, MigrateError,
    ChildFailedError, EmbeddedServerError.
    """
    gateways = gateway_addresses(spec)
    _refuse_taken(gateways)
    state = spec.state
    beacon = await chosen_beacon(spec.beacon)
    sockets = socket_directory("up", state, own_account())
    try:
        async with running_servers(state, named, say, durable=durable) as servers:
            await migrate_all(servers.addresses.dsn)
            places = _places(sockets, state, servers.addresses, beacon)
            try:
                await supervisor.start([_child(state, plan) for plan in plan_fleet(spec, places)])
                yield LocalFleet(spec, gateways, beacon, supervisor, servers)
            finally:
                await supervisor.stop()
    finally:
        shutil.rmtree(sockets, ignore_errors=True)


def _refuse_taken(gateways: tuple[str, ...]) -> None:
    for address in gateways:
        why = None if address.startswith("unix:") else taken_because(address)
        if why is not None:
            raise FleetPlanError(f"{address} cannot be listened on ({why}): choose another with --listen HOST:PORT")


async def chosen_beacon(choice: BeaconChoice) -> BeaconChoice:
    """AUTO settled: quicknet where a relay answers now, else the development beacon."""
    if choice is not BeaconChoice.AUTO:
        return choice
    from belot_dealer.drand_client import probe_quicknet

    return BeaconChoice.QUICKNET if await probe_quicknet() else BeaconChoice.DEV


def _places(sockets: Path, state: Path, servers: ServerAddresses, beacon: BeaconChoice) -> Places:
    for name in (SIGNING_KEY, SEAL_KEYS):
        secret_file(state, name)
    listen = f"127.0.0.1:{free_port()}" if beacon is BeaconChoice.DEV else None
    return Places(sockets, state, servers.dsn, servers.valkey_url, listen)


def _child(state: Path, plan: ServicePlan) -> ChildPlan:
    file = state / "config" / f"{plan.name}.toml"
    handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as out:
        out.write(toml_of(plan.settings))
    command = (sys.executable, "-m", "belot_cli.main", "serve", plan.service, "--config", str(file))
    return ChildPlan(plan.name, command, partial(is_ready, plan.ops), plan.rank)


def remove_sockets(state: Path) -> None:
    """Remove the socket directories that a killed fleet over this state left in the temporary directory."""
    places = (("up", state), ("pg", state / "postgres" / "cluster"), ("vk", state / "valkey"))
    for purpose, place in places:
        with contextlib.suppress(EmbeddedServerError):  # somebody else's: leave it
            shutil.rmtree(socket_directory(purpose, place, own_account()), ignore_errors=True)
