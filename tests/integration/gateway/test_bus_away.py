"""Valkey is away: what happens at tables still comes to those who watch, out of the log."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from belot_kit.embedded import embedded_valkey
from support.raw_streams import guest, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_while_the_bus_is_away_streams_go_on_from_the_log(fleet: SmallFleet, tmp_path: Path) -> None:
    with ExitStack() as valkey:
        server = valkey.enter_context(embedded_valkey(tmp_path / "valkey"))
        async with fleet.gateway(server.url) as (address, _), guest(address) as ana:
            table_id = await ana.create()
            async with ana.watching(table(table_id)) as stream:
                await stream.first("snapshot")
                valkey.close()
                for number in range(4):
                    ack = await ana.ready(table_id, number % 2 == 0)
                    await stream.until_head(table_id, ack.sequence)
