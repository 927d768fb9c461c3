"""A client that does not read is ended and resumes; the others at the same table notice nothing."""

import asyncio

import grpc
import pytest

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_events.channels import LOBBY
from belot_kit.bus import Bus, BusOptions
from belot_kit.errors import Reason, from_rpc_error
from belot_kit.tasks import background
from support.raw_streams import LIMIT_SECONDS, guest, lobby, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

SMALL_WINDOW = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16_384))
"""Otherwise megabytes pile up on the client's side before the server notices."""


def big_summary(table_id: str, version: int) -> bytes:
    """A public table whose summary is large, as nobody could make it; only its size matters here."""
    options = view_pb2.TableOptions(ruleset="bela", ruleset_options={"note": "x" * 20_000})
    status = view_pb2.TABLE_STATUS_WAITING
    return view_pb2.TableSummary(table_id=table_id, status=status, options=options, version=version).SerializeToString()


async def test_a_client_that_does_not_read_is_ended_and_can_resume(fleet: SmallFleet) -> None:
    bus = Bus(BusOptions(fleet.valkey_url, "test"))
    async with guest(fleet.gateways[0], "Ana", *SMALL_WINDOW) as ana, background(bus.run()):
        await bus.wait_connected()
        table_id = await ana.create()
        request = gateway_pb2.WatchRequest(subscriptions=[lobby(), table(table_id)])
        call = ana.plays.Watch(request, metadata=ana.metadata)
        stream_id, head = "", 0
        while not stream_id or not head:
            response = await call.read()
            assert isinstance(response, gateway_pb2.WatchResponse)
            for item in response.items:
                stream_id = item.opened.stream_id or stream_id
                head = item.sequence if item.table_id == table_id else head
        await flood_until_ended(bus, f"belot:stream:{ana.player_id}:{stream_id}")
        with pytest.raises(grpc.aio.AioRpcError) as ended:
            await read_to_the_end(call)
        assert from_rpc_error(ended.value).reason is Reason.STREAM_TOO_SLOW
        assert ended.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
        ack = await ana.ready(table_id)
        async with ana.watching(table(table_id, after=head)) as again:
            await again.until_head(table_id, ack.sequence)
            assert not again.of("snapshot")


async def read_to_the_end(call: "grpc.aio.UnaryStreamCall[object, object]") -> None:
    while await call.read():
        pass


async def flood_until_ended(bus: Bus, channel: str) -> None:
    """Publish until the stream, which listens on a channel of its own, is gone; then take the table away again."""
    version = 0
    async with asyncio.timeout(LIMIT_SECONDS):
        while (await bus.execute("PUBSUB", "NUMSUB", channel)) != [channel.encode(), 0]:
            for _ in range(10):
                version += 1
                await bus.publish(LOBBY, big_summary("flood", version))
    gone = view_pb2.TableSummary(table_id="flood", status=view_pb2.TABLE_STATUS_CLOSED, version=version + 1)
    await bus.publish(LOBBY, gone.SerializeToString())


async def test_others_at_the_table_are_not_held_up_by_one_who_does_not_read(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0], "Slow", *SMALL_WINDOW) as slow, guest(fleet.gateways[0]) as ana:
        table_id = await ana.create()
        call = slow.plays.Watch(gateway_pb2.WatchRequest(subscriptions=[table(table_id)]), metadata=slow.metadata)
        await call.read()
        async with ana.watching(table(table_id)) as stream:
            await stream.first("snapshot")
            for number in range(100):
                ack = await ana.ready(table_id, number % 2 == 0)
            await stream.until_head(table_id, ack.sequence)
        call.cancel()
