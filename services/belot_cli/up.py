"""`belot up`: the whole fleet and its servers until Ctrl-C.

The first Ctrl-C (or SIGTERM) stops everything in reverse order, the second kills what is still there.
"""

import asyncio
import os
import sys

from belot_cli.fleet import BeaconChoice, FleetPlanError, FleetSpec
from belot_cli.local_fleet import LocalFleet, local_fleet
from belot_cli.migrate_command import MigrateError
from belot_cli.servers import named_by
from belot_cli.state_dir import RunningFleet, StateDirError, forget_fleet, locked, open_state_dir, record_fleet, shown
from belot_cli.stops import until_stopped
from belot_cli.supervisor import ChildFailedError, Supervisor
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
        supervisor = Supervisor(state / "logs", say)
        try:
            await until_stopped(lambda: _serve(spec, supervisor), say, supervisor.kill_all)
        finally:
            forget_fleet(state)
    return 0


async def _serve(spec: FleetSpec, supervisor: Supervisor) -> None:
    async with local_fleet(spec, named_by(), supervisor, say) as fleet:
        record_fleet(spec.state, _record(fleet))
        supervisor.on_change = lambda: record_fleet(spec.state, _record(fleet))
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
