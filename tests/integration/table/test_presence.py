"""Who is connected, as gateways say: told after the grace, each seat by itself, whatever dies."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from belot.table.v1 import table_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.databases import Database
from support.tables import (
    Neighbours,
    Person,
    TableClient,
    Watcher,
    new_request,
    ready,
    short_match,
    table_at,
    table_config,
    watching,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

GRACE_S = 1.2
LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())


@pytest_asyncio.fixture(loop_scope="session")
async def quick(database: Database, valkey: str, around: Neighbours) -> AsyncIterator[TableClient]:
    """A table service with a short grace, alone on its database: another would go by its own grace."""
    async with table_at(table_config(database, valkey, around, presence_grace_s=GRACE_S)) as client:
        yield client


async def see(client: TableClient, table_id: str, *players: str) -> None:
    """What a gateway says every few seconds."""
    present = [table_pb2.PresentPlayer(table_id=table_id, player_id=each) for each in players]
    await call(client.stub.ReportPresence, table_pb2.ReportPresenceRequest(present=present))


async def two_persons(client: TableClient) -> tuple[Person, Person]:
    """Two who sit at a new table."""
    table_id = (await client.create("maker", short_match())).summary.table_id
    anna, boris = Person(client, table_id, new_request()), Person(client, table_id, new_request())
    for person in (anna, boris):
        await person.sit()
    return anna, boris


async def away(client: TableClient, table_id: str) -> list[bool]:
    """Which seats are shown as away."""
    return [each.disconnected for each in (await client.view(table_id)).summary.seats]


async def told(watcher: Watcher, times: int) -> tuple[int, bool]:
    """The n-th word about a connection: whose seat, and whether it is there."""
    event = (await watcher.until_kind("seat_presence", times)).seat_presence
    return event.seat, event.connected


async def test_who_sits_down_and_is_never_named_is_away(quick: TableClient, valkey: str) -> None:
    maker = new_request()
    table_id = (await quick.create(maker, short_match(), "Maker")).summary.table_id
    boris = Person(quick, table_id, new_request())
    async with watching(quick, valkey, table_id) as watcher:
        assert await told(watcher, 1) == (0, False)
        await boris.sit()
        assert await told(watcher, 2) == (1, False)
        await boris.do(LEAVE)
        # Who sits down again begins anew.
        await boris.sit()
        assert not (await quick.view(table_id)).summary.seats[1].disconnected
        assert await told(watcher, 3) == (1, False)


async def test_who_is_not_named_for_the_grace_is_away_and_is_back_when_named(quick: TableClient, valkey: str) -> None:
    anna, boris = await two_persons(quick)
    async with watching(quick, valkey, anna.table_id) as watcher:
        while not [each for each in watcher.log if each.kind == "seat_presence"]:
            await see(quick, anna.table_id, boris.player_id)
        assert await told(watcher, 1) == (0, False)
        assert await away(quick, anna.table_id) == [True, False, False, False]
        await see(quick, anna.table_id, anna.player_id, boris.player_id)
        assert await told(watcher, 2) == (0, True)
        # Everybody is dropped at once, as when a gateway dies: each is told, and the table stays.
        assert {await told(watcher, 3), await told(watcher, 4)} == {(0, False), (1, False)}
        await anna.do(ready(False))
        assert [each.player_id for each in (await quick.view(anna.table_id)).summary.seats[:2]] == [
            anna.player_id,
            boris.player_id,
        ]


async def test_each_seat_has_a_window_of_its_own(quick: TableClient, valkey: str) -> None:
    anna, boris = await two_persons(quick)
    async with watching(quick, valkey, anna.table_id) as watcher:
        await see(quick, anna.table_id, anna.player_id, boris.player_id)
        while not [each for each in watcher.log if each.kind == "seat_presence"]:
            await see(quick, anna.table_id, boris.player_id)
        assert await told(watcher, 1) == (0, False)
        assert await away(quick, anna.table_id) == [True, False, False, False]


async def test_strangers_and_spectators_change_nothing(tables: TableClient) -> None:
    anna, _ = await two_persons(tables)
    before = await tables.view(anna.table_id)
    await see(tables, anna.table_id, "eva")
    await see(tables, "nowhere", anna.player_id)
    assert await tables.view(anna.table_id) == before


async def test_a_malformed_report_names_its_field(quick: TableClient) -> None:
    with pytest.raises(DomainError) as refused:
        await see(quick, "", "anna")
    assert refused.value.reason is Reason.INVALID_ARGUMENT
    assert refused.value.violations[0].field == "present.table_id"
