"""Many tables' commits in one statement, on a real PostgreSQL: who passes, who does not, and how it is planned."""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, replace
from typing import cast

import pytest

from belot_kit.groupcommit import GroupCommitter
from belot_kit.pages import Page
from belot_kit.postgres import CommitConnection, Connection, PostgresOptions, open_pool
from belot_kit.queries import load_queries
from belot_kit.tasks import background
from belot_table import seating
from belot_table.committing import Commit, OutboxRow, Request, columns, committing, warm_up
from belot_table.ports import commit_of
from belot_table.store import Listing, PostgresStore
from belot_table.table import Status, Step, Table
from support.databases import Database
from support.table_values import NOW, empty_table

COMMIT_TABLES = load_queries("belot_table")["commit_tables"]


@dataclass(frozen=True)
class Base:
    """A store with its commit connection."""

    store: PostgresStore
    options: PostgresOptions
    commits: CommitConnection

    async def commit(self, *commits: Commit) -> Sequence[bool]:
        """Commit a batch on the shared connection."""
        return await committing(self.commits)(commits)

    async def new_table(self, table_id: str) -> Table:
        """A stored table, empty."""
        step = seating.set_up(empty_table(table_id), "", "")
        assert await self.store.create(commit_of(step, NOW))
        return step.table

    async def log(self, table_id: str) -> list[int]:
        """The sequence numbers of a table's log."""
        return [each.sequence for each in await self.store.events_after(table_id, 0, 1000)]


@pytest.fixture
async def base(database: Database) -> AsyncIterator[Base]:
    options = PostgresOptions(database.dsn_as("belot_table"), "belot_table", "test")
    commits = CommitConnection(options)
    async with await open_pool(options) as pool:
        yield Base(PostgresStore(pool), options, commits)
    await commits.close()


def sitting(table: Table, player: str, request_id: str = "") -> Commit:
    """A player sits down at the first free seat."""
    request = Request(player, request_id, b"f" * 32, b"done") if request_id else None
    return commit_of(seating.sit_down(table, player, player, None), NOW + 1, request)


async def test_a_batch_commits_every_table_in_it(base: Base) -> None:
    tables = [await base.new_table(f"t{number}") for number in range(3)]
    assert await base.commit(*(sitting(each, "anna") for each in tables)) == [True] * 3
    loaded = [await base.store.load(each.table_id, None) for each in tables]
    assert [each.seats[0].player_id for each in loaded if each] == ["anna"] * 3
    assert [await base.log(each.table_id) for each in tables] == [[1, 2]] * 3


async def test_sixty_four_commits_fit_in_one_statement(base: Base) -> None:
    tables = [await base.new_table(f"t{number}") for number in range(64)]
    assert await base.commit(*(sitting(each, "anna") for each in tables)) == [True] * 64


async def test_the_loser_of_a_batch_leaves_nothing_and_costs_the_others_nothing(base: Base) -> None:
    first, lost, last = [await base.new_table(name) for name in ("a", "b", "c")]
    await base.commit(sitting(lost, "quick"))
    batch = [sitting(first, "anna"), sitting(lost, "anna", "late"), sitting(last, "anna")]
    assert await base.commit(*batch) == [True, False, True]
    assert await base.log("b") == [1, 2]
    answered = await base.store.find_request("b", "anna", "late")
    assert answered is not None
    assert (answered.version, answered.fingerprint) == (2, None)


async def test_a_request_that_was_done_is_refused_by_the_guard_whatever_the_version(base: Base) -> None:
    table = await base.new_table("a")
    await base.commit(sitting(table, "anna", "r1"))
    current = await base.store.load("a", None)
    assert current is not None
    again = commit_of(seating.sit_down(current, "boris", "Boris", None), NOW, Request("anna", "r1", b"f" * 32, b""))
    assert await base.commit(again) == [False]
    assert await base.log("a") == [1, 2]


async def test_the_outbox_gets_its_row_with_the_commit_that_passed_alone(base: Base, database: Database) -> None:
    table = await base.new_table("a")
    row = OutboxRow("match_finished:m", "match_finished", b"result")
    winner = replace(sitting(table, "anna"), outbox=(row,))
    assert await base.commit(winner) == [True]
    assert await base.commit(replace(sitting(table, "boris"), outbox=(row,))) == [False]
    live = await base.commits.get()
    assert await live.fetchval("SELECT count(*) FROM outbox") == 1


async def test_every_commit_moves_the_timer_of_its_table(base: Base) -> None:
    table = await base.new_table("a")
    full = [f"p{number}" for number in range(2)]
    for player in full:
        assert await base.commit(sitting(table, player)) == [True]
        table = await base.store.load("a", table) or table
    assert [each.timer.version for each in await base.store.claim_overdue(-(2**40), 10)] == [3]


