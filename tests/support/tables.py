"""Real table services in this process with their real neighbours, and a small client that plays through them."""

import asyncio
import itertools
import secrets
import uuid
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, table_pb2_grpc, view_pb2
from belot_bot import main as bot
from belot_dealer import main as dealer
from belot_events.channels import table_channel
from belot_events.envelope import Envelope
from belot_events.sequence import take
from belot_events.visibility import visible_to
from belot_events.wire import decode_batch, from_message
from belot_kit.app import running
from belot_kit.bus import Bus, BusOptions
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_kit.tasks import background
from belot_rules import main as rules
from belot_table.main import TableConfig, app_options, serve
from support.beacons import beacons
from support.databases import Database
from support.dealers import dealer_config

_numbers = itertools.count()
SUIT_PASSES = 20.0


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Where the rules, the bots and the dealer are that a table service asks."""

    directory: Path
    dealer: dealer.DealerConfig

    @property
    def addresses(self) -> dict[str, tuple[str, ...]]:
        """The settings of a table service that name them."""
        return {
            "rules_addresses": (f"unix:{self.directory}/rules.sock",),
            "bot_addresses": (f"unix:{self.directory}/bot.sock",),
            "dealer_addresses": self.dealer.listen,
        }


@asynccontextmanager
async def neighbours(database: Database, directory: Path) -> AsyncIterator[Neighbours]:
    """Rules, bots and a dealer with a development beacon, all running."""
    async with AsyncExitStack() as stack:
        relays = await stack.enter_async_context(beacons())
        around = Neighbours(directory, dealer_config(database, directory, relays.urls))
        rules_config = rules.RulesConfig(listen=around.addresses["rules_addresses"])
        bot_config = bot.BotConfig(listen=around.addresses["bot_addresses"])
        await stack.enter_async_context(
            running(rules.app_options(rules_config), lambda app: rules.serve(rules_config, app))
        )
        await stack.enter_async_context(running(bot.app_options(bot_config), lambda app: bot.serve(bot_config, app)))
        await stack.enter_async_context(
            running(dealer.app_options(around.dealer), lambda app: dealer.serve(around.dealer, app))
        )
        yield around


@dataclass(frozen=True, slots=True)
class TableClient:
    """Calls to one table service; errors come as DomainError."""

    stub: "table_pb2_grpc.TableServiceAsyncStub" = field(repr=False)
    address: str

    async def create(
        self, player_id: str, options: view_pb2.TableOptions, sit_as: str = "", request_id: str = ""
    ) -> view_pb2.TableView:
        """CreateTable."""
        request = table_pb2.CreateTableRequest(
            player_id=player_id, request_id=request_id or new_request(), options=options, sit_as=sit_as
        )
        return (await call(self.stub.CreateTable, request)).table

    async def do(
        self,
        table_id: str,
        player_id: str,
        action: table_pb2.TableAction,
        request_id: str = "",
        expected_version: int | None = None,
    ) -> table_pb2.Ack:
        """Execute."""
        command = table_pb2.Command(
            table_id=table_id,
            player_id=player_id,
            request_id=request_id or new_request(),
            expected_version=expected_version,
            action=action,
        )
        return (await call(self.stub.Execute, table_pb2.ExecuteRequest(command=command))).ack

    async def view(self, table_id: str, player_id: str = "", code: str = "") -> view_pb2.TableView:
        """GetTable."""
        request = table_pb2.GetTableRequest(table_id=table_id, player_id=player_id, invitation_code=code)
        return (await call(self.stub.GetTable, request)).table

    async def events(self, table_id: str, after: int = 0) -> tuple[Envelope, ...]:
        """The whole log after a sequence, by ListEvents."""
        found: list[Envelope] = []
        while True:
            request = table_pb2.ListEventsRequest(table_id=table_id, after_sequence=after + len(found), page_size=1000)
            page = await call(self.stub.ListEvents, request)
            found += [from_message(each) for each in page.events]
            if after + len(found) >= page.head_sequence:
                return tuple(found)


@asynccontextmanager
async def table_at(config: TableConfig) -> AsyncIterator[TableClient]:
    """A running table service with the whole chassis, and a client of it."""
    address = config.listen[0]
    async with (
        running(app_options(config), lambda app: serve(config, app)),
        open_channel(ChannelOptions(address)) as channel,
    ):
        yield TableClient(table_pb2_grpc.TableServiceStub(channel), address)


def table_config(database: Database, valkey: str, around: Neighbours, **others: object) -> TableConfig:
    """A table service's settings, on a socket of its own."""
    settings: dict[str, object] = {
        "postgres_dsn": database.dsn_as("belot_table"),
        "valkey_url": valkey,
        "listen": (f"unix:{around.directory}/table-{next(_numbers)}.sock",),
        # No gateway names the players of these tests.
        "presence_grace_s": 3_600.0,
        **around.addresses,
    }
    return TableConfig(**(settings | others))  # type: ignore[arg-type]


