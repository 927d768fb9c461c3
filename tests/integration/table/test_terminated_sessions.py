"""Sessions that the database ends while they are used: one kind of refusal comes of it, and work goes on afterwards."""

import asyncio
import contextlib
from collections import Counter
from collections.abc import Awaitable, Callable

import asyncpg

from belot_kit.errors import DomainError, Reason
from belot_kit.postgres import CommitConnection, PostgresOptions, open_pool
from belot_table.committing import committing
from belot_table.store import PostgresStore
from support.databases import Database

ROUNDS = 200
TERMINATE = """
    SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
    WHERE application_name = 'victims' AND datname = current_database()
"""


async def test_whatever_a_terminated_session_meets_is_called_unavailable_and_the_next_one_works(
    database: Database,
) -> None:
    options = PostgresOptions(database.dsn, "belot_table", "victims")
    came: Counter[str] = Counter()
    over = asyncio.Event()

    async def keep_asking(name: str, ask: Callable[[], Awaitable[object]]) -> None:
        while not over.is_set():
            try:
                await ask()
                came[name] += 1
            except DomainError as error:
                came[error.reason] += 1

    commits = CommitConnection(options)
    commit = committing(commits)
    killer = await asyncpg.connect(database.dsn)
    async with await open_pool(options) as pool:
        store = PostgresStore(pool)
        async with asyncio.TaskGroup() as group:
            for _ in range(8):
                group.create_task(keep_asking("read", lambda: store.events_after("no-table", 0, 10)))
            group.create_task(keep_asking("commit", lambda: commit(())))
            for _ in range(ROUNDS):
                await killer.fetchval(TERMINATE)
            over.set()
        assert set(came) <= {"read", "commit", Reason.UNAVAILABLE}
        assert came[Reason.UNAVAILABLE]
        with contextlib.suppress(DomainError):
            await commit(())  # may be the one that learns of the last termination
        assert await commit(()) == []
        assert await store.events_after("no-table", 0, 10) == ()
    await commits.close()
    await killer.close()
