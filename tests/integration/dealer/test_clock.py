"""Our clock is measured by the beacon, and a slow one never leads to a round whose value is known."""

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from prometheus_client import REGISTRY

from belot_dealer.beacons import Beacons, shared_beacons
from belot_dealer.drand_client import drand_client
from belot_dealer.faults import FaultKind
from belot_dealer.relays import relay
from belot_dealer.store import PACKAGE, PostgresStore
from belot_fair.drand import first_round_for, round_at
from belot_kit.postgres import PostgresOptions, open_pool
from support.beacons import Beaconry, beacons
from support.databases import Database


def true_ms() -> int:
    """The right time."""
    return time.time_ns() // 1_000_000


@asynccontextmanager
async def off_by(database: Database, relays: Beaconry, skew_ms: int) -> AsyncIterator[Beacons]:
    """The beacons of a process whose clock is off."""
    async with await open_pool(PostgresOptions(database.dsn_as(PACKAGE), PACKAGE, "test")) as pool:
        store = PostgresStore(pool)
        await store.keep_chain(relays.chain)
        asked = [relay(url) for url in relays.urls]
        async with (
            drand_client(relays.chain, asked, lambda: true_ms() + skew_ms) as client,
            shared_beacons(client, store, clock_check_s=3_600) as running,
        ):
            yield running


def measured(name: str) -> float:
    """A metric's value."""
    return REGISTRY.get_sample_value(f"belot_dealer_{name}") or 0.0


@pytest.mark.parametrize(("skew_ms", "alarms"), [(0, False), (-10_000, True), (10_000, True)])
async def test_a_clock_that_is_off_raises_an_alarm(database: Database, skew_ms: int, alarms: bool) -> None:
    async with beacons() as relays, off_by(database, relays, skew_ms) as running:
        before = measured("clock_alarms_total")
        assert await running.check_clock()
        assert measured("clock_offset_seconds") == pytest.approx(skew_ms / 1000 + 0.5, abs=1.5)
        assert (measured("clock_alarms_total") > before) == alarms


async def test_a_slow_clock_picks_no_round_whose_value_is_known(database: Database) -> None:
    async with beacons() as relays, off_by(database, relays, -10_000) as running:
        assert await running.check_clock()
        slow_ms = running.client.now_ms()
        assert first_round_for(relays.chain, slow_ms, 0) < round_at(relays.chain, true_ms())
        assert first_round_for(relays.chain, slow_ms, running.highest) > round_at(relays.chain, true_ms()) - 1
        assert await running.store.beacon(relays.chain.chain_hash, running.highest) is not None


async def test_relays_that_say_nothing_leave_the_clock_unmeasured(database: Database) -> None:
    async with beacons() as relays, off_by(database, relays, 0) as running:
        relays.break_all(FaultKind.EMPTY)
        assert not await running.check_clock()
