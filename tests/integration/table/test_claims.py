"""Claims of the remaining tricks at real tables: certain, asked for, answered; in log, record, replay and proof."""

import pytest

from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.envelope import Envelope
from belot_fair.playlog import ActionKind, decode_play_log
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.tables import Person, TableClient, Watcher, bots, first_legal, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

CLAIM, ASK = (
    table_pb2.TableAction(claim_tricks=table_pb2.ClaimTricks(ask_opponents=asking)) for asking in (False, True)
)
YES, NO = (table_pb2.TableAction(answer_claim=table_pb2.AnswerClaim(agree=agree)) for agree in (True, False))


async def seated(tables: TableClient, options: view_pb2.TableOptions, persons: int) -> list[Person]:
    """So many persons at the first seats, ready, bots at the others."""
    table_id = (await tables.create("maker", options)).summary.table_id
    found = [Person(tables, table_id, new_request()) for _ in range(persons)]
    for seat, person in enumerate(found):
        await person.sit(seat)
    if persons < (options.seats or 4):
        await found[0].do(bots())
    return found


async def to_play(persons: list[Person], watcher: Watcher) -> None:
    """Seeds are sent and trumps are chosen: the seat after the dealer is to lead."""
    await watcher.until_kind("match_opened")
    for person in persons:
        await person.send_seed()
    turns = 1
    while (seat := await watcher.next_turn(turns)) is not None and "trump_chosen" not in kinds(watcher):
        await persons[seat].act(willing)
        turns += 1


def kinds(watcher: Watcher) -> list[str]:
    """What happened so far."""
    return [each.kind for each in watcher.log]


def proposals(watcher: Watcher) -> "list[view_pb2.ProposalState.ValueType]":
    """What became of proposals, in order."""
    told = [view_pb2.TableEvent.FromString(each.payload) for each in watcher.log]
    return [each.proposal_changed.state for each in told if each.HasField("proposal_changed")]


async def refusal(person: Person, action: table_pb2.TableAction) -> DomainError:
    """Why a command is refused."""
    with pytest.raises(DomainError) as refused:
        await person.do(action)
    return refused.value


async def claimed(person: Person) -> bool:
    """Whether a claim, sent twice, was certain; a refusal tells nothing of cards."""
    try:
        await twice(person, CLAIM)
    except DomainError as refused:
        said = refused
    else:
        return True
    assert said.reason in (Reason.CLAIM_NOT_CERTAIN, Reason.WRONG_PHASE)
    assert set(said.metadata) <= {"phase", "seat", "version"}
    return False


def willing(legal: match_pb2.LegalActions) -> match_pb2.Action:
    """The first legal action, but the card turned up is taken."""
    return match_pb2.Action(accept=match_pb2.Accept()) if legal.may_accept else first_legal(legal)


async def twice(person: Person, action: table_pb2.TableAction) -> None:
    """A command that is sent twice is done once."""
    request_id = new_request()
    first = await person.do(action, request_id=request_id)
    assert await person.do(action, request_id=request_id) == first


async def checked(tables: TableClient, watcher: Watcher, due: ActionKind) -> None:
    """The claim is in play log, record and replay, and the proof verifies."""
    match_id = (await watcher.until_kind("match_finished")).match_finished.match_id
    await watcher.until_kind("seed_revealed")
    proof = read_proof((await call(tables.stub.GetProofFile, table_pb2.GetProofFileRequest(match_id=match_id))).proof)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain])) == ()
    entries = decode_play_log(proof.play_log).entries
    at = next(number for number, entry in enumerate(entries) if entry.action == due)
    assert sum(entry.action in (ActionKind.CLAIM, ActionKind.CLAIM_AGREED) for entry in entries) == 1
    record = (await call(tables.stub.GetMatchRecord, table_pb2.GetMatchRecordRequest(match_id=match_id))).record
    assert len(record.decisions) == len(entries)
    decision = record.decisions[at]
    assert decision.action == match_pb2.Action(claim=match_pb2.Claim(agreed=due is ActionKind.CLAIM_AGREED))
    assert watcher.log[decision.sequence - 1].kind == "tricks_claimed"
    for decisions in (at, at + 1, len(entries)):
        request = table_pb2.ReplayMatchRequest(match_id=match_id, decisions=decisions)
        assert (await call(tables.stub.ReplayMatch, request)).decisions == decisions


def event_of(log: list[Envelope], kind: str) -> view_pb2.TableEvent:
    """The first event of a kind, as everybody sees it."""
    return view_pb2.TableEvent.FromString(next(each.payload for each in log if each.kind == kind))


