"""One dealer for a whole module of tests, where each test has matches of its own."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from belot_kit.embedded import PostgresAddress
from support.beacons import Beaconry, beacons
from support.databases import Database, create_database, drop_database, in_thread
from support.dealers import DealerClient, dealer_at, dealer_config, ready_to_deal


@pytest.fixture(scope="module")
def module_database(postgres_server: PostgresAddress, database_template: str) -> Iterator[Database]:
    """A database for the tests of one module."""
    name = in_thread(create_database(postgres_server, database_template))
    yield Database(postgres_server, name)
    in_thread(drop_database(postgres_server, name))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def sound_relays() -> AsyncIterator[Beaconry]:
    """Two sound relays."""
    async with beacons() as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared_dealer(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory, sound_relays: Beaconry
) -> AsyncIterator[DealerClient]:
    """A dealer over these relays."""
    state: Path = tmp_path_factory.mktemp("dealer")
    async with dealer_at(dealer_config(module_database, state, sound_relays.urls)) as client:
        yield client


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def dealt(shared_dealer: DealerClient) -> list[str]:
    """Ids of matches whose beacon is fixed, four bots each and a pack of 32; a test takes one with `pop`."""
    return list(await asyncio.gather(*(ready_to_deal(shared_dealer) for _ in range(16))))
