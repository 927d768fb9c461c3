"""Everything the use cases work with, and the one way in which a step is written."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from belot.table.v1 import table_pb2
from belot_kit.clock import Clock
from belot_kit.failpoints import failpoint
from belot_kit.groupcommit import GroupCommitter
from belot_kit.queueing import Queues
from belot_table.bot_port import Bots
from belot_table.clock import next_timer, stamped
from belot_table.committing import Commit, OutboxRow, Request
from belot_table.complaints import Reported
from belot_table.dealer_port import Dealer
from belot_table.publishing import Publisher
from belot_table.results import match_finished
from belot_table.rules_port import Rules
from belot_table.state_cache import StateCache
from belot_table.store import Store
from belot_table.table import MatchOver, Step, Table
from belot_table.timing import TableTimers
from belot_table.told import envelopes_of

PATIENCE_SECONDS: Final = 0.5
"""How long a command waits for others at its table here; then it is decided beside them, and the guard takes one."""


def nobody_delivers() -> None:
    """What follows an outbox row where no other service is to learn of it: nothing, the row waits."""


@dataclass(frozen=True, slots=True)
class Ports:
    """What a use case may reach. `outbox_written` is called after a commit that has an outbox row; in `queues` commands
    wait for others of their table."""

    store: Store
    tables: StateCache
    committer: GroupCommitter[Commit, bool]
    publisher: Publisher
    timers: TableTimers
    rules: Rules
    dealer: Dealer
    bots: Bots
    clock: Clock
    outbox_written: Callable[[], None] = nobody_delivers
    queues: Queues = field(default_factory=lambda: Queues(PATIENCE_SECONDS))


def commit_of(step: Step, at_ms: int, request: Request | None = None) -> Commit:
    """A step as it is written: its events, its timer, and what other systems are to learn."""
    timer = next_timer(step.table, at_ms)
    reports = tuple(each for each in step.events if isinstance(each, Reported))
    return Commit(step.table, at_ms, envelopes_of(step, at_ms), timer, request, reports, _outbox(step))


async def write(ports: Ports, step: Step, at_ms: int, request: Request | None = None) -> bool:
    """Commit a step, then publish it and set its timer; False when the guard refused it.

    Errors: DomainError UNAVAILABLE; then it may have been committed, and relay and scan do what is left.
    """
    step = stamped(step, at_ms)
    commit = commit_of(step, at_ms, request)
    failpoint("table_before_commit")
    passed = await ports.committer.commit(step.table.table_id, commit)
    if passed:
        failpoint("table_after_commit")
        announce(ports, step, commit)
    return passed


def announce(ports: Ports, step: Step, commit: Commit) -> None:
    """What follows a commit that passed."""
    ports.tables.put(step.table)
    if commit.envelopes:
        ports.publisher.publish(step, commit.envelopes, at_rest=commit.timer is None)
    failpoint("table_after_publish")
    ports.timers.schedule(step.table.table_id, commit.timer)
    if commit.outbox:
        ports.outbox_written()


def encode_ack(table: Table) -> bytes:
    """The answer to a command that led to this state, as stored and sent."""
    return table_pb2.Ack(version=table.version, sequence=table.sequence).SerializeToString()


def _outbox(step: Step) -> tuple[OutboxRow, ...]:
    if not any(isinstance(each, MatchOver) for each in step.events):
        return ()
    finished = match_finished(step.table)
    return (OutboxRow(f"match_finished:{finished.match_id}", "match_finished", finished.SerializeToString()),)
