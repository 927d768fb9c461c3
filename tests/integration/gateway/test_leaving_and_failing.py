"""A gateway that goes away says so; a table pod that goes away is noticed by nobody."""

import asyncio
from pathlib import Path

import grpc
import pytest

from belot.table.v1 import table_pb2
from belot_client.client import BelotClient
from belot_client.view import Options
from belot_gateway.rendezvous import ranked
from belot_kit.errors import Reason, from_rpc_error
from support.databases import Database
from support.raw_streams import RawGuest, guest, lobby, table
from support.small_fleet import SmallFleet, small_fleet

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_gateway_that_stops_says_so_on_every_stream_and_then_ends_it(fleet: SmallFleet) -> None:
    async with fleet.gateway() as (address, app), guest(address) as ana:
        table_id = await ana.create()
        async with ana.watching(table(table_id), lobby()) as stream:
            await stream.first("snapshot")
            await app.stop()
            await stream.until_over()
            assert stream.of("draining")
            assert stream.error is not None
            assert stream.error.code() is grpc.StatusCode.UNAVAILABLE
            assert from_rpc_error(stream.error).reason is Reason.DRAINING


async def test_a_client_moves_to_another_gateway_and_misses_nothing(fleet: SmallFleet) -> None:
    async with fleet.gateway() as (address, app), BelotClient(address, fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(Options("bela"))).table_id
        async with client.table(table_id) as session:
            seen = [session.state.sequence]
            updates = session.updates()
            stopping = asyncio.create_task(app.stop())
            for number in range(10):
                await session.ready(number % 2 == 0)
            await stopping
            while seen[-1] < session.state.sequence:
                seen.append((await anext(updates)).sequence)
            assert seen == list(range(seen[0], session.state.sequence + 1))
            assert len(seen) == 11


async def test_a_table_pod_that_stops_is_noticed_by_nobody(database: Database, valkey: str, tmp_path: Path) -> None:
    async with small_fleet(database, valkey, tmp_path, tables=2) as fleet:
        address = await fleet.add_gateway()
        async with guest(address) as ana:
            tables = [await ana.create() for _ in range(4)]
            favourite = ranked(tables[0], fleet.table_addresses)[0]
            async with ana.watching(*[table(table_id) for table_id in tables]) as stream:
                await stream.until(lambda: len(stream.of("snapshot")) == len(tables))
                flips = asyncio.create_task(flip(ana, tables, 40))
                await stream.until(lambda: stream.head(tables[0]) > 6)
                await fleet.stop_table(favourite)
                acks = await flips
                for table_id, ack in zip(tables, acks, strict=True):
                    await stream.until_head(table_id, ack.sequence)
                    numbers = [item.sequence for item in stream.tables(table_id)]
                    assert numbers == list(range(numbers[0], ack.sequence + 1))


async def flip(ana: RawGuest, tables: list[str], times: int) -> list[table_pb2.Ack]:
    """Ready and not ready in turn; every single command is done, and done once."""
    acks: list[table_pb2.Ack] = []
    for number in range(times):
        acks = list(await asyncio.gather(*[ana.ready(each, number % 2 == 0) for each in tables]))
    return acks
