"""Matches that end otherwise than by their rules: rated and casual, with a proof that verifies all the same."""

import pytest

from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot.table.v1 import table_pb2, view_pb2
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from support.tables import Neighbours, Person, TableClient, Watcher, first_legal, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())
RESIGN = table_pb2.TableAction(resign=table_pb2.Resign())
DRAW = table_pb2.TableAction(propose_draw=table_pb2.ProposeDraw())
YES, NO = (table_pb2.TableAction(answer_draw=table_pb2.AnswerDraw(agree=agree)) for agree in (True, False))
QUICK = {"seed_time": {"seconds": 1}}


async def four(tables: TableClient, options: view_pb2.TableOptions) -> list[Person]:
    """Four persons, ready."""
    table_id = (await tables.create("maker", options)).summary.table_id
    persons = [Person(tables, table_id, new_request()) for _ in range(4)]
    for seat, person in enumerate(persons):
        await person.sit(seat)
    return persons


def rated(**options: object) -> view_pb2.TableOptions:
    """A rated table."""
    settings: dict[str, object] = {"ruleset": "classic", "rated": True, **QUICK}
    return view_pb2.TableOptions(**(settings | options))  # type: ignore[arg-type]


async def start(persons: list[Person], watcher: Watcher) -> None:
    """Seeds are sent, and the first decision is made."""
    await watcher.until_kind("match_opened")
    for person in persons:
        await person.send_seed()
    assert await watcher.next_turn(1) == 1
    await persons[1].act(first_legal)


