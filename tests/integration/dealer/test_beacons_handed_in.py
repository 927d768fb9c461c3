"""Clients hand in the beacon of a match's round, and report what they find wrong."""

import uuid
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from belot_dealer.faults import FaultKind
from belot_fair.bodies import Beacon
from belot_fair.drand import time_of
from belot_fair.receipts import BeaconReceipt, SignedReceipt, decode_receipt, receipt_holds
from belot_kit.errors import DomainError, Reason
from support.beacons import Beaconry, beacons
from support.databases import Database
from support.dealers import DealerClient, checked, dealer_at, dealer_config, opening, seeded

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def mute() -> AsyncIterator[Beaconry]:
    """Relays that answer nothing from the time on at which the dealer has come up."""
    async with beacons() as relays:
        yield relays


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def dealer(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory, mute: Beaconry
) -> AsyncIterator[DealerClient]:
    """A dealer that gets no beacon but from clients."""
    config = dealer_config(module_database, tmp_path_factory.mktemp("dealer"), mute.urls)
    async with dealer_at(config) as client:
        mute.break_all(FaultKind.SERVER_ERROR)
        yield client


def signature_of(relays: Beaconry, round: int) -> bytes:
    return relays.relays[0].beacon.key.sign(round)


async def test_a_beacon_that_a_client_hands_in_is_the_match_s_value(dealer: DealerClient, mute: Beaconry) -> None:
    request = opening("BB")
    closed = await seeded(dealer, request)
    signature = signature_of(mute, closed.round)
    taken = await dealer.beacon(request.match_id, closed.round, signature)
    fixed = await dealer.fix(request.match_id)
    assert (taken.fell_back, fixed.fallback, fixed.signature) == (False, False, signature)
    event = checked(await dealer.transcript(request.match_id))[3]
    assert isinstance(event.body, Beacon)
    assert event.time_ms >= time_of(mute.chain, closed.round)


async def test_the_receipt_is_signed_by_the_match_s_key_and_stands(dealer: DealerClient, mute: Beaconry) -> None:
    request = opening("BB")
    opened = await dealer.open(request)
    closed = await dealer.close(request.match_id)
    signature = signature_of(mute, closed.round)
    taken = await dealer.beacon(request.match_id, closed.round, signature)
    assert await dealer.beacon(request.match_id, closed.round, signature) == taken
    receipt = SignedReceipt(taken.receipt.octets, taken.receipt.key_id, taken.receipt.signature)
    (key,) = [key.public_key for key in opened.keys if key.key_id == opened.event.key_id]
    assert receipt_holds(receipt, key)
    said = decode_receipt(receipt.octets)
    assert isinstance(said, BeaconReceipt)
    assert (said.match_id, said.round, said.signature) == (request.match_id, closed.round, signature)


async def test_a_beacon_that_does_not_hold_or_is_not_of_the_round_is_refused(
    dealer: DealerClient, mute: Beaconry
) -> None:
    request = opening("BB")
    closed = await seeded(dealer, request)
    right = signature_of(mute, closed.round)
    for round, signature in (
        (closed.round, signature_of(mute, closed.round - 1)),
        (closed.round - 1, signature_of(mute, closed.round - 1)),
        (2**64 - 1, right),
        (closed.round, bytes(48)),
        (closed.round, right[:-1]),
        (closed.round, b""),
    ):
        with pytest.raises(DomainError) as refused:
            await dealer.beacon(request.match_id, round, signature)
        assert refused.value.reason is Reason.BEACON_REFUSED


async def test_before_the_round_is_chosen_there_is_none_to_hand_in(dealer: DealerClient, mute: Beaconry) -> None:
    request = opening("PB")
    await dealer.open(request)
    with pytest.raises(DomainError) as refused:
        await dealer.beacon(request.match_id, 1, signature_of(mute, 1))
    assert refused.value.reason is Reason.WRONG_PHASE


async def test_one_report_of_a_seat_is_counted(dealer: DealerClient) -> None:
    request = opening("PPB")
    await dealer.open(request)
    before = (await dealer.stats(str(uuid.uuid4()))).counts.reports
    await dealer.report(request.match_id, 0)
    await dealer.report(request.match_id, 0)
    another, reused = dealer.report(request.match_id, 0, "another"), dealer.report(request.match_id, 0, finding=1)
    for again, reason in ((another, Reason.RATE_LIMITED), (reused, Reason.REQUEST_ID_REUSED)):
        with pytest.raises(DomainError) as refused:
            await again
        assert refused.value.reason is reason
    await dealer.report(request.match_id, 1)
    assert (await dealer.stats(str(uuid.uuid4()))).counts.reports == before + 2


@pytest.mark.parametrize(("seat", "finding"), [(3, 6), (9, 6), (0, 0), (0, 99)])
async def test_a_report_of_nobody_or_nothing_is_malformed(dealer: DealerClient, seat: int, finding: int) -> None:
    request = opening("PPB")
    await dealer.open(request)
    with pytest.raises(DomainError) as refused:
        await dealer.report(request.match_id, seat, finding=finding)
    assert refused.value.reason is Reason.INVALID_ARGUMENT
