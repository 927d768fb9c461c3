"""Spectators of real tables: sent away where none are wanted, a moment behind where it says so, let in by a code."""

import asyncio

import grpc
import pytest
from google.protobuf.duration_pb2 import Duration

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_kit.errors import from_rpc_error
from support.raw_streams import RawGuest, RawStream, guest, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT = {"ruleset_options": {"deals": "1"}, "seed_time": Duration(seconds=1)}


async def begin(ana: RawGuest, table_id: str) -> None:
    """Three bots, and the match opens."""
    await ana.bots(table_id)
    await ana.ready(table_id)


async def ended_because(stream: RawStream) -> str:
    reason = (await stream.first("ended")).ended.refusal.reason
    return errors_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_")


async def seen(player: RawGuest, table_id: str, code: str = "") -> view_pb2.TableView:
    request = gateway_pb2.GetTableRequest(table_id=table_id, invitation_code=code)
    return (await player.lobby.GetTable(request, metadata=player.metadata)).table


async def refusal(player: RawGuest, table_id: str) -> str:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await seen(player, table_id)
    return from_rpc_error(refused.value).reason


async def test_where_no_spectators_are_wanted_they_are_sent_away_when_the_match_begins(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[1], "Sue") as sue:
        table_id = await ana.create(no_spectators=True, **SHORT)
        async with sue.watching(table(table_id)) as stream:
            await stream.first("snapshot")
            await begin(ana, table_id)
            assert await ended_because(stream) == "SPECTATORS_NOT_ALLOWED"
            assert not any(item.event.HasField("match_opened") for item in stream.items)
            last = stream.head(table_id)
        assert await refusal(sue, table_id) == "SPECTATORS_NOT_ALLOWED"
        async with sue.watching(table(table_id, after=last)) as again:
            assert await ended_because(again) == "SPECTATORS_NOT_ALLOWED"
            assert again.tables(table_id) == []


async def test_who_leaves_a_match_without_spectators_is_sent_away(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[0], "Bo") as bo:
        table_id = await ana.create(no_spectators=True, **SHORT)
        await bo.sit(table_id)
        async with bo.watching(table(table_id)) as stream:
            await stream.first("snapshot")
            await bo.ready(table_id)
            await begin(ana, table_id)
            await stream.until(lambda: any(item.event.HasField("match_opened") for item in stream.items))
            await bo.leave(table_id)
            assert await ended_because(stream) == "SPECTATORS_NOT_ALLOWED"
            assert stream.of("event")[-1].event.HasField("seat_left")


async def test_at_a_delayed_table_spectators_see_what_is_old_enough_and_players_all_at_once(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[0], "Sue") as sue:
        table_id = await ana.create(spectator_delay=Duration(seconds=2), **SHORT)
        async with sue.watching(table(table_id)) as late, ana.watching(table(table_id)) as live:
            await late.first("snapshot")
            await begin(ana, table_id)
            await live.until(lambda: any(item.event.HasField("match_opened") for item in live.items))
            assert not any(item.event.HasField("match_opened") for item in late.items)
            stranger = await seen(sue, table_id)
            assert stranger.summary.status != view_pb2.TABLE_STATUS_WAITING
            assert not stranger.HasField("fairness")
            assert stranger.sequence == 0
            assert (await seen(ana, table_id)).HasField("fairness")
            async with asyncio.timeout(10):
                await late.until(lambda: any(item.event.HasField("match_opened") for item in late.items))
            numbers = [item.sequence for item in late.tables(table_id)]
            assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_a_private_table_opens_to_its_code(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[1], "Sue") as sue:
        table_id = await ana.create(private=True)
        code = (await seen(ana, table_id)).invitation_code
        assert await refusal(sue, table_id) == "TABLE_NOT_FOUND"
        async with sue.watching(table(table_id)) as stream:
            assert await ended_because(stream) == "TABLE_NOT_FOUND"
        async with sue.watching(table(table_id, after=1)) as stream:
            assert await ended_because(stream) == "TABLE_NOT_FOUND"
        assert (await seen(sue, table_id, code)).summary.table_id == table_id
        wanted = gateway_pb2.TableTopic(table_id=table_id, invitation_code=code)
        async with sue.watching(gateway_pb2.Subscription(table=wanted)) as stream:
            await stream.first("snapshot")
        request = gateway_pb2.SitDownRequest(request_id="r1", table_id=table_id)
        with pytest.raises(grpc.aio.AioRpcError):
            await sue.plays.SitDown(request, metadata=sue.metadata)
        request = gateway_pb2.SitDownRequest(request_id="r2", table_id=table_id, invitation_code=code)
        await sue.plays.SitDown(request, metadata=sue.metadata)
        assert (await seen(sue, table_id)).viewer_seat == 1
