"""The example of a third-party bot, as anybody runs it, over a real fleet."""

import asyncio
import sys

import pytest

from belot_client.client import BelotClient
from belot_client.view import Actor, Options, TableState
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

BOT = (sys.executable, "-m", "belot_client.example_bot")


async def started(fleet: SmallFleet, *arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *BOT, "--server", fleet.gateways[0], *arguments, stdout=asyncio.subprocess.PIPE
    )


async def said_by(process: asyncio.subprocess.Process) -> str:
    """What it said until its end."""
    async with asyncio.timeout(90):
        output, _ = await process.communicate()
    assert process.returncode == 0
    return output.decode()


def seated(state: TableState) -> int:
    return sum(seat.actor is Actor.PERSON for seat in state.seats)


async def test_it_plays_a_whole_match_among_a_person_and_bots(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[1]) as client:
        await client.sign_in_guest("Ana")
        table = await client.create_table(Options("bela", ruleset_options=(("deals", "2"),), private=True))
        code = table.invitation_code
        bot = await started(fleet, "--table", table.table_id, "--code", code, "--name", "Third party")
        async with client.table(table.table_id) as session:
            state = await session.until(lambda state: seated(state) == 2)
            seat = next(seat for seat in state.seats if seat.display_name == "Third party")
            await session.fill_with_bots("easy")
            await session.ready()
            async for turn in session.turns():
                legal = turn.legal
                assert legal is not None
                await (session.play(legal.cards[0]) if legal.cards else session.choose(legal.suits[0]))
            said = await said_by(bot)
            match_id = session.state.match_id
        record = await client.match_record(match_id)
    assert "outcome='won'" in said or "outcome='drawn'" in said
    assert "refused" not in said
    own = [each for each in record.decisions if each.seat == seat.seat]
    assert len([each for each in own if each.action.HasField("play")]) == 16
    assert not [each for each in own if each.bot_level]  # nobody stood in for it


async def test_two_of_them_play_each_other_to_the_target(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Host")
        options = Options("club", seats=2, pack_size=24, ruleset_options=(("target", "51"),))
        table = await client.create_table(options, stay_standing=True)
        bots = [await started(fleet, "--table", table.table_id) for _ in range(2)]
        said = await asyncio.gather(*map(said_by, bots))
    assert said[0] == said[1]
    assert "Result(outcome='won'" in said[0]
    assert "refused" not in said[0]


async def test_without_a_table_it_opens_its_own(fleet: SmallFleet) -> None:
    assert "deals_played=2" in await said_by(await started(fleet))
