"""A table service whose machine has the wrong time."""

import time

import pytest

from belot.table.v1 import view_pb2
from support.databases import Database
from support.tables import Neighbours, bots, short_match, table_at, table_config, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("offset_s", [30.0, -30.0])
async def test_tables_go_by_the_databases_time(
    offset_s: float, around: Neighbours, database: Database, valkey: str
) -> None:
    config = table_config(database, valkey, around, clock_offset_s=offset_s)
    began_ms = time.time() * 1000
    async with table_at(config) as wrong:
        table_id = (await wrong.create("maker", short_match())).summary.table_id
        async with watching(wrong, valkey, table_id) as watcher:
            await wrong.do(table_id, "maker", bots())
            await watcher.until_kind("match_finished")
    ended_ms = time.time() * 1000
    told = [view_pb2.TableEvent.FromString(each.payload) for each in watcher.log]
    shown = [each.turn_started.due_at.ToMilliseconds() for each in told if each.HasField("turn_started")]
    assert shown
    for moment in (*(each.at_ms for each in watcher.log), *shown):
        assert began_ms - 1_000 < moment < ended_ms + 1_000
