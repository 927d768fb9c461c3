"""What everybody may check of the deal, through the gateway: lists and figures without a token, reports with one."""

import secrets
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from belot.dealer.v1 import dealer_pb2
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import view_pb2
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.raw_streams import RawGuest, guest, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

HAND = dealer_pb2.FAIRNESS_FINDING_HAND


@pytest_asyncio.fixture(loop_scope="session")
async def ana(fleet: SmallFleet) -> AsyncIterator[RawGuest]:
    async with guest(fleet.gateways[0]) as found:
        yield found


@pytest_asyncio.fixture(loop_scope="session")
async def bor(fleet: SmallFleet) -> AsyncIterator[RawGuest]:
    async with guest(fleet.gateways[1], "Bor") as found:
        yield found


def fairness(player: RawGuest) -> "gateway_pb2_grpc.FairnessServiceAsyncStub":
    return gateway_pb2_grpc.FairnessServiceStub(player.channel)


async def opened(player: RawGuest, **options: object) -> tuple[str, str]:
    """A table with the player and bots whose match has been opened: its id and the match's."""
    table_id = await player.create(**options)
    async with player.watching(table(table_id)) as stream:
        await stream.first("snapshot")
        await player.bots(table_id)
        await player.ready(table_id)
        await stream.until(lambda: any(each.event.HasField("match_opened") for each in stream.tables(table_id)))
        (event,) = [each.event for each in stream.tables(table_id) if each.event.HasField("match_opened")]
    return table_id, event.match_opened.match_id


def report_of(table_id: str, request_id: str = "") -> gateway_pb2.ReportFairnessFailureRequest:
    return gateway_pb2.ReportFairnessFailureRequest(
        request_id=request_id or secrets.token_hex(8), table_id=table_id, finding=HAND, hand_number=2
    )


async def refusal(player: RawGuest, request: gateway_pb2.ReportFairnessFailureRequest) -> Reason:
    with pytest.raises(DomainError) as refused:
        await call(fairness(player).ReportFairnessFailure, request, metadata=player.metadata)
    return refused.value.reason


async def commitment_of(player: RawGuest, match_id: str, table_id: str = "") -> dealer_pb2.ListedCommitment:
    """The listed commitment of a match, found page by page."""
    token = ""
    while True:
        request = gateway_pb2.ListCommitmentsRequest(page_size=5, page_token=token, table_id=table_id)
        page = await call(fairness(player).ListCommitments, request)
        for each in page.commitments:
            if each.match_id == match_id:
                return each
        token = page.next_page_token
        assert token, "it is not listed"


async def test_a_report_is_told_to_the_table_at_once_and_counted(ana: RawGuest, bor: RawGuest) -> None:
    table_id, match_id = await opened(ana)
    async with bor.watching(table(table_id)) as stream:
        await stream.first("snapshot")
        await fairness(ana).ReportFairnessFailure(report_of(table_id), metadata=ana.metadata)
        await stream.until(lambda: any(each.event.HasField("fairness_reported") for each in stream.tables(table_id)))
        (said,) = [each.event for each in stream.tables(table_id) if each.event.HasField("fairness_reported")]
    assert said.fairness_reported == view_pb2.FairnessReported(seat=0, finding=HAND, hand_number=2)
    assert (await commitment_of(bor, match_id, table_id)).reports == 1


async def test_one_report_of_a_player_and_match_is_taken(ana: RawGuest) -> None:
    table_id, _ = await opened(ana)
    first = report_of(table_id)
    stub = fairness(ana)
    done = await stub.ReportFairnessFailure(first, metadata=ana.metadata)
    assert await stub.ReportFairnessFailure(first, metadata=ana.metadata) == done
    assert await refusal(ana, report_of(table_id)) is Reason.RATE_LIMITED
    view = await ana.lobby.GetTable(gateway_pb2.GetTableRequest(table_id=table_id), metadata=ana.metadata)
    assert view.table.sequence >= done.ack.sequence


async def test_who_does_not_sit_there_reports_nothing(ana: RawGuest, bor: RawGuest) -> None:
    table_id, _ = await opened(ana)
    assert await refusal(bor, report_of(table_id)) is Reason.NOT_SEATED


async def test_before_a_match_there_is_nothing_to_report(ana: RawGuest) -> None:
    assert await refusal(ana, report_of(await ana.create())) is Reason.WRONG_PHASE


async def test_a_report_names_one_of_the_findings(ana: RawGuest) -> None:
    request = gateway_pb2.ReportFairnessFailureRequest(request_id="r", table_id="t")
    assert await refusal(ana, request) is Reason.INVALID_ARGUMENT


async def test_a_public_match_is_listed_with_its_table_and_a_private_one_without(ana: RawGuest) -> None:
    open_table, open_match = await opened(ana)
    private_table, private_match = await opened(ana, private=True)
    shown = await commitment_of(ana, open_match, open_table)
    hidden = await commitment_of(ana, private_match)
    assert (shown.table_id, len(shown.participant_ids), shown.private) == (open_table, 4, False)
    assert (hidden.table_id, len(hidden.participant_ids), hidden.private) == ("", 0, True)
    of_private = gateway_pb2.ListCommitmentsRequest(table_id=private_table)
    assert not (await call(fairness(ana).ListCommitments, of_private)).commitments


async def test_lists_figures_and_keys_need_no_token(ana: RawGuest) -> None:
    table_id, match_id = await opened(ana)
    stub = fairness(ana)
    keys = await call(stub.GetDealerKeys, gateway_pb2.GetDealerKeysRequest())
    stats = (await call(stub.GetFairnessStats, gateway_pb2.GetFairnessStatsRequest(table_id=table_id))).stats
    roots = await call(stub.ListDailyRoots, gateway_pb2.ListDailyRootsRequest())
    listed = await commitment_of(ana, match_id)
    assert listed.key_id in {key.key_id for key in keys.keys}
    assert keys.chain.name == "belot-dev"
    assert stats.counts.opened >= 1
    assert [each.counts.opened for each in stats.tables if each.table_id == table_id] == [1]
    assert stats.relays
    assert not roots.next_page_token
    with pytest.raises(DomainError) as refused:
        await call(stub.GetInclusionProof, gateway_pb2.GetInclusionProofRequest(match_id=match_id))
    assert refused.value.reason is Reason.WRONG_PHASE


async def test_beacons_and_reports_need_one(ana: RawGuest) -> None:
    stub = fairness(ana)
    asked = (
        call(stub.SubmitBeacon, gateway_pb2.SubmitBeaconRequest()),
        call(stub.ReportFairnessFailure, report_of("t")),
    )
    for each in asked:
        with pytest.raises(DomainError) as refused:
            await each
        assert refused.value.reason is Reason.UNAUTHENTICATED


async def test_a_beacon_that_is_none_is_refused_through_the_gateway(ana: RawGuest) -> None:
    _, match_id = await opened(ana)
    request = gateway_pb2.SubmitBeaconRequest(match_id=match_id, round=1, signature=bytes(48))
    with pytest.raises(DomainError) as refused:
        await call(fairness(ana).SubmitBeacon, request, metadata=ana.metadata)
    assert refused.value.reason in {Reason.BEACON_REFUSED, Reason.WRONG_PHASE}
