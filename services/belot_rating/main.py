"""The rating service's process: settings, database, one gRPC server. It asks nobody."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from belot_kit.app import App, AppOptions, run_service
from belot_kit.config import load_config
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.logs import LogOptions
from belot_kit.migrate import check_schema
from belot_kit.ops import OpsOptions
from belot_kit.postgres import Connection, PostgresOptions, open_pool
from belot_rating.servicer import SERVICE, registering
from belot_rating.store import PACKAGE, PostgresInbox


@dataclass(frozen=True, slots=True)
class RatingConfig:
    """Settings (``BELOT_RATING__LISTEN`` and so on).

    postgres_dsn          the database; its password comes by ``postgres_password_file``
    postgres_role         role taken on after connecting, where the dsn's own user is not the service's
    listen                where gRPC listens: ``host:port`` or ``unix:/path``, several allowed
    ops_listen            where the ops port listens, empty: nowhere
    logs                  least level, and the share of successful calls that get a line
    max_connection_age_s  clients connect anew after so long, so that new replicas get their share; absent: never
    """

    postgres_dsn: str
    listen: tuple[str, ...] = ("127.0.0.1:7106",)
    ops_listen: str = ""
    postgres_password: str | None = field(default=None, repr=False)
    postgres_role: str | None = None
    logs: LogOptions = field(default_factory=LogOptions)
    max_connection_age_s: float | None = None


async def serve(config: RatingConfig, app: App) -> None:
    """Wire the service into a running app. Errors: MigrationError; OSError or asyncpg's without a database."""
    postgres = PostgresOptions(
        dsn=config.postgres_dsn,
        schema=PACKAGE,
        application_name=PACKAGE,
        password=config.postgres_password,
        role=config.postgres_role,
    )
    pool = await app.enter(await open_pool(postgres))
    async with pool.acquire() as connection:
        await check_schema(cast("Connection", connection), PACKAGE)
    options = ServerOptions(
        listen=config.listen,
        max_connection_age_s=config.max_connection_age_s,
        rpc_log_sample=config.logs.rpc_sample,
    )
    await app.serve(GrpcServer(options, [registering(PostgresInbox(pool))], [SERVICE]))


def app_options(config: RatingConfig) -> AppOptions:
    """What the app takes from the settings."""
    return AppOptions(service="rating", ops=OpsOptions(config.ops_listen), logs=config.logs)


def run(config_file: Path | None = None) -> int:
    """Run the service until it is told to stop; the process's exit code. Raises ConfigError for unusable settings."""
    config = load_config(RatingConfig, "rating", file=config_file)
    return run_service(app_options(config), lambda app: serve(config, app))
