"""What a dealer does by itself over all matches, with two replicas at it: roots of days, forgotten matches, sealing."""

import uuid
from collections.abc import AsyncIterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from belot.dealer.v1 import dealer_pb2
from belot_dealer.keys import SeedSeal
from belot_dealer.match import decide_open
from belot_dealer.store import PACKAGE, Place, PostgresStore
from belot_fair.bodies import Revealed
from belot_fair.drand import Chain
from belot_fair.keys import Secret, SigningKey
from belot_fair.listing import DAY_MS, NO_RECORD, DailyRoot, Leaf, SignedRoot, read_inclusion, root_holds
from belot_fair.merkle import EMPTY_ROOT, leaf_hash, root_from, root_of
from belot_fair.playlog import PlayLog, play_log_hash
from belot_fair.recipe import commitment
from belot_fair.transcript import sign
from belot_kit.errors import DomainError, Reason
from belot_kit.postgres import PostgresOptions, open_pool
from support.beacons import Beaconry
from support.databases import Database
from support.dealers import DealerClient, checked, dealer_at, dealer_config, opening, reach, seeded, until
from support.openings import an_opening

pytestmark = pytest.mark.asyncio(loop_scope="module")

OLD, NEW = (sha256(word).digest() for word in (b"old", b"new"))
SEALS = tuple(sha256(word).digest() for word in (b"new seal", b"old seal"))
OLD_KEY, OLD_SEAL = SigningKey(OLD), SeedSeal(SEALS[1:])
FORGOTTEN_DAYS, RUNNING_DAYS = 9, 3
TABLE = "table-of-long-ago"


@dataclass(frozen=True, slots=True)
class Aged:
    """Two replicas over a database in which matches were opened days ago; `seeds` by match id, in order of time."""

    dealers: tuple[DealerClient, DealerClient]
    database: Database
    seeds: dict[str, bytes]
    now_ms: int

    @property
    def forgotten(self) -> str:
        """The first match, which nobody ended in time."""
        return next(iter(self.seeds))

    @property
    def running(self) -> str:
        """The last match, which may still be ended."""
        return list(self.seeds)[-1]


async def opened_long_ago(store: PostgresStore, chain: Chain, at_ms: int, place: Place) -> tuple[str, bytes]:
    """A match as a dealer of those days stored it; its id and server seed."""
    match_id, seed = str(uuid.uuid4()), uuid.uuid4().bytes * 2
    event = decide_open(an_opening("BB", match_id=match_id), commitment(seed), chain, at_ms)
    sealed = OLD_SEAL.seal(match_id, Secret(seed))
    assert await store.create(match_id, chain.chain_hash, sealed, 2, sign(event, OLD_KEY), place)
    return match_id, seed


def write_keys(file: Path, *keys: bytes) -> None:
    file.write_text("".join(key.hex() + "\n" for key in keys))
    file.chmod(0o600)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def aged(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory, sound_relays: Beaconry
) -> AsyncIterator[Aged]:
    """The replicas have seen to everything that is due."""
    state, chain = tmp_path_factory.mktemp("dealer"), sound_relays.chain
    write_keys(state / "signing.key", NEW, OLD)
    write_keys(state / "seal.keys", *SEALS)
    async with await open_pool(PostgresOptions(module_database.dsn_as(PACKAGE), PACKAGE, "test")) as pool:
        store = PostgresStore(pool)
        await store.keep_chain(chain)
        await store.keep_signing_key(OLD_KEY.key_id, OLD_KEY.public_key)
        now_ms = await store.now_ms()
        seeds = dict(
            [
                await opened_long_ago(store, chain, now_ms - days * DAY_MS + more, place)
                for days, more, place in (
                    (FORGOTTEN_DAYS, 0, Place(TABLE, public=True)),
                    (RUNNING_DAYS, 0, Place()),
                    (RUNNING_DAYS, 0, Place("private-table")),
                    (RUNNING_DAYS, 1, Place(TABLE, public=True)),
                )
            ]
        )
        # Nobody ended it, and the clock that says so is the database's.
        age = "UPDATE matches SET created_at = now() - interval '9 days' WHERE match_id = $1"
        await pool.execute(age, next(iter(seeds)))
    config = dealer_config(module_database, state, sound_relays.urls, books_seconds=0.01)
    other = dealer_config(module_database, state, sound_relays.urls, books_seconds=0.01)
    async with dealer_at(config) as one, dealer_at(other) as two:
        found = Aged((one, two), module_database, seeds, now_ms)
        await until(lambda: seen_to(found))
        yield found


