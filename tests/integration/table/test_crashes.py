"""A table service that dies at any moment: the next one goes on where it was, and nothing is lost or done twice."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from belot.table.v1 import table_pb2, table_pb2_grpc
from belot_events.channels import table_channel
from belot_events.wire import decode_batch
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_kit.bus import Bus, BusOptions
from belot_kit.errors import DomainError
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_kit.tasks import background
from support.databases import Database
from support.tables import Neighbours, TableClient, bots, short_match, table_at, table_config, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

RUN = "from belot_table.main import run; raise SystemExit(run())"
KILLS = (
    ("before_commit", 1),
    ("after_commit", 1),
    ("after_publish", 1),
    ("before_commit", 2),
    ("after_commit", 2),
    ("after_publish", 3),
    ("after_commit", 7),
)
"""Where each process dies, and at which passage: opening, seeds, beacon, cards, auction and play are all hit."""

KILLED_WITHIN_SECONDS = 20.0


@asynccontextmanager
async def process(
    database: Database, valkey: str, around: Neighbours, failpoints: str
) -> AsyncIterator[tuple[asyncio.subprocess.Process, TableClient]]:
    """A table service as a process of its own, which kills itself where told."""
    config = table_config(database, valkey, around)
    settings = {
        "LISTEN": config.listen[0],
        "POSTGRES_DSN": config.postgres_dsn,
        "VALKEY_URL": valkey,
        "RULES_ADDRESSES": config.rules_addresses[0],
        "DEALER_ADDRESSES": config.dealer_addresses[0],
        "BOT_ADDRESSES": config.bot_addresses[0],
    }
    environment = {f"BELOT_TABLE__{name}": value for name, value in settings.items()}
    environment |= {**os.environ, "BELOT_FAILPOINTS": failpoints}
    running = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUN, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        async with open_channel(ChannelOptions(config.listen[0])) as channel:
            either = [asyncio.ensure_future(channel.channel_ready()), asyncio.ensure_future(running.wait())]
            await asyncio.wait(either, timeout=KILLED_WITHIN_SECONDS, return_when=asyncio.FIRST_COMPLETED)
            for each in either:
                each.cancel()
            yield running, TableClient(table_pb2_grpc.TableServiceStub(channel), config.listen[0])
    finally:
        if running.returncode is None:
            running.kill()
            await running.wait()


async def test_a_match_goes_on_after_each_kill_and_nothing_is_lost_or_done_twice(
    database: Database, valkey: str, around: Neighbours
) -> None:
    async with table_at(table_config(database, valkey, around)) as first:
        table_id = (await first.create("maker", short_match())).summary.table_id
    for place, times in KILLS:
        failpoints = f"table_{place}=kill@{times}"
        async with process(database, valkey, around, failpoints) as (running, client):
            # Sent again and again under one request id, as a gateway does: it begins the match once.
            with contextlib.suppress(DomainError):
                await client.do(table_id, "maker", bots(), "begin")
            assert await asyncio.wait_for(running.wait(), KILLED_WITHIN_SECONDS) == -signal.SIGKILL
    async with table_at(table_config(database, valkey, around)) as last:
        async with watching(last, valkey, table_id) as watcher:
            finished = (await watcher.until_kind("match_finished")).match_finished
            await watcher.until_kind("seed_revealed")
            log = list(watcher.log)
        request = table_pb2.GetProofFileRequest(match_id=finished.match_id)
        proof = read_proof((await call(last.stub.GetProofFile, request)).proof)
    assert [each.sequence for each in log] == list(range(1, len(log) + 1))
    assert sum(each.kind == "match_opened" for each in log) == 1
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()


async def test_what_was_committed_but_not_published_is_published_by_the_next_service(
    database: Database, valkey: str, around: Neighbours
) -> None:
    async with table_at(table_config(database, valkey, around)) as first:
        table_id = (await first.create("maker", short_match())).summary.table_id
    published: asyncio.Queue[bytes] = asyncio.Queue()
    bus = Bus(BusOptions(valkey, "test"))
    async with background(bus.run()):
        await bus.wait_connected()
        await bus.subscribe(table_channel(table_id), published.put_nowait, lambda: None)
        async with process(database, valkey, around, "table_after_commit=kill") as (running, client):
            sit = table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name="Anna"))
            with pytest.raises(DomainError):
                await client.do(table_id, "anna", sit, "r1")
            await running.wait()
        assert published.empty()
        async with table_at(table_config(database, valkey, around)) as last:
            batch = decode_batch(await asyncio.wait_for(published.get(), KILLED_WITHIN_SECONDS))
            ack = await last.do(table_id, "anna", sit, "r1")
    assert [(each.sequence, each.kind) for each in batch] == [(2, "seat_changed")]
    assert (ack.version, ack.sequence) == (2, 2)
