"""A person who misses two turns in a row is stood in for, comes back in time, and the record says who decided what."""

from collections.abc import Sequence

import pytest

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.envelope import Envelope
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.tables import Person, TableClient, bots, first_legal, new_request, ready, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

RESUME = table_pb2.TableAction(resume=table_pb2.Resume())
LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())
DRAW = table_pb2.TableAction(propose_draw=table_pb2.ProposeDraw())
FAST = {"bid_time": {"seconds": 1}, "card_time": {"seconds": 2}, "seed_time": {"seconds": 1}, "reserve": {}}


async def one_person(tables: TableClient, **options: object) -> Person:
    """A person alone at seat 1 of a table, ready."""
    table_id = (await tables.create("maker", short_match(**options))).summary.table_id
    person = Person(tables, table_id, new_request())
    await person.sit(1)
    return person


async def test_a_seat_is_taken_over_and_taken_back_and_everything_is_on_record(
    tables: TableClient, valkey: str
) -> None:
    anna = await one_person(tables, **FAST)
    async with watching(tables, valkey, anna.table_id) as watcher:
        await anna.do(bots())
        taken = (await watcher.until_kind("seat_taken_over")).seat_taken_over
        assert (taken.seat, taken.player_id, taken.missed_turns) == (1, anna.player_id, 2)
        held = (await tables.view(anna.table_id, anna.player_id)).summary.seats[1]
        assert (held.kind, held.bot_level, held.player_id) == (
            common_pb2.ACTOR_KIND_BOT,
            "normal",
            anna.player_id,
        )
        # The bot plays while she is away; then she is back before her next own card.
        await watcher.until(lambda log: bot_decided(log, 1))
        request_id = new_request()
        first = await anna.do(RESUME, request_id=request_id)
        assert await anna.do(RESUME, request_id=request_id) == first
        assert (await watcher.until_kind("seat_returned")).seat_returned.player_id == anna.player_id
        await watcher.until(lambda log: turn_of(log[-1].payload) == 1)
        await anna.act(first_legal)
        await anna.do(LEAVE)
        result = (await watcher.until_kind("match_finished")).match_finished
        await watcher.until_kind("seed_revealed")
    stints = [each.actor for each in result.stints if each.seat == 1]
    person, bot = common_pb2.ACTOR_KIND_PERSON, common_pb2.ACTOR_KIND_BOT
    assert stints == [person, bot, person, bot]
    record = await record_of(tables, result.match_id)
    actors = [each.actor for each in record.decisions if each.seat == 1]
    assert actors[:3] == [common_pb2.ACTOR_KIND_AUTOMATIC] * 2 + [bot]
    assert person in actors[3:]
    request = table_pb2.GetProofFileRequest(match_id=result.match_id)
    proof = read_proof((await call(tables.stub.GetProofFile, request)).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()


def bot_decided(log: Sequence[Envelope], seat: int) -> bool:
    """Whether a bot has decided at the seat."""
    taken = [view_pb2.TableEvent.FromString(each.payload).decision_taken for each in log]
    return any((each.seat, each.actor) == (seat, common_pb2.ACTOR_KIND_BOT) for each in taken)


def turn_of(payload: bytes) -> int | None:
    """The seat whose turn an event began."""
    event = view_pb2.TableEvent.FromString(payload)
    return event.turn_started.seat if event.HasField("turn_started") else None


async def record_of(tables: TableClient, match_id: str) -> table_pb2.MatchRecord:
    """The record of a match."""
    return (await call(tables.stub.GetMatchRecord, table_pb2.GetMatchRecordRequest(match_id=match_id))).record


async def test_neither_prompts_nor_refused_actions_nor_others_move_a_turns_end_that_everybody_sees(
    tables: TableClient, valkey: str
) -> None:
    table_id = (await tables.create("maker", short_match())).summary.table_id
    persons = [Person(tables, table_id, new_request()) for _ in range(4)]
    for seat, person in enumerate(persons):
        await person.sit(seat)
    async with watching(tables, valkey, table_id) as watcher:
        await watcher.until_kind("match_opened")
        for person in persons:
            await person.send_seed()
        assert await watcher.next_turn(1) == 1
        everybodys = await tables.view(table_id)
        before = everybodys.turn
        assert [each.seconds for each in everybodys.reserves] == [60] * 4
        assert before.due_at.seconds - before.reserve_from.seconds == 60
        wrong = table_pb2.TableAction(game=match_pb2.Action(play=match_pb2.Play(card=common_pb2.CARD_ACE_OF_SPADES)))
        for player, action, reason in (
            (persons[1], wrong, None),
            (persons[2], wrong, Reason.NOT_YOUR_TURN),
            (persons[1], ready(), Reason.TABLE_NOT_OPEN),
        ):
            with pytest.raises(DomainError) as refused:
                await player.do(action)
            assert reason in (None, refused.value.reason)
        await persons[1].do(RESUME)
        await persons[2].do(DRAW)
        present = [table_pb2.PresentPlayer(table_id=table_id, player_id=persons[1].player_id)]
        await call(tables.stub.ReportPresence, table_pb2.ReportPresenceRequest(present=present))
        await persons[3].do(LEAVE)
        view = await tables.view(table_id, persons[1].player_id)
        assert (view.turn.due_at, view.turn.reserve_from) == (before.due_at, before.reserve_from)
        for person in persons[:3]:
            await person.do(LEAVE)
