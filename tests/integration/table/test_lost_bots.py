"""Bots as processes that die, hang or are slow while it is their turn: the table goes on, and its record says how."""

import os
import signal
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass

import pytest

from belot.common.v1 import common_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_cli.verify_command import check
from belot_events.envelope import Envelope
from belot_fair.proof import read_proof
from belot_kit.grpc_client import call
from support.bot_process import BotProcess, bot_process
from support.databases import Database
from support.tables import Neighbours, Person, TableClient, Watcher, bots, short_match, table_at, table_config, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

SECONDS = 60.0


@dataclass(frozen=True, slots=True)
class Play:
    """A match of four hard bots under way at a table of its own, and the bot services that it asks."""

    tables: TableClient
    watcher: Watcher
    services: tuple[BotProcess, ...]
    addresses: tuple[str, ...]

    async def decisions(self, number: int, seconds: float = SECONDS) -> None:
        """Wait until so many decisions were taken, or the match is over."""
        await self.watcher.until(lambda log: len(policies(log)) >= number or revealed(log), seconds)

    async def seconds_for(self, number: int) -> float:
        """How long the next so many decisions take."""
        began = time.monotonic()
        await self.decisions(len(policies(self.watcher.log)) + number)
        return time.monotonic() - began

    async def finish(self) -> tuple[str, ...]:
        """Wait for the end; the proof must hold, bots' decisions included. Gives the policy of each decision."""
        finished = (await self.watcher.until_kind("match_finished", seconds=SECONDS)).match_finished
        await self.watcher.until_kind("seed_revealed")
        request = table_pb2.GetProofFileRequest(match_id=finished.match_id)
        octets = (await call(self.tables.stub.GetProofFile, request)).proof
        report = check(read_proof(octets), accept_dev=True)
        assert report.ok, report
        assert report.point("bots").sentence.startswith(f"All {len(policies(self.watcher.log))} decisions")
        return policies(self.watcher.log)


def policies(log: Sequence[Envelope]) -> tuple[str, ...]:
    """Which policy took each decision."""
    return tuple(
        view_pb2.TableEvent.FromString(each.payload).decision_taken.policy
        for each in log
        if each.kind == "decision_taken"
    )


def revealed(log: Sequence[Envelope]) -> bool:
    return any(each.kind == "seed_revealed" for each in log)


def turn_of(log: Sequence[Envelope]) -> int | None:
    """Whose turn it is, by the last event."""
    if not log or log[-1].kind != "turn_started":
        return None
    return view_pb2.TableEvent.FromString(log[-1].payload).turn_started.seat


def decided(log: Sequence[Envelope]) -> bool:
    return any(each.kind == "decision_taken" for each in log)


@contextmanager
def stopped(pids: Sequence[int]) -> Iterator[None]:
    """Processes that stand still while the block lasts."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            os.kill(pid, signal.SIGCONT)


@asynccontextmanager
async def hard_match(
    database: Database, valkey: str, around: Neighbours, services: int, name: str
) -> AsyncIterator[Play]:
    """A match that has begun: six decisions were taken, and what is left takes some seconds on any machine."""
    addresses = tuple(f"unix:{around.directory}/{name}-{number}.sock" for number in range(services))
    async with AsyncExitStack() as stack:
        starting = [stack.enter_async_context(bot_process(each, around.directory)) for each in addresses]
        running = tuple([await each for each in starting])
        config = table_config(database, valkey, around, bot_addresses=addresses)
        tables = await stack.enter_async_context(table_at(config))
        options = short_match(ruleset="bela", bot_delay={"nanos": 200_000_000})
        table_id = (await tables.create("maker", options)).summary.table_id
        watcher = await stack.enter_async_context(watching(tables, valkey, table_id))
        await tables.do(table_id, "maker", bots("hard"))
        play = Play(tables, watcher, running, addresses)
        await play.decisions(6)
        yield play


async def test_a_bot_service_that_is_alone_is_waited_for_frozen_or_dead_and_the_table_goes_on_by_itself(
    database: Database, valkey: str, around: Neighbours
) -> None:
    async with hard_match(database, valkey, around, 1, "alone") as play:
        with stopped([play.services[0].process.pid]):
            before = len(policies(play.watcher.log))
            with pytest.raises(TimeoutError):
                await play.decisions(before + 2, seconds=2.5)  # one answer may have been on its way
        await play.decisions(before + 4)
        play.services[0].send(signal.SIGKILL)
        await play.services[0].process.wait()
        dead_since = len(policies(play.watcher.log))
        async with bot_process(play.addresses[0], around.directory):
            assert len(policies(play.watcher.log)) <= dead_since + 1
            assert set(await play.finish()) == {"hard/1"}


async def test_beside_a_second_bot_service_the_table_goes_on_without_a_frozen_or_a_dead_one(
    database: Database, valkey: str, around: Neighbours
) -> None:
    async with hard_match(database, valkey, around, 2, "second") as play:
        with stopped([play.services[0].process.pid]):
            frozen = await play.seconds_for(4)
        play.services[0].send(signal.SIGKILL)
        killed = await play.seconds_for(4)
        print(f"four decisions beside a frozen service in {frozen:.2f} s, beside a dead one in {killed:.2f} s")
        assert set(await play.finish()) == {"hard/1"}


async def test_where_no_process_thinks_in_time_normal_decides_and_the_record_and_the_proof_say_so(
    database: Database, valkey: str, around: Neighbours
) -> None:
    async with hard_match(database, valkey, around, 1, "slow") as play:
        thinkers = play.services[0].thinkers()
        with stopped(thinkers):
            await play.watcher.until(lambda log: policies(log).count("normal/1") >= 2, SECONDS)
        for pid in thinkers:
            os.kill(pid, signal.SIGKILL)
        taken = await play.finish()
        assert (set(taken), taken[-1]) == ({"hard/1", "normal/1"}, "hard/1")
        (finished,) = [
            view_pb2.TableEvent.FromString(each.payload).match_finished
            for each in play.watcher.log
            if each.kind == "match_finished"
        ]
        assert sum(each.late_decisions + each.lost_decisions for each in finished.stints) == taken.count("normal/1")


async def test_a_turn_whose_time_is_over_waits_for_the_bots_too_and_is_the_clocks_when_they_are_back(
    database: Database, valkey: str, around: Neighbours
) -> None:
    address = f"unix:{around.directory}/clock.sock"
    hasty = short_match(seed_time={"seconds": 1}, bid_time={"seconds": 5}, card_time={"seconds": 5}, reserve={})
    async with table_at(table_config(database, valkey, around, bot_addresses=(address,))) as tables:
        table_id = (await tables.create("maker", hasty)).summary.table_id
        person = Person(tables, table_id, "anna")
        async with watching(tables, valkey, table_id) as watcher:
            async with bot_process(address, around.directory):
                await person.sit(0)
                await person.do(bots("easy"))
                await watcher.until(lambda log: turn_of(log) == 0, SECONDS)
            before = len(watcher.log)
            with pytest.raises(TimeoutError):
                await watcher.until(lambda log: decided(log[before:]), 6.0)
            async with bot_process(address, around.directory):
                await watcher.until(lambda log: decided(log[before:]), SECONDS)
        first = next(each for each in watcher.log[before:] if each.kind == "decision_taken")
        taken = view_pb2.TableEvent.FromString(first.payload).decision_taken
        assert (taken.seat, taken.actor) == (0, common_pb2.ACTOR_KIND_AUTOMATIC)
