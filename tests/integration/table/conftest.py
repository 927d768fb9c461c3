"""One table, rules, bot and dealer service and one database for this folder's tests; tables are each test's own.

Every table service on a database moves every table in it. A test whose service is set up in a way of its own, and
that depends on it, takes a `database` of its own: on `table_database` the service of `tables` may get there first.
"""

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from belot_kit.embedded import PostgresAddress
from support.databases import Database, create_database, drop_database, in_thread
from support.tables import Neighbours, TableClient, neighbours, table_at, table_config


@pytest.fixture(scope="session")
def table_database(postgres_server: PostgresAddress, database_template: str) -> Iterator[Database]:
    """A database for the tests of this folder."""
    name = in_thread(create_database(postgres_server, database_template))
    yield Database(postgres_server, name)
    in_thread(drop_database(postgres_server, name))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def around(table_database: Database, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Neighbours]:
    """The services that a table asks."""
    directory: Path = tmp_path_factory.mktemp("t")
    async with neighbours(table_database, directory) as running:
        yield running


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def tables(table_database: Database, valkey: str, around: Neighbours) -> AsyncIterator[TableClient]:
    """A table service."""
    async with table_at(table_config(table_database, valkey, around)) as client:
        yield client
