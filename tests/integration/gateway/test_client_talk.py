"""The client among people: talk, whom one hears, invitations, and watching where it is late or not wanted."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest

from belot_client.client import BelotClient
from belot_client.errors import Refused
from belot_client.view import Options, ReportReason, Status
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

SHORT = Options("bela", ruleset_options=(("deals", "1"),), seed_ms=1_000)


@asynccontextmanager
async def signed_in(address: str, name: str) -> AsyncIterator[BelotClient]:
    async with BelotClient(address) as client:
        await client.sign_in_guest(name)
        yield client


async def test_what_is_said_is_heard_with_a_number_by_which_it_can_be_reported(fleet: SmallFleet) -> None:
    async with signed_in(fleet.gateways[0], "Ana") as ana, signed_in(fleet.gateways[1], "Bo") as bo:
        table_id = (await ana.create_table(SHORT)).table_id
        async with ana.table(table_id) as first, bo.table(table_id) as second:
            await second.sit_down()
            ack = await second.say("hello there")
            state = await first.until(lambda state: bool(state.said))
            said = state.said[0]
            assert (said.sequence, said.seat, said.player_id, said.text) == (
                ack.sequence,
                1,
                bo.player.player_id,
                "hello there",
            )
            await first.report_message(said.sequence, ReportReason.SPAM)
            with pytest.raises(Refused) as refused:
                await first.report_message(said.sequence - 1, ReportReason.SPAM)
            assert refused.value.reason == "MESSAGE_NOT_FOUND"
            await first.say(phrase="good_luck")
            assert (await second.until(lambda state: len(state.said) == 2)).said[1].phrase == "good_luck"


async def test_a_muted_player_is_not_heard_and_is_not_told(fleet: SmallFleet) -> None:
    async with signed_in(fleet.gateways[0], "Ana") as ana, signed_in(fleet.gateways[0], "Bo") as bo:
        table_id = (await ana.create_table(SHORT)).table_id
        async with ana.table(table_id) as first, bo.table(table_id) as second:
            await second.sit_down()
            ack = await first.mute(bo.player.player_id)
            assert first.state.muted == (bo.player.player_id,)
            assert (await ana.get_table(table_id)).muted == first.state.muted
            await second.until(lambda state: state.sequence >= ack.sequence)
            assert second.state.muted == ()
            ack = await second.say("can you hear me")
            await first.until(lambda state: state.sequence >= ack.sequence)
            assert first.state.said == ()
            await first.mute(bo.player.player_id, False)
            await second.say("and now")
            assert [said.text for said in (await first.until(lambda state: bool(state.said))).said] == ["and now"]


async def test_an_invitation_leads_to_a_seat(fleet: SmallFleet) -> None:
    async with signed_in(fleet.gateways[0], "Ana") as ana, signed_in(fleet.gateways[1], "Bo") as bo:
        made = await ana.create_table(replace(SHORT, private=True))
        async with await bo.join(made.invitation_code, seat=2) as session:
            assert session.state.viewer_seat == 2
            await session.leave()
            await session.sit_down(3)
            assert session.state.viewer_seat == 3
        async with await bo.join(made.invitation_code) as again:
            assert again.state.viewer_seat == 3, "who sits there just comes back"
        with pytest.raises(Refused) as refused:
            await bo.join("NOSUCHCODE")
        assert refused.value.reason == "TABLE_NOT_FOUND"


async def test_a_private_table_is_watched_by_its_code(fleet: SmallFleet) -> None:
    async with signed_in(fleet.gateways[0], "Ana") as ana, signed_in(fleet.gateways[1], "Sue") as sue:
        made = await ana.create_table(replace(SHORT, private=True))
        with pytest.raises(Refused) as refused:
            async with sue.spectate(made.table_id):
                pass
        assert refused.value.reason == "TABLE_NOT_FOUND"
        async with sue.spectate(made.table_id, invitation_code=made.invitation_code) as session:
            assert session.state.viewer_seat is None


async def test_a_spectators_session_follows_a_match_that_it_sees_late(fleet: SmallFleet) -> None:
    async with signed_in(fleet.gateways[0], "Ana") as ana, signed_in(fleet.gateways[1], "Sue") as sue:
        table_id = (await ana.create_table(replace(SHORT, spectator_delay_ms=1_500))).table_id
        async with sue.spectate(table_id) as late, ana.table(table_id) as live:
            await live.fill_with_bots("easy")
            await live.ready()
            await live.until(lambda state: state.status is not Status.WAITING)
            assert late.state.status is Status.WAITING
            ahead = await live.until(lambda state: state.match is not None)
            assert late.state.sequence < ahead.sequence
            behind = await late.until(lambda state: state.match is not None)
            assert behind.hand == ()


async def test_who_leaves_where_nobody_may_watch_has_left_and_his_session_is_over(fleet: SmallFleet) -> None:
    async with signed_in(fleet.gateways[0], "Ana") as ana:
        table_id = (await ana.create_table(replace(SHORT, no_spectators=True))).table_id
        async with ana.table(table_id) as session:
            await session.fill_with_bots("easy")
            await session.ready()
            await session.until(lambda state: state.match_id != "")
            await session.leave()
            assert session.state.viewer_seat is None
            with pytest.raises(Refused) as refused:
                await session.until(lambda state: state.status is Status.CLOSED)
            assert refused.value.reason == "SPECTATORS_NOT_ALLOWED"
