"""Many streams that read, and some that stop reading; a table and a lobby that give all of them enough to read.

News of the lobby are published by the test itself, as large as no table could make them: what counts is their size.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import grpc

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_events.channels import LOBBY
from belot_kit.bus import Bus, BusOptions
from belot_kit.errors import Reason, from_rpc_error
from belot_kit.tasks import background
from support.raw_streams import RawGuest, guest, lobby, table

SMALL_WINDOW: Final = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16_384))
"""Otherwise megabytes pile up on the client's side before the server notices."""

FLOOD: Final = "flood"
"""The table of which the lobby hears."""

_STEP: Final = 10
"""From version to version; between them there is room for the gateway's own."""


class Flood:
    """The lobby's news: one table, ten versions at a time."""

    def __init__(self, bus: Bus, octets: int) -> None:
        """`octets` is the size of each piece of news."""
        self.version = 0
        self.sent_at: dict[int, float] = {}
        self._bus = bus
        self._options = view_pb2.TableOptions(ruleset="bela", ruleset_options={"note": "x" * octets})

    async def publish(self) -> int:
        """One more version; returns it."""
        self.version += _STEP
        self.sent_at[self.version] = time.perf_counter()
        status = view_pb2.TABLE_STATUS_WAITING
        news = view_pb2.TableSummary(table_id=FLOOD, status=status, options=self._options, version=self.version)
        await self._bus.publish(LOBBY, news.SerializeToString())
        return self.version

    async def end(self) -> None:
        """The table is gone, so that nobody else's lobby shows it."""
        gone = view_pb2.TableSummary(table_id=FLOOD, status=view_pb2.TABLE_STATUS_CLOSED, version=self.version + 1)
        await self._bus.publish(LOBBY, gone.SerializeToString())

    async def listeners(self, channels: Sequence[str]) -> int:
        """How many of these channels somebody listens on."""
        answer = await self._bus.execute("PUBSUB", "NUMSUB", *channels)
        assert isinstance(answer, list)
        return sum(1 for count in answer[1::2] if count)


@dataclass(eq=False, slots=True)
class Reader:
    """A stream that follows the lobby and a table; what came is counted, not kept."""

    guest: RawGuest
    table_id: str
    flood: Flood
    stream_id: str = ""
    begun: bool = False
    head: int = 0
    version: int = 0
    in_order: bool = True
    snapshots: int = 0
    latencies: list[float] = field(default_factory=list)
    ended: Reason | None = None
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    _call: "grpc.aio.UnaryStreamCall[gateway_pb2.WatchRequest, gateway_pb2.WatchResponse] | None" = None

    @property
    def channel(self) -> str:
        """The bus channel on which the gateway listens for this stream."""
        return f"belot:stream:{self.guest.player_id}:{self.stream_id}"

    def open(self, after: int | None = None) -> None:
        """Open the stream; nothing is read yet."""
        request = gateway_pb2.WatchRequest(subscriptions=[lobby(), table(self.table_id, after)])
        self._call = self.guest.plays.Watch(request, metadata=self.guest.metadata)
        self.ended, self.stream_id, self.begun = None, "", False

    async def begin(self, after: int | None = None) -> None:
        """Open the stream and read until it has begun; from then on nothing is read."""
        self.open(after)
        await self.read_on(lambda: self.begun and self.head > 0)

    async def read_up_to(self, sequence: int) -> None:
        """Read until an event of the table has come."""
        await self.read_on(lambda: self.head >= sequence)

    async def read(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Read until it is enough, or the stream has ended."""
        assert self._call is not None
        try:
            while not enough():
                response = await self._call.read()
                if not isinstance(response, gateway_pb2.WatchResponse):
                    return
                now = time.perf_counter()
                for item in response.items:
                    self._take(item, now)
                self.changed.set()
        except grpc.aio.AioRpcError as error:
            self.ended = from_rpc_error(error).reason
        finally:
            self.changed.set()

    async def read_on(self, enough: Callable[[], bool], seconds: float = 30.0) -> None:
        """Read until it is enough. TimeoutError after a while, AssertionError when the stream ends before."""
        async with asyncio.timeout(seconds):
            await self.read(enough)
        assert enough(), f"the stream ended: {self.ended}"

    def _take(self, item: gateway_pb2.StreamItem, now: float) -> None:
        kind = item.WhichOneof("kind")
        if kind == "opened":
            self.stream_id = item.opened.stream_id
        elif kind == "snapshot":
            self.head, self.snapshots = item.sequence, self.snapshots + 1
        elif kind in ("event", "hidden"):
            self.in_order &= item.sequence == self.head + 1
            self.head = item.sequence
        elif kind == "lobby_snapshot":
            found = [each.version for each in item.lobby_snapshot.tables if each.table_id == FLOOD]
            self.version, self.begun = max(found, default=0), True
        elif kind == "lobby_changed" and item.lobby_changed.table.table_id == FLOOD:
            news = item.lobby_changed.table.version
            if news % _STEP:
                return  # the gateway's own: it looks for the table from time to time, and there is none
            self.in_order &= self.version in (0, news - _STEP)
            self.version = news
            self.latencies.append(now - self.flood.sent_at[news])

    def cancel(self) -> None:
        """Hang up."""
        if self._call is not None:
            self._call.cancel()


@asynccontextmanager
async def crowd(address: str, valkey_url: str, owner: RawGuest, count: int, octets: int) -> AsyncIterator[list[Reader]]:
    """So many readers at a table of `owner`'s, each on a connection with a small window, all up to date."""
    bus = Bus(BusOptions(valkey_url, "test"))
    async with AsyncExitStack() as stack:
        await stack.enter_async_context(background(bus.run()))
        await bus.wait_connected()
        flood, table_id = Flood(bus, octets), await owner.create()
        stack.push_async_callback(flood.end)
        readers: list[Reader] = []
        for number in range(count):
            player = await stack.enter_async_context(guest(address, f"R{number}", *SMALL_WINDOW))
            readers.append(Reader(player, table_id, flood))
            stack.callback(readers[-1].cancel)
            await readers[-1].begin()
        yield readers
