"""Schema migrations of a service: plain SQL files, applied in order by `belot migrate`, only checked by services.

A package's folder `migrations` holds ``NNNN_pre_name.sql`` and ``NNNN_post_name.sql``. *pre* ones are applied before
the new release starts (so the running one must bear them), *post* ones when the old release is gone. Schema, role and
package share one name. Each file runs in one transaction with the schema as search path, unless its first line is
``-- no transaction``. A landed file is never edited: checksums are recorded in ``<schema>.migrations``.
"""

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib import resources
from typing import Final

import asyncpg

from belot_kit.postgres import Connection

_FILE = re.compile(r"^(?P<number>\d{4})_(?P<phase>pre|post)_(?P<name>[a-z0-9_]+)\.sql$")
_SCHEMA = re.compile(r"^[a-z][a-z0-9_]{0,62}$")
_NO_TRANSACTION: Final = "-- no transaction"


class MigrationError(RuntimeError):
    """Migrations that cannot be applied, or a database that does not fit the program; the text says which."""

    safe_to_log = True


class Phase(StrEnum):
    """When a migration runs: before the new release starts, or after the old one is gone."""

    PRE = "pre"
    POST = "post"


@dataclass(frozen=True, slots=True)
class Migration:
    """One file: its number orders it, its checksum (SHA-256 of the text, hex) proves that it was not edited."""

    number: int
    phase: Phase
    name: str
    sql: str
    checksum: str


def load_migrations(package: str) -> tuple[Migration, ...]:
    """A package's migrations by number; none when it has no folder `migrations`. Errors: MigrationError."""
    folder = resources.files(package).joinpath("migrations")
    if not folder.is_dir():
        return ()
    files = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    found = [_load(name, folder.joinpath(name).read_text(encoding="utf-8")) for name in files]
    numbers = [each.number for each in found]
    if len(set(numbers)) != len(numbers):
        raise MigrationError(f"{package}: two migrations share a number")
    return tuple(found)


def _load(file: str, sql: str) -> Migration:
    match = _FILE.match(file)
    if match is None:
        raise MigrationError(f"{file} is not called NNNN_pre_name.sql or NNNN_post_name.sql")
    checksum = hashlib.sha256(sql.encode()).hexdigest()
    return Migration(int(match["number"]), Phase(match["phase"]), match["name"], sql, checksum)


async def migrate(dsn: str, package: str, *, phases: Sequence[Phase] = tuple(Phase)) -> tuple[Migration, ...]:
    """Create schema and role where missing, apply what is missing of `phases`, and return what was applied.

    `dsn` belongs to the administrator of the database. Two runs at once are safe: one waits for the other.
    Errors: MigrationError when a landed file was edited or is missing; asyncpg's when SQL fails (nothing of that file
    stays).
    """
    schema = _schema_of(package)
    connection = await asyncpg.connect(dsn, server_settings={"search_path": schema, "lock_timeout": "10s"})
    try:
        await connection.execute("SELECT pg_advisory_lock(hashtextextended($1, 0))", f"migrate {schema}")
        await _create_schema(connection, schema)
        return await _apply_missing(connection, schema, load_migrations(package), phases)
    finally:
        await connection.close()


async def check_schema(connection: Connection, package: str) -> None:
    """Refuse to start over a database that lacks a *pre* migration of ours or has one that differs.

    Errors: MigrationError, saying what to run.
    """
    schema = _schema_of(package)
    exists = await connection.fetchval("SELECT to_regclass($1) IS NOT NULL", f"{schema}.migrations")
    if not exists:
        raise MigrationError(f"the schema {schema} is missing: run belot migrate")
    recorded = await _recorded(connection, schema)
    migrations = load_migrations(package)
    _refuse_edited(migrations, recorded)
    missing = [each.name for each in migrations if each.phase is Phase.PRE and each.number not in recorded]
    if missing:
        raise MigrationError(f"the schema {schema} lacks {', '.join(missing)}: run belot migrate")


def _schema_of(package: str) -> str:
    if not _SCHEMA.match(package):
        raise MigrationError(f"{package} cannot be the name of a schema")
    return package


async def _create_schema(connection: Connection, schema: str) -> None:
    # The names are checked by _schema_of, hence safe to write into the text; SQL takes no parameters here.
    await connection.execute(
        f"""
        DO $$ BEGIN
            IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = '{schema}') THEN CREATE ROLE {schema} LOGIN; END IF;
        EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;  -- another database's migration was quicker
        END $$;
        CREATE SCHEMA IF NOT EXISTS {schema};
        CREATE TABLE IF NOT EXISTS {schema}.migrations (
            number integer PRIMARY KEY,
            phase text NOT NULL,
            name text NOT NULL,
            checksum text NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT now()
        );
        GRANT USAGE ON SCHEMA {schema} TO {schema};
        ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {schema};
        ALTER DEFAULT PRIVILEGES IN SCHEMA {schema} GRANT USAGE, SELECT ON SEQUENCES TO {schema};
        REVOKE ALL ON {schema}.migrations FROM {schema};
        GRANT SELECT ON {schema}.migrations TO {schema};
        """  # noqa: S608
    )


async def _recorded(connection: Connection, schema: str) -> dict[int, str]:
    rows = await connection.fetch(f"SELECT number, checksum FROM {schema}.migrations")  # noqa: S608
    return {row["number"]: row["checksum"] for row in rows}


def _refuse_edited(migrations: Sequence[Migration], recorded: dict[int, str]) -> None:
    edited = [each for each in migrations if recorded.get(each.number, each.checksum) != each.checksum]
    if edited:
        names = ", ".join(f"{each.number:04}_{each.phase}_{each.name}" for each in edited)
        raise MigrationError(f"edited after they landed: {names}; write a new migration instead")


async def _apply_missing(
    connection: Connection, schema: str, migrations: Sequence[Migration], phases: Sequence[Phase]
) -> tuple[Migration, ...]:
    recorded = await _recorded(connection, schema)
    _refuse_edited(migrations, recorded)
    applied = []
    for each in migrations:
        if each.number in recorded or each.phase not in phases:
            continue
        record = f"INSERT INTO {schema}.migrations (number, phase, name, checksum) VALUES ($1, $2, $3, $4)"  # noqa: S608
        values = (each.number, each.phase.value, each.name, each.checksum)
        if each.sql.startswith(_NO_TRANSACTION):
            await connection.execute(each.sql)
            await connection.execute(record, *values)
        else:
            async with connection.transaction():
                await connection.execute(each.sql)
                await connection.execute(record, *values)
        applied.append(each)
    return tuple(applied)
