"""Migrations: applied once, in order, never edited, and only checked by services."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path

import asyncpg
import pytest

from belot_kit.migrate import MigrationError, Phase, check_schema, migrate
from belot_kit.postgres import PostgresOptions, open_commit_connection, open_pool
from support.databases import Database

MakePackage = Callable[[dict[str, str]], str]


@pytest.fixture
def make_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> MakePackage:
    """Write a package with the given migrations; its name is the schema's and the role's."""
    name = f"kit_sample_{abs(hash(request.node.name)) % 10**8}"
    monkeypatch.syspath_prepend(str(tmp_path))

    def make(files: dict[str, str]) -> str:
        folder = tmp_path / name / "migrations"
        folder.mkdir(parents=True, exist_ok=True)
        (tmp_path / name / "__init__.py").touch()
        for file, sql in files.items():
            (folder / file).write_text(sql)
        sys.modules.pop(name, None)
        return name

    return make


TABLES = {
    "0001_pre_tables.sql": "CREATE TABLE tables (table_id text PRIMARY KEY, version bigint NOT NULL);",
    "0002_post_clean.sql": "ALTER TABLE tables ADD COLUMN cleaned boolean;",
}


async def test_missing_migrations_are_applied_once(empty_database: Database, make_package: MakePackage) -> None:
    package = make_package(TABLES)
    assert [each.number for each in await migrate(empty_database.dsn, package)] == [1, 2]
    assert await migrate(empty_database.dsn, package) == ()


async def test_post_migrations_wait_until_they_are_asked_for(
    empty_database: Database, make_package: MakePackage
) -> None:
    package = make_package(TABLES)
    assert [each.name for each in await migrate(empty_database.dsn, package, phases=[Phase.PRE])] == ["tables"]
    assert [each.name for each in await migrate(empty_database.dsn, package)] == ["clean"]


async def test_a_landed_migration_that_was_edited_is_refused(
    empty_database: Database, make_package: MakePackage
) -> None:
    package = make_package(TABLES)
    await migrate(empty_database.dsn, package)
    make_package({"0001_pre_tables.sql": "CREATE TABLE tables (other text);"})
    with pytest.raises(MigrationError, match="0001_pre_tables"):
        await migrate(empty_database.dsn, package)


async def test_a_migration_that_fails_leaves_nothing_behind(
    empty_database: Database, make_package: MakePackage
) -> None:
    package = make_package({"0001_pre_bad.sql": "CREATE TABLE half (a int); SELECT no_such_column;"})
    with pytest.raises(asyncpg.UndefinedColumnError):
        await migrate(empty_database.dsn, package)
    connection = await asyncpg.connect(empty_database.dsn)
    assert await connection.fetchval("SELECT to_regclass($1)", f"{package}.half") is None
    await connection.close()


async def test_two_migrations_at_once_apply_each_file_once(empty_database: Database, make_package: MakePackage) -> None:
    package = make_package(TABLES)
    runs = await asyncio.gather(*(migrate(empty_database.dsn, package) for _ in range(4)))
    assert sorted(len(run) for run in runs) == [0, 0, 0, 2]


async def test_the_service_uses_its_tables_but_cannot_change_them(
    empty_database: Database, make_package: MakePackage
) -> None:
    package = make_package(TABLES)
    await migrate(empty_database.dsn, package)
    options = PostgresOptions(empty_database.dsn_as(package), schema=package, application_name="kit-test", pool_max=2)
    async with await open_pool(options) as pool:
        await pool.execute("INSERT INTO tables (table_id, version) VALUES ('a', 1)")
        assert await pool.fetchval("SELECT version FROM tables") == 1
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await pool.execute("ALTER TABLE tables ADD COLUMN more int")
        with pytest.raises(asyncpg.InsufficientPrivilegeError):
            await pool.execute("CREATE TABLE mine (a int)")


async def test_a_service_refuses_to_start_over_a_schema_that_is_missing_or_behind(
    empty_database: Database, make_package: MakePackage
) -> None:
    package = make_package(TABLES)
    connection = await asyncpg.connect(empty_database.dsn)
    with pytest.raises(MigrationError, match="is missing: run belot migrate"):
        await check_schema(connection, package)
    await migrate(empty_database.dsn, package, phases=[Phase.PRE])
    await check_schema(connection, package)
    make_package({"0003_pre_more.sql": "ALTER TABLE tables ADD COLUMN more int;"})
    with pytest.raises(MigrationError, match="lacks more"):
        await check_schema(connection, package)
    await connection.close()


async def test_the_commit_connection_is_bound_to_index_lookups(
    empty_database: Database, make_package: MakePackage
) -> None:
    package = make_package(TABLES)
    await migrate(empty_database.dsn, package)
    options = PostgresOptions(empty_database.dsn_as(package), schema=package, application_name="kit-test")
    connection = await open_commit_connection(options)
    plan = await connection.fetch("EXPLAIN SELECT version FROM tables WHERE table_id = ANY($1::text[])", ["a", "b"])
    assert "Index" in plan[0][0] or "Bitmap" in plan[0][0]
    await connection.close()
