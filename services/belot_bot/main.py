"""The bot service's process: settings, one gRPC server, processes that think. It keeps no state and asks nobody."""

from dataclasses import dataclass, field
from pathlib import Path

from belot_bot.analysts import analysts
from belot_bot.servicer import SERVICE, registered
from belot_bot.thinking import thinkers
from belot_kit.app import App, AppOptions, run_service
from belot_kit.config import load_config
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.logs import LogOptions
from belot_kit.ops import OpsOptions


@dataclass(frozen=True, slots=True)
class BotConfig:
    """Settings (``BELOT_BOT__LISTEN`` and so on).

    listen                where gRPC listens: ``host:port`` or ``unix:/path``, several allowed
    ops_listen            where the ops port listens, empty: nowhere
    logs                  least level, and the share of successful calls that get a line
    max_connection_age_s  clients connect anew after so long, so that new replicas get their share; absent: never
    processes             how many processes think for the levels that take long
    analysts              how many processes solve the deals of finished matches, at a lower priority
    """

    listen: tuple[str, ...] = ("127.0.0.1:7105",)
    ops_listen: str = ""
    logs: LogOptions = field(default_factory=LogOptions)
    max_connection_age_s: float | None = None
    processes: int = 2
    analysts: int = 1

    def __post_init__(self) -> None:
        """Errors: ValueError without a process."""
        if min(self.processes, self.analysts) < 1:
            raise ValueError("processes and analysts: at least 1 each")


async def serve(config: BotConfig, app: App) -> None:
    """Wire the service into a running app."""
    options = ServerOptions(
        listen=config.listen,
        max_connection_age_s=config.max_connection_age_s,
        rpc_log_sample=config.logs.rpc_sample,
    )
    pool = await app.enter(thinkers(config.processes))
    solving = await app.enter(analysts(config.analysts))
    await app.serve(GrpcServer(options, [registered(pool, solving)], [SERVICE]))


def app_options(config: BotConfig) -> AppOptions:
    """What the app takes from the settings."""
    return AppOptions(service="bot", ops=OpsOptions(config.ops_listen), logs=config.logs)


def run(config_file: Path | None = None) -> int:
    """Run the service until it is told to stop; the process's exit code. Raises ConfigError for unusable settings."""
    config = load_config(BotConfig, "bot", file=config_file)
    return run_service(app_options(config), lambda app: serve(config, app))
