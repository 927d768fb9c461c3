"""The lobby and the player himself on a stream."""

import pytest

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from support.raw_streams import RawStream, guest, lobby, me
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")


def changes(stream: RawStream, table_id: str) -> list[view_pb2.TableSummary]:
    found = [item.lobby_changed.table for item in stream.of("lobby_changed")]
    return [summary for summary in found if summary.table_id == table_id]


async def test_the_lobby_shows_public_tables_as_they_come_change_and_go(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[1], "Bo") as bo:
        before = await ana.create()
        async with bo.watching(lobby()) as stream:
            known = {table.table_id for table in (await stream.first("lobby_snapshot")).lobby_snapshot.tables}
            assert before in known
            made = await ana.create()
            await stream.until(lambda: bool(changes(stream, made)))
            await bo.sit(made)
            await stream.until(lambda: changes(stream, made)[-1].seats[1].player_id == bo.player_id)
            await bo.leave(made)
            await ana.leave(made)
            await stream.until(lambda: changes(stream, made)[-1].status == view_pb2.TABLE_STATUS_CLOSED)


async def test_a_private_table_is_not_in_the_lobby(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, ana.watching(lobby()) as stream:
        await stream.first("lobby_snapshot")
        hidden = await ana.create(private=True)
        shown = await ana.create()
        await stream.until(lambda: bool(changes(stream, shown)))
        assert not changes(stream, hidden)
        request = gateway_pb2.ListTablesRequest(page_size=200)
        listed = (await ana.lobby.ListTables(request, metadata=ana.metadata)).tables
        assert hidden not in {table.table_id for table in listed}


async def test_me_shows_the_tables_at_which_i_sit(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[1], "Bo") as bo:
        table_id = await ana.create(private=True, reserved_for=[bo.player_id])
        async with bo.watching(me()) as stream:
            first = (await stream.first("me_snapshot")).me_snapshot
            assert first.player_id == bo.player_id
            assert not first.tables
            await bo.sit(table_id)
            await stream.until(
                lambda: [each.table_id for each in stream.of("me_snapshot")[-1].me_snapshot.tables] == [table_id]
            )
            await bo.leave(table_id)
            await stream.until(lambda: not stream.of("me_snapshot")[-1].me_snapshot.tables)


async def test_one_stream_carries_everything_at_once(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana:
        table_id = await ana.create()
        topic = gateway_pb2.Subscription(table=gateway_pb2.TableTopic(table_id=table_id))
        async with ana.watching(lobby(), me(), topic) as stream:
            for kind in ("opened", "lobby_snapshot", "me_snapshot", "snapshot"):
                await stream.first(kind)
            assert stream.items[0].WhichOneof("kind") == "opened"


async def test_my_own_tables_are_listed_private_ones_included(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana:
        made = {await ana.create(private=True), await ana.create()}
        page = await ana.lobby.ListTables(gateway_pb2.ListTablesRequest(mine=True), metadata=ana.metadata)
        assert {table.table_id for table in page.tables} == made
