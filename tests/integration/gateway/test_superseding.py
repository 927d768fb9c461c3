"""One stream for each player and table: the newest, whichever gateways they are on; and streams changed while open."""

import grpc
import pytest

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot_kit.errors import from_rpc_error
from support.raw_streams import RawGuest, RawStream, guest, lobby, me, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def elsewhere(address: str, player: RawGuest) -> RawGuest:
    """The same player on a connection to another gateway."""
    other = RawGuest(address, player.name)
    other.player_id, other.metadata = player.player_id, player.metadata
    return other


async def ended_because(stream: RawStream) -> str:
    refusal = (await stream.first("ended")).ended.refusal
    assert refusal.localized_message
    return errors_pb2.ErrorReason.Name(refusal.reason).removeprefix("ERROR_REASON_")


@pytest.mark.parametrize("gateway", [0, 1])
async def test_a_second_stream_of_the_same_player_ends_the_first(fleet: SmallFleet, gateway: int) -> None:
    async with guest(fleet.gateways[0]) as ana:
        table_id = await ana.create()
        other = await elsewhere(fleet.gateways[gateway], ana)
        async with ana.watching(table(table_id)) as first:
            await first.first("snapshot")
            async with other.watching(table(table_id)) as second:
                assert await ended_because(first) == "STREAM_SUPERSEDED"
                ack = await ana.ready(table_id)
                await second.until_head(table_id, ack.sequence)
                assert first.head(table_id) < ack.sequence
                assert not second.of("ended")
        await other.channel.close()


async def test_a_third_stream_ends_the_second_across_gateways(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana:
        table_id = await ana.create()
        other = await elsewhere(fleet.gateways[1], ana)
        async with ana.watching(table(table_id)) as first:
            await first.first("snapshot")
            async with other.watching(table(table_id)) as second:
                await second.first("snapshot")
                await first.first("ended")
                async with ana.watching(table(table_id)) as third:
                    await third.first("snapshot")
                    assert await ended_because(second) == "STREAM_SUPERSEDED"
                    assert not third.of("ended")
        await other.channel.close()


async def test_other_players_and_other_tables_are_left_alone(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[1], "Bo") as bo:
        mine, another = await ana.create(), await ana.create()
        async with ana.watching(table(mine)) as first:
            await first.first("snapshot")
            async with ana.watching(table(another)) as second, bo.watching(table(mine)) as third:
                await second.first("snapshot")
                await third.first("snapshot")
                ack = await ana.ready(mine)
                await first.until_head(mine, ack.sequence)
                await third.until_head(mine, ack.sequence)
                assert not first.of("ended")


@pytest.mark.parametrize("gateway", [0, 1])
async def test_an_open_stream_is_changed_through_any_gateway(fleet: SmallFleet, gateway: int) -> None:
    async with guest(fleet.gateways[0]) as ana:
        mine, another = await ana.create(), await ana.create()
        other = await elsewhere(fleet.gateways[gateway], ana)
        async with ana.watching(table(mine)) as stream:
            stream_id = (await stream.first("opened")).opened.stream_id
            await stream.first("snapshot")
            request = gateway_pb2.UpdateSubscriptionsRequest(
                stream_id=stream_id, add=[table(another), me()], remove=[table(mine)]
            )
            await other.plays.UpdateSubscriptions(request, metadata=other.metadata)
            await stream.first("me_snapshot")
            await stream.until(lambda: stream.head(another) > 0)
            before = stream.head(mine)
            await ana.ready(mine)
            ack = await ana.ready(another)
            await stream.until_head(another, ack.sequence)
            assert stream.head(mine) == before
        await other.channel.close()


async def test_a_stream_that_is_not_open_is_not_found(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana:
        async with ana.watching(lobby()) as stream:
            stream_id = (await stream.first("opened")).opened.stream_id
        request = gateway_pb2.UpdateSubscriptionsRequest(stream_id="nothing", add=[lobby()])
        assert await refusal_of(ana, request) == "STREAM_NOT_FOUND"
        assert stream_id


async def test_nobody_changes_the_stream_of_another_player(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana, guest(fleet.gateways[0], "Bo") as bo, ana.watching(lobby()) as stream:
        stream_id = (await stream.first("opened")).opened.stream_id
        request = gateway_pb2.UpdateSubscriptionsRequest(stream_id=stream_id, add=[me()])
        assert await refusal_of(bo, request) == "STREAM_NOT_FOUND"


async def refusal_of(player: RawGuest, request: gateway_pb2.UpdateSubscriptionsRequest) -> str:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await player.plays.UpdateSubscriptions(request, metadata=player.metadata)
    return from_rpc_error(refused.value).reason
