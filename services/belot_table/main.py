"""The table service's process: settings, database, bus, the services it asks, timers, relay, one gRPC server."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final, cast

from belot.bot.v1 import bot_pb2_grpc
from belot.dealer.v1 import dealer_pb2_grpc
from belot.rating.v1 import rating_pb2_grpc
from belot_kit.app import App, AppOptions, Step, run_service
from belot_kit.bus import Bus, BusOptions
from belot_kit.clock import Clock, SystemClock
from belot_kit.config import load_config
from belot_kit.database_clock import DatabaseClock, asking
from belot_kit.groupcommit import GroupCommitter
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.logs import LogOptions
from belot_kit.migrate import check_schema
from belot_kit.ops import OpsOptions
from belot_kit.outbox import OutboxRelay
from belot_kit.postgres import CommitConnection, Connection, PostgresOptions, open_pool
from belot_kit.replicas import open_replicas
from belot_table.bot_port import GrpcBots
from belot_table.committing import Commit, committing, warm_up
from belot_table.dealer_port import GrpcDealer
from belot_table.delivering import Deliveries
from belot_table.delivery_store import PostgresDeliveries
from belot_table.flow import fire
from belot_table.ports import Ports, nobody_delivers
from belot_table.presence import PostgresPresence, keep_watching
from belot_table.publishing import Publisher
from belot_table.rating_port import CONSUMER, GrpcRating
from belot_table.retention import keep_forgetting
from belot_table.rules_port import GrpcRules, RulesClient
from belot_table.servicer import SERVICE, register
from belot_table.state_cache import StateCache
from belot_table.store import PACKAGE, PostgresStore
from belot_table.timing import TableTimers

_BUS_SECONDS: Final = 30.0


@dataclass(frozen=True, slots=True)
class TableConfig:
    """Settings (``BELOT_TABLE__LISTEN`` and so on).

    postgres_dsn          the database; its password comes by ``postgres_password_file``
    postgres_role         role taken on after connecting, where the dsn's own user is not the service's
    valkey_url            the bus on which committed events are published
    rules_addresses       where the rules service is; several: asked in turn
    dealer_addresses      where the dealer service is; several: asked in turn
    bot_addresses         where the bot service is; several: asked in turn
    rating_addresses      where results are delivered; several: asked in turn; none: they wait until there is one
    listen                where gRPC listens: ``host:port`` or ``unix:/path``, several allowed
    ops_listen            where the ops port listens, empty: nowhere
    logs                  least level, and the share of successful calls that get a line
    presence_grace_s      how long a player's connection may be away before anybody is told
    max_connection_age_s  clients connect anew after so long, so that new replicas get their share; absent: never
    clock_offset_s        how wrong this process takes the machine's clock to be, for tests; tables go by the database's
    """

    postgres_dsn: str
    valkey_url: str
    rules_addresses: tuple[str, ...]
    dealer_addresses: tuple[str, ...]
    bot_addresses: tuple[str, ...]
    rating_addresses: tuple[str, ...] = ()
    listen: tuple[str, ...] = ("127.0.0.1:7102",)
    ops_listen: str = ""
    postgres_password: str | None = field(default=None, repr=False)
    postgres_role: str | None = None
    logs: LogOptions = field(default_factory=LogOptions)
    presence_grace_s: float = 15.0
    max_connection_age_s: float | None = None
    clock_offset_s: float = 0.0

    def __post_init__(self) -> None:
        """Refuse a table that can ask nobody. Errors: ValueError."""
        for name in ("rules_addresses", "dealer_addresses", "bot_addresses"):
            if not getattr(self, name):
                raise ValueError(f"{name} is empty")


async def serve(config: TableConfig, app: App) -> None:
    """Wire the service into a running app. Errors: MigrationError, OSError, TimeoutError without a bus."""
    store, seen, deliveries, committer, clock = await _database(config, app)
    bus = Bus(BusOptions(config.valkey_url, PACKAGE))
    app.spawn(bus.run())
    app.ready_when("bus", lambda: bus.connected)
    publisher = Publisher(bus, store)
    app.spawn(publisher.run())
    app.at_stop(Step.FLUSH, publisher.drain)
    # Whatever is asked of these may be asked again: rules and bots keep nothing, the dealer decides each step once.
    rules = await app.enter(open_replicas("rules", config.rules_addresses, RulesClient, RulesClient.run))
    dealer = await app.enter(open_replicas("dealer", config.dealer_addresses, dealer_pb2_grpc.DealerServiceStub))
    bots = await app.enter(open_replicas("bots", config.bot_addresses, bot_pb2_grpc.BotServiceStub))
    timers = TableTimers(store, clock)
    ports = Ports(
        store=store,
        tables=StateCache(store),
        committer=committer,
        publisher=publisher,
        timers=timers,
        rules=GrpcRules(rules),
        dealer=GrpcDealer(dealer),
        bots=GrpcBots(bots),
        clock=clock,
        outbox_written=await _deliver(config, app, deliveries),
    )
    async with asyncio.timeout(_BUS_SECONDS):
        await bus.wait_connected()
    app.spawn(publisher.relay.run(), until=Step.QUIESCE)
    app.spawn(timers.run(partial(fire, ports)), until=Step.QUIESCE)
    app.spawn(keep_forgetting(store, clock), until=Step.QUIESCE)
    app.spawn(keep_watching(ports, seen, int(config.presence_grace_s * 1000)), until=Step.QUIESCE)
    await app.serve(GrpcServer(_server_options(config), [register(ports, seen)], [SERVICE]))


async def _database(
    config: TableConfig, app: App
) -> tuple[PostgresStore, PostgresPresence, PostgresDeliveries, GroupCommitter[Commit, bool], Clock]:
    """The stores over a pool for reads, the committer over the one connection that writes tables, and their clock."""
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
    commits = CommitConnection(postgres)
    app.at_stop(Step.FLUSH, commits.close)
    await warm_up(await commits.get())
    committer: GroupCommitter[Commit, bool] = GroupCommitter(committing(commits), name="tables")
    app.spawn(committer.run())
    clock = DatabaseClock(asking(pool), SystemClock(config.clock_offset_s))
    await clock.measure()
    app.spawn(clock.run())
    return PostgresStore(pool), PostgresPresence(pool), PostgresDeliveries(pool), committer, clock


async def _deliver(config: TableConfig, app: App, deliveries: PostgresDeliveries) -> Callable[[], None]:
    """Deliver results to the rating service, if there is one; what to call when there is a new one."""
    if not config.rating_addresses:
        return nobody_delivers
    stub = rating_pb2_grpc.RatingServiceStub
    rating = GrpcRating(await app.enter(open_replicas(CONSUMER, config.rating_addresses, stub)))
    to_rating = Deliveries(CONSUMER, deliveries, rating.deliver)
    relay = OutboxRelay(CONSUMER, to_rating)
    app.spawn(relay.run(), until=Step.QUIESCE)
    app.spawn(to_rating.keep_surveying(), until=Step.QUIESCE)
    return relay.nudge


def _server_options(config: TableConfig) -> ServerOptions:
    return ServerOptions(
        listen=config.listen,
        max_connection_age_s=config.max_connection_age_s,
        rpc_log_sample=config.logs.rpc_sample,
    )


def app_options(config: TableConfig) -> AppOptions:
    """What the app takes from the settings."""
    return AppOptions(service="table", ops=OpsOptions(config.ops_listen), logs=config.logs)


def run(config_file: Path | None = None) -> int:
    """Run the service until it is told to stop; the process's exit code. Raises ConfigError for unusable settings."""
    config = load_config(TableConfig, "table", file=config_file)
    return run_service(app_options(config), lambda app: serve(config, app))