async def seen_to(aged: Aged) -> bool:
    """Whether everything that is due has been done."""
    roots = await roots_of(aged.dealers[0])
    done = bool(roots) and roots[0].root.day >= aged.now_ms // DAY_MS - 2
    stats = await aged.dealers[0].stats(str(uuid.uuid4()))
    return done and stats.counts.abandoned == 1 and await seal_ids(aged.database) == {SeedSeal(SEALS).current_id}


async def seal_ids(database: Database) -> set[str]:
    """Under which keys seeds of matches lie that are not over."""
    connection = await asyncpg.connect(database.dsn, server_settings={"search_path": PACKAGE})
    try:
        rows = await connection.fetch(
            "SELECT DISTINCT m.seal_key_id FROM match_fates f JOIN matches m USING (match_id) WHERE f.ending IS NULL"
        )
        return {row["seal_key_id"] for row in rows}
    finally:
        await connection.close()


async def roots_of(dealer: DealerClient, size: int = 0) -> list[SignedRoot]:
    """All roots, latest first."""
    found, token = [], ""
    while True:
        request = dealer_pb2.ListDailyRootsRequest(page_size=size, page_token=token)
        page = await reach(dealer.stub.ListDailyRoots, request)
        found += [SignedRoot(each.octets, each.key_id, each.signature) for each in page.roots]
        token = page.next_page_token
        if not token:
            return found


async def listed(dealer: DealerClient, table_id: str = "", size: int = 0) -> list[dealer_pb2.ListedCommitment]:
    """All commitments, oldest first."""
    found, token = [], ""
    while True:
        request = dealer_pb2.ListCommitmentsRequest(page_size=size, page_token=token, table_id=table_id)
        page = await reach(dealer.stub.ListCommitments, request)
        found += page.commitments
        token = page.next_page_token
        if not token:
            return found


async def test_each_day_since_the_first_match_has_one_signed_root(aged: Aged) -> None:
    roots = await roots_of(aged.dealers[0])
    assert roots == await roots_of(aged.dealers[1], size=2)
    first = aged.now_ms // DAY_MS - FORGOTTEN_DAYS
    assert [each.root.day for each in reversed(roots)] == list(range(first, first + len(roots)))
    assert all(root_holds(each, SigningKey(NEW).public_key) for each in roots)
    counts = {each.root.day - first: each.root.size for each in roots if each.root.size}
    assert counts == {0: 1, FORGOTTEN_DAYS - RUNNING_DAYS: 3}
    assert all(each.root.root == EMPTY_ROOT for each in roots if not each.root.size)


async def test_each_root_names_the_record_of_the_day_before(aged: Aged) -> None:
    records = list(reversed(await roots_of(aged.dealers[0])))
    expected = [NO_RECORD, *(each.record_hash for each in records[:-1])]
    assert [each.root.previous_hash for each in records] == expected


async def test_a_root_is_over_exactly_the_listed_commitments_of_its_day(aged: Aged) -> None:
    commitments = await listed(aged.dealers[0])
    for signed in await roots_of(aged.dealers[0]):
        day = signed.root.day
        leaves = [Leaf(each.match_id, each.commitment, each.opened_ms) for each in commitments]
        hashes = [leaf_hash(leaf.encode()) for leaf in leaves if leaf.day == day]
        assert (len(hashes), root_of(hashes)) == (signed.root.size, signed.root.root)


async def test_every_match_of_a_day_with_a_root_has_an_inclusion_file(aged: Aged) -> None:
    for match_id, seed in aged.seeds.items():
        request = dealer_pb2.GetInclusionProofRequest(match_id=match_id)
        answers = [await reach(dealer.stub.GetInclusionProof, request) for dealer in aged.dealers]
        assert answers[0] == answers[1]
        kept = read_inclusion(answers[0].inclusion)
        transcript = checked(await aged.dealers[0].transcript(match_id))
        leaf = Leaf(match_id, commitment(seed), transcript[0].time_ms)
        root: DailyRoot = kept.root.root
        assert root.day == leaf.day
        assert root_from(leaf_hash(leaf.encode()), kept.index, root.size, kept.path) == root.root


async def test_before_its_day_is_over_a_match_has_none(aged: Aged) -> None:
    request = opening("BB")
    await aged.dealers[0].open(request)
    with pytest.raises(DomainError) as refused:
        await reach(
            aged.dealers[0].stub.GetInclusionProof, dealer_pb2.GetInclusionProofRequest(match_id=request.match_id)
        )
    assert refused.value.reason is Reason.WRONG_PHASE


