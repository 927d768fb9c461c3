"""Bad input at a table in play, over the whole fleet: a clear, typed error each time, and nothing changed."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio
from google.protobuf.message import Message

from belot.common.v1 import common_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_kit.errors import Reason, from_rpc_error
from e2e.parties import Party, seat_party
from support.eventually import eventually
from support.fleet import running_fleet
from support.scripted import ScriptedPlayer

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED = 11
NOWHERE = "00000000-0000-4000-8000-000000000000"


class _Still(ScriptedPlayer):
    """A player who stops acting once the third trick is on: the table stands still while it is asked bad things."""

    still = False

    async def _act(self, table_id: str, legal: match_pb2.LegalActions) -> None:
        if not self.still:
            await super()._act(table_id, legal)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def party(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Party]:
    """A table in mid-match at which nobody moves any more."""
    print(f"seed {SEED}")
    async with running_fleet(Path(tmp_path_factory.mktemp("fleet"))) as fleet:
        seated = await seat_party(fleet.gateways, "classic", {}, SEED, turn_seconds=500, kind=_Still)
        playing = asyncio.create_task(seated.play())
        await eventually(lambda: _tricks(seated) >= 2, seconds=40)
        for player in seated.players:
            assert isinstance(player, _Still)
            player.still = True
        await _at_rest(seated)
        yield seated
        playing.cancel()
        await seated.close()


def _tricks(party: Party) -> int:
    return sum(event.HasField("trick_won") for event in party.histories[0].game_events())


async def _at_rest(party: Party) -> None:
    """Wait until two looks at the table show the same version, and everybody saw its last event."""
    seen = -1
    while (version := (await party.view(0)).summary.version) != seen:
        seen = version
        await eventually(lambda: len({history.items[-1].sequence for history in party.histories}) == 1)


async def _turn(party: Party) -> int:
    return (await party.view(0)).turn.seat


async def _refused(
    party: Party, seat: int, method: str, request: Message
) -> tuple[grpc.StatusCode, Reason, dict[str, str]]:
    """Call as a seat; gives code, reason and metadata, after checking that the table did not move."""
    before = await party.view(seat)
    player = party.players[seat]
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await getattr(player.plays, method)(request, metadata=player.metadata)
    assert await party.view(seat) == before
    error = from_rpc_error(raised.value)
    return raised.value.code(), error.reason, dict(error.metadata)


def _card(party: Party, card: int, request_id: str = "bad-input") -> gateway_pb2.PlayCardRequest:
    return gateway_pb2.PlayCardRequest(
        request_id=request_id, table_id=party.table_id, card=common_pb2.Card.ValueType(card)
    )


async def test_an_unknown_table_is_not_found(party: Party) -> None:
    request = gateway_pb2.PlayCardRequest(request_id="bad-input", table_id=NOWHERE, card=common_pb2.CARD_ACE_OF_CLUBS)
    code, reason, _ = await _refused(party, 0, "PlayCard", request)
    assert (code, reason) == (grpc.StatusCode.NOT_FOUND, Reason.TABLE_NOT_FOUND)


async def test_playing_for_another_seat_is_not_your_turn(party: Party) -> None:
    turn = await _turn(party)
    view = await party.view(turn)
    code, reason, facts = await _refused(party, (turn + 1) % 4, "PlayCard", _card(party, view.turn.legal.cards[0]))
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, Reason.NOT_YOUR_TURN)
    assert facts["seat"] == str(turn)


async def test_a_card_of_another_hand_is_not_held(party: Party) -> None:
    turn = await _turn(party)
    foreign = (await party.view((turn + 1) % 4)).match.hand[0]
    code, reason, facts = await _refused(party, turn, "PlayCard", _card(party, foreign))
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, Reason.CARD_NOT_HELD)
    assert facts["version"] == str((await party.view(turn)).summary.version)


async def test_a_bid_in_mid_play_is_the_wrong_phase(party: Party) -> None:
    request = gateway_pb2.BidRequest(request_id="bad-input", table_id=party.table_id, kind=match_pb2.BID_KIND_PASS)
    code, reason, _ = await _refused(party, await _turn(party), "Bid", request)
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, Reason.WRONG_PHASE)


async def test_a_seat_is_no_longer_to_be_had(party: Party) -> None:
    request = gateway_pb2.SitDownRequest(request_id="bad-input", table_id=party.table_id)
    code, reason, _ = await _refused(party, 0, "SitDown", request)
    assert (code, reason) == (grpc.StatusCode.FAILED_PRECONDITION, Reason.TABLE_NOT_OPEN)


async def test_a_used_request_id_with_other_content_is_refused(party: Party) -> None:
    turn = await _turn(party)
    used = f"{party.players[turn].name}-1"
    code, reason, _ = await _refused(party, turn, "PlayCard", _card(party, common_pb2.CARD_ACE_OF_CLUBS, used))
    assert (code, reason) == (grpc.StatusCode.ABORTED, Reason.REQUEST_ID_REUSED)


async def test_a_card_that_is_none_names_its_field(party: Party) -> None:
    code, reason, _ = await _refused(party, await _turn(party), "PlayCard", _card(party, common_pb2.CARD_UNSPECIFIED))
    assert (code, reason) == (grpc.StatusCode.INVALID_ARGUMENT, Reason.INVALID_ARGUMENT)


async def test_a_request_of_many_megabytes_is_refused_before_it_is_read(party: Party) -> None:
    before = await party.view(0)
    request = gateway_pb2.PlayCardRequest(request_id="x" * (8 << 20), table_id=party.table_id)
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await party.players[0].plays.PlayCard(request, metadata=party.players[0].metadata)
    assert raised.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert await party.view(0) == before


async def test_a_spectator_cannot_act(party: Party) -> None:
    before: view_pb2.TableView = await party.view(0)
    visitor = ScriptedPlayer(party.players[0].gateways, "visitor", party.players[0].rng)
    await visitor.sign_in()
    with pytest.raises(grpc.aio.AioRpcError) as raised:
        await visitor.plays.PlayCard(_card(party, common_pb2.CARD_ACE_OF_CLUBS), metadata=visitor.metadata)
    assert raised.value.code() is grpc.StatusCode.PERMISSION_DENIED
    assert await party.view(0) == before
    await visitor.close()
