"""The rules service's process: settings and one gRPC server. It asks nobody; only disputes need its database."""

from dataclasses import dataclass, field
from pathlib import Path

from belot_kit.app import App, AppOptions, Step, run_service
from belot_kit.config import load_config
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.logs import LogOptions
from belot_kit.ops import OpsOptions
from belot_kit.postgres import PostgresOptions
from belot_rules.servicer import SERVICE, registering
from belot_rules.store import PACKAGE, Disputes, NoDisputes, PostgresDisputes


@dataclass(frozen=True, slots=True)
class RulesConfig:
    """Settings (``BELOT_RULES__LISTEN`` and so on).

    listen                where gRPC listens: ``host:port`` or ``unix:/path``, several allowed
    ops_listen            where the ops port listens, empty: nowhere
    postgres_dsn          where verdicts on disputes are kept; empty: nowhere, and Dispute is UNAVAILABLE
    postgres_password     its password, which comes by ``postgres_password_file``
    postgres_role         role taken on after connecting, where the dsn's own user is not the service's
    logs                  least level, and the share of successful calls that get a line
    max_connection_age_s  clients connect anew after so long, so that new replicas get their share; absent: never
    """

    listen: tuple[str, ...] = ("127.0.0.1:7103",)
    ops_listen: str = ""
    postgres_dsn: str = ""
    postgres_password: str | None = field(default=None, repr=False)
    postgres_role: str | None = None
    logs: LogOptions = field(default_factory=LogOptions)
    max_connection_age_s: float | None = None


async def serve(config: RulesConfig, app: App) -> None:
    """Wire the service into a running app."""
    options = ServerOptions(
        listen=config.listen,
        max_connection_age_s=config.max_connection_age_s,
        rpc_log_sample=config.logs.rpc_sample,
    )
    await app.serve(GrpcServer(options, [registering(_disputes(config, app))], [SERVICE]))


def _disputes(config: RulesConfig, app: App) -> Disputes:
    """Where verdicts are kept; the database is first asked for when one is."""
    if not config.postgres_dsn:
        return NoDisputes()
    disputes = PostgresDisputes(
        PostgresOptions(
            dsn=config.postgres_dsn,
            schema=PACKAGE,
            application_name=PACKAGE,
            password=config.postgres_password,
            role=config.postgres_role,
            pool_min=0,
            pool_max=4,
        )
    )
    app.at_stop(Step.FLUSH, disputes.close)
    return disputes


def app_options(config: RulesConfig) -> AppOptions:
    """What the app takes from the settings."""
    return AppOptions(service="rules", ops=OpsOptions(config.ops_listen), logs=config.logs)


def run(config_file: Path | None = None) -> int:
    """Run the service until it is told to stop; the process's exit code. Raises ConfigError for unusable settings."""
    config = load_config(RulesConfig, "rules", file=config_file)
    return run_service(app_options(config), lambda app: serve(config, app))
