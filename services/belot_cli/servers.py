"""PostgreSQL and Valkey of a local fleet: our embedded ones, or those that the environment names.

An embedded server that dies is started again over the same data and at the same address.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from belot_cli.probe import is_dead
from belot_kit.embedded import PostgresAddress, ValkeyAddress, embedded_postgres, embedded_valkey
from belot_kit.embedded.processes import EmbeddedServerError

POSTGRES_VARIABLE = "BELOT_POSTGRES_DSN"
VALKEY_VARIABLE = "BELOT_VALKEY_URL"
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class ServerAddresses:
    """Where the fleet's servers are; an empty one is to be embedded. `dsn` is the database administrator's."""

    dsn: str = ""
    valkey_url: str = ""


def named_by(environment: Mapping[str, str] = os.environ) -> ServerAddresses:
    """The servers that the environment names."""
    return ServerAddresses(environment.get(POSTGRES_VARIABLE, ""), environment.get(VALKEY_VARIABLE, ""))


class _Embedded(Protocol):
    """A server that can be started again: its socket, and what to do."""

    name: str

    @property
    def socket(self) -> str:
        """Address of its unix socket."""

    def start(self) -> None:
        """Start it, or start it again."""

    def stop(self) -> None:
        """Stop it."""


class _Postgres:
    name = "postgres"

    def __init__(self, folder: Path, durable: bool) -> None:
        self._folder, self._durable = folder, durable
        self._stack = ExitStack()
        self.address = PostgresAddress(host="")

    @property
    def socket(self) -> str:
        return f"unix:{self.address.host}/.s.PGSQL.{self.address.port}"

    def start(self) -> None:
        self._stack.close()
        self.address = self._stack.enter_context(embedded_postgres(self._folder, durable=self._durable))

    def stop(self) -> None:
        self._stack.close()


class _Valkey:
    name = "valkey"

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._stack = ExitStack()
        self.address = ValkeyAddress(url="")

    @property
    def socket(self) -> str:
        return f"unix:{self.address.url.removeprefix('unix://')}"

    def start(self) -> None:
        self._stack.close()
        self.address = self._stack.enter_context(embedded_valkey(self._folder))

    def stop(self) -> None:
        self._stack.close()


class Servers:
    """The running servers of one fleet."""

    def __init__(self, addresses: ServerAddresses, embedded: tuple[_Embedded, ...], say: Callable[[str], None]) -> None:
        """`embedded` are those that are ours to keep alive."""
        self.addresses = addresses
        self._embedded = embedded
        self._say = say
        self._stopped: set[str] = set()

    def stop(self, name: str) -> None:
        """Stop an embedded server ("postgres", "valkey"); `watch` leaves it so. Errors: KeyError."""
        self._stopped.add(name)
        self._named(name).stop()

    def start(self, name: str) -> None:
        """Start a stopped one again, at the same address. Errors: KeyError, EmbeddedServerError."""
        self._named(name).start()
        self._stopped.discard(name)

    def _named(self, name: str) -> _Embedded:
        return {server.name: server for server in self._embedded}[name]

    async def watch(self) -> None:
        """Start again whichever embedded server dies, until cancelled."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            for server in self._embedded:
                if server.name not in self._stopped and await is_dead(server.socket):
                    self._revive(server)

    def _revive(self, server: _Embedded) -> None:
        self._say(f"{server.name} does not answer: starting it again")
        try:
            server.start()
            self._say(f"{server.name} is ready again")
        except EmbeddedServerError as error:
            self._say(str(error))


@asynccontextmanager
async def running_servers(
    state: Path, named: ServerAddresses, say: Callable[[str], None], *, durable: bool = True
) -> AsyncIterator[Servers]:
    """The servers while the block runs; data of the embedded ones is kept in `state`. Errors: EmbeddedServerError.

    Enter it in the main thread: an embedded server lives as long as the thread that started it.
    """
    postgres = None if named.dsn else _Postgres(state / "postgres", durable)
    valkey = None if named.valkey_url else _Valkey(state / "valkey")
    ours: tuple[_Embedded, ...] = tuple(server for server in (postgres, valkey) if server is not None)
    with ExitStack() as stack:
        for server in ours:
            stack.callback(server.stop)
            server.start()
        dsn = named.dsn if postgres is None else postgres.address.dsn
        url = named.valkey_url if valkey is None else valkey.address.url
        yield Servers(ServerAddresses(dsn, url), ours, say)