class Watcher:
    """Reads a table's published events like a gateway does: contiguous, gaps filled from the log."""

    def __init__(self, client: TableClient, table_id: str) -> None:
        """`watching` makes it run."""
        self.log: list[Envelope] = []
        self._client = client
        self._table_id = table_id
        self._arrived: asyncio.Queue[tuple[Envelope, ...]] = asyncio.Queue()
        self._grown = asyncio.Event()

    def put(self, payload: bytes) -> None:
        """A published batch."""
        self._arrived.put_nowait(decode_batch(payload))

    async def run(self) -> None:
        """Keep up with the table."""
        self._arrived.put_nowait(await self._client.events(self._table_id))
        while True:
            batch = await self._arrived.get()
            taken = take(len(self.log), batch)
            if taken.missed:
                taken = take(len(self.log), await self._client.events(self._table_id, len(self.log)))
            self.log.extend(taken.fresh)
            self._grown.set()

    async def until(self, true: Callable[[Sequence[Envelope]], bool], seconds: float = SUIT_PASSES) -> None:
        """Wait until the log is as wanted."""
        async with asyncio.timeout(seconds):
            while not true(self.log):
                self._grown.clear()
                await self._grown.wait()

    async def next_turn(self, turns: int) -> int | None:
        """Wait for the n-th turn and return its seat; None when the match is over before."""

        def come(log: Sequence[Envelope]) -> bool:
            kinds = [each.kind for each in log]
            return kinds.count("turn_started") >= turns or "match_finished" in kinds

        await self.until(come)
        started = [each for each in self.log if each.kind == "turn_started"]
        if len(started) < turns:
            return None
        return view_pb2.TableEvent.FromString(started[turns - 1].payload).turn_started.seat

    async def until_kind(self, kind: str, times: int = 1, seconds: float = SUIT_PASSES) -> view_pb2.TableEvent:
        """Wait for the n-th event of a kind and return it as a spectator sees it."""
        await self.until(lambda log: sum(each.kind == kind for each in log) >= times, seconds)
        found = [each for each in self.log if each.kind == kind][times - 1]
        return view_pb2.TableEvent.FromString(visible_to(found, None) or b"")


@asynccontextmanager
async def watching(client: TableClient, valkey: str, table_id: str) -> AsyncIterator[Watcher]:
    """A watcher of a table, as long as the block lasts."""
    bus = Bus(BusOptions(valkey, "watcher"))
    watcher = Watcher(client, table_id)
    async with background(bus.run()):
        await bus.wait_connected()
        await bus.subscribe(table_channel(table_id), watcher.put, lambda: watcher.put(b""))
        async with background(watcher.run()):
            yield watcher


class Person:
    """A player at one table who acts by what his own view allows: legal actions drawn from his own seed."""

    def __init__(self, client: TableClient, table_id: str, player_id: str) -> None:
        """`player_id` must sit there, or sit down by `do`."""
        self.client = client
        self.table_id = table_id
        self.player_id = player_id

    async def do(self, action: table_pb2.TableAction, **others: object) -> table_pb2.Ack:
        """Send a command."""
        return await self.client.do(self.table_id, self.player_id, action, **others)  # type: ignore[arg-type]

    async def sit(self, seat: int | None = None, code: str = "") -> table_pb2.Ack:
        """Sit down, with the code of a private table, and be ready."""
        down = table_pb2.SitDown(seat=seat, display_name=f"At {seat}", invitation_code=code)
        await self.do(table_pb2.TableAction(sit_down=down))
        return await self.do(ready())

    async def send_seed(self) -> table_pb2.Ack:
        """Send a seed."""
        return await self.do(table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=secrets.token_bytes(16))))

    async def act(self, choose: Callable[[match_pb2.LegalActions], match_pb2.Action]) -> table_pb2.Ack:
        """Do something legal, if it is his turn now."""
        view = await self.client.view(self.table_id, self.player_id)
        return await self.do(
            table_pb2.TableAction(game=choose(view.match.legal)), expected_version=view.summary.version
        )


def first_legal(legal: match_pb2.LegalActions) -> match_pb2.Action:
    """The first card; in the auction pass if allowed, else accept, else the first suit."""
    if legal.cards:
        return match_pb2.Action(play=match_pb2.Play(card=legal.cards[0]))
    if legal.may_pass:
        return match_pb2.Action(pass_bid=match_pb2.Pass())
    if legal.may_accept:
        return match_pb2.Action(accept=match_pb2.Accept())
    return match_pb2.Action(choose=match_pb2.Choose(suit=legal.suits[0]))


def ready(is_ready: bool = True) -> table_pb2.TableAction:
    """Ready, or not."""
    return table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=is_ready))


def bots(level: str = "") -> table_pb2.TableAction:
    """Bots for the free seats."""
    return table_pb2.TableAction(fill_with_bots=table_pb2.FillWithBots(level=level))


def short_match(**options: object) -> view_pb2.TableOptions:
    """A table whose match takes a deal or two."""
    settings: dict[str, object] = {"ruleset": "classic", "ruleset_options": {"deals": "1"}}
    return view_pb2.TableOptions(**(settings | options))  # type: ignore[arg-type]


def new_request() -> str:
    """A request id of its own."""
    return str(uuid.uuid4())
