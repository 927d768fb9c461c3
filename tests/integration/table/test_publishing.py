"""Committed events on their way to viewers while the bus comes and goes."""

import asyncio

import pytest

from belot_events.channels import table_channel
from belot_events.wire import decode_batch
from belot_kit.bus import Bus, BusOptions
from belot_kit.ids import new_id
from belot_kit.postgres import PostgresOptions, open_pool
from belot_kit.tasks import background
from belot_table import seating
from belot_table.publishing import Publisher
from belot_table.store import PACKAGE, PostgresStore
from belot_table.told import envelopes_of
from support.databases import Database
from support.table_values import NOW, empty_table

LIMIT_SECONDS = 15.0

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_what_the_bus_refused_is_published_once_it_is_back_without_waiting_for_the_relay(
    table_database: Database, valkey: str
) -> None:
    step = seating.set_up(empty_table(new_id(NOW)), "anna", "Anna")
    heard: asyncio.Queue[bytes] = asyncio.Queue()
    listening, publishing = Bus(BusOptions(valkey, "viewer")), Bus(BusOptions(valkey, "table"))
    options = PostgresOptions(table_database.dsn_as(PACKAGE), PACKAGE, PACKAGE)
    async with asyncio.timeout(LIMIT_SECONDS), await open_pool(options) as pool, background(listening.run()):
        await listening.subscribe(table_channel(step.table.table_id), heard.put_nowait, lambda: None)
        publisher = Publisher(publishing, PostgresStore(pool))
        publisher.publish(step, envelopes_of(step, NOW), at_rest=False)
        async with background(publisher.run(), publishing.run()):
            events = decode_batch(await heard.get())
    assert [each.sequence for each in events] == list(range(1, step.table.sequence + 1))
