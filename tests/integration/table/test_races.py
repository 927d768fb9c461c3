"""Two table services on one database: the version decides, and the log has no gap."""

import asyncio
from collections.abc import Sequence

import pytest

from belot.table.v1 import table_pb2
from belot_kit.errors import DomainError, Reason
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

WRITERS = 16


def sit(seat: int | None = None) -> table_pb2.TableAction:
    """Sit down."""
    return table_pb2.TableAction(sit_down=table_pb2.SitDown(seat=seat, display_name="Player"))


def outcomes(results: Sequence[object]) -> list[str]:
    """What came of calls that ran at once: `done`, or the reason of the refusal."""
    return sorted(each.reason if isinstance(each, DomainError) else "done" for each in results)


async def test_of_sixteen_writers_on_one_version_one_wins_whichever_service_they_ask(
    tables: TableClient, table_database: Database, valkey: str, around: Neighbours
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    async with table_at(table_config(table_database, valkey, around)) as other:
        results = await asyncio.gather(
            *(
                (tables, other)[number % 2].do(table_id, f"p{number}", sit(number % 4), expected_version=1)
                for number in range(WRITERS)
            ),
            return_exceptions=True,
        )
    assert outcomes(results) == [Reason.VERSION_MISMATCH] * (WRITERS - 1) + ["done"]
    assert [each.sequence for each in await tables.events(table_id)] == [1, 2]


async def test_sixteen_players_who_want_four_seats_fill_them_without_a_gap_in_the_log(
    tables: TableClient, table_database: Database, valkey: str, around: Neighbours
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    async with table_at(table_config(table_database, valkey, around)) as other:
        results = await asyncio.gather(
            *((tables, other)[number % 2].do(table_id, f"p{number}", sit()) for number in range(WRITERS)),
            return_exceptions=True,
        )
    done = [each for each in results if not isinstance(each, BaseException)]
    assert len(done) == 4
    assert [each.sequence for each in await tables.events(table_id)] == [1, 2, 3, 4, 5]
    view = await tables.view(table_id)
    assert len({each.player_id for each in view.summary.seats}) == 4


async def test_whatever_players_of_one_table_do_at_once_through_one_service_none_of_it_is_refused(
    tables: TableClient,
) -> None:
    """Sitting down takes longer than the others' wishes, and is not overtaken for ever."""
    table_id = (await tables.create("maker", short_match())).summary.table_id
    await tables.do(table_id, "anna", sit(0))

    async def come_and_go(seat: int) -> None:
        for _ in range(6):
            await tables.do(table_id, f"p{seat}", sit(seat))
            await tables.do(table_id, f"p{seat}", table_pb2.TableAction(leave=table_pb2.Leave()))

    async def change_his_mind() -> None:
        for number in range(40):
            await tables.do(
                table_id, "anna", table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=number % 2 == 0))
            )

    results = await asyncio.gather(
        *(come_and_go(seat) for seat in (1, 2, 3)), *(change_his_mind() for _ in range(3)), return_exceptions=True
    )
    assert [each for each in results if each is not None] == []


async def test_one_request_sent_to_both_services_at_once_is_done_once(
    tables: TableClient, table_database: Database, valkey: str, around: Neighbours
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    async with table_at(table_config(table_database, valkey, around)) as other:
        for player in ("anna", "boris", "clara"):
            request_id = new_request()
            acks = await asyncio.gather(
                *(each.do(table_id, player, sit(), request_id) for each in (tables, other) for _ in range(4))
            )
            assert len({(ack.version, ack.sequence) for ack in acks}) == 1
    assert [each.sequence for each in await tables.events(table_id)] == [1, 2, 3, 4]


async def test_a_service_with_an_old_state_in_memory_decides_on_the_new_one(
    tables: TableClient, table_database: Database, valkey: str, around: Neighbours
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    async with table_at(table_config(table_database, valkey, around)) as other:
        await other.view(table_id)
        await tables.do(table_id, "anna", sit(0))
        with pytest.raises(DomainError) as refused:
            await other.do(table_id, "boris", sit(0))
        assert refused.value.reason is Reason.SEAT_TAKEN
        await other.do(table_id, "anna", table_pb2.TableAction(leave=table_pb2.Leave()))


async def test_two_services_play_one_match_of_bots_together(
    tables: TableClient, table_database: Database, valkey: str, around: Neighbours
) -> None:
    async with table_at(table_config(table_database, valkey, around)) as other:
        table_id = (await other.create("maker", short_match())).summary.table_id
        async with watching(tables, valkey, table_id) as watcher:
            await tables.do(table_id, "maker", bots())
            await watcher.until_kind("seed_revealed")
            log = list(watcher.log)
    assert [each.sequence for each in log] == list(range(1, len(log) + 1))
    assert sum(each.kind == "match_finished" for each in log) == 1