async def test_a_certain_claim_ends_the_tricks_of_the_hand(tables: TableClient, valkey: str) -> None:
    options = short_match(ruleset="club", seats=2, pack_size=24, ruleset_options={"target": "101"})
    persons = await seated(tables, options, 2)
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await to_play(persons, watcher)
        turns = kinds(watcher).count("turn_started")
        while (seat := await watcher.next_turn(turns)) is not None:
            if "tricks_claimed" in kinds(watcher) or not await claimed(persons[seat]):
                await persons[seat].act(willing)
            turns += 1
        claim = event_of(watcher.log, "tricks_claimed").game.tricks_claimed
        assert not claim.agreed
        assert [len(hand.cards) for hand in claim.hands] == [claim.tricks] * 2
        await checked(tables, watcher, ActionKind.CLAIM)


async def test_the_opponents_may_agree_to_a_claim_that_is_not_certain(tables: TableClient, valkey: str) -> None:
    persons = await seated(tables, short_match(), 4)
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await to_play(persons, watcher)
        before = await tables.view(persons[0].table_id, persons[1].player_id)
        assert (await refusal(persons[1], CLAIM)).reason is Reason.CLAIM_NOT_CERTAIN
        assert (await refusal(persons[2], ASK)).reason is Reason.NOT_YOUR_TURN
        assert (await refusal(persons[0], YES)).reason is Reason.WRONG_PHASE
        await twice(persons[1], ASK)
        asked = await tables.view(persons[0].table_id, persons[1].player_id)
        assert asked.proposal == view_pb2.Proposal(kind=view_pb2.PROPOSAL_KIND_CLAIM, seat=1, agreed_seats=[1])
        assert (asked.turn, asked.match, asked.reserves) == (before.turn, before.match, before.reserves)
        assert (await refusal(persons[3], YES)).reason is Reason.PERMISSION_DENIED
        await twice(persons[0], YES)
        await twice(persons[2], YES)
        await checked(tables, watcher, ActionKind.CLAIM_AGREED)
    states = [view_pb2.PROPOSAL_STATE_OPEN] * 2 + [view_pb2.PROPOSAL_STATE_ACCEPTED]
    assert proposals(watcher) == states
    log = kinds(watcher)
    assert log[log.index("tricks_claimed") - 1] == "proposal_changed"
    claim = event_of(watcher.log, "tricks_claimed").game.tricks_claimed
    assert (claim.seat, claim.agreed, claim.tricks, claim.points) == (1, True, 8, 162)
    assert sorted(card for hand in claim.hands for card in hand.cards) == list(range(1, 33))


async def test_a_claim_that_is_declined_or_played_over_is_gone(tables: TableClient, valkey: str) -> None:
    persons = await seated(tables, short_match(), 4)
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await to_play(persons, watcher)
        await persons[1].do(ASK)
        await twice(persons[2], NO)
        again = await refusal(persons[1], ASK)
        assert again.reason is Reason.WRONG_PHASE
        turns, seat = kinds(watcher).count("turn_started"), 1
        while seat == 1 or kinds(watcher).count("card_played") % 4:  # who asked before is not asked again
            await persons[seat].act(willing)
            turns += 1
            seat = await watcher.next_turn(turns) or 0
        await persons[seat].do(ASK)
        await persons[seat].act(willing)
        assert (await refusal(persons[(seat + 1) % 4], YES)).reason is Reason.WRONG_PHASE
        await watcher.next_turn(turns + 1)
        assert proposals(watcher)[-1] == view_pb2.PROPOSAL_STATE_LAPSED
    assert proposals(watcher)[:2] == [view_pb2.PROPOSAL_STATE_OPEN, view_pb2.PROPOSAL_STATE_DECLINED]


async def test_where_a_bot_is_an_opponent_nobody_is_asked(tables: TableClient, valkey: str) -> None:
    options = short_match(seats=3, ruleset="club", ruleset_options={}, bot_delay={})
    persons = await seated(tables, options, 2)
    async with watching(tables, valkey, persons[0].table_id) as watcher:
        await watcher.until_kind("match_opened")
        for person in persons:
            await person.send_seed()
        turns = 1
        while "card_played" not in kinds(watcher):
            seat = await watcher.next_turn(turns)
            turns += 1
            if seat in (0, 1):
                if "trump_chosen" in kinds(watcher):
                    break
                await persons[seat].act(willing)
        refused = await refusal(persons[seat or 0], ASK)
        assert refused.reason in (Reason.CLAIM_NOT_CERTAIN, Reason.WRONG_PHASE)
        assert proposals(watcher) == []


async def test_a_claim_is_no_bid_or_card(tables: TableClient) -> None:
    persons = await seated(tables, short_match(), 1)
    action = table_pb2.TableAction(game=match_pb2.Action(claim=match_pb2.Claim(agreed=True)))
    refused = await refusal(persons[0], action)
    assert (refused.reason, refused.violations[0].field) == (Reason.INVALID_ARGUMENT, "command.action.game.claim")
