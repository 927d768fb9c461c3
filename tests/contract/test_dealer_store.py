"""What the dealer relies on of its database: writes that came too late change nothing."""

from collections.abc import AsyncIterator
from hashlib import sha256

import pytest

from belot_dealer.keys import SeedSeal
from belot_dealer.match import decide_close, decide_open, replay
from belot_dealer.store import PACKAGE, PostgresStore, SentSeed, Store
from belot_fair.drand import BeaconKey, development_chain
from belot_fair.keys import Secret, SigningKey
from belot_fair.transcript import Event, SignedEvent, sign
from belot_kit.clock import SystemClock
from belot_kit.postgres import PostgresOptions, open_pool
from support.databases import Database
from support.memory_dealer import DealerRows, MemoryDealerStore
from support.openings import an_opening

NOW_MS = 1_800_000_000_000
KEY = SigningKey(sha256(b"signing").digest())
SEALED = SeedSeal((sha256(b"sealing").digest(),)).seal("m", Secret(bytes(32)))
CHAIN = development_chain(BeaconKey(b"contract"), NOW_MS // 1000 - 100)
SENT = SentSeed(bytes(16), NOW_MS)


@pytest.fixture(params=["postgres", "memory"])
async def store(request: pytest.FixtureRequest) -> AsyncIterator[Store]:
    """A store that knows the chain and the key."""
    if request.param == "memory":
        memory = MemoryDealerStore(DealerRows(SystemClock().now_ms))
        await memory.keep_chain(CHAIN)
        await memory.keep_signing_key(KEY.key_id, KEY.public_key)
        yield memory
        return
    database: Database = request.getfixturevalue("database")
    async with await open_pool(PostgresOptions(database.dsn_as(PACKAGE), PACKAGE, "test")) as pool:
        real = PostgresStore(pool)
        await real.keep_chain(CHAIN)
        await real.keep_signing_key(KEY.key_id, KEY.public_key)
        yield real


async def opened(store: Store) -> Event:
    """A stored match of two persons; its first event."""
    event = decide_open(an_opening("PP"), bytes(32), CHAIN, NOW_MS)
    assert await store.create("m", CHAIN.chain_hash, SEALED, 2, sign(event, KEY))
    return event


def closing(event: Event, highest: int = 0) -> list[SignedEvent]:
    """SEEDS and ROUND_CHOSEN after seat 0's seed alone, once the deadline has passed."""
    decision = decide_close(replay([event]), (SENT.seed, None), CHAIN, highest, NOW_MS + 60_000)
    assert isinstance(decision, tuple)
    return [sign(each, KEY) for each in decision]


async def test_a_match_is_created_once_and_found_as_it_was_made(store: Store) -> None:
    event = await opened(store)
    assert not await store.create("m", CHAIN.chain_hash, SEALED, 4, sign(event, KEY))
    stored = await store.load("m")
    assert stored is not None
    assert (stored.sealed, stored.chain, stored.sent) == (SEALED, CHAIN, (None, None))
    assert (stored.events, stored.highest_round) == ((sign(event, KEY),), 0)
    assert await store.load("other") is None


async def test_the_first_seed_of_a_seat_stands(store: Store) -> None:
    await opened(store)
    assert await store.take_seed("m", 0, SENT)
    assert not await store.take_seed("m", 0, SentSeed(bytes([1]) * 16, NOW_MS))
    stored = await store.load("m")
    assert stored is not None
    assert stored.sent == (SENT, None)
    assert not await store.take_seed("other", 0, SENT)


async def test_seeds_close_over_exactly_those_that_came(store: Store) -> None:
    event = await opened(store)
    await store.take_seed("m", 0, SENT)
    assert not await store.close_seeds("m", [None, None], 0, closing(event))
    assert await store.close_seeds("m", [SENT, None], 0, closing(event))
    assert not await store.close_seeds("m", [SENT, None], 0, closing(event))
    assert not await store.take_seed("m", 1, SENT)


async def test_no_round_is_chosen_once_a_higher_one_was_verified(store: Store) -> None:
    event = await opened(store)
    await store.take_seed("m", 0, SENT)
    await store.keep_beacon(CHAIN.chain_hash, 7, bytes(48))
    assert not await store.close_seeds("m", [SENT, None], 6, closing(event, 6))
    assert await store.close_seeds("m", [SENT, None], 7, closing(event, 7))


async def test_events_are_appended_to_the_transcript_they_were_made_for(store: Store) -> None:
    event = await opened(store)
    events = closing(event)
    assert not await store.append("m", 2, events)
    assert await store.append("m", 1, events)
    assert not await store.append("m", 1, events)
    stored = await store.load("m")
    assert stored is not None
    assert stored.events == (sign(event, KEY), *events)


async def test_the_first_signature_of_a_round_stands(store: Store) -> None:
    await store.keep_beacon(CHAIN.chain_hash, 3, bytes(48))
    await store.keep_beacon(CHAIN.chain_hash, 3, bytes([1]) * 48)
    assert await store.beacon(CHAIN.chain_hash, 3) == bytes(48)
    assert await store.beacon(CHAIN.chain_hash, 4) is None


async def test_keys_are_listed_newest_first(store: Store) -> None:
    await store.keep_signing_key("later", bytes(32))
    assert [key_id for key_id, _ in await store.signing_keys()] == ["later", KEY.key_id]
