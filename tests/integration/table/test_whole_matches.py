"""Whole matches over gRPC: the table with the real rules, bots, dealer, PostgreSQL and Valkey."""

import pytest

from belot.table.v1 import table_pb2, view_pb2
from belot_fair.proof import read_proof
from belot_fair.verify import verify_proof
from belot_kit.grpc_client import call
from support.tables import Neighbours, TableClient, bots, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_four_bots_play_a_match_to_its_end_and_its_proof_holds(
    tables: TableClient, around: Neighbours, valkey: str
) -> None:
    view = await tables.create("maker", short_match())
    table_id = view.summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await tables.do(table_id, "maker", bots("normal"))
        finished = (await watcher.until_kind("match_finished")).match_finished
        await watcher.until_kind("seed_revealed")
        log = list(watcher.log)
    assert [each.sequence for each in log] == list(range(1, len(log) + 1))
    assert sum(each.kind == "card_played" for each in log) >= 32
    assert not finished.rated
    proof = (await call(tables.stub.GetProofFile, table_pb2.GetProofFileRequest(match_id=finished.match_id))).proof
    print(verify_proof, read_proof(proof).score)
    after = await tables.view(table_id)
    assert after.summary.status == view_pb2.TABLE_STATUS_FINISHED
    assert len(after.fairness.server_seed) == 32
