"""Servers of our own: they keep their data, fit into long paths, and end with us."""

import asyncio
import getpass
import os
import pwd
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from belot_kit.embedded import embedded_postgres, embedded_valkey
from belot_kit.embedded.processes import EmbeddedServerError, process_alive


@pytest.fixture
def open_directory() -> Iterator[Path]:
    """A directory everybody can reach, so that root's server runs as nobody."""
    with tempfile.TemporaryDirectory(prefix="belot-kit-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def closed_directory() -> Iterator[Path]:
    """A directory only we can reach, so that root's server runs in a user namespace."""
    with tempfile.TemporaryDirectory(prefix="belot-kit-") as name:
        yield Path(name)


async def value_of(dsn: str, sql: str) -> object:
    """One value by a connection of its own."""
    connection = await asyncpg.connect(dsn)
    try:
        return await connection.fetchval(sql)
    finally:
        await connection.close()


def owner_of(cluster: Path) -> str:
    """Whose account the files, and so the server, belong to."""
    return pwd.getpwuid(cluster.stat().st_uid).pw_name


async def test_root_gives_the_server_to_nobody_where_nobody_gets_that_far(open_directory: Path) -> None:
    async with embedded_postgres(open_directory / "pg", durable=False) as address:
        assert await value_of(address.dsn, "SELECT 1") == 1
        assert owner_of(open_directory / "pg/cluster") == ("nobody" if os.geteuid() == 0 else getpass.getuser())


async def test_a_directory_that_nobody_can_enter_keeps_its_owner(closed_directory: Path) -> None:
    async with embedded_postgres(closed_directory / "pg", durable=False) as address:
        assert await value_of(address.dsn, "SELECT 1") == 1
        assert owner_of(closed_directory / "pg/cluster") == getpass.getuser()


async def test_data_changes_hands_when_its_directory_is_opened(closed_directory: Path) -> None:
    async with embedded_postgres(closed_directory / "pg", durable=False) as address:
        await value_of(address.dsn, "CREATE TABLE kept AS SELECT 7 AS seven")
    for mode in (0o755, 0o700):
        closed_directory.chmod(mode)  # noqa: ASYNC240 - a local directory
        async with embedded_postgres(closed_directory / "pg", durable=False) as address:
            assert await value_of(address.dsn, "SELECT seven FROM kept") == 7


async def test_data_survives_a_restart(open_directory: Path) -> None:
    async with embedded_postgres(open_directory / "pg", durable=False) as address:
        await value_of(address.dsn, "CREATE TABLE kept AS SELECT 7 AS seven")
    async with embedded_postgres(open_directory / "pg", durable=False) as address:
        assert await value_of(address.dsn, "SELECT seven FROM kept") == 7


async def test_fsync_is_on_unless_asked_otherwise(closed_directory: Path) -> None:
    async with embedded_postgres(closed_directory / "pg") as address:
        assert await value_of(address.dsn, "SHOW fsync") == "on"
    async with embedded_postgres(closed_directory / "pg", durable=False) as address:
        assert await value_of(address.dsn, "SHOW fsync") == "off"


async def test_a_directory_with_a_very_long_name_still_gets_a_usable_socket(open_directory: Path) -> None:
    deep = open_directory / ("a" * 120) / ("b" * 120)
    async with embedded_postgres(deep, durable=False) as address:
        assert len(f"{address.host}/.s.PGSQL.5432") <= 107
        assert await value_of(address.dsn, "SELECT 1") == 1


async def test_a_second_server_over_the_same_data_is_refused(
    open_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("belot_kit.embedded.postgres._ORPHAN_SECONDS", 0.1)
    async with embedded_postgres(open_directory / "pg", durable=False) as address:
        with pytest.raises(EmbeddedServerError, match="already running"):
            embedded_postgres(open_directory / "pg", durable=False).__enter__()
        assert await value_of(address.dsn, "SELECT 1") == 1


_PARENT = """
import sys, pathlib
from belot_kit.embedded import embedded_postgres, embedded_valkey
folder = pathlib.Path(sys.argv[1])
with embedded_postgres(folder / "pg", durable=False) as postgres, embedded_valkey(folder / "vk") as valkey:
    print((folder / "pg/cluster/postmaster.pid").read_text().split()[0], flush=True)
    print(valkey.url, flush=True)
    sys.stdin.read()
"""


def test_the_servers_end_when_their_parent_is_killed(open_directory: Path) -> None:
    parent = subprocess.Popen(
        [sys.executable, "-c", _PARENT, str(open_directory)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.stdout.readline()
    assert process_alive(pid)
    os.kill(parent.pid, signal.SIGKILL)
    parent.communicate()
    # The next owner of the data waits for the orphan by itself.
    with embedded_postgres(open_directory / "pg", durable=False) as address, embedded_valkey(open_directory / "vk"):
        assert not process_alive(pid)
        assert asyncio.run(value_of(address.dsn, "SELECT 1")) == 1
