"""Whole matches of bots over gRPC: the table with the real rules, bots, dealer, PostgreSQL and Valkey."""

import asyncio

import pytest

from belot.table.v1 import table_pb2, view_pb2
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_table.course import MOST_PASSED_OUT
from support.tables import TableClient, bots, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")


FORMS = (("classic", 4, 32), ("bela", 4, 32), ("club", 4, 24), ("club", 3, 32), ("club", 2, 32))


async def test_bots_play_matches_of_every_kind_at_once_and_their_proofs_hold(tables: TableClient, valkey: str) -> None:
    """Together, because most of a match of bots is waiting for its beacon."""
    await asyncio.gather(*(play_and_check(tables, valkey, *form) for form in FORMS))


async def play_and_check(tables: TableClient, valkey: str, ruleset: str, seats: int, pack: int) -> None:
    """A match of bots, its log without a gap, and its proof."""
    view = await tables.create("maker", short_match(ruleset=ruleset, seats=seats, pack_size=pack))
    table_id = view.summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await tables.do(table_id, "maker", bots("normal"))
        finished = (await watcher.until_kind("match_finished")).match_finished
        await watcher.until_kind("seed_revealed")
        log = list(watcher.log)
    assert [each.sequence for each in log] == list(range(1, len(log) + 1))
    assert log == list(await tables.events(table_id))
    request = table_pb2.GetProofFileRequest(match_id=finished.match_id)
    proof = read_proof((await call(tables.stub.GetProofFile, request)).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()
    assert not finished.rated


async def test_a_match_in_which_nobody_ever_takes_a_hand_is_given_up(tables: TableClient, valkey: str) -> None:
    """Easy bots pass whenever they may: without an end they would pass for ever."""
    table_id = (await tables.create("maker", short_match(ruleset="classic"))).summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await tables.do(table_id, "maker", bots("easy"))
        finished = (await watcher.until_kind("match_finished")).match_finished
        await watcher.until_kind("seed_revealed")
        assert sum(each.kind == "hand_passed_out" for each in watcher.log) == MOST_PASSED_OUT
    assert finished.outcome_kind == "cancelled"
    assert list(finished.result.ranks) == [1, 1]
    request = table_pb2.GetProofFileRequest(match_id=finished.match_id)
    proof = read_proof((await call(tables.stub.GetProofFile, request)).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()


async def test_a_snapshot_of_a_finished_match_has_its_sheets_transcript_and_seed(
    tables: TableClient, valkey: str
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await tables.do(table_id, "maker", bots())
        await watcher.until_kind("seed_revealed")
        sheets = [each for each in watcher.log if each.kind == "deal_scored"]
    view = await tables.view(table_id)
    assert view.summary.status == view_pb2.TABLE_STATUS_FINISHED
    assert len(view.fairness.server_seed) == 32
    assert len(view.sheets) == len(sheets)
    assert len(view.fairness.transcript) >= 6
    assert view.match.public.result.totals == view.sheets[-1].totals


async def test_the_proof_of_a_running_match_is_not_given(tables: TableClient, valkey: str) -> None:
    options = short_match(bot_delay={"seconds": 10})
    table_id = (await tables.create("maker", options)).summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await tables.do(table_id, "maker", bots())
        opened = (await watcher.until_kind("match_opened")).match_opened
    request = table_pb2.GetProofFileRequest(match_id=opened.match_id)
    with pytest.raises(DomainError) as refused:
        await call(tables.stub.GetProofFile, request)
    assert refused.value.reason is Reason.MATCH_NOT_FINISHED
