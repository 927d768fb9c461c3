"""The guards of the dealer's writes, held against each other in the order that races take."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256

import asyncpg
import pytest

from belot_dealer.keys import SeedSeal
from belot_dealer.match import decide_close, decide_open, replay
from belot_dealer.store import PACKAGE, PostgresStore, SentSeed
from belot_fair.drand import BeaconKey, development_chain
from belot_fair.keys import Secret, SigningKey
from belot_fair.transcript import Event, SignedEvent, sign
from belot_kit.postgres import Pool, PostgresOptions, open_pool
from belot_kit.queries import load_queries
from support.databases import Database
from support.openings import an_opening

NOW_MS = 1_800_000_000_000
KEY = SigningKey(sha256(b"signing").digest())
SEAL = SeedSeal((sha256(b"sealing").digest(),))
CHAIN = development_chain(BeaconKey(b"store"), NOW_MS // 1000 - 100)
SENT = SentSeed(bytes(16), NOW_MS)
LATE = SentSeed(bytes([1]) * 16, NOW_MS)


@pytest.fixture
async def pool(database: Database) -> AsyncIterator[Pool]:
    """Connections as the service's own role."""
    options = PostgresOptions(database.dsn_as(PACKAGE), PACKAGE, "test")
    async with await open_pool(options) as pool:
        yield pool


@pytest.fixture
async def store(pool: Pool) -> PostgresStore:
    """A store that knows the chain and the key."""
    store = PostgresStore(pool)
    await store.keep_chain(CHAIN)
    await store.keep_signing_key(KEY.key_id, KEY.public_key)
    return store


async def opened(store: PostgresStore, match_id: str = "m") -> Event:
    """A stored match of two persons; its first event."""
    event = decide_open(an_opening("PP", match_id=match_id), bytes(32), CHAIN, NOW_MS)
    sealed = SEAL.seal(match_id, Secret(bytes(32)))
    assert await store.create(match_id, CHAIN.chain_hash, sealed, 2, sign(event, KEY))
    return event


def closing(event: Event, highest: int = 0) -> list[SignedEvent]:
    """SEEDS and ROUND_CHOSEN after seat 0's seed alone, once the deadline has passed."""
    decision = decide_close(replay([event]), (SENT.seed, None), CHAIN, highest, NOW_MS + 60_000)
    assert isinstance(decision, tuple)
    return [sign(each, KEY) for each in decision]


@asynccontextmanager
async def uncommitted(pool: Pool, query: str, *values: object) -> AsyncIterator[None]:
    """A write of another replica that has not been committed yet; it is at the end of the block."""
    async with pool.acquire() as connection, connection.transaction():
        await connection.fetch(load_queries(PACKAGE)[query], *values)
        yield


async def blocked(pool: Pool) -> None:
    """Wait until some connection of ours waits for a lock."""
    sql = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(10):
        while not await pool.fetchval(sql):  # noqa: ASYNC110 - the database tells nobody
            await asyncio.sleep(0)


async def test_seeds_do_not_close_over_one_that_is_just_being_taken(store: PostgresStore, pool: Pool) -> None:
    event = await opened(store)
    assert await store.take_seed("m", 0, SENT)
    async with uncommitted(pool, "take_seed", "m", 1, LATE.seed, LATE.at_ms):
        close = asyncio.create_task(store.close_seeds("m", [SENT, None], 0, closing(event)))
        await blocked(pool)
    assert not await close
    stored = await store.load("m")
    assert stored is not None
    assert (stored.sent, len(stored.events)) == ((SENT, LATE), 1)


async def test_no_seed_is_taken_while_seeds_are_just_being_closed(store: PostgresStore, pool: Pool) -> None:
    event = await opened(store)
    assert await store.take_seed("m", 0, SENT)
    events = closing(event)
    columns = ([each.octets for each in events], [each.signature for each in events], [each.key_id for each in events])
    async with uncommitted(pool, "close_seeds", "m", [SENT.seed, None], 0, *columns):
        take = asyncio.create_task(store.take_seed("m", 1, LATE))
        await blocked(pool)
    assert not await take
    stored = await store.load("m")
    assert stored is not None
    assert (stored.sent, stored.events[1:]) == ((SENT, None), tuple(events))


async def test_a_second_seed_waits_for_the_first_and_is_not_taken(store: PostgresStore, pool: Pool) -> None:
    await opened(store)
    async with uncommitted(pool, "take_seed", "m", 0, SENT.seed, SENT.at_ms):
        take = asyncio.create_task(store.take_seed("m", 0, LATE))
        await blocked(pool)
    assert not await take


async def test_events_are_appended_to_the_transcript_they_were_made_for(store: PostgresStore) -> None:
    event = await opened(store)
    events = closing(event)
    assert not await store.append("m", 2, events)
    assert await store.append("m", 1, events)
    assert not await store.append("m", 1, events)


async def test_no_round_is_chosen_once_a_higher_one_was_verified(store: PostgresStore) -> None:
    event = await opened(store)
    await store.take_seed("m", 0, SENT)
    await store.keep_beacon(CHAIN.chain_hash, 7, bytes(48))
    assert not await store.close_seeds("m", [SENT, None], 6, closing(event, 6))
    assert await store.close_seeds("m", [SENT, None], 7, closing(event, 7))


async def test_a_match_is_created_once(store: PostgresStore) -> None:
    event = await opened(store)
    other = SEAL.seal("m", Secret(bytes([9]) * 32))
    assert not await store.create("m", CHAIN.chain_hash, other, 2, sign(event, KEY))
    stored = await store.load("m")
    assert stored is not None
    assert SEAL.open("m", stored.sealed) == Secret(bytes(32))


async def test_old_beacons_are_forgotten_but_never_the_highest(store: PostgresStore, pool: Pool) -> None:
    for round in (1, 2, 3):
        await store.keep_beacon(CHAIN.chain_hash, round, bytes(48))
    await pool.execute("UPDATE beacons SET verified_at = now() - interval '2 days' WHERE round <> 2")
    await store.forget_beacons(CHAIN.chain_hash)
    kept = [await store.beacon(CHAIN.chain_hash, round) is not None for round in (1, 2, 3)]
    assert kept == [False, True, True]


async def test_the_service_cannot_do_more_than_it_needs(pool: Pool) -> None:
    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        await pool.execute("ALTER TABLE transcript_events DROP COLUMN signature")
