"""The bus may lose, repeat and reorder: a viewer gets every event once and in order nevertheless.

The gateway of these tests listens to a Valkey to which no table publishes: the test itself says what arrives there.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from belot.table.v1 import table_pb2, table_pb2_grpc
from belot_events.channels import table_channel
from belot_kit.bus import Bus, BusOptions
from belot_kit.embedded import embedded_valkey
from belot_kit.grpc_client import ChannelOptions, open_channel
from belot_kit.tasks import background
from support.raw_streams import RawGuest, RawStream, guest, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")


@dataclass(slots=True)
class Deaf:
    """A gateway that hears only what the test publishes, a guest at it with a table and a stream, and the log."""

    bus: Bus
    address: str
    ana: RawGuest
    table_id: str
    stream: RawStream
    log: "table_pb2_grpc.TableServiceAsyncStub"

    async def happen(self, times: int) -> list[table_pb2.EventEnvelope]:
        """Let things happen at the table; nobody is told. Gives the events."""
        after = self.stream.head(self.table_id)
        for number in range(times):
            await self.ana.ready(self.table_id, number % 2 == 0)
        request = table_pb2.ListEventsRequest(table_id=self.table_id, after_sequence=after)
        return list((await self.log.ListEvents(request)).events)

    async def publish(self, *events: table_pb2.EventEnvelope) -> None:
        """Say something on the table's channel."""
        batch = table_pb2.EventBatch(events=events)
        assert await self.bus.publish(table_channel(self.table_id), batch.SerializeToString()) == 1

    def numbers(self) -> list[int]:
        """What the viewer was sent."""
        return [item.sequence for item in self.stream.tables(self.table_id)]


@pytest_asyncio.fixture(loop_scope="session")
async def deaf(fleet: SmallFleet, tmp_path: Path) -> AsyncIterator[Deaf]:
    with embedded_valkey(tmp_path / "valkey") as server:
        async with AsyncExitStack() as stack:
            address, _ = await stack.enter_async_context(fleet.gateway(server.url))
            bus = Bus(BusOptions(server.url, "test"))
            await stack.enter_async_context(background(bus.run()))
            await bus.wait_connected()
            channel = await stack.enter_async_context(open_channel(ChannelOptions(fleet.table_addresses[0])))
            ana = await stack.enter_async_context(guest(address))
            table_id = await ana.create()
            stream = await stack.enter_async_context(ana.watching(table(table_id)))
            await stream.first("snapshot")
            yield Deaf(bus, address, ana, table_id, stream, table_pb2_grpc.TableServiceStub(channel))


def contiguous(numbers: list[int]) -> bool:
    return numbers == list(range(numbers[0], numbers[0] + len(numbers)))


async def test_lost_messages_are_fetched_from_the_log_when_a_later_one_arrives(deaf: Deaf) -> None:
    *lost, last = await deaf.happen(6)
    assert len(lost) == 5
    await deaf.publish(last)
    await deaf.stream.until_head(deaf.table_id, last.sequence)
    assert contiguous(deaf.numbers())


async def test_after_a_lost_connection_the_log_is_read_although_nothing_arrives(deaf: Deaf) -> None:
    events = await deaf.happen(4)
    await deaf.bus.execute("CLIENT", "KILL", "TYPE", "pubsub")
    await deaf.stream.until_head(deaf.table_id, events[-1].sequence)
    assert contiguous(deaf.numbers())


async def test_a_new_viewer_of_a_stale_feed_is_ahead_of_it_and_gets_nothing_twice(deaf: Deaf) -> None:
    *_, last = await deaf.happen(3)
    async with guest(deaf.address, "Bo") as bo, bo.watching(table(deaf.table_id)) as late:
        assert (await late.first("snapshot")).sequence == last.sequence
        *_, newest = await deaf.happen(2)
        await deaf.publish(newest)
        await late.until_head(deaf.table_id, newest.sequence)
        await deaf.stream.until_head(deaf.table_id, newest.sequence)
        assert contiguous(deaf.numbers())
        assert contiguous([item.sequence for item in late.tables(deaf.table_id)])


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_repeated_and_shuffled_messages_come_out_once_and_in_order(deaf: Deaf, seed: int) -> None:
    events = await deaf.happen(10)
    messages = [*events, *events]
    random.Random(seed).shuffle(messages)
    for message in messages:
        await deaf.publish(message)
    await deaf.stream.until_head(deaf.table_id, events[-1].sequence)
    assert contiguous(deaf.numbers())


async def test_a_message_that_cannot_be_read_makes_the_gateway_look_into_the_log(deaf: Deaf) -> None:
    events = await deaf.happen(2)
    assert await deaf.bus.publish(table_channel(deaf.table_id), b"\xff\xff\xff") == 1
    await deaf.stream.until_head(deaf.table_id, events[-1].sequence)
    assert contiguous(deaf.numbers())


async def test_a_table_that_nobody_watches_is_not_subscribed_any_more(deaf: Deaf) -> None:
    deaf.stream.call.cancel()

    async with asyncio.timeout(10):
        while await listeners(deaf):
            pass  # each look is a round trip


async def listeners(deaf: Deaf) -> int:
    answer = await deaf.bus.execute("PUBSUB", "NUMSUB", table_channel(deaf.table_id))
    assert isinstance(answer, list)
    assert isinstance(answer[1], int)
    return answer[1]
