"""Everything else that changes something, sent again and eight times at once: one effect, one answer.

The rpcs are found in the descriptors; one without a deed fails by its name.
"""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass

import asyncpg
import pytest
import pytest_asyncio
from google.protobuf.message import Message

from hostile.arena import channels_of, patient_fleet
from hostile.deeds import DEEDS, Deed, Stage
from hostile.digest import ledger
from hostile.mutating import WITHOUT, mutating, table_rpcs
from hostile.rpcs import every_rpc
from hostile.sending import ask
from support.raw_streams import guest

pytestmark = pytest.mark.asyncio(loop_scope="module")

AT_ONCE = 8
BY_ACTION = "/belot.table.v1.TableService/Execute"
"""Seen with every action in test_duplicates.py, as the public rpcs of a table are."""

OPERATIONS = {rpc.path: rpc for rpc in every_rpc()}
PATHS = tuple(each.path for each in mutating() if each.path not in {*WITHOUT, *table_rpcs(), BY_ACTION})


@dataclass(frozen=True, slots=True)
class Place:
    """The fleet, its database, and what was made ready: a deed for each rpc, or why there is none."""

    stage: Stage
    pool: "asyncpg.Pool[asyncpg.Record]"
    deeds: Mapping[str, Deed | BaseException]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def place(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Place]:
    """Two gateways, two table services, one of everything else; all deeds are made ready at the same time."""
    async with AsyncExitStack() as stack:
        fleet = await stack.enter_async_context(patient_fleet(tmp_path_factory.mktemp("fleet")))
        entered = [guest(fleet.gateways[seat % 2], f"Guest {seat}") for seat in range(4)]
        four = [await stack.enter_async_context(each) for each in entered]
        pool = await stack.enter_async_context(asyncpg.create_pool(fleet.servers.dsn, min_size=1, max_size=1))
        channels = channels_of(fleet)
        for each in (channel for found in channels.values() for channel in found):
            stack.push_async_callback(each.close)
        there = Stage(channels, four)
        paths = [path for path in PATHS if path in DEEDS]
        deeds = await asyncio.gather(*(DEEDS[path](there) for path in paths), return_exceptions=True)
        yield Place(there, pool, dict(zip(paths, deeds, strict=True)))


async def _ask(stage: Stage, path: str, request: Message, number: int = 0) -> Message | str:
    """The answer, or the reason of the refusal; calls go to the processes of a service by turns."""
    rpc = OPERATIONS[path]
    pods = stage.channels[rpc.service]
    return await ask(pods[number % len(pods)], rpc, request, stage.four[0].metadata)


async def _rows(pool: "asyncpg.Pool[asyncpg.Record]", name: str) -> int:
    counts = (await ledger(pool, ())).counts
    return counts[name] if name else 0


@pytest.mark.parametrize("path", PATHS)
async def test_a_call_sent_again_is_one_deed(place: Place, path: str) -> None:
    assert path in DEEDS, f"nothing shows what happens when {path} is sent twice: write a deed in deeds.py"
    stage, deed = place.stage, place.deeds[path]
    assert isinstance(deed, Deed), repr(deed)
    before = await _rows(place.pool, deed.adds)
    answers = await asyncio.gather(*(_ask(stage, path, deed.request, number) for number in range(AT_ONCE)))
    answers = [_same_call(each) for each in (*answers, await _ask(stage, path, deed.request))]
    first = answers[0]
    assert isinstance(first, Message), first
    assert answers == [first] * (AT_ONCE + 1)
    assert await _rows(place.pool, deed.adds) == before + bool(deed.adds)
    if deed.other is not None:
        assert await _ask(stage, *deed.other(first)) == deed.refusal


def _same_call(answer: Message | str) -> Message | str:
    """An answer without what says whether it is the first one."""
    if isinstance(answer, Message) and "already_known" in answer.DESCRIPTOR.fields_by_name:
        answer.ClearField("already_known")
    return answer
