"""One rigged fleet for all tests of fairness: tables are each test's own."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from belot_kit.embedded import PostgresAddress
from support.databases import Database, create_database, drop_database
from support.rigged_fleet import RiggedFleet, rigged_fleet


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def rigged(
    postgres_server: PostgresAddress, database_template: str, valkey: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[RiggedFleet]:
    """Honest until a test sets the liar's lie."""
    name = await create_database(postgres_server, database_template)
    async with rigged_fleet(Database(postgres_server, name), valkey, tmp_path_factory.mktemp("rigged")) as found:
        yield found
    await drop_database(postgres_server, name)
