"""A service's life: ready when wired, stopped in order, its process told by signals."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import aiohttp
import pytest

from belot_kit.app import App, AppOptions, Step, running
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.ops import OpsOptions
from support.eventually import eventually

OPTIONS = AppOptions("sample", ops=OpsOptions("127.0.0.1:0"))


async def get(address: str, path: str) -> tuple[int, str]:
    """Ask the ops port."""
    async with aiohttp.ClientSession() as session, session.get(f"http://{address}{path}") as response:
        return response.status, await response.text()


async def test_what_runs_is_stopped_in_order() -> None:
    order: list[str] = []

    async def work(name: str) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            order.append(name)

    async def main(app: App) -> None:
        app.spawn(work("background"))
        app.spawn(work("timers"), until=Step.QUIESCE)

        async def drain() -> None:
            order.append("drain")

        async def flush() -> None:
            order.append("flush")

        app.at_stop(Step.FLUSH, flush)
        app.at_stop(Step.DRAIN, drain)

    async with running(OPTIONS, main):
        await asyncio.sleep(0)
        assert order == []
    assert order == ["timers", "drain", "flush", "background"]


async def test_a_part_that_fails_to_stop_does_not_keep_the_others() -> None:
    stopped: list[str] = []

    async def main(app: App) -> None:
        async def fail() -> None:
            raise RuntimeError

        async def fine() -> None:
            stopped.append("fine")

        app.at_stop(Step.DRAIN, fine)
        app.at_stop(Step.DRAIN, fail)

    async with running(OPTIONS, main):
        pass
    assert stopped == ["fine"]


async def test_a_server_and_its_streams_drain_at_once() -> None:
    told = asyncio.Event()

    async def main(app: App) -> None:
        async def tell_streams() -> None:
            told.set()

        app.at_stop(Step.DRAIN, tell_streams)

        async def wait_for_streams() -> None:
            await told.wait()

        app.at_stop(Step.DRAIN, wait_for_streams)

    async with asyncio.timeout(10), running(OPTIONS, main):
        pass
    assert told.is_set()


async def test_a_background_failure_ends_the_service_and_is_told_as_it_is() -> None:
    async def main(app: App) -> None:
        async def fail() -> None:
            raise LookupError("lost")

        app.spawn(fail())

    with pytest.raises(LookupError, match="lost"):
        async with running(OPTIONS, main):
            await asyncio.Event().wait()


async def test_the_ops_port_tells_readiness_and_metrics() -> None:
    holds = True

    async def main(app: App) -> None:
        app.ready_when("bus", lambda: holds)

    async with running(OPTIONS, main) as app:
        ops = app.addresses["ops"]
        assert await get(ops, "/livez") == (200, "ok\n")
        assert await get(ops, "/readyz") == (200, "bus: ok\nserving: ok\n")
        holds = False
        assert await get(ops, "/readyz") == (503, "bus: no\nserving: ok\n")
        status, text = await get(ops, "/metrics")
        assert status == 200
        assert "belot_loop_lag_seconds_count" in text


async def test_a_server_is_served_until_the_end() -> None:
    server = GrpcServer(ServerOptions(), [], [])

    async def main(app: App) -> None:
        await app.serve(server)

    async with running(OPTIONS, main) as app:
        assert app.addresses["grpc"] == server.addresses[0]


_SERVICE = """
import asyncio, sys
from belot_kit.app import App, AppOptions, Step, run_service

async def main(app: App) -> None:
    async def drain() -> None:
        print("drained", flush=True)
    app.at_stop(Step.DRAIN, drain)
    if "fail" in sys.argv:
        raise RuntimeError("hand AS KS")

sys.exit(run_service(AppOptions("sample"), main))
"""


async def test_a_process_says_ready_in_a_file_and_drains_at_sigterm(tmp_path: Path) -> None:
    file = tmp_path / "ready.json"
    environment = os.environ | {"BELOT_READY_FILE": str(file)}
    process = subprocess.Popen(  # noqa: ASYNC220 - starting it is quick
        [sys.executable, "-c", _SERVICE], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    await eventually(file.exists)
    assert json.loads(file.read_text())["pid"] == process.pid
    process.send_signal(signal.SIGTERM)
    out, err = await asyncio.to_thread(process.communicate, timeout=10)
    assert (process.returncode, out) == (0, "drained\n")
    events = [json.loads(line) for line in err.splitlines()]
    assert [(line["service"], line["event"]) for line in events] == [("sample", "ready"), ("sample", "stopping")]


def test_a_failed_start_is_logged_without_the_text_of_its_error() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _SERVICE, "fail"], capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 1
    last = json.loads(done.stderr.splitlines()[-1])
    assert (last["event"], last["exception"]) == ("service_failed", "RuntimeError")
    assert any(" main" in line for line in last["traceback"])
    assert "KS" not in done.stderr
