"""What relays may do wrong, and that none of it ever becomes a value: against real relays of a real chain."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from belot_dealer.drand_client import DrandClient, Verified, drand_client
from belot_dealer.faults import Fault, FaultKind
from belot_dealer.relays import relay
from belot_fair.drand import BeaconKey, Chain, round_at
from support.beacons import Beaconry, beacons
from support.databases import in_thread

HARMLESS = {FaultKind.NONE, FaultKind.LATE}
FAULTS = tuple(Fault(kind, 0.4 if kind is FaultKind.LATE else 0.05) for kind in FaultKind)
LEFT_MS = 3_500
"""How much of the 5 s a fetch has left here: enough for a busy machine, where fifty servers start at once."""

Came = dict[FaultKind, tuple[Verified | None, Verified | None]]


def now_ms() -> int:
    """The clock."""
    return time.time_ns() // 1_000_000


def round_with_time_left(chain: Chain) -> int:
    """A round that fetches give up on in about LEFT_MS."""
    return round_at(chain, now_ms() - 5_000 + LEFT_MS)


@asynccontextmanager
async def client_of(running: Beaconry, chain: Chain | None = None) -> AsyncIterator[DrandClient]:
    """A client of these relays."""
    async with drand_client(chain or running.chain, [relay(url) for url in running.urls], now_ms) as client:
        yield client


async def fetched(*faults: Fault) -> Verified | None:
    """What a fetch brings when the relays have these faults; checked here to be the round's own value, if any."""
    async with beacons(faults) as running, client_of(running) as client:
        round = round_with_time_left(running.chain)
        verified = await client.fetch(round)
        key = running.relays[0].beacon.key
        assert verified is None or (verified.round, verified.signature) == (round, key.sign(round))
        assert not running.asked_early
        return verified


async def all_faults() -> Came:
    """Every fault, at both relays and at one of two, all at the same time."""
    cases = [fetched(fault, fault) for fault in FAULTS] + [fetched(fault, Fault()) for fault in FAULTS]
    came = await asyncio.gather(*cases)
    both, one = came[: len(FAULTS)], came[len(FAULTS) :]
    return {fault.kind: pair for fault, pair in zip(FAULTS, zip(both, one, strict=True), strict=True)}


@pytest.fixture(scope="module")
def came() -> Came:
    """What came of every fault: (at both relays, at one of two)."""
    return in_thread(all_faults())


@pytest.mark.parametrize("kind", FaultKind)
def test_with_one_sound_relay_the_true_beacon_comes(came: Came, kind: FaultKind) -> None:
    assert came[kind][1] is not None


@pytest.mark.parametrize("kind", FaultKind)
def test_with_no_sound_relay_no_beacon_comes(came: Came, kind: FaultKind) -> None:
    assert (came[kind][0] is not None) == (kind in HARMLESS)


async def test_a_relay_of_another_chain_is_of_no_use() -> None:
    async with beacons() as running, beacons() as others, client_of(running, others.chain) as client:
        assert await client.fetch(round_with_time_left(others.chain)) is None


async def test_a_relay_that_is_not_there_is_of_no_use() -> None:
    async with beacons() as running:
        pass
    async with client_of(running) as client:
        assert await client.fetch(round_with_time_left(running.chain)) is None


async def test_a_round_whose_time_is_up_is_not_asked_for() -> None:
    async with beacons() as running, client_of(running) as client:
        assert await client.fetch(round_at(running.chain, now_ms() - 6_000)) is None
        assert running.asked == []


async def test_the_first_try_comes_after_the_round_is_due_and_both_operators_are_asked_at_once() -> None:
    async with beacons() as running, client_of(running) as client:
        round = round_at(running.chain, now_ms()) + 1
        due = running.relays[0].beacon.due_ms(round)
        assert await client.fetch(round) is not None
        assert now_ms() >= due + 300
        assert running.asked_early == []
        assert [list(each.beacon.asked) for each in running.relays] == [[round], [round]]


async def test_the_newest_beacon_is_taken_from_any_sound_relay() -> None:
    faults = (Fault(FaultKind.SERVER_ERROR), Fault(FaultKind.FORGED), Fault())
    async with beacons(faults) as running, client_of(running) as client:
        latest = await client.fetch_latest()
        assert latest is not None
        assert latest.round in {round_at(running.chain, now_ms()) - back for back in (0, 1)}


async def test_the_forger_signs_with_another_key() -> None:
    """The faults themselves are what they claim to be: else their tests prove nothing."""
    async with beacons((Fault(FaultKind.OTHER_CHAIN),)) as running, client_of(running) as client:
        at, round = client.relays[0], round_with_time_left(running.chain)
        async with client.session.get(f"{at.url}/{running.chain.chain_hash.hex()}/public/{round}") as answer:
            told = await answer.json()
    assert told["round"] == round
    assert bytes.fromhex(told["signature"]) == BeaconKey(b"another chain").sign(round)
