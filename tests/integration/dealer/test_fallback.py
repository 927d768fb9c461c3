"""When no beacon comes: one fallback, at its time and not before, for ever. The cases run at the same time."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from belot.dealer.v1 import dealer_pb2
from belot_dealer.faults import FaultKind
from belot_fair.bodies import Beacon, Fallback
from belot_fair.recipe import NO_VALUE, shuffle
from belot_fair.transcript import Event
from support.beacons import beacons
from support.databases import Database
from support.dealers import checked, dealer_at, dealer_config, opening, seeded

pytestmark = pytest.mark.asyncio(loop_scope="module")


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a match: the closing, each answer of FixBeacon in order, two cards, the reveal, the transcript."""

    closed: dealer_pb2.CloseSeedsResponse
    fixed: tuple[dealer_pb2.FixBeaconResponse, ...]
    cards: dealer_pb2.ReleaseCardsResponse
    revealed: dealer_pb2.RevealMatchResponse
    events: tuple[Event, ...]


async def silent_relays(database: Database, state: Path) -> Came:
    """No relay answers while it counts, and all do afterwards."""
    request = opening("BB")
    match_id = request.match_id
    async with beacons() as relays, dealer_at(dealer_config(database, state, relays.urls)) as dealer:
        relays.break_all(FaultKind.SERVER_ERROR)
        closed = await seeded(dealer, request)
        first = await dealer.fix(match_id)
        relays.break_all(FaultKind.NONE)
        late = await dealer.beacon(match_id, closed.round, relays.relays[0].beacon.key.sign(closed.round))
        assert late.fell_back
        fixed = (first, await dealer.fix(match_id))
        cards = await dealer.release(match_id, 0, 0, ((0, 0), (1, 1)))
        return Came(closed, fixed, cards, await dealer.reveal(match_id), checked(await dealer.transcript(match_id)))


async def lucky_replica(database: Database, state: Path) -> Came:
    """One replica's relays are silent, the other's are sound; the one without luck answers first and last."""
    request = opening("BB")
    match_id = request.match_id
    async with beacons() as sound:
        identity = sound.relays[0].beacon.identity
        async with (
            beacons(identity=identity) as silent,
            dealer_at(dealer_config(database, state, silent.urls)) as unlucky,
            dealer_at(dealer_config(database, state, sound.urls)) as lucky,
        ):
            silent.break_all(FaultKind.NOT_FOUND)
            closed = await seeded(unlucky, request)
            fixed = tuple(await asyncio.gather(unlucky.fix(match_id), lucky.fix(match_id)))
            cards = await unlucky.release(match_id, 0, 0, ((0, 0), (1, 1)))
            revealed = await lucky.reveal(match_id)
            return Came(closed, fixed, cards, revealed, checked(await unlucky.transcript(match_id)))


async def moved_chain(database: Database, state: Path) -> Came:
    """The dealer comes back with another chain than the one that the match is bound to."""
    request = opening("BB")
    match_id = request.match_id
    async with beacons() as before, dealer_at(dealer_config(database, state, before.urls)) as dealer:
        closed = await seeded(dealer, request)
    async with beacons() as after, dealer_at(dealer_config(database, state, after.urls)) as dealer:
        fixed = (await dealer.fix(match_id),)
        cards = await dealer.release(match_id, 0, 0, ((0, 0), (1, 1)))
        revealed = await dealer.reveal(match_id)
        transcript = await dealer.transcript(match_id)
        assert transcript.chain.chain_hash == before.chain.chain_hash
        return Came(closed, fixed, cards, revealed, checked(transcript))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def came(module_database: Database, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Came]:
    """What came of each case."""
    cases = (silent_relays, lucky_replica, moved_chain)
    runs = [case(module_database, tmp_path_factory.mktemp("dealer")) for case in cases]
    return dict(zip((case.__name__ for case in cases), await asyncio.gather(*runs), strict=True))


FALLEN = ("silent_relays", "moved_chain")


@pytest.mark.parametrize("case", FALLEN)
async def test_without_a_beacon_the_match_falls_back_to_no_value(came: Mapping[str, Came], case: str) -> None:
    fixed = came[case].fixed[0]
    assert (fixed.fallback, fixed.round, fixed.signature, fixed.value) == (True, 0, b"", NO_VALUE)


@pytest.mark.parametrize("case", FALLEN)
async def test_the_fallback_comes_5_s_after_the_round_was_due(came: Mapping[str, Came], case: str) -> None:
    closed, event = came[case].closed, came[case].events[3]
    assert event.body == Fallback(closed.round)
    assert closed.round_due_ms + 5_000 <= event.time_ms <= closed.round_due_ms + 7_000


@pytest.mark.parametrize("case", FALLEN)
async def test_after_a_fallback_the_seeds_alone_make_the_pack(came: Mapping[str, Came], case: str) -> None:
    pack = shuffle(came[case].revealed.server_seed, 0, list(came[case].closed.seeds), 0, NO_VALUE)
    assert [each.card - 1 for each in came[case].cards.cards] == list(pack[:2])


async def test_a_late_value_never_changes_a_fallback(came: Mapping[str, Came]) -> None:
    first, later = came["silent_relays"].fixed
    assert later == first


async def test_one_replica_that_has_the_beacon_is_enough(came: Mapping[str, Came]) -> None:
    unlucky, lucky = came["lucky_replica"].fixed
    assert unlucky == lucky
    assert not unlucky.fallback
    assert isinstance(came["lucky_replica"].events[3].body, Beacon)
