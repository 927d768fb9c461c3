"""Who is away and who plays for him, seen by clients through gateways, one of which dies."""

import asyncio
import secrets
from pathlib import Path

import asyncpg
import pytest

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import view_pb2
from belot_client.client import BelotClient
from belot_client.errors import Refused
from belot_client.session import TableSession
from belot_client.view import Actor, Options, Status, TableState
from support.databases import Database
from support.raw_streams import RawGuest, guest
from support.small_fleet import SmallFleet, small_fleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

HASTY = Options(
    "classic", ruleset_options=(("deals", "1"),), private=True, bid_ms=1_000, card_ms=1_000, reserve_ms=1, seed_ms=1_000
)


async def test_a_gateway_that_dies_takes_its_players_away_until_they_come_by_another(
    database: Database, valkey: str, tmp_path: Path
) -> None:
    async with small_fleet(database, valkey, tmp_path, grace_s=0.9) as fleet:
        stays = await fleet.add_gateway()
        async with BelotClient(stays) as bo, fleet.gateway() as (dies, app):
            await bo.sign_in_guest("Bo")
            table_id = (await bo.create_table(Options("bela"))).table_id
            async with bo.table(table_id) as seen:
                ana = BelotClient(dies)
                player = await ana.sign_in_guest("Ana")
                async with ana.table(table_id) as session:
                    await session.sit_down()
                    await until_known(database, player.player_id)
                    await app.stop()
                    async with asyncio.timeout(10):
                        await seen.until(lambda state: state.seats[1].disconnected)
                await ana.close()
                assert not seen.state.seats[0].disconnected
                async with BelotClient(stays, player=player) as again, again.table(table_id):
                    async with asyncio.timeout(10):
                        state = await seen.until(lambda state: not state.seats[1].disconnected)
                assert state.seats[1].player_id == player.player_id
                assert state == await bo.get_table(table_id)


async def until_known(database: Database, player_id: str) -> None:
    """Wait until the table service has heard of the player's connection."""
    connection = await asyncpg.connect(database.dsn)
    query = "SELECT 1 FROM belot_table.table_presence WHERE player_id = $1"
    async with asyncio.timeout(10):
        while await connection.fetchval(query, player_id) is None:
            pass
    await connection.close()


async def fresh(client: BelotClient, session: TableSession) -> None:
    """The folded state equals a fresh snapshot, as soon as both are at one number."""
    while True:
        snapshot = await client.get_table(session.table_id)
        last = snapshot.sequence
        state = await session.until(lambda state, last=last: state.sequence >= last)  # type: ignore[misc]
        if state.sequence == snapshot.sequence:
            assert state == snapshot
            return


async def test_a_client_follows_how_its_seat_is_taken_over_and_given_back(fleet: SmallFleet) -> None:
    def held(state: TableState) -> bool:
        return state.seats[1].stood_in and len(state.hand) > 0

    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        table_id = (await client.create_table(HASTY, stay_standing=True)).table_id
        async with client.table(table_id) as session, asyncio.timeout(30):
            await session.sit_down(1)
            await session.fill_with_bots("easy")
            await session.ready()
            await session.until(held)
            await fresh(client, session)
            assert session.state.viewer_seat == 1
            await session.resume()
            assert session.state.seats[1].actor is Actor.PERSON
            await fresh(client, session)
            await session.resign()
            state = await session.until(lambda state: state.status is Status.FINISHED)
            assert (state.outcome, state.proposal) == ("resigned", None)
            assert state.match is not None
            assert state.match.result is not None
            assert state.match.result.ranks == (1, 2)
            state = await session.until(lambda state: bool(state.fairness and state.fairness.server_seed))
            await fresh(client, session)
            with pytest.raises(Refused):
                await session.draw()
        matches, _ = await client.list_matches()
        assert [(each.outcome_kind, each.match_id) for each in matches] == [("resigned", state.match_id)]
        record = await client.match_record(state.match_id)
        position = await client.replay_match(state.match_id, len(record.decisions))
        assert position.public.totals == matches[0].result.totals
        rematch = await client.open_rematch(table_id)
        assert await client.find_invitation(rematch.invitation_code.lower()) == rematch


async def resigned(ana: RawGuest, fleet: SmallFleet) -> view_pb2.TableView:
    """A match that Ana gave up, over and revealed, as she sees it."""
    options = {"ruleset": "classic", "private": True, "seed_time": {"seconds": 1}}
    table_id = await ana.create(**options)
    await ana.bots(table_id)
    async with ana.watching(gateway_pb2.Subscription(table=gateway_pb2.TableTopic(table_id=table_id))) as stream:
        await stream.first("snapshot")
        await ana.ready(table_id)
        await stream.until(lambda: any(each.event.HasField("turn_started") for each in stream.items))
        request = gateway_pb2.ResignRequest(request_id=secrets.token_hex(8), table_id=table_id)
        first, again = [await ana.plays.Resign(request, metadata=ana.metadata) for _ in range(2)]
        assert first == again
        await stream.until(lambda: any(each.event.HasField("seed_revealed") for each in stream.items))
    answer = await ana.lobby.GetTable(gateway_pb2.GetTableRequest(table_id=table_id), metadata=ana.metadata)
    return answer.table


async def test_what_follows_a_match_is_reached_through_the_gateway(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana:
        view = await resigned(ana, fleet)
        table_id, match_id = view.summary.table_id, view.summary.match_id
        history = gateway_pb2_grpc.HistoryServiceStub(ana.channel)
        page = await history.ListMatches(gateway_pb2.ListMatchesRequest(), metadata=ana.metadata)
        assert [each.match_id for each in page.matches] == [match_id]
        asked = gateway_pb2.GetMatchRecordRequest(match_id=match_id)
        record = (await history.GetMatchRecord(asked, metadata=ana.metadata)).record
        assert record.summary == view.finished
        wanted = gateway_pb2.ReplayMatchRequest(match_id=match_id, decisions=99)
        position = (await history.ReplayMatch(wanted, metadata=ana.metadata)).position
        assert position.decisions == len(record.decisions)
        rematch = gateway_pb2.OpenRematchRequest(request_id="again", table_id=table_id)
        first, again = [(await ana.lobby.OpenRematch(rematch, metadata=ana.metadata)).table for _ in range(2)]
        assert first == again
        code = gateway_pb2.FindInvitationRequest(invitation_code=first.invitation_code)
        assert (await ana.lobby.FindInvitation(code, metadata=ana.metadata)).table == first


async def test_commands_about_the_end_pass_through_the_gateway(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana:
        table_id = await ana.create()
        calls = (
            ana.plays.Resume(gateway_pb2.ResumeRequest(request_id="1", table_id=table_id), metadata=ana.metadata),
            ana.plays.ProposeDraw(
                gateway_pb2.ProposeDrawRequest(request_id="2", table_id=table_id), metadata=ana.metadata
            ),
            ana.plays.AnswerDraw(
                gateway_pb2.AnswerDrawRequest(request_id="3", table_id=table_id, agree=True), metadata=ana.metadata
            ),
        )
        for refused in calls:
            with pytest.raises(Exception, match="no match is being played"):
                await refused
