"""The guarantees of a stream, by name: Ordered, Unique, Reliable, Resumable, Bookmarkable, Private."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass

import pytest
import pytest_asyncio

from belot.gateway.v1 import gateway_pb2
from belot_client.client import BelotClient
from belot_client.view import Options
from belot_gateway import streams
from support.eventually import eventually
from support.raw_streams import RawGuest, RawStream, guest, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

Items = Sequence[gateway_pb2.StreamItem]


@dataclass(slots=True)
class Played:
    """A whole match of four clients: what a raw stream beside them was sent, and its guest, who may still ask."""

    table_id: str
    stream: RawStream
    spectator: RawGuest


async def play_out(client: BelotClient, table_id: str, seat: int) -> None:
    async with client.table(table_id) as session:
        if seat:
            await session.sit_down(seat)
        await session.ready()
        async for state in session.turns():
            legal = state.legal
            assert legal is not None
            if legal.cards:
                await session.play(legal.cards[seat % len(legal.cards)])
            elif legal.may_pass:
                await session.pass_bid()
            else:
                await session.choose(legal.suits[0])


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def played(fleet: SmallFleet) -> AsyncIterator[Played]:
    """A spectator watches a match of two deals from its first event to its last."""
    address = fleet.gateways[0]
    async with AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(BelotClient(address)) for _ in range(4)]
        for number, client in enumerate(clients):
            await client.sign_in_guest(f"P{number}")
        options = Options("bela", ruleset_options=(("deals", "2"),))
        table_id = (await clients[0].create_table(options)).table_id
        spectator = await stack.enter_async_context(guest(address, "Spectator"))
        steady = await stack.enter_async_context(spectator.watching(table(table_id)))
        await steady.first("snapshot")
        async with asyncio.timeout(40), asyncio.TaskGroup() as group:
            for seat, client in enumerate(clients):
                group.create_task(play_out(client, table_id, seat))
        await steady.until(lambda: any(item.event.HasField("seed_revealed") for item in steady.items))
        yield Played(table_id, steady, spectator)


def numbers(items: Items) -> list[int]:
    return [item.sequence for item in items]


async def test_ordered_unique_and_reliable(played: Played) -> None:
    """Every number once, in order, none missing, from the snapshot to the reveal."""
    items = played.stream.tables(played.table_id)
    first = items[0].sequence
    assert items[0].WhichOneof("kind") == "snapshot"
    assert numbers(items[1:]) == list(range(first + 1, first + len(items)))
    assert len(items) > 100


async def test_resumable_and_bookmarkable(played: Played) -> None:
    """After any number the very same items come again, and no snapshot."""
    whole = {item.sequence: item for item in played.stream.tables(played.table_id)[1:]}
    last = max(whole)
    for bookmark in (min(whole), (min(whole) + last) // 2, last - 1):
        async with played.spectator.watching(table(played.table_id, after=bookmark)) as again:
            await again.until_head(played.table_id, last)
            items = again.tables(played.table_id)
            assert items == [whole[sequence] for sequence in range(bookmark + 1, last + 1)]


async def test_a_bookmark_of_another_log_brings_a_snapshot(played: Played) -> None:
    async with played.spectator.watching(table(played.table_id, after=1_000_000)) as stream:
        snapshot = await stream.first("snapshot")
        assert snapshot.sequence == played.stream.head(played.table_id)


async def test_private_a_spectator_sees_no_hand_no_choice_and_no_receipt(played: Played) -> None:
    for item in played.stream.tables(played.table_id):
        event = item.event
        assert not event.game.HasField("hand_dealt")
        assert not event.turn_started.HasField("legal")
        assert not event.seed_received.HasField("receipt")
        assert not event.cards_released.HasField("receipt")
        assert not item.snapshot.match.hand
    assert len(played.stream.of("hidden")) >= 2 * 4 * 2, "hands and receipts came as numbers"


async def test_a_stream_joins_a_running_table_without_a_seam(fleet: SmallFleet) -> None:
    """Streams that open while events pour in still get every number after their snapshot."""
    async with guest(fleet.gateways[0]) as ana:
        table_id = await ana.create(ruleset_options={"deals": "2"})
        async with guest(fleet.gateways[0], "Crowd") as crowd:
            await ana.leave(await ana.create())  # a second table, closed at once, disturbs nobody
            async with AsyncExitStack() as stack:
                first = await stack.enter_async_context(crowd.watching(table(table_id)))
                await first.first("snapshot")
                flips = asyncio.create_task(flip(ana, table_id, 60))
                streams = []
                for number in range(12):
                    other = await stack.enter_async_context(guest(fleet.gateways[0], f"G{number}"))
                    streams.append(await stack.enter_async_context(other.watching(table(table_id))))
                last = await flips
                for stream in streams:
                    await stream.until_head(table_id, last)
                    items = stream.tables(table_id)
                    assert items[0].WhichOneof("kind") == "snapshot"
                    assert numbers(items) == list(range(items[0].sequence, last + 1))
                await eventually(lambda: first.head(table_id) == last)


async def test_a_heartbeat_speaks_for_what_was_sent_and_never_ahead(
    fleet: SmallFleet, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "HEARTBEAT_SECONDS", 1)
    async with guest(fleet.gateways[0]) as ana:
        table_id, another = await ana.create(), await ana.create()
        async with ana.watching(table(table_id), table(another)) as stream:
            ack = await ana.ready(table_id)
            await stream.until(
                lambda: (table_id, ack.sequence) in [(each.table_id, each.sequence) for each in stream.of("heartbeat")]
            )
            sent = {table_id: 0, another: 0}
            for item in stream.items:
                if item.HasField("heartbeat"):
                    assert item.sequence == sent[item.table_id]
                    assert item.heartbeat.at.seconds > 0
                elif item.table_id:
                    sent[item.table_id] = item.sequence


async def flip(ana: RawGuest, table_id: str, times: int) -> int:
    ack = await ana.ready(table_id, True)
    for number in range(times):
        ack = await ana.ready(table_id, number % 2 == 1)
    return ack.sequence
