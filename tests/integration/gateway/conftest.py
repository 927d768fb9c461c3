"""One small fleet for all tests of the gateway: tables are each test's own, services are shared."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from belot_kit.embedded import PostgresAddress
from support.databases import Database, create_database, drop_database
from support.small_fleet import SmallFleet, small_fleet


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def fleet(
    postgres_server: PostgresAddress,
    database_template: str,
    valkey: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[SmallFleet]:
    """Two gateways, two tables, one of everything else."""
    name = await create_database(postgres_server, database_template)
    directory: Path = tmp_path_factory.mktemp("fleet")
    async with small_fleet(Database(postgres_server, name), valkey, directory, tables=2) as found:
        await found.add_gateway()
        await found.add_gateway()
        yield found
    await drop_database(postgres_server, name)
