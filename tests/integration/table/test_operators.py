"""What operators do: ending a match that cannot go on."""

from pathlib import Path

import pytest

from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.belot_command import run
from support.databases import Database
from support.outboxes import outbox_of
from support.tables import Person, TableClient, bots, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def end(tables: TableClient, table_id: str, kind: str = "server_fault", request_id: str = "") -> table_pb2.Ack:
    """EndMatch."""
    request = table_pb2.EndMatchRequest(table_id=table_id, request_id=request_id or new_request(), outcome_kind=kind)
    return (await call(tables.stub.EndMatch, request)).ack


async def refusal(awaitable: object) -> DomainError:
    """What a call is refused with."""
    with pytest.raises(DomainError) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


@pytest.mark.parametrize(
    ("kind", "outcome"),
    [("server_fault", view_pb2.SIDE_OUTCOME_SERVER_FAULT), ("cancelled", view_pb2.SIDE_OUTCOME_CANCELLED)],
)
async def test_a_match_that_operators_end_counts_for_nothing_and_everybody_is_told_once(
    tables: TableClient, table_database: Database, valkey: str, kind: str, outcome: int
) -> None:
    made = await tables.create("maker", short_match(private=True, seed_time={"seconds": 1}))
    anna = Person(tables, made.summary.table_id, new_request())
    await anna.sit(1, made.invitation_code)
    async with watching(tables, valkey, anna.table_id) as watcher:
        await anna.do(bots())
        await watcher.until_kind("match_opened")
        await anna.send_seed()
        await watcher.until_kind("turn_started")
        request_id = new_request()
        first, again = [await end(tables, anna.table_id, kind, request_id) for _ in range(2)]
        assert first == again
        other = "cancelled" if kind == "server_fault" else "server_fault"
        assert (await refusal(end(tables, anna.table_id, other, request_id))).reason is Reason.REQUEST_ID_REUSED
        assert (await refusal(end(tables, anna.table_id, kind))).reason is Reason.WRONG_PHASE
        told = (await watcher.until_kind("match_finished")).match_finished
        await watcher.until_kind("seed_revealed")
    assert (told.outcome_kind, told.rated, list(told.leavers)) == (kind, False, [])
    assert list(told.side_outcomes) == [outcome] * 2
    assert [each.kind for each in watcher.log].count("match_finished") == 1
    assert await outbox_of(table_database, anna.table_id) == [told]


async def test_there_is_nothing_to_end_where_no_match_goes_on(tables: TableClient) -> None:
    table_id = (await tables.create("maker", short_match(), "Anna")).summary.table_id
    assert (await refusal(end(tables, table_id))).reason is Reason.WRONG_PHASE
    assert (await refusal(end(tables, new_request()))).reason is Reason.TABLE_NOT_FOUND


async def test_other_outcomes_are_not_the_operators(tables: TableClient) -> None:
    assert (await refusal(end(tables, new_request(), "won"))).violations[0].field == "outcome_kind"


async def test_the_command_line_ends_a_match_once_and_says_why_it_cannot(
    tables: TableClient, valkey: str, tmp_path: Path
) -> None:
    made = await tables.create("maker", short_match())
    anna = Person(tables, made.summary.table_id, new_request())
    await anna.sit()
    async with watching(tables, valkey, anna.table_id) as watcher:
        await anna.do(bots())
        await watcher.until_kind("match_opened")
        command = ("table", "end", anna.table_id, "--as", "cancelled", "--request-id", "r")
        (tmp_path / "config").mkdir()
        (tmp_path / "config" / "table-0.toml").write_text(f'listen = ["{tables.address}"]')
        named = await run(*command, "--address", tables.address)
        local = await run(*command, "--state-dir", str(tmp_path))
        told = (await watcher.until_kind("match_finished")).match_finished
    assert named == local
    assert named[0] == 0
    assert named[1].startswith(f"ended as cancelled: table {anna.table_id}, version ")
    assert told.outcome_kind == "cancelled"
    status, said = await run("table", "end", new_request(), "--as", "server_fault", "--address", tables.address)
    assert (status, "TABLE_NOT_FOUND" in said, "--request-id" in said) == (1, True, True)
    status, said = await run("table", "end", "t", "--as", "cancelled", "--state-dir", str(tmp_path / "nothing"))
    assert (status, "name a table service with --address" in said) == (1, True)
