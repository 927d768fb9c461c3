"""Databases for tests: one template with every service's schema, cloned for each test in some milliseconds."""

import asyncio
import importlib.util
import uuid
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import asyncpg

from belot_kit.embedded import PostgresAddress
from belot_kit.migrate import load_migrations, migrate

SERVICES = ("belot_table", "belot_dealer", "belot_gateway", "belot_rules", "belot_bot", "belot_rating")
"""Packages that may have migrations; those without are passed over."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Database:
    """A test's own database: every service's schema is in it, and it is dropped after the test."""

    address: PostgresAddress
    name: str

    @property
    def dsn(self) -> str:
        """For the administrator."""
        return self.address.database(self.name)

    def dsn_as(self, role: str) -> str:
        """For a service's role (``belot_table``). Where roles need passwords: the administrator, with `role` set."""
        if self.address.password:
            return f"{self.dsn}{'&' if '?' in self.dsn else '?'}role={role}"
        return self.address.database(self.name, role)


def in_thread(work: Coroutine[object, object, Result]) -> Result:
    """Run a coroutine to its end in a thread with a loop of its own, for fixtures that outlive a test's loop."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def make_template(address: PostgresAddress) -> str:
    """A database with the schemas of all services; returns its name."""
    name = await create_database(address)
    for package in SERVICES:
        if importlib.util.find_spec(package) is not None and load_migrations(package):
            await migrate(address.database(name), package)
    return name


async def create_database(address: PostgresAddress, template: str = "template0") -> str:
    """A new database, cloned from `template`; returns its name."""
    name = f"belot_test_{uuid.uuid4().hex[:12]}"
    connection = await asyncpg.connect(address.dsn)
    try:
        await connection.execute(f"CREATE DATABASE {name} TEMPLATE {template}")
    finally:
        await connection.close()
    return name


async def drop_database(address: PostgresAddress, name: str) -> None:
    """Drop it, whoever is still connected."""
    connection = await asyncpg.connect(address.dsn)
    try:
        await connection.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
    finally:
        await connection.close()
