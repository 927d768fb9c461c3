"""The scripted people themselves: whoever first sees a table in the middle of things does what is due, unasked.

Else the table would stand until a clock runs out: a minute for a seed, ten for a move.
"""

import asyncio
import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from robustness.histories import Sent, Tape
from robustness.person import CALL_SECONDS, Person
from robustness.playing import Habits, Playing
from robustness.tables_at_play import Kind, options_of
from support.databases import Database
from support.dealers import until
from support.small_fleet import small_fleet

BEFORE_ANY_CLOCK_SECONDS = 40.0
_SEEDING = view_pb2.TABLE_STATUS_SEEDING


@pytest_asyncio.fixture
async def person(database: Database, valkey: str, tmp_path: Path) -> AsyncIterator[Person]:
    """Somebody signed in at a small fleet."""
    async with small_fleet(database, valkey, tmp_path) as fleet:
        found = Person("late", [await fleet.add_gateway()], random.Random(7))
        await found.sign_in()
        yield found
        await found.close()


async def _seen(person: Person, table_id: str) -> view_pb2.TableView:
    request = gateway_pb2.GetTableRequest(table_id=table_id)
    return (await person.lobby.GetTable(request, metadata=person.metadata, timeout=CALL_SECONDS)).table


async def _table_awaiting_seeds(person: Person) -> str:
    """A table at which the person is ready and bots play the rest."""
    table_id = await person.create_table(options_of(Kind("bela", people=1)))
    await person.fill_with_bots(table_id)
    ready = gateway_pb2.SetReadyRequest(request_id="ready", table_id=table_id, ready=True)
    await person.plays.SetReady(ready, metadata=person.metadata, timeout=CALL_SECONDS)

    async def awaited() -> bool:
        return (await _seen(person, table_id)).summary.status == _SEEDING

    await until(awaited)
    return table_id


async def _played_to_the_end(person: Person, table_id: str) -> Tape:
    tape = Tape(table_id, person.player_id)
    async with asyncio.timeout(BEFORE_ANY_CLOCK_SECONDS):
        await Playing(person, tape, Habits(), _unheard).run()
    return tape


def _unheard(_: Sent) -> None:
    """Nobody counts moves here."""


async def test_who_first_sees_his_table_when_seeds_are_awaited_sends_one(person: Person) -> None:
    table_id = await _table_awaiting_seeds(person)
    tape = await _played_to_the_end(person, table_id)
    assert sum(sent.action.HasField("submit_seed") for sent in tape.sent) == 1


async def test_who_first_sees_his_table_in_his_own_turn_takes_it(person: Person) -> None:
    table_id = await _table_awaiting_seeds(person)
    seed = gateway_pb2.SubmitSeedRequest(request_id="seed", table_id=table_id, seed=bytes(range(16)))
    await person.plays.SubmitSeed(seed, metadata=person.metadata, timeout=CALL_SECONDS)

    async def in_turn() -> bool:
        return (await _seen(person, table_id)).turn.HasField("legal")

    await until(in_turn)
    tape = await _played_to_the_end(person, table_id)
    assert all(sent.acks for sent in tape.sent if sent.action.HasField("game"))
