"""Results on their way to the rating service: each arrives, once, whoever is down or dies in between."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio
from prometheus_client import REGISTRY

from belot.rating.v1 import rating_pb2_grpc
from belot.table.v1 import view_pb2
from belot_kit.outbox import OutboxRelay
from belot_kit.postgres import Pool, PostgresOptions, open_pool
from belot_kit.replicas import open_replicas
from belot_kit.tasks import background
from belot_table.delivering import Deliveries
from belot_table.delivery_store import PostgresDeliveries
from belot_table.rating_port import CONSUMER, GrpcRating
from support.databases import Database
from support.eventually import eventually
from support.ratings import RatingClient, rating_at
from support.results import match_result
from support.tables import Neighbours, bots, short_match, table_at, table_config, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

RUN = "from belot_table.main import run; raise SystemExit(run())"
ARRIVES_SECONDS = 20.0
_PUT = "INSERT INTO belot_table.outbox (table_id, outbox_id, kind, payload, at_ms) VALUES ($1, $2, $3, $4, $5)"


class OutboxTable:
    """The outbox as an administrator sees it."""

    def __init__(self, connection: "asyncpg.Connection[asyncpg.Record]") -> None:
        self._connection = connection

    async def put(self, *results: view_pb2.MatchFinished) -> None:
        """Results, as finished matches leave them."""
        for each in results:
            await self.put_octets(each.match_id, each.SerializeToString())

    async def put_octets(self, name: str, payload: bytes) -> None:
        """Anything, as a fault would leave it."""
        await self._connection.execute(_PUT, f"t-{name}", f"match_finished:{name}", "match_finished", payload, 0)

    async def rows(self) -> "dict[str, asyncpg.Record]":
        """All rows by match."""
        found = await self._connection.fetch("SELECT * FROM belot_table.outbox")
        return {row["outbox_id"].partition(":")[2]: row for row in found}

    async def acknowledged(self, count: int) -> None:
        """Wait until so many rows are."""
        await self._until("SELECT count(*) >= $1 FROM belot_table.outbox WHERE acknowledged_ms IS NOT NULL", count)

    async def tried(self, name: str, attempts: int) -> None:
        """Wait until a row was tried so often."""
        query = "SELECT attempts >= $1 FROM belot_table.outbox WHERE outbox_id = $2"
        await self._until(query, attempts, f"match_finished:{name}")

    async def _until(self, query: str, *values: object) -> None:
        async with asyncio.timeout(ARRIVES_SECONDS):
            while not await self._connection.fetchval(query, *values):  # noqa: ASYNC110 - it tells nobody
                await asyncio.sleep(0.02)


@pytest_asyncio.fixture(loop_scope="session")
async def outbox(database: Database) -> AsyncIterator[OutboxTable]:
    connection = await asyncpg.connect(database.dsn)
    yield OutboxTable(connection)
    await connection.close()


@pytest_asyncio.fixture(loop_scope="session")
async def pool(database: Database) -> AsyncIterator[Pool]:
    async with await open_pool(PostgresOptions(database.dsn_as("belot_table"), "belot_table", "test")) as pool:
        yield pool


@asynccontextmanager
async def relaying(pool: Pool, *addresses: str, every_s: float = 0.1) -> AsyncIterator[Deliveries]:
    """What a table service does about its outbox, alone."""
    async with open_replicas(CONSUMER, addresses, rating_pb2_grpc.RatingServiceStub) as rating:
        deliveries = Deliveries(CONSUMER, PostgresDeliveries(pool), GrpcRating(rating).deliver)
        async with background(OutboxRelay(CONSUMER, deliveries, every_s=every_s).run()):
            yield deliveries


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def results(count: int) -> list[view_pb2.MatchFinished]:
    return [match_result(f"match-{number}", table_id=f"t-match-{number}") for number in range(count)]


async def ids(rating: RatingClient) -> Sequence[str]:
    return sorted(each.match_id for each in await rating.recorded())


async def test_a_finished_match_is_in_the_inbox_at_once_as_the_log_tells_it(
    database: Database,
    valkey: str,
    around: Neighbours,
    outbox: OutboxTable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(OutboxRelay.__init__.__kwdefaults__, "every_s", 3_600.0)  # only what is told at once arrives
    async with rating_at(database, f"unix:{tmp_path}/rating.sock") as rating:
        config = table_config(database, valkey, around, rating_addresses=(rating.address,))
        async with table_at(config) as table:
            table_id = (await table.create("maker", short_match())).summary.table_id
            async with watching(table, valkey, table_id) as watcher:
                await table.do(table_id, "maker", bots())
                told = (await watcher.until_kind("match_finished")).match_finished
            await outbox.acknowledged(1)
        assert list(await rating.recorded()) == [told]
        assert (await outbox.rows())[told.match_id]["attempts"] == 1


async def test_results_wait_while_nobody_is_to_be_told_and_while_he_is_down(
    database: Database, pool: Pool, valkey: str, around: Neighbours, outbox: OutboxTable, tmp_path: Path
) -> None:
    await outbox.put(*results(3))
    async with table_at(table_config(database, valkey, around)):
        pass  # a table service without rating_addresses leaves them alone
    assert [row["attempts"] for row in (await outbox.rows()).values()] == [0] * 3
    async with relaying(pool, f"unix:{tmp_path}/rating.sock"):
        await outbox.tried("match-0", 1)
        async with rating_at(database, f"unix:{tmp_path}/rating.sock") as rating:
            await outbox.acknowledged(3)
            assert await ids(rating) == ["match-0", "match-1", "match-2"]
    assert [row["refusal"] for row in (await outbox.rows()).values()] == [None] * 3


async def test_two_replicas_share_the_work_and_do_none_of_it_twice(
    database: Database, pool: Pool, outbox: OutboxTable, tmp_path: Path
) -> None:
    await outbox.put(*results(450))
    known = counted("belot_rating_results_total", outcome="known")
    delivered = counted("belot_outbox_published_total", outbox=CONSUMER)
    async with (
        rating_at(database, f"unix:{tmp_path}/rating.sock") as rating,
        relaying(pool, rating.address),
        relaying(pool, rating.address),
    ):
        await outbox.acknowledged(450)
    assert counted("belot_rating_results_total", outcome="known") == known
    assert {row["attempts"] for row in (await outbox.rows()).values()} == {1}
    assert counted("belot_outbox_published_total", outbox=CONSUMER) == delivered + 450


async def test_rows_that_are_refused_hold_up_no_others_and_are_seen_and_taken_once_they_are_mended(
    database: Database, pool: Pool, outbox: OutboxTable, tmp_path: Path
) -> None:
    refused = counted("belot_table_delivery_failures_total", consumer=CONSUMER, how="refused")
    await outbox.put_octets("noise", b"\xff\xff\xff")
    await outbox.put(match_result("malformed", pack_size=52), match_result("differs"))
    async with rating_at(database, f"unix:{tmp_path}/rating.sock") as rating:
        await rating.record(match_result("differs", pack_size=24))
        await outbox.put(*results(120))
        async with relaying(pool, rating.address) as deliveries:
            await outbox.acknowledged(120)
            failed = {"consumer": CONSUMER, "how": "refused"}
            await eventually(lambda: counted("belot_table_delivery_failures_total", **failed) >= refused + 6)
            async with background(deliveries.keep_surveying()):
                await eventually(lambda: counted("belot_table_delivery_refused", consumer=CONSUMER) == 3)
            assert counted("belot_table_delivery_oldest_seconds", consumer=CONSUMER) > 0
            rows = await outbox.rows()
            why = {name: rows[name]["refusal"] for name in ("noise", "malformed", "differs")}
            assert why == {"noise": "DecodeError", "malformed": "INVALID_ARGUMENT", "differs": "MATCH_RESULT_DIFFERS"}
            await mend(database, match_result("malformed"))
            await outbox.acknowledged(121)
        assert (await outbox.rows())["malformed"]["refusal"] is None
        assert len(await rating.recorded()) == 122


async def mend(database: Database, result: view_pb2.MatchFinished) -> None:
    """What an operator does about a row that is refused: put it right and let it be tried at once."""
    connection = await asyncpg.connect(database.dsn)
    query = "UPDATE belot_table.outbox SET payload = $2, due_ms = 0 WHERE outbox_id = $1"
    await connection.execute(query, f"match_finished:{result.match_id}", result.SerializeToString())
    await connection.close()


@asynccontextmanager
async def table_process(
    database: Database, valkey: str, around: Neighbours, rating: RatingClient, failpoints: str = ""
) -> AsyncIterator[asyncio.subprocess.Process]:
    """A table service as a process that delivers to this rating service."""
    config = table_config(database, valkey, around)
    settings = {
        "LISTEN": config.listen[0],
        "POSTGRES_DSN": config.postgres_dsn,
        "VALKEY_URL": valkey,
        "RULES_ADDRESSES": config.rules_addresses[0],
        "DEALER_ADDRESSES": config.dealer_addresses[0],
        "BOT_ADDRESSES": config.bot_addresses[0],
        "RATING_ADDRESSES": rating.address,
    }
    environment = {f"BELOT_TABLE__{name}": value for name, value in settings.items()}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", RUN),
        env=os.environ | environment | {"BELOT_FAILPOINTS": failpoints},
        stdout=asyncio.subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


async def test_a_table_process_that_dies_before_it_knows_the_answer_has_its_row_delivered_again_and_kept_once(
    database: Database, valkey: str, around: Neighbours, outbox: OutboxTable, tmp_path: Path
) -> None:
    await outbox.put(*results(2))
    known = counted("belot_rating_results_total", outcome="known")
    async with rating_at(database, f"unix:{tmp_path}/rating.sock") as rating:
        async with table_process(database, valkey, around, rating, "table_after_delivery=kill") as process:
            assert await asyncio.wait_for(process.wait(), ARRIVES_SECONDS) == -signal.SIGKILL
        assert await ids(rating) == ["match-0", "match-1"]
        assert [row["acknowledged_ms"] for row in (await outbox.rows()).values()] == [None, None]
        async with table_process(database, valkey, around, rating):
            await outbox.acknowledged(2)
        assert await ids(rating) == ["match-0", "match-1"]
    assert counted("belot_rating_results_total", outcome="known") == known + 2


async def test_a_table_service_that_is_told_to_stop_leaves_the_rest_to_the_next_one(
    database: Database, valkey: str, around: Neighbours, outbox: OutboxTable, tmp_path: Path
) -> None:
    await outbox.put(*results(1))
    async with rating_at(database, f"unix:{tmp_path}/rating.sock") as rating:
        async with table_process(database, valkey, around, rating) as process:
            await outbox.acknowledged(1)
            process.terminate()
            assert await asyncio.wait_for(process.wait(), ARRIVES_SECONDS) == 0
        await outbox.put(match_result("late"))
        async with table_process(database, valkey, around, rating):
            await outbox.acknowledged(2)
