"""Matches that must end by a certain time, and seats that must be taken."""

import time

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from belot.table.v1 import table_pb2, view_pb2
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.databases import Database
from support.eventually import eventually
from support.outboxes import outbox_of
from support.table_timers import due_now, overslept, timer_of
from support.tables import (
    Neighbours,
    Person,
    TableClient,
    Watcher,
    bots,
    first_legal,
    new_request,
    ready,
    short_match,
    table_at,
    table_config,
    watching,
)

pytestmark = pytest.mark.asyncio(loop_scope="session")

WON, TIMED_OUT = view_pb2.SIDE_OUTCOME_WON, view_pb2.SIDE_OUTCOME_TIMED_OUT
NO_SHOW = view_pb2.SIDE_OUTCOME_NO_SHOW


def in_seconds(seconds: float) -> Timestamp:
    """A moment from now on."""
    moment = Timestamp()
    moment.FromMilliseconds(int((time.time() + seconds) * 1000))
    return moment


async def refusal(awaitable: object) -> DomainError:
    """What a call is refused with."""
    with pytest.raises(DomainError) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


def sit(name: str) -> table_pb2.TableAction:
    """Sitting down."""
    return table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name=name))


async def four(tables: TableClient, options: view_pb2.TableOptions) -> list[Person]:
    """Four persons, ready."""
    table_id = (await tables.create("maker", options)).summary.table_id
    persons = [Person(tables, table_id, new_request()) for _ in range(4)]
    for seat, person in enumerate(persons):
        await person.sit(seat)
    return persons


