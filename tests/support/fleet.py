"""A whole fleet for a test: every service a process of its own, on the test's servers or on servers of its own.

Nothing that dies is started again by itself: the test kills and revives.
"""

import contextlib
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from belot_cli.fleet import BeaconChoice, FleetSpec
from belot_cli.local_fleet import LocalFleet, local_fleet
from belot_cli.probe import free_port, taken_because
from belot_cli.servers import ServerAddresses
from belot_cli.state_dir import locked, open_state_dir
from belot_cli.supervisor import Supervisor

_MOST_PORT = 65_000


@dataclass(frozen=True, slots=True)
class Fleet:
    """A running fleet. Processes are called ``gateway-0``, ``table-0``, ``table-1``, ``rules``, ``dealer``, ``bot``,
    ``rating``."""

    local: LocalFleet

    @property
    def gateways(self) -> tuple[str, ...]:
        """What clients dial, one address a gateway."""
        return self.local.gateways

    @property
    def pids(self) -> dict[str, int]:
        """The process id of each process."""
        return dict(self.local.supervisor.pids())

    @property
    def logs(self) -> Path:
        """The directory with a log file for each process."""
        return self.local.spec.state / "logs"

    def settings_of(self, name: str) -> Path:
        """The TOML file with a process's settings, read at its start."""
        return self.local.spec.state / "config" / f"{name}.toml"

    @property
    def servers(self) -> ServerAddresses:
        """Where the fleet's PostgreSQL (the administrator's dsn) and Valkey are."""
        return self.local.servers.addresses

    async def kill(self, name: str) -> None:
        """SIGKILL a process; it stays dead."""
        await self.local.supervisor.kill(name)

    async def revive(self, name: str) -> None:
        """Start a killed process again and wait until it is ready."""
        await self.local.supervisor.revive(name)

    @contextlib.contextmanager
    def without_server(self, name: str) -> Iterator[None]:
        """The fleet's own ``postgres`` or ``valkey`` is stopped while the block lasts, and started again after it."""
        self.local.servers.stop(name)
        try:
            yield
        finally:
            self.local.servers.start(name)


@asynccontextmanager
async def running_fleet(
    folder: Path,
    *,
    tables: int = 1,
    gateways: int = 1,
    dsn: str = "",
    valkey_url: str = "",
    durable: bool = False,
    log_level: str = "INFO",
) -> AsyncIterator[Fleet]:
    """Run a fleet with its state in `folder`, dealing by the development beacon, while the block lasts.

    `dsn` is an administrator's for a database of the test's, migrated or not; servers that are not named are embedded.
    `durable` leaves fsync on in an embedded PostgreSQL. Enter it in the main thread.
    """
    spec = FleetSpec(folder, f"127.0.0.1:{_free_ports(gateways)}", BeaconChoice.DEV, tables, gateways, log_level)
    with locked(open_state_dir(folder)):
        supervisor, named = Supervisor(folder / "logs", print), ServerAddresses(dsn, valkey_url)
        async with local_fleet(spec, named, supervisor, print, durable=durable) as fleet:
            yield Fleet(fleet)


def _free_ports(count: int) -> int:
    """The first of `count` free ports in a row."""
    while True:
        first = free_port()
        if first < _MOST_PORT and not any(taken_because(f"127.0.0.1:{first + step}") for step in range(count)):
            return first
