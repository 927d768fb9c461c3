"""`belot up`: the whole fleet and its servers until Ctrl-C.

The first Ctrl-C (or SIGTERM) stops everything in reverse order, the second kills what is still there.
"""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Coroutine

from belot_cli.fleet import BeaconChoice, FleetPlanError, FleetSpec
from belot_cli.local_fleet import LocalFleet, local_fleet
from belot_cli.migrate_command import MigrateError
from belot_cli.servers import named_by
from belot_cli.state_dir import RunningFleet, StateDirError, forget_fleet, locked, open_state_dir, record_fleet, shown
from belot_cli.supervisor import ChildFailedError
from belot_kit.embedded.processes import EmbeddedServerError

_EXPECTED = (StateDirError, FleetPlanError, ChildFailedError, EmbeddedServerError, MigrateError)


def say(line: str) -> None:
    """Print a line now, also into a pipe."""
    print(line, flush=True)


def up(spec: FleetSpec) -> int:
    """Run a fleet until it is told to stop. Exit status: 0 after a stop, 1 when it could not start."""
    try:
        return asyncio.run(_up(spec))
    except _EXPECTED as error:
        print(f"belot up: {error}", file=sys.stderr, flush=True)
        return 1


async def _up(spec: FleetSpec) -> int:
    state = open_state_dir(spec.state)
    with locked(state):
        try:
            await until_stopped(lambda stops: _serve(spec, stops))
        finally:
            forget_fleet(state)
    return 0


async def _serve(spec: FleetSpec, stops: "Stops") -> None:
    async with local_fleet(spec, named_by(), say) as fleet:
        stops.on_second = fleet.supervisor.kill_all
        record_fleet(spec.state, _record(fleet))
        say(ready_line(fleet))
        await fleet.watch()


def _record(fleet: LocalFleet) -> RunningFleet:
    return RunningFleet(os.getpid(), fleet.gateways, fleet.beacon.value, fleet.supervisor.pids())


def ready_line(fleet: LocalFleet) -> str:
    """The one line that says what runs and where."""
    development = " (development: proofs convince nobody else)" if fleet.beacon is BeaconChoice.DEV else ""
    return (
        f"ready  gateway {', '.join(fleet.gateways)}  beacon {fleet.beacon_name}{development}  "
        f"state {shown(fleet.spec.state)}  logs {shown(fleet.spec.state / 'logs')}  stop with Ctrl-C"
    )


class Stops:
    """What a running command does about signals: `on_second` is called when the first one was not enough."""

    def __init__(self) -> None:
        """Nothing to kill yet."""
        self.count = 0
        self.on_second: Callable[[], None] = lambda: None


async def until_stopped(run: "Callable[[Stops], Coroutine[object, object, None]]") -> None:
    """Run until it ends by itself, or cancel it at the first SIGINT or SIGTERM."""
    stops, loop = Stops(), asyncio.get_running_loop()
    task = loop.create_task(run(stops))

    def on_signal() -> None:
        stops.count += 1
        if stops.count == 1:
            say("stopping")
            task.cancel()
        else:
            stops.on_second()

    signals = (signal.SIGINT, signal.SIGTERM)
    for number in signals:
        loop.add_signal_handler(number, on_signal)
    try:
        with contextlib.suppress(asyncio.CancelledError):
            await task
    finally:
        for number in signals:
            loop.remove_signal_handler(number)
