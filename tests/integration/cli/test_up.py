"""`belot up` as a person runs it: a process of its own, in a temporary state directory, with the development beacon."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from belot_cli.probe import free_port, is_dead
from belot_cli.state_dir import running_fleet
from belot_kit.embedded.processes import process_alive
from support.eventually import eventually

BELOT = (sys.executable, "-m", "belot_cli.main")
SERVICES = {"beacon", "rules", "bot", "dealer", "table-0", "gateway-0"}


@dataclass(frozen=True, slots=True)
class Up:
    """A running `belot up`: its process, its state directory, its gateway, and its ready line."""

    process: asyncio.subprocess.Process
    state: Path
    gateway: str
    ready: str

    @property
    def pids(self) -> dict[str, int]:
        """Every service's process and the database server's."""
        fleet = running_fleet(self.state)
        assert fleet is not None
        postmaster = (self.state / "postgres" / "cluster" / "postmaster.pid").read_text().splitlines()[0]
        return dict(fleet.children) | {"postgres": int(postmaster)}

    async def line(self) -> str:
        """The next line it prints."""
        assert self.process.stdout is not None
        async with asyncio.timeout(30):
            return (await self.process.stdout.readline()).decode().strip()


@asynccontextmanager
async def belot_up(state: Path) -> AsyncIterator[Up]:
    """Run it until it is ready, and make sure that it is gone in the end."""
    gateway = f"127.0.0.1:{free_port()}"
    command = (*BELOT, "up", "--beacon", "dev", "--state-dir", str(state), "--listen", gateway)
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.PIPE)
    try:
        up = Up(process, state, gateway, "")
        yield Up(process, state, gateway, await up.line())
    finally:
        if process.returncode is None:
            process.kill()
        await process.wait()


async def run(*arguments: str) -> tuple[int, str]:
    """A short `belot` command: exit status and everything it said."""
    process = await asyncio.create_subprocess_exec(
        *BELOT, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    return process.returncode or 0, output.decode()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_ready_then_one_signal_and_everything_is_gone(tmp_path: Path, number: signal.Signals) -> None:
    async with belot_up(tmp_path / "state") as up:
        assert up.ready.startswith(f"ready  gateway {up.gateway}  beacon belot-dev (development")
        pids = up.pids
        assert set(pids) >= SERVICES
        up.process.send_signal(number)
        async with asyncio.timeout(15):
            assert await up.process.wait() == 0
        assert [name for name, pid in pids.items() if process_alive(pid)] == []
        assert running_fleet(up.state) is None
        assert up.state.stat().st_mode & 0o777 == 0o700
        assert {file.stat().st_mode & 0o777 for file in (up.state / "secrets").iterdir()} == {0o600}


async def test_a_second_fleet_is_refused_and_a_dead_process_comes_back(tmp_path: Path) -> None:
    async with belot_up(tmp_path / "state") as up:
        status, said = await run("up", "--state-dir", str(up.state), "--beacon", "dev")
        assert status == 1
        assert "a fleet is already running over" in said
        status, said = await run("wipe", "--yes", "--state-dir", str(up.state))
        assert status == 1
        assert "stop it first" in said
        status, said = await run(
            "up", "--state-dir", str(tmp_path / "other"), "--beacon", "dev", "--listen", up.gateway
        )
        assert status == 1
        assert "choose another with --listen" in said
        os.kill(up.pids["rules"], signal.SIGKILL)
        assert (await up.line()).startswith("rules ended (SIGKILL): starting it again")
        assert await up.line() == "rules is ready again"


async def test_killed_outright_it_takes_its_children_along(tmp_path: Path) -> None:
    async with belot_up(tmp_path / "state") as up:
        pids = up.pids
        up.process.kill()
        await up.process.wait()
        await eventually(lambda: not any(process_alive(pid) for pid in pids.values()))


async def test_the_second_signal_kills(tmp_path: Path) -> None:
    async with belot_up(tmp_path / "state") as up:
        pids = up.pids
        os.kill(pids["table-0"], signal.SIGSTOP)  # it will not stop when asked
        up.process.send_signal(signal.SIGINT)
        assert await up.line() == "stopping"
        up.process.send_signal(signal.SIGINT)
        async with asyncio.timeout(5):
            await up.process.wait()
        assert not any(process_alive(pid) for pid in pids.values())


async def test_what_was_kept_is_wiped_and_a_stopped_server_is_dead(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "belot-state").touch()
    assert await run("wipe", "--yes", "--state-dir", str(tmp_path / "state")) == (0, f"{tmp_path}/state was deleted\n")
    assert await is_dead(f"unix:{tmp_path}/state/none.sock")
