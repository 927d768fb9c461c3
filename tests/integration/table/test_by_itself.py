"""What tables do without anybody asking: expire, wait for services that are away, forget."""

import asyncio
from dataclasses import replace

import asyncpg
import pytest

from belot.table.v1 import table_pb2, view_pb2
from belot_bot import main as bot
from belot_kit.app import running
from belot_kit.errors import DomainError, Reason
from belot_kit.postgres import PostgresOptions, open_pool
from belot_table.store import PostgresStore
from support.databases import Database
from support.tables import (
    Neighbours,
    TableClient,
    bots,
    new_request,
    short_match,
    table_at,
    table_config,
    watching,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

SIT = table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name="Anna"))
LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())


async def overdue(database: Database, table_id: str) -> None:
    """The table's timer is due now, as if its time had passed while no service ran."""
    connection = await asyncpg.connect(database.dsn)
    await connection.execute("UPDATE belot_table.table_timers SET due_ms = 1 WHERE table_id = $1", table_id)
    await connection.close()


async def test_a_table_that_waited_too_long_is_closed_and_leaves_the_lobby(
    tables: TableClient, table_database: Database, valkey: str
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await overdue(table_database, table_id)
        closed = (await watcher.until_kind("status_changed", 2)).status_changed
    assert closed.status == view_pb2.TABLE_STATUS_CLOSED
    with pytest.raises(DomainError) as refused:
        await tables.do(table_id, "anna", SIT)
    assert refused.value.reason is Reason.TABLE_NOT_OPEN


async def test_a_timer_of_an_older_version_does_nothing(
    tables: TableClient, table_database: Database, valkey: str
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    await tables.do(table_id, "anna", SIT)
    connection = await asyncpg.connect(table_database.dsn)
    await connection.execute(
        "UPDATE belot_table.table_timers SET due_ms = 1, version = 1 WHERE table_id = $1", table_id
    )
    row = None
    async with asyncio.timeout(10):
        while not row:
            row = await connection.fetchrow(
                "SELECT 1 FROM belot_table.table_timers WHERE table_id = $1 AND claimed_until_ms > 0", table_id
            )
    await connection.close()
    assert (await tables.view(table_id)).summary.status == view_pb2.TABLE_STATUS_WAITING


async def test_a_match_goes_on_when_the_bots_are_back(database: Database, valkey: str, around: Neighbours) -> None:
    away = bot.BotConfig(listen=(f"unix:{around.directory}/away.sock",))
    config = table_config(database, valkey, around, bot_addresses=away.listen)
    async with table_at(config) as tables:
        async with running(bot.app_options(away), lambda app: bot.serve(away, app)):
            table_id = (await tables.create("maker", short_match(seed_time={"seconds": 1}))).summary.table_id
            await tables.do(table_id, "anna", SIT)
            await tables.do(table_id, "anna", bots())
            ready = table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True))
            await tables.do(table_id, "anna", ready)
            async with watching(tables, valkey, table_id) as watcher:
                await watcher.until_kind("match_opened")
        async with watching(tables, valkey, table_id) as watcher:
            await watcher.until_kind("turn_started")
            await tables.do(table_id, "anna", LEAVE)
            other = replace(away, listen=away.listen)
            async with running(bot.app_options(other), lambda app: bot.serve(other, app)):
                await watcher.until_kind("match_finished")


async def test_a_service_that_is_away_is_named_as_unavailable(
    database: Database, valkey: str, around: Neighbours
) -> None:
    nowhere = (f"unix:{around.directory}/nowhere.sock",)
    async with table_at(table_config(database, valkey, around, bot_addresses=nowhere)) as tables:
        table_id = (await tables.create("maker", short_match())).summary.table_id
        with pytest.raises(DomainError) as refused:
            await tables.do(table_id, "maker", bots())
    assert (refused.value.reason, refused.value.metadata["service"]) == (Reason.UNAVAILABLE, "bots")


async def test_answered_requests_are_forgotten_when_their_table_has_long_come_to_rest(
    tables: TableClient, table_database: Database
) -> None:
    table_id, waiting = [(await tables.create("maker", short_match())).summary.table_id for _ in range(2)]
    for each in (table_id, waiting):
        await tables.do(each, "anna", SIT, "r1")
    await tables.do(table_id, "anna", LEAVE, new_request())
    view = await tables.view(table_id)
    assert view.summary.status == view_pb2.TABLE_STATUS_CLOSED
    options = PostgresOptions(table_database.dsn_as("belot_table"), "belot_table", "test")
    async with await open_pool(options) as pool:
        store = PostgresStore(pool)
        long_after = view.summary.created_at.ToMilliseconds() + 10**9
        await store.forget_requests(long_after)
        kept = [await store.find_request(each, "anna", "r1") for each in (table_id, waiting)]
    assert [each is not None and each.fingerprint is not None for each in kept] == [False, True]
