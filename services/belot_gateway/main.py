"""The gateway's process: settings, and everything wired from top to bottom."""

from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from belot.rules.v1 import rules_pb2_grpc
from belot_gateway import (
    auth_servicer,
    fairness_servicer,
    history_servicer,
    lobby_servicer,
    play_servicer,
    ruling_servicer,
)
from belot_gateway.auth import Tokens, load_keys
from belot_gateway.callers import caller_guard, localize
from belot_gateway.hub import Hub
from belot_gateway.late_feeds import LateFeeds
from belot_gateway.limits import LimitOptions, Limits
from belot_gateway.lobby_feed import LobbyFeed
from belot_gateway.places import Asks, Bounded
from belot_gateway.presence import keep_reporting
from belot_gateway.stream_topics import Sources
from belot_gateway.streams import MOST_OPEN, MOST_OPEN_OF_PLAYER, Streams
from belot_gateway.table_fleet import TableClient, TableFleet
from belot_kit.app import App, AppOptions, Step, run_service
from belot_kit.bus import Bus, BusOptions
from belot_kit.clock import SystemClock
from belot_kit.config import load_config
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.logs import LogOptions
from belot_kit.ops import OpsOptions
from belot_kit.replicas import open_replicas


@dataclass(frozen=True, slots=True)
class GatewayConfig:
    """Settings (``BELOT_GATEWAY__LISTEN`` and so on).

    listen                where gRPC listens for apps: ``host:port`` or ``unix:/path``, several allowed
    ops_listen            where the ops port listens, empty: nowhere
    valkey_url            the bus: ``unix:///path`` or ``redis://host:port``
    table_addresses       every pod of the table service
    rules_addresses       every pod of the rules service, asked in turn
    dealer_addresses      every pod of the dealer service; none: what is public of the deal is UNAVAILABLE here
    bot_addresses         every pod of the bot service; none: AnalyseMatch is UNAVAILABLE here
    token_key_file        PEM file with the Ed25519 keys of tokens: the first signs, all are believed
    create_token_key      make that file when it is missing; for development
    logs                  least level, and the share of successful calls that get a line
    presence_every_s      how often the table service is told who is connected; its grace is three times as long
    max_connection_age_s  clients connect anew after so long, so that new replicas get their share; absent: never
    limits                how much callers may do, see LimitOptions
    most_streams          open at once in this process; 40 KiB each is what gRPC alone takes
    most_streams_of_player  of which one player may have so many
    """

    valkey_url: str
    table_addresses: tuple[str, ...]
    rules_addresses: tuple[str, ...]
    token_key_file: Path
    dealer_addresses: tuple[str, ...] = ()
    bot_addresses: tuple[str, ...] = ()
    create_token_key: bool = False
    listen: tuple[str, ...] = ("127.0.0.1:7100",)
    ops_listen: str = ""
    logs: LogOptions = field(default_factory=LogOptions)
    presence_every_s: float = 5.0
    max_connection_age_s: float | None = None
    limits: LimitOptions = field(default_factory=LimitOptions)
    most_streams: int = MOST_OPEN
    most_streams_of_player: int = MOST_OPEN_OF_PLAYER

    def __post_init__(self) -> None:
        if not self.table_addresses or not self.rules_addresses:
            raise ValueError("table_addresses and rules_addresses must each name at least one address")


async def serve(config: GatewayConfig, app: App) -> None:
    """Wire the service into a running app."""
    tokens = Tokens(load_keys(config.token_key_file, create=config.create_token_key))
    bus = Bus(BusOptions(config.valkey_url, "gateway"))
    app.spawn(bus.run())
    app.ready_when("bus", lambda: bus.connected)

    rules = Bounded(
        await app.enter(open_replicas("rules", config.rules_addresses, rules_pb2_grpc.RulesServiceStub)), "rules"
    )
    tables = TableFleet(await app.enter(open_replicas("table", config.table_addresses, TableClient, TableClient.run)))
    app.ready_when("tables", lambda: tables.live)
    dealers = await app.enter(fairness_servicer.open_dealers(config.dealer_addresses))
    fairness = fairness_servicer.FairnessServicer(tables, None if dealers is None else Bounded(dealers, "dealer"))
    bots = await app.enter(history_servicer.open_bots(config.bot_addresses))
    history = history_servicer.HistoryServicer(tables, None if bots is None else Bounded(bots, "bot"))

    hub = Hub(bus, tables)
    await app.enter(hub.running())
    tables.when_lost(hub.look_again)
    late = LateFeeds(tables, SystemClock())
    await app.enter(late.running())
    lobby = LobbyFeed(bus, tables)
    app.spawn(lobby.run())
    sources = Sources(bus, hub, lobby, tables, late)
    streams = Streams(sources, most=config.most_streams, most_of_player=config.most_streams_of_player)
    app.spawn(streams.run())
    app.spawn(keep_reporting(tables, streams.present, config.presence_every_s), until=Step.QUIESCE)

    await app.serve(_server(config, tokens, tables, rules, streams, bus, fairness, history))
    app.at_stop(Step.DRAIN, streams.drain)


def _server(
    config: GatewayConfig,
    tokens: Tokens,
    tables: TableFleet,
    rules: "Asks[rules_pb2_grpc.RulesServiceAsyncStub]",
    streams: Streams,
    bus: Bus,
    fairness: fairness_servicer.FairnessServicer,
    history: history_servicer.HistoryServicer,
) -> GrpcServer:
    limits = Limits(config.limits)
    options = ServerOptions(
        listen=config.listen,
        max_connection_age_s=config.max_connection_age_s,
        rpc_log_sample=config.logs.rpc_sample,
    )
    registers = [
        partial(auth_servicer.register, auth_servicer.AuthServicer(tokens)),
        partial(lobby_servicer.register, lobby_servicer.LobbyServicer(tables, rules)),
        partial(play_servicer.register, play_servicer.PlayServicer(tables, streams, bus, limits)),
        partial(ruling_servicer.register, ruling_servicer.RulingServicer(rules)),
        partial(fairness_servicer.register, fairness),
        partial(history_servicer.register, history),
    ]
    names = [auth_servicer.SERVICE, lobby_servicer.SERVICE, play_servicer.SERVICE, ruling_servicer.SERVICE]
    names += [fairness_servicer.SERVICE, history_servicer.SERVICE]
    return GrpcServer(options, registers, names, guards=[caller_guard(tokens), limits.guard], localize=localize)


def app_options(config: GatewayConfig) -> AppOptions:
    """What the app takes from the settings."""
    return AppOptions(service="gateway", ops=OpsOptions(config.ops_listen), logs=config.logs)


def run(config_file: Path | None = None) -> int:
    """Run the service until it is told to stop; the process's exit code. Raises ConfigError for unusable settings."""
    config = load_config(GatewayConfig, "gateway", file=config_file)
    return run_service(app_options(config), lambda app: serve(config, app))
