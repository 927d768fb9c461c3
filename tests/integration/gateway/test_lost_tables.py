"""A table service goes away with events that it committed and told nobody: viewers get them at once nevertheless.

The gateway of this test listens to a Valkey to which no table publishes, so that neither tables nor their relay help.
"""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from belot_gateway.rendezvous import ranked
from belot_kit.embedded import embedded_valkey
from support.databases import Database
from support.raw_streams import guest, table
from support.small_fleet import SmallFleet, small_fleet

TIMES = 5


@pytest_asyncio.fixture
async def own_fleet(database: Database, valkey: str, tmp_path: Path) -> AsyncIterator[SmallFleet]:
    """A fleet of two tables for this test alone: it stops one."""
    async with small_fleet(database, valkey, tmp_path, tables=2) as fleet:
        yield fleet


async def test_what_a_lost_table_service_told_nobody_is_read_from_the_log(
    own_fleet: SmallFleet, tmp_path: Path
) -> None:
    with embedded_valkey(tmp_path / "deaf") as server:
        async with own_fleet.gateway(server.url) as (address, _), guest(address) as ana:
            table_id = await ana.create()
            async with ana.watching(table(table_id)) as stream:
                await stream.first("snapshot")
                acks = [await ana.ready(table_id, number % 2 == 0) for number in range(TIMES)]
                await own_fleet.stop_table(ranked(table_id, own_fleet.table_addresses)[0])
                await stream.until_head(table_id, acks[-1].sequence)
