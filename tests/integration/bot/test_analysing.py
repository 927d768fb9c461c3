"""AnalyseMatch over gRPC: deals solved in processes of their own, as far as the deadline allows."""

import asyncio
import os
import signal
from dataclasses import replace

import pytest

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot_bot.analysis import MatchAnalysis
from belot_bot.analysts import Analysts, analysts
from belot_bot.convert_analysis import write_analysis
from belot_bot.record import NotAnalysable, read_record
from belot_engine.analysis import analyse_deal
from belot_fair.proof import write_proof
from belot_kit.deadlines import deadline_scope
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.bot_client import bot_channel
from support.eventually import eventually
from support.proofs import Plan, played, proof_of

SHORT = Plan(ruleset="club", seats=4, pack=24, options=(("deals", "3"),), bots=(1, 3))
#: Deals that take some tenths of a second each, at least.
LONG = Plan(ruleset="bela", options=(("deals", "8"),))


def proof(plan: Plan) -> bytes:
    return write_proof(proof_of(played(plan)))


def solved_here(octets: bytes) -> MatchAnalysis:
    record = read_record(octets)
    return MatchAnalysis(record, tuple(analyse_deal(hand.played) for hand in record.hands))


async def in_time(pool: Analysts, octets: bytes, seconds: float) -> tuple[MatchAnalysis, int]:
    with deadline_scope(asyncio.get_running_loop().time() + seconds):
        return await pool.analyse(octets)


def processes(pool: Analysts) -> list[int]:
    return list(pool._pool._processes or {})


async def test_the_rpc_answers_what_the_engine_finds() -> None:
    octets = proof(SHORT)
    async with bot_channel() as channel:
        stub: bot_pb2_grpc.BotServiceAsyncStub = bot_pb2_grpc.BotServiceStub(channel)
        found = (await call(stub.AnalyseMatch, bot_pb2.AnalyseMatchRequest(proof=octets), most_s=60)).analysis
    assert found == write_analysis(solved_here(octets), 0)
    deal = found.deals[0]
    assert (deal.first_trick, sum(deal.par), sum(deal.taken), sum(deal.skill), len(deal.cards)) == (0, 162, 162, 0, 24)
    assert all({each.card: each.cost for each in card.options}[card.card] == card.cost for card in deal.cards)
    assert {card.decided_by for card in deal.cards} == {"person", "easy"}


async def test_what_a_short_budget_leaves_open_is_absent_and_not_0() -> None:
    record = read_record(proof(SHORT))
    deals = tuple(analyse_deal(hand.played, 1) for hand in record.hands)
    card = write_analysis(MatchAnalysis(record, deals), 2).deals[0].cards[0]
    assert not card.HasField("cost")
    assert not card.options


async def test_what_is_no_proof_is_refused_by_the_name_of_its_field() -> None:
    async with bot_channel() as channel:
        stub: bot_pb2_grpc.BotServiceAsyncStub = bot_pb2_grpc.BotServiceStub(channel)
        for octets in (b"", b"{}", bytes(range(256))):
            with pytest.raises(DomainError) as refused:
                await call(stub.AnalyseMatch, bot_pb2.AnalyseMatchRequest(proof=octets))
            assert refused.value.reason is Reason.INVALID_ARGUMENT
            assert [violation.field for violation in refused.value.violations] == ["proof"]


async def test_what_the_deadline_leaves_open_is_pending_and_comes_when_asked_again() -> None:
    octets = proof(LONG)
    async with analysts(1) as pool:
        found, pending = await in_time(pool, octets, 0.3)
        assert pending
        assert len(found.deals) == len(found.record.hands) == 8 - pending
        async with asyncio.timeout(300):
            while pending:
                before = pending
                found, pending = await in_time(pool, octets, 5.0)
                assert pending <= before
        assert [hand.number for hand in found.record.hands] == list(range(8))
        again, pending = await in_time(pool, octets, 1.0)
    assert (again, pending) == (found, 0)


async def test_two_who_ask_at_once_share_the_work() -> None:
    octets = proof(replace(SHORT, seed=5))
    async with analysts(1) as pool:
        (first, _), (second, _) = await asyncio.gather(in_time(pool, octets, 60), in_time(pool, octets, 60))
    assert first == second == solved_here(octets)
    assert all(one is other for one, other in zip(first.deals, second.deals, strict=True))


async def test_a_process_that_dies_costs_one_question_and_is_replaced() -> None:
    octets = proof(LONG)
    async with analysts(1) as pool:
        asked = asyncio.create_task(in_time(pool, octets, 60))
        await eventually(lambda: bool(processes(pool)))
        os.kill(processes(pool)[0], signal.SIGKILL)
        _, pending = await asked
        assert pending
        other = proof(SHORT)
        assert await in_time(pool, other, 60) == (solved_here(other), 0)


async def test_refusals_leave_the_pool_unharmed() -> None:
    async with analysts(1) as pool:
        with pytest.raises(NotAnalysable):
            await in_time(pool, b"no proof", 5)
        octets = proof(replace(SHORT, seed=9))
        assert await in_time(pool, octets, 60) == (solved_here(octets), 0)
