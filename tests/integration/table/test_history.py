"""Matches that are over: lists, records, and every position of them played again."""

import pytest

from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_engine.deal_notation import parse_deal
from belot_engine.deal_state import line_of, state_of
from belot_engine.match import apply
from belot_engine.state import Play
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.tables import Person, TableClient, bots, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())


async def played(tables: TableClient, valkey: str, player_id: str) -> view_pb2.MatchFinished:
    """A match that this player left to the bots, over and revealed."""
    table_id = (await tables.create("maker", short_match(seed_time={"seconds": 1}))).summary.table_id
    person = Person(tables, table_id, player_id)
    await person.sit(0)
    async with watching(tables, valkey, table_id) as watcher:
        await person.do(bots("easy"))
        await watcher.until_kind("match_opened")
        await person.do(LEAVE)
        await watcher.until_kind("seed_revealed", seconds=30)
        return (await watcher.until_kind("match_finished")).match_finished


async def page(
    tables: TableClient, player_id: str, viewer_id: str, size: int = 0, token: str = ""
) -> table_pb2.ListMatchesResponse:
    """A page of a player's matches."""
    request = table_pb2.ListMatchesRequest(player_id=player_id, viewer_id=viewer_id, page_size=size, page_token=token)
    return await call(tables.stub.ListMatches, request)


async def record(tables: TableClient, match_id: str, viewer_id: str = "") -> table_pb2.MatchRecord:
    """The record of a match."""
    request = table_pb2.GetMatchRecordRequest(match_id=match_id, viewer_id=viewer_id)
    return (await call(tables.stub.GetMatchRecord, request)).record


async def position(
    tables: TableClient, match_id: str, decisions: int, viewer_id: str = ""
) -> table_pb2.ReplayMatchResponse:
    """A match after so many decisions."""
    request = table_pb2.ReplayMatchRequest(match_id=match_id, viewer_id=viewer_id, decisions=decisions)
    return await call(tables.stub.ReplayMatch, request)


async def resigned(tables: TableClient, valkey: str, player_id: str) -> view_pb2.MatchFinished:
    """A private match that this player gave up at its first turn, over and revealed."""
    options = short_match(seed_time={"seconds": 1}, private=True)
    made = await tables.create("maker", options)
    person = Person(tables, made.summary.table_id, player_id)
    await person.sit(1, made.invitation_code)
    async with watching(tables, valkey, person.table_id) as watcher:
        await person.do(bots("easy"))
        await watcher.until_kind("match_opened")
        await person.send_seed()
        await watcher.until_kind("turn_started")
        await person.do(table_pb2.TableAction(resign=table_pb2.Resign()))
        await watcher.until_kind("seed_revealed")
        return (await watcher.until_kind("match_finished")).match_finished


def notation_goes_on(
    before: table_pb2.ReplayMatchResponse, decision: table_pb2.RecordedDecision, after: table_pb2.ReplayMatchResponse
) -> None:
    """The line of a position is the state it says: the same card played on it gives the line of the next one."""
    state = state_of(parse_deal(before.notation))
    held = [mask.bit_count() for mask in state.hands]
    assert held == [len(each.cards) for each in before.hands]
    assert held == list(before.public.hand_sizes)
    played = apply(state, decision.seat, Play(decision.action.play.card - 1)).state
    assert line_of(played) == parse_deal(after.notation)


async def replayed(tables: TableClient, told: view_pb2.MatchFinished) -> None:
    """Every position of a match comes back, the last one with its result."""
    whole = await record(tables, told.match_id)
    assert whole.summary.ruleset.hash == told.ruleset.hash
    assert [each.number for each in whole.decisions] == list(range(1, len(whole.decisions) + 1))
    assert whole.sheets[-1].totals == told.result.totals
    end = await position(tables, told.match_id, 2**31)
    assert end.decisions == len(whole.decisions)
    assert (end.public.result, end.next.finished) == (told.result, told.result)
    plays = [each for each in whole.decisions if each.action.HasField("play")]
    for decision in (plays[0], plays[17]):
        before = await position(tables, told.match_id, decision.number - 1)
        assert before.next.turn.seat == decision.seat
        assert decision.action.play.card in before.next.turn.legal.cards
        after = await position(tables, told.match_id, decision.number)
        assert len(after.hands[decision.seat].cards) == len(before.hands[decision.seat].cards) - 1
        notation_goes_on(before, decision, after)
    assert parse_deal(end.notation).over


async def test_a_player_finds_his_matches_also_those_he_left_and_replays_them(tables: TableClient, valkey: str) -> None:
    anna = new_request()
    first = await played(tables, valkey, anna)
    await replayed(tables, first)
    second = await resigned(tables, valkey, anna)
    whole = await page(tables, anna, anna)
    assert [each.match_id for each in whole.matches] == [second.match_id, first.match_id]
    assert list(whole.matches) == [second, first]
    one = await page(tables, anna, anna, size=1)
    two = await page(tables, anna, anna, size=1, token=one.next_page_token)
    assert [each.match_id for each in (*one.matches, *two.matches)] == [second.match_id, first.match_id]
    assert two.next_page_token == ""
    assert [each.match_id for each in (await page(tables, anna, "eva")).matches] == [first.match_id]
    for ask in (record(tables, second.match_id, "eva"), position(tables, second.match_id, 0, "eva")):
        with pytest.raises(DomainError) as refused:
            await ask
        assert refused.value.reason is Reason.MATCH_NOT_FOUND
    assert (await record(tables, second.match_id, anna)).summary == second


async def test_a_match_that_is_still_played_has_no_record_yet(tables: TableClient, valkey: str) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    person = Person(tables, table_id, new_request())
    await person.sit(1)
    async with watching(tables, valkey, table_id) as watcher:
        await person.do(bots())
        match_id = (await watcher.until_kind("match_opened")).match_opened.match_id
        for ask in (record(tables, match_id), position(tables, match_id, 1)):
            with pytest.raises(DomainError) as refused:
                await ask
            assert refused.value.reason is Reason.MATCH_NOT_FINISHED
        await person.do(LEAVE)
    with pytest.raises(DomainError) as unknown:
        await record(tables, "nothing")
    assert unknown.value.reason is Reason.MATCH_NOT_FOUND
    assert match_pb2.MatchResult() == (await tables.view(table_id)).finished.result
