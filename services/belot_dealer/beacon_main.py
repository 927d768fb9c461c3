"""The development beacon's process, `belot serve beacon`: settings and one loopback HTTP server."""

import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from belot_dealer.dev_beacon import DevBeacon, kept_identity, serving
from belot_kit.app import App, AppOptions, run_service
from belot_kit.config import load_config
from belot_kit.logs import LogOptions
from belot_kit.ops import OpsOptions


@dataclass(frozen=True, slots=True)
class BeaconConfig:
    """Settings (``BELOT_BEACON__LISTEN`` and so on).

    listen      a loopback ``host:port``; port 0 takes a free one
    state_dir   where the chain's key is kept, so that matches outlive a restart
    ops_listen  where the ops port listens, empty: nowhere
    logs        least level written
    """

    state_dir: Path
    listen: str = "127.0.0.1:7109"
    ops_listen: str = ""
    logs: LogOptions = field(default_factory=LogOptions)


async def serve(config: BeaconConfig, app: App) -> None:
    """Wire the beacon into a running app; `app.addresses["http"]` is its URL. Errors: NotLoopback, OSError."""
    where = urlsplit(f"http://{config.listen}")
    beacon = DevBeacon(kept_identity(config.state_dir / "beacon.json", time.time()))
    app.addresses["http"] = await app.enter(serving(beacon, where.hostname or "", where.port or 0))


def app_options(config: BeaconConfig) -> AppOptions:
    """What the app takes from the settings."""
    return AppOptions(service="beacon", ops=OpsOptions(config.ops_listen), logs=config.logs)


def run(config_file: Path | None = None) -> int:
    """Run the beacon until it is told to stop; the process's exit code. Raises ConfigError for unusable settings."""
    config = load_config(BeaconConfig, "beacon", file=config_file)
    return run_service(app_options(config), lambda app: serve(config, app))
