"""A match from commitment to reveal on a real dealer, every octet checked with the fair deal's own verifier."""

import asyncio
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest

from belot_dealer.faults import FaultKind
from belot_fair.bodies import Beacon, Fallback, Hand, Kind, Opened, Revealed, RoundChosen, Seeds, SeedState
from belot_fair.drand import first_round_for, time_of, verify
from belot_fair.receipts import HandReceipt, SeedReceipt, SignedReceipt, receipt_holds
from belot_fair.recipe import NO_VALUE, bot_seed, commitment, shuffle
from belot_kit.errors import DomainError, Reason
from support.beacons import Beaconry, beacons
from support.databases import Database
from support.dealers import (
    PLAY_LOG_HASH,
    DealerClient,
    checked,
    dealer_at,
    dealer_config,
    opening,
    ready_to_deal,
    seed_of,
    seeded,
)

Place = tuple[int, int | str]
FIRST: tuple[Place, ...] = tuple((position, position // 5) for position in range(20))
WITH_UP_CARD: tuple[Place, ...] = (*FIRST, (20, "up_card"))
LAST: tuple[Place, ...] = tuple((21 + at, at % 4) for at in range(11))


@pytest.fixture
async def relays() -> AsyncIterator[Beaconry]:
    """Two sound relays."""
    async with beacons() as running:
        yield running


@pytest.fixture
async def dealer(database: Database, tmp_path: Path, relays: Beaconry) -> AsyncIterator[DealerClient]:
    """A dealer over these relays."""
    async with dealer_at(dealer_config(database, tmp_path, relays.urls)) as client:
        yield client


async def test_a_whole_match_is_proven_by_its_transcript(dealer: DealerClient, relays: Beaconry) -> None:
    request = opening("PPBP")
    opened = await dealer.open(request)
    for seat in (0, 1, 3):
        taken = await dealer.seed(request.match_id, seat, seed_of(request.match_id, seat))
        receipt = SignedReceipt(taken.receipt.octets, taken.receipt.key_id, taken.receipt.signature)
        assert receipt_holds(receipt, opened.keys[0].public_key)
        assert isinstance(receipt.receipt, SeedReceipt)
        assert receipt.receipt.seed == seed_of(request.match_id, seat)
        assert taken.complete == (seat == 3)
    closed = await dealer.close(request.match_id)
    fixed = await dealer.fix(request.match_id)
    hands = [
        await dealer.release(request.match_id, 0, 0, WITH_UP_CARD),
        await dealer.release(request.match_id, 1, 0, WITH_UP_CARD),
        await dealer.release(request.match_id, 1, 1, LAST),
    ]
    before = await dealer.transcript(request.match_id)
    revealed = await dealer.reveal(request.match_id)

    assert commitment(revealed.server_seed) == opened.commitment
    assert all(revealed.server_seed not in event.octets for event in before.events)
    events = checked(await dealer.transcript(request.match_id))
    assert [event.kind for event in events] == [
        *(Kind.OPENED, Kind.SEEDS, Kind.ROUND_CHOSEN, Kind.BEACON),
        *(Kind.HAND, Kind.HAND, Kind.HAND, Kind.REVEALED),
    ]
    bodies = [event.body for event in events]
    assert isinstance(bodies[0], Opened)
    assert bodies[0].chain_hash == relays.chain.chain_hash
    seeds, chosen, beacon = bodies[1:4]
    assert isinstance(seeds, Seeds)
    assert [each.state for each in seeds.seats] == [SeedState.GIVEN, SeedState.GIVEN, SeedState.BOT, SeedState.GIVEN]
    assert isinstance(chosen, RoundChosen)
    assert chosen.round == first_round_for(relays.chain, chosen.close_time_ms, chosen.highest_verified) == closed.round
    assert closed.round_due_ms == time_of(relays.chain, chosen.round)
    assert isinstance(beacon, Beacon)
    assert beacon.value == verify(relays.chain, closed.round, fixed.signature) == fixed.value
    assert isinstance(bodies[-1], Revealed)
    assert bodies[-1].play_log_hash == PLAY_LOG_HASH
    for hand, answer in zip((0, 1, 1), hands, strict=True):
        pack = shuffle(revealed.server_seed, hand, list(closed.seeds), closed.round, fixed.value)
        assert [(each.position, each.card - 1) for each in answer.cards] == [
            (each.position, pack[each.position]) for each in answer.cards
        ]
        assert [each.seed for each in answer.bot_seeds] == [
            bot_seed(revealed.server_seed, request.match_id, seat, hand) for seat in range(4)
        ]


async def test_a_seat_gets_a_signed_receipt_for_its_own_cards_alone(dealer: DealerClient) -> None:
    match_id = await ready_to_deal(dealer)
    answer = await dealer.release(match_id, 0, 0, WITH_UP_CARD)
    keys = {key.key_id: key.public_key for key in (await dealer.info()).keys}
    cards = {each.position: each.card - 1 for each in answer.cards}
    assert [each.seat for each in answer.receipts] == [0, 1, 2, 3]
    for each in answer.receipts:
        signed = SignedReceipt(each.receipt.octets, each.receipt.key_id, each.receipt.signature)
        assert receipt_holds(signed, keys[signed.key_id])
        receipt = signed.receipt
        assert isinstance(receipt, HandReceipt)
        own = tuple((position, cards[position]) for position, to in FIRST if to == each.seat)
        assert (receipt.hand, receipt.stage, receipt.seat, receipt.cards) == (0, 0, each.seat, own)


async def test_a_pack_of_24_has_no_sevens_and_eights(dealer: DealerClient) -> None:
    match_id = await ready_to_deal(dealer, pack_size=24)
    answer = await dealer.release(match_id, 0, 0, tuple((position, position % 4) for position in range(24)))
    assert sorted(each.card - 1 for each in answer.cards) == [card for card in range(32) if card % 8 >= 2]


async def test_bots_alone_wait_for_no_seed(dealer: DealerClient) -> None:
    request = opening("BB")
    closed = await seeded(dealer, request)
    assert list(closed.seeds) == [b"", b""]


async def test_every_step_may_be_repeated_and_gives_the_same_answer(dealer: DealerClient) -> None:
    request = opening("PB")
    match_id = request.match_id
    seed = seed_of(match_id, 0)
    places: tuple[Place, ...] = ((0, 0), (1, 1))
    assert await dealer.open(request) == await dealer.open(request)
    assert await dealer.seed(match_id, 0, seed) == await dealer.seed(match_id, 0, seed)
    assert await dealer.close(match_id) == await dealer.close(match_id)
    assert await dealer.fix(match_id) == await dealer.fix(match_id)
    assert await dealer.release(match_id, 0, 0, places) == await dealer.release(match_id, 0, 0, places)
    assert await dealer.reveal(match_id) == await dealer.reveal(match_id)
    assert await dealer.seed(match_id, 0, seed) == await dealer.seed(match_id, 0, seed)
    assert len((await dealer.transcript(match_id)).events) == 6


async def test_restarts_between_all_steps_lose_nothing(database: Database, tmp_path: Path, relays: Beaconry) -> None:
    config = dealer_config(database, tmp_path, relays.urls)
    request = opening("PB")
    match_id = request.match_id
    async with dealer_at(config) as client:
        opened = await client.open(request)
    async with dealer_at(config) as client:
        await client.seed(match_id, 0, seed_of(match_id, 0))
    async with dealer_at(config) as client:
        closed = await client.close(match_id)
    async with dealer_at(config) as client:
        fixed = await client.fix(match_id)
        assert not fixed.fallback
    async with dealer_at(config) as client:
        first = await client.release(match_id, 0, 0, ((0, 0), (1, 1)))
    async with dealer_at(config) as client:
        last = await client.release(match_id, 0, 1, ((2, 0), (3, "left_out")))
    async with dealer_at(config) as client:
        revealed = await client.reveal(match_id)
        checked(await client.transcript(match_id))
    assert commitment(revealed.server_seed) == opened.commitment
    pack = shuffle(revealed.server_seed, 0, list(closed.seeds), closed.round, fixed.value)
    assert [each.card - 1 for each in (*first.cards, *last.cards)] == list(pack[:4])


async def test_silent_relays_make_one_fallback_that_a_late_value_never_changes(
    dealer: DealerClient, relays: Beaconry
) -> None:
    relays.break_all(FaultKind.SERVER_ERROR)
    request = opening("BB")
    closed = await seeded(dealer, request)
    fixed = await dealer.fix(request.match_id)
    assert (fixed.fallback, fixed.round, fixed.signature, fixed.value) == (True, 0, b"", NO_VALUE)
    relays.break_all(FaultKind.NONE)
    assert await dealer.fix(request.match_id) == fixed
    answer = await dealer.release(request.match_id, 0, 0, ((0, 0), (1, 1)))
    revealed = await dealer.reveal(request.match_id)
    pack = shuffle(revealed.server_seed, 0, list(closed.seeds), 0, NO_VALUE)
    assert [each.card - 1 for each in answer.cards] == list(pack[:2])
    events = checked(await dealer.transcript(request.match_id))
    assert isinstance(events[3].body, Fallback)
    assert events[3].body.round == closed.round
    assert closed.round_due_ms + 5_000 <= events[3].time_ms <= closed.round_due_ms + 6_000


async def test_a_caller_in_a_hurry_is_told_when_to_come_back(dealer: DealerClient) -> None:
    request = opening("BB")
    await seeded(dealer, request)
    with pytest.raises(DomainError) as refused:
        await dealer.fix(request.match_id, most_s=0.5)
    assert refused.value.reason is Reason.BEACON_NOT_READY
    assert refused.value.retry_after_ms is not None
    assert 500 <= refused.value.retry_after_ms <= 2_500


async def test_no_round_is_asked_for_before_its_time_and_one_fetch_serves_all_matches(
    dealer: DealerClient, relays: Beaconry
) -> None:
    requests = [opening("BB") for _ in range(6)]
    closed = await asyncio.gather(*(seeded(dealer, request) for request in requests))
    await asyncio.gather(*(dealer.fix(request.match_id) for request in requests))
    rounds = {each.round for each in closed}
    assert set(relays.asked) == rounds
    assert len(relays.asked) <= 4 * len(rounds)


async def test_the_hash_of_a_hand_event_binds_positions_and_never_cards(dealer: DealerClient) -> None:
    match_id = await ready_to_deal(dealer)
    answer = await dealer.release(match_id, 0, 0, WITH_UP_CARD)
    event = checked(await dealer.transcript(match_id))[-1]
    assert event.body == Hand(0, 0, (*((at, at // 5) for at in range(20)), (20, 0xFF)))
    assert sha256(answer.event.octets).digest() == sha256(event.encode()).digest()