async def test_a_day_that_has_its_root_takes_no_more_openings(aged: Aged) -> None:
    async with await open_pool(PostgresOptions(aged.database.dsn_as(PACKAGE), PACKAGE, "test")) as pool:
        store, match_id = PostgresStore(pool), str(uuid.uuid4())
        chain = (await store.load(aged.running) or pytest.fail("it is there")).chain
        event = decide_open(an_opening("BB", match_id=match_id), bytes(32), chain, aged.now_ms - 5 * DAY_MS)
        sealed = OLD_SEAL.seal(match_id, Secret(bytes(32)))
        assert not await store.create(match_id, chain.chain_hash, sealed, 2, sign(event, OLD_KEY))


async def test_a_match_that_nobody_ended_is_revealed_as_abandoned(aged: Aged) -> None:
    (end,) = [event.body for event in checked(await aged.dealers[0].transcript(aged.forgotten))[1:]]
    empty = play_log_hash(PlayLog(aged.forgotten, ()))
    assert end == Revealed(aged.seeds[aged.forgotten], empty, "abandoned")


async def test_after_sealing_again_the_old_key_may_go(aged: Aged, tmp_path: Path, sound_relays: Beaconry) -> None:
    write_keys(tmp_path / "signing.key", NEW)
    write_keys(tmp_path / "seal.keys", SEALS[0])
    async with dealer_at(dealer_config(aged.database, tmp_path, sound_relays.urls)) as later:
        assert (await later.transcript(aged.forgotten)).events
        revealed = await later.reveal(list(aged.seeds)[1], ending="cancelled")
        assert revealed.server_seed == aged.seeds[list(aged.seeds)[1]]


async def test_every_commitment_is_listed_with_what_became_of_it(aged: Aged) -> None:
    found = {each.match_id: each for each in await listed(aged.dealers[0], size=2)}
    assert set(aged.seeds) <= set(found)
    first, last = found[aged.forgotten], found[aged.running]
    assert (first.ending, first.server_seed, first.key_id) == (
        "abandoned",
        aged.seeds[aged.forgotten],
        OLD_KEY.key_id,
    )
    assert (last.ending, last.server_seed, last.revealed_ms) == ("", b"", 0)
    assert (first.private, first.table_id, len(first.participant_ids)) == (False, TABLE, 2)


async def test_private_matches_are_listed_without_table_and_participants(aged: Aged) -> None:
    found = {each.match_id: each for each in await listed(aged.dealers[0])}
    for match_id in list(aged.seeds)[1:3]:
        assert (found[match_id].private, found[match_id].table_id, len(found[match_id].participant_ids)) == (
            True,
            "",
            0,
        )
    assert [each.match_id for each in await listed(aged.dealers[0], TABLE)] == [aged.forgotten, aged.running]
    assert await listed(aged.dealers[0], "private-table") == []


async def test_aborted_matches_are_counted_by_key_and_by_table(aged: Aged) -> None:
    stats = await reach(aged.dealers[1].stub.GetFairnessStats, dealer_pb2.GetFairnessStatsRequest(table_id=TABLE))
    (old,) = [each.counts for each in stats.keys if each.key_id == OLD_KEY.key_id]
    assert (old.opened, old.abandoned) == (4, 1)
    (table,) = stats.tables
    assert (table.table_id, table.counts.opened, table.counts.abandoned, table.counts.running) == (TABLE, 2, 1, 1)


async def test_packs_are_counted_once_whatever_replicas_count(aged: Aged) -> None:
    ids = []
    for _ in range(8):
        request = opening("BB")
        ids.append(request.match_id)
        await seeded(aged.dealers[0], request)
    for match_id in ids:
        await aged.dealers[0].fix(match_id)
        for hand in range(2):
            places = [(at, at % 2) for at in range(12)]
            await aged.dealers[1].release(match_id, hand, 0, places)
            await aged.dealers[1].release(match_id, hand, 1, [(12, "up_card")])
        await aged.dealers[0].reveal(match_id)

    found = dealer_pb2.PackDistribution()

    async def counted() -> bool:
        for dealer in aged.dealers:
            found.CopyFrom(next(iter((await dealer.stats(str(uuid.uuid4()))).distributions), found))
        return found.packs >= 16

    await until(counted)
    (voids,) = found.voids
    assert (found.pack_size, found.packs, found.degrees_of_freedom) == (32, 16, 961)
    assert (voids.hand_size, voids.hands) == (6, 32)
    assert 0 <= voids.rate < 1


async def test_the_figures_tell_clock_and_relays(aged: Aged, sound_relays: Beaconry) -> None:
    stats = await aged.dealers[0].stats("any")
    assert stats.HasField("clock_offset_ms")
    assert {each.url for each in stats.relays} == set(sound_relays.urls)
    assert sum(each.verified for each in stats.relays) >= 1
