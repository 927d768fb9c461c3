"""The real thing and the one in memory, side by side: every test of this folder runs once with each."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field

import pytest

from belot_kit.bus import Bus, BusOptions
from belot_kit.clock import SystemClock
from belot_kit.postgres import CommitConnection, PostgresOptions, open_pool
from belot_kit.resp import open_link
from belot_kit.tasks import background
from belot_rating.store import Inbox, PostgresInbox
from belot_table.committing import Commit, committing
from belot_table.delivery_store import DeliveryStore, PostgresDeliveries
from belot_table.presence import PostgresPresence, PresenceStore
from belot_table.store import PostgresStore, Store
from support.databases import Database
from support.memory_ratings import InboxRows, MemoryInbox
from support.memory_stores import MemoryDeliveries, MemoryPresence, MemoryTableStore
from support.memory_tables import TableRows
from support.memory_valkey import MemoryValkey, SoundBusLines


@dataclass(frozen=True)
class Tables:
    """A table service's database: its ports, and what its group committer executes."""

    store: Store
    presence: PresenceStore
    deliveries: DeliveryStore
    execute: Callable[[Sequence[Commit]], Awaitable[Sequence[bool]]]

    async def commit(self, *commits: Commit) -> list[bool]:
        """Who passed."""
        return list(await self.execute(commits))


@pytest.fixture(params=["postgres", "memory"])
async def tables(request: pytest.FixtureRequest) -> AsyncIterator[Tables]:
    """An empty database of tables."""
    if request.param == "memory":
        rows = TableRows(SystemClock().now_ms)
        store = MemoryTableStore(rows)
        yield Tables(store, MemoryPresence(rows), MemoryDeliveries(rows), store.commit)
        return
    database: Database = request.getfixturevalue("database")
    options = PostgresOptions(database.dsn_as("belot_table"), "belot_table", "test")
    commits = CommitConnection(options)
    async with await open_pool(options) as pool:
        yield Tables(PostgresStore(pool), PostgresPresence(pool), PostgresDeliveries(pool), committing(commits))
    await commits.close()


@pytest.fixture(params=["postgres", "memory"])
async def inbox(request: pytest.FixtureRequest) -> AsyncIterator[Inbox]:
    """An empty inbox of the ratings."""
    if request.param == "memory":
        yield MemoryInbox(InboxRows(SystemClock().now_ms))
        return
    database: Database = request.getfixturevalue("database")
    options = PostgresOptions(database.dsn_as("belot_rating"), "belot_rating", "test")
    async with await open_pool(options) as pool:
        yield PostgresInbox(pool)


@dataclass
class Pubsub:
    """A bus server of its own: buses at it, and a way to cut all their connections."""

    bus: Callable[[], Bus]
    cut: Callable[[], Awaitable[None]]
    stack: AsyncExitStack = field(default_factory=AsyncExitStack)

    async def connected(self) -> Bus:
        """A connected bus, until the test ends."""
        bus = self.bus()
        await self.stack.enter_async_context(background(bus.run()))
        await bus.wait_connected()
        return bus


@pytest.fixture(params=["valkey", "memory"])
async def pubsub(request: pytest.FixtureRequest) -> AsyncIterator[Pubsub]:
    """A server for publications."""
    if request.param == "memory":
        server = MemoryValkey(SoundBusLines())

        async def cut_memory() -> None:
            server.cut()

        async with (made := Pubsub(lambda: Bus(BusOptions("memory"), server.connect), cut_memory)).stack:
            yield made
        return
    url: str = request.getfixturevalue("valkey")
    async with (made := Pubsub(lambda: Bus(BusOptions(url)), lambda: _cut(url))).stack:
        yield made


async def _cut(url: str) -> None:
    link = await open_link(url, name="cutter")
    for kind in ("pubsub", "normal"):
        link.send("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")
    replies = 0
    while replies < 2:
        replies += len(await link.receive())
    await link.close()
