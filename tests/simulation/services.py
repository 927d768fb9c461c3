"""The services of a run, wired as their own `main.py` does it, over the world's lines, databases and bus."""

import asyncio
import secrets
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from functools import partial
from hashlib import sha256
from typing import Final, TypeVar, cast

import grpc
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from belot.bot.v1 import bot_pb2_grpc
from belot.dealer.v1 import dealer_pb2_grpc
from belot.rating.v1 import rating_pb2_grpc
from belot.rules.v1 import rules_pb2_grpc
from belot_bot import servicer as bot_servicer
from belot_bot.analysts import Analysts
from belot_bot.thinking import Thinkers
from belot_dealer import servicer as dealer_servicer
from belot_dealer.beacons import Beacons
from belot_dealer.dealer import Dealer
from belot_dealer.drand_client import DrandClient
from belot_dealer.keys import KeyRing, SeedSeal
from belot_dealer.publishing import Publisher as DealPublisher
from belot_dealer.relays import relay
from belot_fair.keys import SigningKey
from belot_gateway import lobby_servicer, play_servicer
from belot_gateway.auth import TokenKeys, Tokens
from belot_gateway.callers import caller_guard, localize
from belot_gateway.hub import Hub
from belot_gateway.late_feeds import LateFeeds
from belot_gateway.lobby_feed import LobbyFeed
from belot_gateway.presence import keep_reporting
from belot_gateway.stream_topics import Sources
from belot_gateway.streams import Streams
from belot_gateway.table_fleet import TableClient, TableFleet
from belot_kit.bus import Bus, BusOptions
from belot_kit.database_clock import DatabaseClock
from belot_kit.errors import DomainError
from belot_kit.groupcommit import GroupCommitter
from belot_kit.grpc_interceptor import ChassisInterceptor, Guard, Localize
from belot_kit.grpc_server import Register
from belot_kit.outbox import OutboxRelay
from belot_kit.replicas import Replica, Replicas
from belot_kit.tasks import background
from belot_rating import servicer as rating_servicer
from belot_rules import servicer as rules_servicer
from belot_table.bot_port import GrpcBots
from belot_table.committing import Commit
from belot_table.dealer_port import GrpcDealer
from belot_table.delivering import Deliveries
from belot_table.flow import fire
from belot_table.ports import Ports
from belot_table.presence import keep_watching
from belot_table.publishing import Publisher
from belot_table.rating_port import CONSUMER, GrpcRating
from belot_table.retention import keep_forgetting
from belot_table.rules_port import GrpcRules, RulesClient
from belot_table.servicer import register
from belot_table.state_cache import StateCache
from belot_table.timing import TableTimers
from simulation.world import Process, World
from support.memory_dealer import MemoryDealerStore, MemoryRelay
from support.memory_grpc import MemoryServer
from support.memory_ratings import MemoryInbox
from support.memory_stores import MemoryDeliveries, MemoryPresence, MemoryTableStore
from support.virtual_time import EPOCH_MS

TABLES: Final = ("table-0", "table-1")
GATEWAYS: Final = ("gateway-0", "gateway-1")
_RULES: Final = ("rules",)
_BOTS: Final = ("bots",)
_DEALERS: Final = ("dealer",)
_RATINGS: Final = ("rating",)
_SIGNING: Final = SigningKey(sha256(b"simulated signing").digest())
_SEALING: Final = sha256(b"simulated sealing").digest()
_TOKEN_KEY: Final = Ed25519PrivateKey.from_private_bytes(sha256(b"simulated tokens").digest())
_GENESIS: Final = EPOCH_MS // 1000 - 60
_THINKERS: Final = Thinkers(1)
_ANALYSTS: Final = Analysts(1)
"""Never started: the levels that play here decide at once. Made outside any run, because it draws from the entropy."""

_AGAIN_S: Final = 0.2
_PRESENCE_EVERY_S: Final = 5.0
_PRESENCE_GRACE_MS: Final = 15_000

Client = TypeVar("Client")


def start_all(world: World, group: asyncio.TaskGroup) -> None:
    """Everything that a fleet has, each started again when it was killed."""
    kinds = {_RULES: _rules, _BOTS: _bots, _DEALERS: _dealer, _RATINGS: _rating, TABLES: _table, GATEWAYS: _gateway}
    for names, run in kinds.items():
        for name in names:
            group.create_task(world.keep(name, run))


def tokens_of(world: World) -> Tokens:
    """Makes and checks tokens, as every gateway does."""
    public = _TOKEN_KEY.public_key()
    return Tokens(TokenKeys("simulated", _TOKEN_KEY, {"simulated": public}), partial(_seconds, world))


def _seconds(world: World) -> float:
    return world.clock.now_ms() / 1000