async def test_a_timer_that_was_claimed_is_left_alone_by_others(base: Base) -> None:
    await base.new_table("a")
    assert len(await base.store.claim_overdue(-(2**40), 10)) == 1
    assert await base.store.claim_overdue(-(2**40), 10) == []


async def test_two_committers_with_the_same_tables_in_opposite_order_never_deadlock(base: Base) -> None:
    names = [f"t{number:02}" for number in range(24)]
    tables = [await base.new_table(name) for name in names]
    other = CommitConnection(base.options)
    passed = 0
    try:
        for _ in range(20):
            forward = [sitting_over(each) for each in tables]
            both = await asyncio.gather(committing(base.commits)(forward), committing(other)(forward[::-1]))
            assert [sum(pair) for pair in zip(both[0], both[1][::-1], strict=True)] == [1] * len(tables)
            passed += 1
            tables = [await base.store.load(each.table_id, None) or each for each in tables]
    finally:
        await other.close()
    assert passed == 20
    assert await base.log("t00") == list(range(1, len(await base.log("t00")) + 1))


def sitting_over(table: Table) -> Commit:
    """Somebody sits down, or the one who sits leaves for another."""
    if table.seats[0].player_id:
        step = seating.leave(replace(table, seats=(*table.seats[:1], replace(table.seats[0], seat=1))), "x", NOW)
        return commit_of(Step(replace(step.table, status=Status.WAITING, seats=empty_table().seats), step.events), NOW)
    return sitting(table, "x")


async def test_one_bad_commit_in_a_group_does_not_keep_the_others_from_passing(base: Base) -> None:
    good, bad = await base.new_table("a"), await base.new_table("b")
    committer: GroupCommitter[Commit, bool] = GroupCommitter(committing(base.commits), name="test")
    broken = replace(sitting(bad, "anna"), at_ms=2**70)
    async with background(committer.run()):
        both = await asyncio.gather(
            committer.commit("a", sitting(good, "anna")), committer.commit("b", broken), return_exceptions=True
        )
    assert both[0] is True
    assert isinstance(both[1], Exception)


async def test_the_statement_finds_every_row_by_primary_key(base: Base) -> None:
    live = await base.commits.get()
    await warm_up(live)
    plan = await _plan(live)
    scans = {(node["Relation Name"], node["Node Type"]) for node in _nodes(plan) if "Relation Name" in node}
    # The index scans: that of the lock and that of the update, and the look-up of the request.
    assert {kind for name, kind in scans if name == "tables" and kind != "ModifyTable"} == {"Index Scan"}
    assert {kind for name, kind in scans if name == "table_requests" and kind != "ModifyTable"} <= {
        "Index Only Scan",
        "Index Scan",
    }
    assert not [node["Node Type"] for node in _nodes(plan) if node["Node Type"] in {"Seq Scan", "Hash Join"}]
    locks = next(node for node in _nodes(plan) if node["Node Type"] == "LockRows")
    sort = _nodes(locks)[1]
    assert sort["Node Type"] == "Sort"
    assert str(sort["Sort Key"]).endswith(".table_id']")


async def _plan(live: Connection) -> dict[str, object]:
    """The plan that this connection uses, whatever the arrays hold."""
    await live.execute(f"PREPARE commit_tables AS {COMMIT_TABLES}")
    empty = ", ".join("'{}'" for _ in columns(()))
    found = await live.fetchval(f"EXPLAIN (FORMAT JSON) EXECUTE commit_tables({empty})")
    return cast("dict[str, object]", json.loads(found)[0]["Plan"])


def _nodes(plan: dict[str, object]) -> list[dict[str, object]]:
    below = cast("list[dict[str, object]]", plan.get("Plans", []))
    return [plan, *(node for each in below for node in _nodes(each))]


async def test_a_moves_update_stays_heap_only(base: Base) -> None:
    table = await base.new_table("a")
    for player in ("p0", "p1", "p2"):
        await base.commit(sitting(table, player))
        table = await base.store.load("a", table) or table
    live = await base.commits.get()
    again = commit_of(Step(replace(table, version=table.version + 1), ()), NOW)
    for _ in range(5):
        assert await base.commit(again) == [True]
        again = replace(again, table=replace(again.table, version=again.table.version + 1))
    await live.execute("SELECT pg_stat_force_next_flush()")
    row = await live.fetchrow("SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_user_tables WHERE relname = 'tables'")
    assert row is not None
    assert row["n_tup_hot_upd"] >= 5


async def test_lists_go_on_after_the_last_row_whatever_was_added_since(base: Base) -> None:
    for number in range(5):
        await base.new_table(f"t{number}")
    waiting = Listing((Status.WAITING,))
    first = await base.store.list_tables(waiting, Page(2, None, ""))
    assert [each.table_id for each in first] == ["t4", "t3", "t2"]
    await base.new_table("t9")
    after = Page(2, (first[1].created_ms, first[1].table_id), "")
    assert [each.table_id for each in await base.store.list_tables(waiting, after)] == ["t2", "t1", "t0"]
