"""Real child processes under the supervisor."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from belot_cli.supervisor import ChildFailedError, ChildPlan, Supervisor
from belot_kit.embedded.processes import process_alive
from support.eventually import eventually

_CHILD = "import pathlib, signal, sys; pathlib.Path(sys.argv[1]).touch(); signal.pause()"
_BOUND = f"from belot_cli.lifeline import end_with_parent; end_with_parent(); {_CHILD}"
_PARENT = """
import asyncio, pathlib, sys
from belot_cli.supervisor import ChildPlan, Supervisor

folder, code = pathlib.Path(sys.argv[1]), sys.argv[2]

async def ready():
    return (folder / "ready").exists()

async def main():
    supervisor = Supervisor(folder, print)
    await supervisor.start([ChildPlan("one", (sys.executable, "-c", code, str(folder / "ready")), ready)])
    (folder / "told").write_text(str(supervisor.pid("one")))
    (folder / "told").rename(folder / "pid")
    await supervisor.watch()

asyncio.run(main())
"""


def plan(name: str, ready: Path, code: str = _CHILD) -> ChildPlan:
    async def probe() -> bool:
        return os.path.exists(ready)  # noqa: ASYNC240 - a local file, at once

    return ChildPlan(name, (sys.executable, "-c", code, str(ready)), probe)


async def test_children_are_ready_then_gone(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path, print)
    await supervisor.start([plan("one", tmp_path / "1"), plan("two", tmp_path / "2")])
    pids = [pid for _, pid in supervisor.pids()]
    assert all(process_alive(pid) for pid in pids)
    await supervisor.stop()
    assert not any(process_alive(pid) for pid in pids)


async def test_a_child_that_fails_at_its_start_shows_the_end_of_its_log(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path, print)
    with pytest.raises(ChildFailedError, match=r"broken ended at its start:\n    cannot find my shoes"):
        await supervisor.start([plan("broken", tmp_path / "never", "import sys; sys.exit('cannot find my shoes')")])


async def test_a_child_that_dies_is_started_again_and_said(tmp_path: Path) -> None:
    said: list[str] = []
    supervisor = Supervisor(tmp_path, said.append)
    await supervisor.start([plan("one", tmp_path / "1")])
    watch = asyncio.create_task(supervisor.watch())
    first = supervisor.pid("one")
    os.kill(first, signal.SIGKILL)
    await eventually(lambda: "one is ready again" in said)
    assert said[0].startswith("one ended (SIGKILL): starting it again")
    assert supervisor.pid("one") != first
    await supervisor.stop()
    await watch


async def test_a_killed_child_stays_dead_until_it_is_revived(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path, print)
    await supervisor.start([plan("one", tmp_path / "1")])
    await supervisor.kill("one")
    assert not process_alive(supervisor.pid("one"))
    await supervisor.revive("one")
    assert process_alive(supervisor.pid("one"))
    await supervisor.stop()


async def test_the_log_of_the_run_before_is_kept_beside_the_new_one(tmp_path: Path) -> None:
    (tmp_path / "one.log").write_text("yesterday")
    supervisor = Supervisor(tmp_path, print)
    await supervisor.start([plan("one", tmp_path / "1")])
    await supervisor.stop()
    assert (tmp_path / "one.log.1").read_text() == "yesterday"
    assert (tmp_path / "one.log").read_text() == ""


async def test_children_end_when_the_supervising_process_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "pid"
    process = await asyncio.create_subprocess_exec(sys.executable, "-c", _PARENT, str(tmp_path), _BOUND)
    await eventually(told.exists)
    child = int(told.read_text())
    assert process_alive(child)
    process.kill()
    await process.wait()
    await eventually(lambda: not process_alive(child))
