"""Clients that do not read are ended and resume; the others at the same table and in the same lobby get everything."""

import asyncio

import pytest

from belot.gateway.v1 import gateway_pb2
from belot_kit.errors import Reason
from belot_kit.tasks import background
from support.eventually import eventually
from support.raw_streams import guest, table
from support.readers import SMALL_WINDOW, crowd
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

STREAMS, SLOW = 24, 4


async def test_those_who_never_read_are_ended_and_resume_and_the_others_get_everything(fleet: SmallFleet) -> None:
    address = fleet.gateways[0]
    async with guest(address) as owner, crowd(address, fleet.valkey_url, owner, STREAMS, 20_000) as readers:
        slow, steady, flood, table_id = readers[:SLOW], readers[SLOW:], readers[0].flood, readers[0].table_id
        flips = 0
        async with background(*(reader.read() for reader in steady)), asyncio.timeout(60):
            while await flood.listeners([reader.channel for reader in slow]):
                flips += 1
                last = (await owner.ready(table_id, flips % 2 == 1)).sequence
                for _ in range(5):
                    news = await flood.publish()
                await eventually(lambda: all((each.head, each.version) == (last, news) for each in steady))  # noqa: B023
        assert all(reader.in_order and reader.snapshots == 1 and reader.ended is None for reader in steady)
        for reader in slow:
            await reader.read()
            assert reader.ended is Reason.STREAM_TOO_SLOW
            assert reader.head < last, "much of it waited at the server, and went with the stream"
            reader.open(after=reader.head)
            await reader.read_up_to(last)
            assert reader.in_order
            assert reader.snapshots == 1, "it resumed, and began not anew"


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
