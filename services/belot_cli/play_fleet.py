"""Whose fleet `belot play` plays on: a named gateway, the one that runs over the state directory, or a private one."""

import shutil
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from belot_cli.fleet import BeaconChoice, FleetSpec
from belot_cli.local_fleet import local_fleet
from belot_cli.servers import ServerAddresses
from belot_cli.state_dir import is_locked, locked, open_state_dir, running_fleet
from belot_cli.supervisor import Supervisor
from belot_kit.tasks import background


@asynccontextmanager
async def gateways_for(
    named: str | None, state: Path, beacon: BeaconChoice | None, say: Callable[[str], None]
) -> AsyncIterator[tuple[str, ...]]:
    """The gateways to dial while the block lasts; a private fleet is gone, with its data, when it ends.

    A beacon that was asked for by name means a fleet of one's own, because a running one has made its choice; so
    does a running fleet that deals by another. Errors: those of local_fleet.
    """
    if named is not None:
        yield (named,)
        return
    running = running_fleet(state) if is_locked(state) else None
    if running is not None and (beacon in {None, BeaconChoice.AUTO} or running.beacon == beacon):
        yield running.gateways
        return
    say("starting a private fleet ...")
    async with _private(beacon or BeaconChoice.AUTO, say) as gateways:
        yield gateways


@asynccontextmanager
async def _private(beacon: BeaconChoice, say: Callable[[str], None]) -> AsyncIterator[tuple[str, ...]]:
    folder = Path(tempfile.mkdtemp(prefix="belot-play-"))
    try:
        spec = FleetSpec(folder / "state", f"unix:{folder / 'gateway'}", beacon)
        with locked(open_state_dir(spec.state)):
            supervisor = Supervisor(spec.state / "logs", say)
            # Its data is thrown away, so it need not survive a loss of power.
            async with local_fleet(spec, ServerAddresses(), supervisor, say, durable=False) as fleet:
                development = "" if fleet.beacon is BeaconChoice.QUICKNET else " (development beacon)"
                say(f"ready: a fleet of your own, beacon {fleet.beacon_name}{development}")
                async with background(fleet.watch()):
                    yield fleet.gateways
    finally:
        shutil.rmtree(folder, ignore_errors=True)
