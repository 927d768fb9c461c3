"""`belot up` as a person runs it: a process of its own, in a temporary state directory, with the development beacon."""

import asyncio
import os
import signal
from pathlib import Path

from belot_cli.state_dir import running_fleet
from belot_kit.embedded.processes import process_alive
from support.belot_command import belot_up, run
from support.eventually import eventually

SERVICES = {"beacon", "rules", "bot", "dealer", "rating", "table-0", "gateway-0"}


async def test_ready_then_ctrl_c_and_everything_is_gone(tmp_path: Path) -> None:
    async with belot_up(tmp_path / "state") as up:
        assert up.ready.startswith(f"ready  gateway {up.gateway}  beacon belot-dev (development")
        pids = up.pids
        assert set(pids) >= SERVICES
        up.process.send_signal(signal.SIGINT)
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
        rules = up.pids["rules"]
        os.kill(rules, signal.SIGKILL)
        assert (await up.line()).startswith("rules ended (SIGKILL): starting it again")
        assert await up.line() == "rules is ready again"
        assert up.pids["rules"] != rules
        up.process.send_signal(signal.SIGTERM)
        async with asyncio.timeout(15):
            assert await up.process.wait() == 0


async def test_killed_outright_it_takes_its_children_along(tmp_path: Path) -> None:
    async with belot_up(tmp_path / "state") as up:
        pids = up.pids
        up.process.kill()
        await up.process.wait()
        await eventually(lambda: not any(process_alive(pid) for pid in pids.values()))
        assert await run("wipe", "--yes", "--state-dir", str(up.state)) == (0, f"{up.state} was deleted\n")
        assert not up.state.exists()


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
