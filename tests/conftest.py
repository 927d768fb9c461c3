"""Fixtures every test may ask for. Servers start when first asked for, once a run; databases are each test's own."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from belot_kit.embedded import PostgresAddress
from support.databases import Database, create_database, drop_database, in_thread, make_template
from support.servers import postgres_for_tests, valkey_for_tests


@pytest.fixture(scope="session")
def servers_directory() -> Iterator[Path]:
    """Where this run's servers keep their data; removed at the end."""
    directory = Path(tempfile.mkdtemp(prefix="belot-tests-"))
    directory.chmod(0o755)  # so that PostgreSQL, when we are root, can reach it as nobody
    yield directory
    shutil.rmtree(directory, ignore_errors=True)


@pytest.fixture(scope="session")
def postgres_server(servers_directory: Path) -> Iterator[PostgresAddress]:
    """The run's PostgreSQL, without fsync; what tests durability starts its own (support.servers)."""
    with postgres_for_tests(servers_directory) as address:
        yield address


@pytest.fixture(scope="session")
def valkey(servers_directory: Path) -> Iterator[str]:
    """The URL of the run's Valkey. It is shared: use channel names of your own."""
    with valkey_for_tests(servers_directory) as url:
        yield url


@pytest.fixture(scope="session")
def database_template(postgres_server: PostgresAddress) -> str:
    """The name of the database with every service's schema, migrated once a run."""
    return in_thread(make_template(postgres_server))


@pytest.fixture
def database(postgres_server: PostgresAddress, database_template: str) -> Iterator[Database]:
    """This test's own database, with every service's schema and no rows."""
    name = in_thread(create_database(postgres_server, database_template))
    yield Database(postgres_server, name)
    in_thread(drop_database(postgres_server, name))


@pytest.fixture
def empty_database(postgres_server: PostgresAddress) -> Iterator[Database]:
    """This test's own database with nothing in it."""
    name = in_thread(create_database(postgres_server))
    yield Database(postgres_server, name)
    in_thread(drop_database(postgres_server, name))
