"""A match from commitment to reveal on a real dealer, every octet checked with the fair deal's own verifier."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TypeVar

import pytest

from belot_dealer.commands import WRITTEN
from belot_fair.bodies import Beacon, Kind, Opened, Revealed, RoundChosen, Seeds, SeedState
from belot_fair.drand import first_round_for, time_of, verify
from belot_fair.receipts import SeedReceipt, SignedReceipt, receipt_holds
from belot_fair.recipe import bot_seed, commitment, shuffle
from belot_kit.errors import DomainError, Reason
from belot_kit.failpoints import VARIABLE, load_failpoints
from support.beacons import Beaconry
from support.databases import Database
from support.dealers import (
    PLAY_LOG_HASH,
    DealerClient,
    checked,
    dealer_at,
    dealer_config,
    opening,
    seed_of,
    seeded,
)

Answer = TypeVar("Answer")
pytestmark = pytest.mark.asyncio(loop_scope="module")

Place = tuple[int, int | str]
FIRST: tuple[Place, ...] = tuple((position, position // 5) for position in range(20))
WITH_UP_CARD: tuple[Place, ...] = (*FIRST, (20, "up_card"))
LAST: tuple[Place, ...] = tuple((21 + at, at % 4) for at in range(11))


async def test_a_whole_match_is_proven_by_its_transcript(shared_dealer: DealerClient, sound_relays: Beaconry) -> None:
    request = opening("PPBP")
    opened = await shared_dealer.open(request)
    for seat in (0, 1, 3):
        taken = await shared_dealer.seed(request.match_id, seat, seed_of(request.match_id, seat))
        receipt = SignedReceipt(taken.receipt.octets, taken.receipt.key_id, taken.receipt.signature)
        assert receipt_holds(receipt, opened.keys[0].public_key)
        assert isinstance(receipt.receipt, SeedReceipt)
        assert receipt.receipt.seed == seed_of(request.match_id, seat)
        assert taken.complete == (seat == 3)
    closed = await shared_dealer.close(request.match_id)
    fixed = await shared_dealer.fix(request.match_id)
    hands = [
        await shared_dealer.release(request.match_id, 0, 0, WITH_UP_CARD),
        await shared_dealer.release(request.match_id, 1, 0, WITH_UP_CARD),
        await shared_dealer.release(request.match_id, 1, 1, LAST),
    ]
    before = await shared_dealer.transcript(request.match_id)
    revealed = await shared_dealer.reveal(request.match_id)

    assert commitment(revealed.server_seed) == opened.commitment
    assert all(revealed.server_seed not in event.octets for event in before.events)
    events = checked(await shared_dealer.transcript(request.match_id))
    assert [event.kind for event in events] == [
        *(Kind.OPENED, Kind.SEEDS, Kind.ROUND_CHOSEN, Kind.BEACON),
        *(Kind.HAND, Kind.HAND, Kind.HAND, Kind.REVEALED),
    ]
    bodies = [event.body for event in events]
    assert isinstance(bodies[0], Opened)
    assert bodies[0].chain_hash == sound_relays.chain.chain_hash
    seeds, chosen, beacon = bodies[1:4]
    assert isinstance(seeds, Seeds)
    assert [each.state for each in seeds.seats] == [SeedState.GIVEN, SeedState.GIVEN, SeedState.BOT, SeedState.GIVEN]
    assert isinstance(chosen, RoundChosen)
    assert (
        chosen.round
        == first_round_for(sound_relays.chain, chosen.close_time_ms, chosen.highest_verified)
        == closed.round
    )
    assert closed.round_due_ms == time_of(sound_relays.chain, chosen.round)
    assert isinstance(beacon, Beacon)
    assert beacon.value == verify(sound_relays.chain, closed.round, fixed.signature) == fixed.value
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


async def test_every_step_may_be_repeated_and_gives_the_same_answer(shared_dealer: DealerClient) -> None:
    request = opening("PB")
    match_id = request.match_id
    seed = seed_of(match_id, 0)
    places: tuple[Place, ...] = ((0, 0), (1, 1))
    assert await shared_dealer.open(request) == await shared_dealer.open(request)
    assert await shared_dealer.seed(match_id, 0, seed) == await shared_dealer.seed(match_id, 0, seed)
    assert await shared_dealer.close(match_id) == await shared_dealer.close(match_id)
    assert await shared_dealer.fix(match_id) == await shared_dealer.fix(match_id)
    assert await shared_dealer.release(match_id, 0, 0, places) == await shared_dealer.release(match_id, 0, 0, places)
    assert await shared_dealer.reveal(match_id) == await shared_dealer.reveal(match_id)
    assert await shared_dealer.seed(match_id, 0, seed) == await shared_dealer.seed(match_id, 0, seed)
    assert len((await shared_dealer.transcript(match_id)).events) == 6


async def test_a_dealer_that_dies_after_any_write_loses_nothing(
    module_database: Database, tmp_path: Path, sound_relays: Beaconry
) -> None:
    config = dealer_config(module_database, tmp_path, sound_relays.urls)
    request = opening("PB")
    match_id = request.match_id

    async def with_a_death(step: Callable[[DealerClient], Awaitable[Answer]]) -> Answer:
        """The step's write is the last thing that one dealer does; its answer comes from the next one."""
        load_failpoints({VARIABLE: f"{WRITTEN}=error"})
        try:
            async with dealer_at(config) as dying:
                with pytest.raises(DomainError) as died:
                    await step(dying)
                assert died.value.reason is Reason.INTERNAL
        finally:
            load_failpoints({})
        async with dealer_at(config) as next_one:
            return await step(next_one)

    opened = await with_a_death(lambda dealer: dealer.open(request))
    await with_a_death(lambda dealer: dealer.seed(match_id, 0, seed_of(match_id, 0)))
    closed = await with_a_death(lambda dealer: dealer.close(match_id))
    fixed = await with_a_death(lambda dealer: dealer.fix(match_id))
    first = await with_a_death(lambda dealer: dealer.release(match_id, 0, 0, ((0, 0), (1, 1))))
    last = await with_a_death(lambda dealer: dealer.release(match_id, 0, 1, ((2, 0), (3, "left_out"))))
    revealed = await with_a_death(lambda dealer: dealer.reveal(match_id))
    async with dealer_at(config) as after_all:
        assert len(checked(await after_all.transcript(match_id))) == 7
    assert not fixed.fallback
    assert commitment(revealed.server_seed) == opened.commitment
    pack = shuffle(revealed.server_seed, 0, list(closed.seeds), closed.round, fixed.value)
    assert [each.card - 1 for each in (*first.cards, *last.cards)] == list(pack[:4])


async def test_no_round_is_asked_for_before_its_time_and_one_fetch_serves_all_matches(
    shared_dealer: DealerClient, sound_relays: Beaconry
) -> None:
    sound_relays.forget_asked()
    requests = [opening("BB") for _ in range(6)]
    closed = await asyncio.gather(*(seeded(shared_dealer, request) for request in requests))
    await asyncio.gather(*(shared_dealer.fix(request.match_id) for request in requests))
    rounds = {each.round for each in closed}
    assert set(sound_relays.asked) == rounds
    assert len(sound_relays.asked) <= 4 * len(rounds)
    assert sound_relays.asked_early == []