async def over(tables: TableClient, watcher: Watcher) -> view_pb2.MatchFinished:
    """The result, once the proof of the match verifies."""
    told = (await watcher.until_kind("match_finished")).match_finished
    await watcher.until_kind("seed_revealed")
    request = table_pb2.GetProofFileRequest(match_id=told.match_id)
    proof = read_proof((await call(tables.stub.GetProofFile, request)).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()
    return told


async def twice(person: Person, action: table_pb2.TableAction) -> None:
    """A command that is sent twice is done once."""
    request_id = new_request()
    first = await person.do(action, request_id=request_id)
    assert await person.do(action, request_id=request_id) == first


async def test_leaving_a_rated_match_loses_it_for_the_side(tables: TableClient, valkey: str) -> None:
    persons = await four(tables, rated())
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await start(persons, watcher)
        await twice(persons[3], LEAVE)
        told = await over(tables, watcher)
        view = await tables.view(persons[0].table_id, persons[0].player_id)
    assert (told.rated, told.outcome_kind, list(told.leavers)) == (True, "left", [persons[3].player_id])
    assert list(told.side_outcomes) == [view_pb2.SIDE_OUTCOME_WON, view_pb2.SIDE_OUTCOME_LEFT]
    assert view.finished == told
    assert view.match.public.result == told.result


async def test_leaving_a_rated_match_before_any_card_counts_for_nothing(tables: TableClient, valkey: str) -> None:
    persons = await four(tables, rated())
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await watcher.until_kind("match_opened")
        await persons[0].do(LEAVE)
        told = await over(tables, watcher)
    assert (told.rated, told.outcome_kind, list(told.leavers)) == (False, "left", [persons[0].player_id])


async def test_partners_resign_together_also_in_a_rated_match(tables: TableClient, valkey: str) -> None:
    persons = await four(tables, rated())
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await start(persons, watcher)
        await twice(persons[1], RESIGN)
        asked = (await tables.view(persons[0].table_id)).proposal
        assert (asked.kind, list(asked.agreed_seats)) == (view_pb2.PROPOSAL_KIND_RESIGNATION, [1])
        with pytest.raises(DomainError) as refused:
            await persons[0].do(DRAW)
        assert refused.value.reason is Reason.PERMISSION_DENIED
        await persons[3].do(RESIGN)
        told = await over(tables, watcher)
    assert (told.rated, told.outcome_kind, list(told.leavers)) == (True, "resigned", [])
    assert list(told.result.ranks) == [1, 2]


async def test_a_casual_match_is_drawn_when_everybody_agrees(tables: TableClient, valkey: str) -> None:
    persons = await four(tables, short_match(**QUICK))
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await start(persons, watcher)
        await twice(persons[0], DRAW)
        await persons[1].do(NO)
        await persons[2].do(DRAW)
        for person in (persons[0], persons[1]):
            await twice(person, YES)
        await persons[3].do(YES)
        told = await over(tables, watcher)
    states = [view_pb2.TableEvent.FromString(each.payload).proposal_changed.state for each in watcher.log]
    assert [each for each in states if each] == [
        view_pb2.PROPOSAL_STATE_OPEN,
        view_pb2.PROPOSAL_STATE_DECLINED,
        *[view_pb2.PROPOSAL_STATE_OPEN] * 3,
        view_pb2.PROPOSAL_STATE_ACCEPTED,
    ]
    assert (told.outcome_kind, list(told.result.ranks), told.rated) == ("drawn", [1, 1], False)


async def test_a_rated_table_has_the_standard_options(tables: TableClient) -> None:
    with pytest.raises(DomainError) as refused:
        await tables.create("maker", rated(ruleset_options={"deals": "1"}))
    assert refused.value.reason is Reason.OPTION_INVALID
    standard = rated(ruleset_options={"target": "1000"})
    assert (await tables.create("maker", standard)).summary.options.rated


async def test_a_private_table_is_not_rated(tables: TableClient) -> None:
    with pytest.raises(DomainError) as refused:
        await tables.create("maker", rated(private=True))
    assert refused.value.reason is Reason.OPTION_INVALID
    assert not (await tables.create("maker", rated(private=True, rated=False))).summary.options.rated


async def test_a_rated_match_that_nobody_plays_any_more_is_lost_by_everybody(tables: TableClient, valkey: str) -> None:
    second = {"seconds": 1}
    options = rated(ruleset="club", seats=2, bid_time=second, card_time=second, reserve={})
    table_id = (await tables.create("maker", options)).summary.table_id
    persons = [Person(tables, table_id, new_request()) for _ in range(2)]
    for person in persons:
        await person.sit()
    async with watching(tables, valkey, table_id) as watcher:
        await watcher.until_kind("match_opened")
        for person in persons:
            await person.send_seed()
        told = await over(tables, watcher)
    assert (told.outcome_kind, told.rated) == ("double_loss", False)
    assert list(told.leavers) == [each.player_id for each in persons]


async def test_what_the_dealer_signed_in_the_last_moment_is_told_with_the_seed(
    tables: TableClient, around: Neighbours, valkey: str
) -> None:
    persons = await four(tables, rated(seed_time={"seconds": 60}))
    async with (
        watching(tables, valkey, persons[0].table_id) as watcher,
        open_channel(ChannelOptions(around.dealer.listen[0])) as channel,
    ):
        match_id = (await watcher.until_kind("match_opened")).match_opened.match_id
        # The dealer is a step ahead of the table, as when the match ends between its answer and the table's commit.
        dealer = dealer_pb2_grpc.DealerServiceStub(channel)
        for seat in range(4):
            await call(dealer.SubmitSeed, dealer_pb2.SubmitSeedRequest(match_id=match_id, seat=seat, seed=bytes(16)))
        closed = await call(dealer.CloseSeeds, dealer_pb2.CloseSeedsRequest(match_id=match_id))
        await persons[0].do(LEAVE)
        await over(tables, watcher)
        revealed = (await watcher.until_kind("seed_revealed")).seed_revealed
        told = (await tables.view(persons[0].table_id)).fairness.transcript
    assert list(revealed.untold) == list(closed.events)
    assert [each.octets for each in told[-3:]] == [each.octets for each in (*closed.events, revealed.transcript)]
