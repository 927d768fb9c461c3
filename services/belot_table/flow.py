"""What tables do by themselves when their timer is due, one function a kind of timer.

Every step asks first and writes once under the version its timer was set at, so that a timer that fires twice, late, or
in two processes does its work once. The dealer's steps are idempotent: after a crash they are simply asked again.
"""

from collections.abc import Awaitable, Callable
from typing import Final

from belot_fair.playlog import play_log_hash
from belot_kit.errors import DomainError, Reason
from belot_kit.ids import new_id
from belot_table import closing, course, seating
from belot_table.bot_port import Choice
from belot_table.clock import TimerKind, time_is_over
from belot_table.commands import opening_of
from belot_table.course import Decision
from belot_table.endings import Ending
from belot_table.evidence import play_log
from belot_table.halting import halt, is_breach
from belot_table.no_show import ending_of_unplayed, is_binding, unplayed
from belot_table.ports import Ports, write
from belot_table.reading import whole_log
from belot_table.results import early_of, transcript_ending
from belot_table.stand_in import deserted
from belot_table.standstill import going_on, turn_anew
from belot_table.store import DueTimer
from belot_table.table import FIRST_DEALER, Actor, Happening, Refused, Status, Step, Table, bound_stints
from belot_table.views import signed_octets

TIMEOUT_LEVEL: Final = "easy"
_SEEDS_AGAIN_MS: Final = 100


async def fire(ports: Ports, due: DueTimer) -> None:
    """Do what is due at a table, unless it has moved on since; a deal that does not add up stops the table.

    Errors: DomainError; then it is tried again.
    """
    table = await ports.tables.current(due.table_id)
    if table.version != due.timer.version:
        table = await ports.tables.fresh(due.table_id)
    if table.version != due.timer.version:
        return
    try:
        step = going_on(table, await _step_of(due.timer.kind, table, ports.clock.now_ms())(ports, table))
    except Refused:
        return
    except DomainError as error:
        if not is_breach(error):
            raise
        await halt(ports, table)
        return
    if not await write(ports, step, ports.clock.now_ms()):
        await ports.tables.fresh(due.table_id)


def _step_of(kind: TimerKind, table: Table, now_ms: int) -> Callable[[Ports, Table], Awaitable[Step]]:
    """What is due: the end of a match whose time is over, however late something else was done.

    A person who was to act when his table was halted has his turn anew, in place of a timeout.
    """
    if time_is_over(table, now_ms):
        return _end_by_limit
    return _turn_anew if kind is TimerKind.TURN and table.halted else _STEPS[kind]


async def _turn_anew(ports: Ports, table: Table) -> Step:
    return turn_anew(table, ports.clock.now_ms())


async def _open(ports: Ports, table: Table) -> Step:
    bots = {each.bot_level for each in bound_stints(table) if each.actor is Actor.BOT}
    policies = await ports.bots.levels(len(table.seats)) if bots else {}
    if not bots.issubset(policies):
        raise DomainError(Reason.UNAVAILABLE, "the bots of this table are not on offer now")
    return course.opened(table, await ports.dealer.open(table, policies))


async def _close_seeds(ports: Ports, table: Table) -> Step:
    try:
        round_due_ms, event = await ports.dealer.close_seeds(table.running.match_id)
    except DomainError as error:
        if error.reason is Reason.WRONG_PHASE and error.retry_after_ms is None:
            error.retry_after_ms = _SEEDS_AGAIN_MS
        raise
    return course.round_chosen(table, round_due_ms, event)


async def _fix_beacon(ports: Ports, table: Table) -> Step:
    event = await ports.dealer.fix_beacon(table.running.match_id)
    start = await ports.rules.start(table.ruleset_json, FIRST_DEALER)
    return course.beacon_fixed(table, event, start, ports.clock.now_ms())


async def _deal(ports: Ports, table: Table) -> Step:
    dealt = await ports.dealer.release(table)
    applied = await ports.rules.apply(table.running.state, table.ruleset_json, None, dealt.action)
    return course.dealt(table, dealt.released, applied, ports.clock.now_ms())


async def _bot_turn(ports: Ports, table: Table) -> Step:
    seat = table.running.next.seat
    if deserted(table):
        return _ended(table, closing.nobody_left(table), ports.clock.now_ms())
    choice = await _choose(ports, table, table.seats[seat].bot_level)
    return await _decide(ports, table, Decision(seat, Actor.BOT, choice.policy, choice.fallback), choice)


async def _time_is_up(ports: Ports, table: Table) -> Step:
    choice = await _choose(ports, table, TIMEOUT_LEVEL)
    return await _decide(ports, table, Decision(table.running.next.seat, Actor.AUTOMATIC), choice)


async def _choose(ports: Ports, table: Table, level: str) -> Choice:
    match, seat = table.running, table.running.next.seat
    return await ports.bots.choose(match, table.ruleset_json, seat, level, course.bot_seed(match, seat))


async def _decide(ports: Ports, table: Table, decision: Decision, choice: Choice) -> Step:
    applied = await ports.rules.apply(table.running.state, table.ruleset_json, decision.seat, choice.action)
    return course.decided(table, decision, applied, ports.clock.now_ms())


async def _reveal(ports: Ports, table: Table) -> Step:
    match_id, events = table.running.match_id, await whole_log(ports.store, table)
    # What ended the match early may have overtaken a step that the dealer had signed already.
    told = None if table.running.ended_early is None else signed_octets(events)
    log_hash = play_log_hash(play_log(match_id, events))
    seed, event = await ports.dealer.reveal(match_id, log_hash, transcript_ending(table), told)
    return course.revealed(table, seed, event)


async def _expire(ports: Ports, table: Table) -> Step:
    now = ports.clock.now_ms()
    if is_binding(table) and all(each.kind is not Actor.NOBODY for each in table.seats):
        return seating.open_all(table, opening_of(table, now))
    return _unplayed(table, now)


async def _end_by_limit(ports: Ports, table: Table) -> Step:
    now = ports.clock.now_ms()
    if table.status is Status.WAITING:
        return _unplayed(table, now)
    return _ended(table, closing.at_limit(table), now)


def _unplayed(table: Table, now_ms: int) -> Step:
    """The end of a table that still waits: those who must have come lose, elsewhere it is just closed."""
    if not is_binding(table):
        return course.expired(table)
    over, told = unplayed(table, new_id(now_ms), now_ms)
    return _ended(over, ending_of_unplayed(table), now_ms, told)


def _ended(table: Table, ending: Ending, now_ms: int, told: tuple[Happening, ...] = ()) -> Step:
    return closing.end_early(table, closing.Outcome(table.running, told), early_of(table, ending), now_ms)


_STEPS: Final[dict[TimerKind, Callable[[Ports, Table], Awaitable[Step]]]] = {
    TimerKind.OPEN: _open,
    TimerKind.SEED: _close_seeds,
    TimerKind.BEACON: _fix_beacon,
    TimerKind.DEAL: _deal,
    TimerKind.BOT: _bot_turn,
    TimerKind.TURN: _time_is_up,
    TimerKind.REVEAL: _reveal,
    TimerKind.EXPIRY: _expire,
    TimerKind.LIMIT: _end_by_limit,
}
