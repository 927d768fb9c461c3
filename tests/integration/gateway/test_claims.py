"""Claims of the remaining tricks between two clients: accepted, declined, played over, sent twice; certain ones."""

import secrets

import pytest

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2
from belot_client.client import BelotClient
from belot_client.errors import Refused
from belot_client.session import TableSession
from belot_client.view import Proposal, TableState
from belot_kit.errors import Reason
from support.small_fleet import SmallFleet
from support.two_clients import act, claimed, leads, two

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def as_fresh(client: BelotClient, session: TableSession) -> TableState:
    """The state that was folded, which is what a snapshot says."""
    snapshot = await client.get_table(session.table_id)
    folded = await session.until(lambda state: state.sequence >= snapshot.sequence)
    if folded.sequence == snapshot.sequence:
        assert folded == snapshot
    return folded


async def refusal(work: object) -> Refused:
    """Why something was refused."""
    with pytest.raises(Refused) as refused:
        await work  # type: ignore[misc]
    return refused.value


async def test_a_claim_is_asked_for_accepted_declined_and_played_over(fleet: SmallFleet) -> None:
    async with two(fleet.gateways) as both:
        claimant, other = await both.lead(0)
        number = claimant.state.match.hand.number if claimant.state.match else -1
        due = claimant.state.turn
        said = await refusal(claimant.claim())
        assert said.reason == Reason.CLAIM_NOT_CERTAIN
        assert said.legal_cards == ()
        assert (await refusal(other.answer_claim(True))).reason == Reason.WRONG_PHASE
        await claimant.claim(ask_opponents=True)
        assert claimant.state.turn == due
        seat = claimant.state.viewer_seat
        assert seat is not None
        await other.until(lambda state: state.proposal == Proposal("claim", seat, (seat,)))
        assert (await refusal(claimant.answer_claim(True))).reason == Reason.PERMISSION_DENIED
        await other.answer_claim(True)
        state = await claimant.until(lambda state: bool(state.match and state.match.hand.number > number))
        assert (state.proposal, len(state.sheets)) == (None, 1)
        assert state.match is not None
        last = state.match.last_hand
        assert last is not None
        assert last.claim is not None
        assert (last.claim.seat, last.claim.agreed, last.claim.tricks) == (seat, True, 9)
        for client, session in zip(both.clients, both.sessions, strict=True):
            await as_fresh(client, session)

        claimant, other = await both.lead(number + 1)
        await claimant.claim(ask_opponents=True)
        await other.until(lambda state: state.proposal is not None)
        await other.answer_claim(False)
        await claimant.until(lambda state: state.proposal is None)
        assert (await refusal(claimant.claim(ask_opponents=True))).reason == Reason.WRONG_PHASE

        claimant, other = await both.lead(number + 2)
        await claimant.claim(ask_opponents=True)
        await other.until(lambda state: state.proposal is not None)
        await act(claimant)
        await other.until(lambda state: state.proposal is None)
        assert (await refusal(other.answer_claim(True))).reason == Reason.WRONG_PHASE


async def test_a_claim_and_its_answer_that_are_sent_twice_are_done_once(fleet: SmallFleet) -> None:
    async with two(fleet.gateways) as both:
        claimant, other = await both.lead(0)
        ask = gateway_pb2.ClaimTricksRequest(
            request_id=secrets.token_hex(8),
            table_id=claimant.table_id,
            claim=table_pb2.ClaimTricks(ask_opponents=True),
        )
        plays = gateway_pb2_grpc.PlayServiceStub(claimant.channel)
        first, again = [await plays.ClaimTricks(ask, metadata=claimant.metadata) for _ in range(2)]
        assert first == again
        agree = gateway_pb2.AnswerClaimRequest(request_id=secrets.token_hex(8), table_id=ask.table_id, agree=True)
        answers = gateway_pb2_grpc.PlayServiceStub(other.channel)
        yes, once_more = [await answers.AnswerClaim(agree, metadata=other.metadata) for _ in range(2)]
        assert yes == once_more
        assert yes.ack.version > first.ack.version
        state = await other.until(lambda state: state.sequence >= yes.ack.sequence)
        assert len(state.sheets) == 1 or state.proposal is None


async def test_a_claim_does_not_pass_as_a_bid_or_a_card(fleet: SmallFleet) -> None:
    async with two(fleet.gateways) as both:
        claimant, _ = await both.lead(0)
        forged = table_pb2.TableAction(game=match_pb2.Action(claim=match_pb2.Claim(agreed=True)))
        said = await refusal(claimant.do(forged))
        assert said.reason == Reason.INVALID_ARGUMENT


async def test_a_match_with_certain_claims_is_what_its_snapshots_say_and_fair(fleet: SmallFleet) -> None:
    async with two(fleet.gateways) as both:
        certain = 0
        while (session := await both.turn()) is not None:
            if not leads(session.state) or not await claimed(session):
                await act(session)
                continue
            certain += 1
            await as_fresh(both.clients[both.sessions.index(session)], session)
        assert certain > 0
        for session in both.sessions:
            await session.until(lambda state: bool(state.fairness and state.fairness.server_seed))
            report = await session.checked()
            assert [point for point in report.points if point.verdict == "failed"] == []