async def _table(world: World, process: Process) -> None:
    line = world.line(process)
    store, seen = MemoryTableStore(world.tables, line), MemoryPresence(world.tables, line)
    committer: GroupCommitter[Commit, bool] = GroupCommitter(store.commit, name="tables")
    clock = DatabaseClock(lambda: line("clock", world.clock.now_ms), world.clock)
    bus = Bus(BusOptions("memory", process.name), world.valkey.connect)
    publisher = Publisher(bus, store)
    rules = _replicas(world, process, "rules", _RULES, RulesClient)
    dealer = _replicas(world, process, "dealer", _DEALERS, dealer_pb2_grpc.DealerServiceStub)
    bots = _replicas(world, process, "bots", _BOTS, bot_pb2_grpc.BotServiceStub)
    ratings = _replicas(world, process, CONSUMER, _RATINGS, rating_pb2_grpc.RatingServiceStub)
    to_ratings = Deliveries(CONSUMER, MemoryDeliveries(world.tables, line), GrpcRating(ratings).deliver)
    deliveries = OutboxRelay(CONSUMER, to_ratings)
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
        outbox_written=deliveries.nudge,
    )
    replicas = (rules.run(), dealer.run(), bots.run(), ratings.run())
    async with background(bus.run(), committer.run(), publisher.run(), *replicas):
        await _measured(clock)
        await bus.wait_connected()
        async with background(
            clock.run(),
            publisher.relay.run(),
            deliveries.run(),
            timers.run(partial(fire, ports)),
            keep_forgetting(store, clock),
            keep_watching(ports, seen, _PRESENCE_GRACE_MS),
        ):
            await _serve(world, process, [register(ports, seen)])


async def _measured(clock: DatabaseClock) -> None:
    """A service that cannot ask its database at the start ends and is started again: here it asks again."""
    while True:
        try:
            return await clock.measure()
        except DomainError:
            await asyncio.sleep(_AGAIN_S)


async def _gateway(world: World, process: Process) -> None:
    bus = Bus(BusOptions("memory", process.name), world.valkey.connect)
    rules = _replicas(world, process, "rules", _RULES, rules_pb2_grpc.RulesServiceStub)
    tables = _replicas(world, process, "table", TABLES, TableClient)
    fleet, tokens = TableFleet(tables), tokens_of(world)
    hub, lobby = Hub(bus, fleet), LobbyFeed(bus, fleet)
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(background(bus.run(), rules.run(), tables.run()))
        await bus.wait_connected()
        await stack.enter_async_context(hub.running())
        fleet.when_lost(hub.look_again)
        late = LateFeeds(fleet, world.clock)
        await stack.enter_async_context(late.running())
        streams = Streams(Sources(bus, hub, lobby, fleet, late), partial(_seconds, world))
        reporting = keep_reporting(fleet, streams.present, _PRESENCE_EVERY_S)
        await stack.enter_async_context(background(lobby.run(), streams.run(), reporting))
        registers = [
            partial(lobby_servicer.register, lobby_servicer.LobbyServicer(fleet, rules)),
            partial(play_servicer.register, play_servicer.PlayServicer(fleet, streams, bus)),
        ]
        await _serve(world, process, registers, [caller_guard(tokens)], localize)


async def _dealer(world: World, process: Process) -> None:
    store = MemoryDealerStore(world.dealer, world.line(process))
    web = MemoryRelay(_GENESIS, world.clock.now_ms)
    world.dealer.chains.setdefault(web.chain.chain_hash, web.chain)
    world.dealer.keys.setdefault(_SIGNING.key_id, _SIGNING.public_key)
    relays = (relay("http://127.0.0.1:1"), relay("http://127.0.0.1:2"))
    client = DrandClient(web, web.chain, relays, world.clock.now_ms)  # type: ignore[arg-type]  # it answers `get`
    async with asyncio.TaskGroup() as group:
        beacons = Beacons(client, store, group)
        ring, seal = KeyRing((_SIGNING,)), SeedSeal((_SEALING,))
        dealer = Dealer(store, ring, seal, beacons, world.clock.now_ms, secrets.token_bytes)
        publisher = DealPublisher(dealer, None)  # type: ignore[arg-type]  # its list is not asked for
        await _serve(world, process, [dealer_servicer.register(publisher)])


async def _rules(world: World, process: Process) -> None:
    await _serve(world, process, [rules_servicer.register])


async def _rating(world: World, process: Process) -> None:
    await _serve(world, process, [rating_servicer.registering(MemoryInbox(world.ratings, world.line(process)))])


async def _bots(world: World, process: Process) -> None:
    await _serve(world, process, [bot_servicer.registered(_THINKERS, _ANALYSTS)])


async def _serve(
    world: World,
    process: Process,
    registers: Sequence[Register],
    guards: Sequence[Guard] = (),
    localized: Localize | None = None,
) -> None:
    """Listen under the process's name, for ever."""
    interceptor = ChassisInterceptor(guards, rpc_sample=0.0, localize=localized)
    server = MemoryServer(interceptor, process.start)
    for each in registers:
        each(cast("grpc.aio.Server", server))
    world.network.serve(process.name, server)
    await world.loop.create_future()


def _replicas(
    world: World, process: Process, name: str, addresses: Sequence[str], connect: Callable[[grpc.aio.Channel], Client]
) -> Replicas[Client]:
    channels = [world.channel(process, address) for address in addresses]
    found = [Replica(at, channel, connect(channel)) for at, channel in zip(addresses, channels, strict=True)]
    return Replicas(name, found, *([connect.run] if hasattr(connect, "run") else []))
