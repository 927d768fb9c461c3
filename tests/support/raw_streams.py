"""A guest with raw calls and raw streams, for tests that look at every single item."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import table_pb2, view_pb2

LIMIT_SECONDS = 15.0


def me() -> gateway_pb2.Subscription:
    """The caller himself."""
    return gateway_pb2.Subscription(me=gateway_pb2.MeTopic())


def lobby() -> gateway_pb2.Subscription:
    """The list of public tables."""
    return gateway_pb2.Subscription(lobby=gateway_pb2.LobbyTopic())


def table(table_id: str, after: int | None = None) -> gateway_pb2.Subscription:
    """One table, from a snapshot or after a sequence."""
    return gateway_pb2.Subscription(table=gateway_pb2.TableTopic(table_id=table_id, after_sequence=after))


@dataclass(eq=False, slots=True)
class RawStream:
    """An open Watch stream: everything that came, in order, and how it ended."""

    call: "grpc.aio.UnaryStreamCall[gateway_pb2.WatchRequest, gateway_pb2.WatchResponse]"
    items: list[gateway_pb2.StreamItem] = field(default_factory=list)
    error: grpc.aio.AioRpcError | None = None
    over: bool = False
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    async def read_all(self) -> None:
        """Read until the stream ends."""
        try:
            async for response in self.call:
                self.items.extend(response.items)
                self.changed.set()
        except grpc.aio.AioRpcError as error:
            self.error = error
        finally:
            self.over = True
            self.changed.set()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds()`; AssertionError when the stream ends before, TimeoutError after a while."""
        async with asyncio.timeout(LIMIT_SECONDS):
            while not holds():
                assert not self.over, f"the stream ended: {self.error and self.error.details()}"
                self.changed.clear()
                await self.changed.wait()

    async def until_over(self) -> None:
        """Wait until the stream has ended."""
        async with asyncio.timeout(LIMIT_SECONDS):
            while not self.over:
                self.changed.clear()
                await self.changed.wait()

    def of(self, kind: str) -> list[gateway_pb2.StreamItem]:
        """The items of one kind so far."""
        return [item for item in self.items if item.WhichOneof("kind") == kind]

    def tables(self, table_id: str) -> list[gateway_pb2.StreamItem]:
        """Snapshot, events and hidden events of one table so far."""
        kinds = ("snapshot", "event", "hidden")
        return [item for item in self.items if item.table_id == table_id and item.WhichOneof("kind") in kinds]

    def head(self, table_id: str) -> int:
        """The last sequence of one table so far, 0 before the first."""
        found = self.tables(table_id)
        return found[-1].sequence if found else 0

    async def until_head(self, table_id: str, last: int) -> None:
        """Wait until this number of a table has come."""
        await self.until(lambda: self.head(table_id) >= last)

    async def first(self, kind: str) -> gateway_pb2.StreamItem:
        """The first item of a kind, awaited."""
        await self.until(lambda: bool(self.of(kind)))
        return self.of(kind)[0]


class RawGuest:
    """A signed-in guest on a connection of his own."""

    def __init__(self, address: str, name: str, *options: tuple[str, int]) -> None:
        """`options` are those of the channel."""
        self.name = name
        self.player_id = ""
        self.metadata: tuple[tuple[str, str], ...] = ()
        self.channel = grpc.aio.insecure_channel(address, [("grpc.use_local_subchannel_pool", 1), *options])
        self.auth = gateway_pb2_grpc.AuthServiceStub(self.channel)
        self.lobby = gateway_pb2_grpc.LobbyServiceStub(self.channel)
        self.plays = gateway_pb2_grpc.PlayServiceStub(self.channel)

    async def sign_in(self) -> "RawGuest":
        """Become a guest."""
        answer = await self.auth.SignInAsGuest(gateway_pb2.SignInAsGuestRequest(display_name=self.name))
        self.player_id = answer.player_id
        self.metadata = (("authorization", f"Bearer {answer.token}"),)
        return self

    async def create(self, **options: object) -> str:
        """A table of this guest's; Bela unless told otherwise."""
        wanted = view_pb2.TableOptions(**({"ruleset": "bela"} | options))  # type: ignore[arg-type]
        request = gateway_pb2.CreateTableRequest(request_id=secrets.token_hex(8), options=wanted)
        return (await self.lobby.CreateTable(request, metadata=self.metadata)).table.summary.table_id

    async def sit(self, table_id: str, seat: int | None = None) -> table_pb2.Ack:
        """Take a seat."""
        request = gateway_pb2.SitDownRequest(request_id=secrets.token_hex(8), table_id=table_id, seat=seat)
        return (await self.plays.SitDown(request, metadata=self.metadata)).ack

    async def leave(self, table_id: str) -> table_pb2.Ack:
        """Leave it."""
        request = gateway_pb2.LeaveTableRequest(request_id=secrets.token_hex(8), table_id=table_id)
        return (await self.plays.LeaveTable(request, metadata=self.metadata)).ack

    async def ready(self, table_id: str, ready: bool = True) -> table_pb2.Ack:
        """Ready or not."""
        request = gateway_pb2.SetReadyRequest(request_id=secrets.token_hex(8), table_id=table_id, ready=ready)
        return (await self.plays.SetReady(request, metadata=self.metadata)).ack

    async def bots(self, table_id: str) -> table_pb2.Ack:
        """Easy bots for the free seats."""
        request = gateway_pb2.FillWithBotsRequest(request_id=secrets.token_hex(8), table_id=table_id, level="easy")
        return (await self.plays.FillWithBots(request, metadata=self.metadata)).ack

    @asynccontextmanager
    async def watching(self, *subscriptions: gateway_pb2.Subscription) -> AsyncIterator[RawStream]:
        """A Watch stream that is read while the block runs."""
        call = self.plays.Watch(gateway_pb2.WatchRequest(subscriptions=subscriptions), metadata=self.metadata)
        stream = RawStream(call)
        reader = asyncio.create_task(stream.read_all())
        try:
            yield stream
        finally:
            call.cancel()
            reader.cancel()
            await asyncio.gather(reader, return_exceptions=True)


@asynccontextmanager
async def guest(address: str, name: str = "Ana", *options: tuple[str, int]) -> AsyncIterator[RawGuest]:
    """A signed-in guest while the block runs."""
    found = RawGuest(address, name, *options)
    try:
        yield await found.sign_in()
    finally:
        await found.channel.close()
