"""A table that stands still: halted because a deal of it does not add up, until a step that was tried again succeeds.

Pure. Nothing of the match changes meanwhile, and no clock runs against anybody: where a person is to act, his turn
begins anew when the table goes on.
"""

from dataclasses import replace

from belot.table.v1 import view_pb2
from belot_table.clock import begin_turn
from belot_table.table import Await, Refused, Step, Table, Told, step
from belot_table.told import told_event


def halted(table: Table, now_ms: int) -> Step:
    """The table stands from now on. Where it did so before nobody is told again; it only rests anew."""
    after = replace(table, halted=True, still_since_ms=now_ms)
    return step(table, after) if table.halted else step(table, after, _told(True))


def turn_anew(table: Table, now_ms: int) -> Step:
    """A person may try again to act. WRONG_PHASE when nobody is to."""
    match = table.running
    if match.next.kind is not Await.TURN:
        raise Refused("WRONG_PHASE", "nobody is to act now")
    clock, turn = begin_turn(table, match.next, match.clock.reserves_ms, now_ms)
    return step(table, replace(table, match=replace(match, clock=clock)), turn)


def going_on(before: Table, done: Step) -> Step:
    """A step of a table after which it goes on if it was halted `before`; everybody is told so first."""
    if not before.halted or not done.events:
        return done
    return Step(replace(done.table, halted=False, sequence=done.table.sequence + 1), (_told(False), *done.events))


def must_not_be_halted(table: Table) -> None:
    """Nothing of the match can change now. TABLE_HALTED while the table stands."""
    if table.halted:
        raise Refused("TABLE_HALTED", "the table was stopped because of a fault of ours; nothing is lost")


def _told(is_halted: bool) -> Told:
    return told_event(view_pb2.TableEvent(table_halted=view_pb2.TableHalted(halted=is_halted)))