async def proved(tables: TableClient, watcher: Watcher) -> view_pb2.MatchFinished:
    """The result, once the proof of the match verifies."""
    told = (await watcher.until_kind("match_finished")).match_finished
    await watcher.until_kind("seed_revealed")
    request = table_pb2.GetProofFileRequest(match_id=told.match_id)
    proof = read_proof((await call(tables.stub.GetProofFile, request)).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()
    return told


async def test_at_the_limit_the_side_that_never_decided_anything_loses(
    tables: TableClient, table_database: Database, valkey: str
) -> None:
    limit = in_seconds(12)
    persons = await four(tables, view_pb2.TableOptions(ruleset="classic", rated=True, ends_by=limit))
    table_id = persons[0].table_id
    async with watching(tables, valkey, table_id) as watcher:
        await watcher.until_kind("match_opened")
        for person in persons:
            await person.send_seed()
        assert await watcher.next_turn(1) == 1
        await persons[1].act(first_legal)
        assert (await timer_of(table_database, table_id))[0] == "limit"
        told = await proved(tables, watcher)
        view = await tables.view(table_id, persons[0].player_id)
    assert (told.outcome_kind, told.rated, list(told.leavers)) == ("timed_out", False, [])
    assert list(told.side_outcomes) == [TIMED_OUT, WON]
    assert view.finished == told
    assert await outbox_of(table_database, table_id) == [told]
    assert 0 <= told.ended_at.ToMilliseconds() - limit.ToMilliseconds() < 2_000


async def test_a_match_that_nobody_has_begun_at_the_limit_is_lost_by_all(
    tables: TableClient, table_database: Database, valkey: str
) -> None:
    options = view_pb2.TableOptions(ruleset="classic", seed_time={"seconds": 60}, ends_by=in_seconds(3))
    persons = await four(tables, options)
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        told = await proved(tables, watcher)
    assert (told.outcome_kind, told.rated) == ("double_loss", False)
    assert list(told.side_outcomes) == [TIMED_OUT, TIMED_OUT]
    assert await outbox_of(table_database, persons[0].table_id) == [told]


async def test_a_waiting_table_that_binds_nobody_is_just_closed_at_its_limit(
    tables: TableClient, table_database: Database, valkey: str
) -> None:
    table_id = (await tables.create("maker", short_match(ends_by=in_seconds(2)), "Anna")).summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await watcher.until_kind("status_changed", 2)
    assert (await tables.view(table_id)).summary.status == view_pb2.TABLE_STATUS_CLOSED
    assert await outbox_of(table_database, table_id) == []


async def binding_table(tables: TableClient, **options: object) -> tuple[str, list[str]]:
    """A table to which four players must come, and who they are."""
    players = [new_request() for _ in range(4)]
    wanted = view_pb2.TableOptions(ruleset="classic", rated=True, reserved_for=players, **options)  # type: ignore[arg-type]
    return (await tables.create("maker", wanted)).summary.table_id, players


@pytest.mark.parametrize(
    ("coming", "outcome", "sides"),
    [
        ((0, 1, 2), "no_show", [WON, NO_SHOW]),
        ((3, 1), "no_show", [NO_SHOW, WON]),
        ((0, 1), "double_loss", [TIMED_OUT, TIMED_OUT]),
        ((), "double_loss", [TIMED_OUT, TIMED_OUT]),
    ],
    ids=["one absent", "a side absent", "one of each", "nobody"],
)
async def test_who_does_not_come_in_time_loses_for_his_side(
    tables: TableClient,
    table_database: Database,
    valkey: str,
    coming: tuple[int, ...],
    outcome: str,
    sides: list[int],
) -> None:
    table_id, players = await binding_table(tables)
    for seat in coming:
        await tables.do(table_id, players[seat], sit("Here"))
    async with watching(tables, valkey, table_id) as watcher:
        await due_now(table_database, table_id)
        told = (await watcher.until_kind("match_finished")).match_finished
        view = await tables.view(table_id, players[0])
    assert (told.outcome_kind, told.rated, told.result.deals_played) == (outcome, False, 0)
    assert list(told.side_outcomes) == sides
    assert [each.player_id for each in told.seats] == players
    assert list(told.leavers) == [player for seat, player in enumerate(players) if seat not in coming]
    assert (view.summary.status, view.finished) == (view_pb2.TABLE_STATUS_FINISHED, told)
    assert list(view.summary.seats) == list(told.seats)
    assert await outbox_of(table_database, table_id) == [told]
    assert (await timer_of(table_database, table_id))[0] == "", "nothing is left to be revealed"
    await past(tables, told, players[3])


async def past(tables: TableClient, told: view_pb2.MatchFinished, player_id: str) -> None:
    """Such a match is in everybody's history; there is no proof, for no card was dealt."""
    listed = table_pb2.ListMatchesRequest(player_id=player_id, viewer_id=player_id)
    assert list((await call(tables.stub.ListMatches, listed)).matches) == [told]
    asked = table_pb2.GetMatchRecordRequest(match_id=told.match_id, viewer_id=player_id)
    record = (await call(tables.stub.GetMatchRecord, asked)).record
    assert (record.summary, len(record.decisions), len(record.sheets)) == (told, 0, 0)
    replayed = table_pb2.ReplayMatchRequest(match_id=told.match_id, viewer_id=player_id, decisions=5)
    assert (await call(tables.stub.ReplayMatch, replayed)).decisions == 0
    proof = table_pb2.GetProofFileRequest(match_id=told.match_id)
    assert (await refusal(call(tables.stub.GetProofFile, proof))).reason is Reason.MATCH_NOT_FOUND


async def test_when_all_have_come_the_match_begins_ready_or_not(
    tables: TableClient, table_database: Database, valkey: str
) -> None:
    table_id, players = await binding_table(tables)
    for player in players:
        await tables.do(table_id, player, sit("Here"))
    async with watching(tables, valkey, table_id) as watcher:
        await due_now(table_database, table_id)
        await watcher.until_kind("match_opened")
        assert (await refusal(tables.do(table_id, players[0], bots()))).reason is Reason.TABLE_NOT_OPEN
        await tables.do(table_id, players[0], table_pb2.TableAction(leave=table_pb2.Leave()))
        assert (await watcher.until_kind("match_finished")).match_finished.outcome_kind == "left"


async def test_nothing_is_done_any_more_once_the_time_is_over_however_late_the_timer(
    database: Database, valkey: str, around: Neighbours
) -> None:
    limit = in_seconds(2)
    async with table_at(table_config(database, valkey, around)) as first:
        table_id, players = await binding_table(first, ends_by=limit)
        for player in players:
            await first.do(table_id, player, sit("Here"))
    # The process that would have fired it in time is gone, and the row is about something else, and late.
    await overslept(database, table_id)
    await eventually(lambda: time.time() * 1000 > limit.ToMilliseconds() + 100)
    async with table_at(table_config(database, valkey, around)) as second:
        for wish in (ready(), bots()):
            assert (await refusal(second.do(table_id, players[0], wish))).reason is Reason.WRONG_PHASE
        async with watching(second, valkey, table_id) as watcher:
            await due_now(database, table_id)
            told = (await watcher.until_kind("match_finished")).match_finished
            kinds = [each.kind for each in watcher.log]
    assert (told.outcome_kind, list(told.leavers)) == ("double_loss", [])
    assert kinds[-2:] == ["status_changed", "match_finished"]
    assert "match_opened" not in kinds


async def test_the_time_to_come_is_not_prolonged_by_who_comes_and_goes(
    tables: TableClient, table_database: Database
) -> None:
    table_id, players = await binding_table(tables, waiting_time={"seconds": 600})
    _, before, _ = await timer_of(table_database, table_id)
    for _ in range(3):
        await tables.do(table_id, players[0], sit("Here"))
        await tables.do(table_id, players[0], table_pb2.TableAction(leave=table_pb2.Leave()))
    kind, after, _ = await timer_of(table_database, table_id)
    assert kind == "expiry"
    assert after <= before
    assert (await tables.view(table_id)).summary.status == view_pb2.TABLE_STATUS_WAITING
    assert (await refusal(tables.do(table_id, "eva", bots()))).reason is Reason.PERMISSION_DENIED


async def test_a_delay_for_spectators_has_its_bounds(tables: TableClient) -> None:
    shown = (await tables.create("maker", short_match(spectator_delay={"seconds": 600}))).summary.options
    assert shown.spectator_delay.seconds == 600
    error = await refusal(tables.create("maker", short_match(spectator_delay={"seconds": 601})))
    assert error.violations[0].field == "options.spectator_delay"
