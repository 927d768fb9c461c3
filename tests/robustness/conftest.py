"""Two table services on one database, for races."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from support.databases import Database
from support.tables import TableClient, neighbours, table_at, table_config


@pytest_asyncio.fixture
async def pair(database: Database, valkey: str, tmp_path: Path) -> AsyncIterator[tuple[TableClient, TableClient]]:
    """Both serve any table."""
    async with (
        neighbours(database, tmp_path) as around,
        table_at(table_config(database, valkey, around)) as one,
        table_at(table_config(database, valkey, around)) as two,
    ):
        yield one, two
