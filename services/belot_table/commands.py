"""What players do at tables, one function a use case (making.py makes tables).

Decide on the state at hand (asking rules and dealer outside any transaction), write once under its version, and when
somebody was faster reload and decide again. A request is looked up only when something refuses: then it may be a
repetition of one that was done.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from secrets import token_bytes
from typing import Final

from belot_kit.errors import DomainError, FieldViolation, Reason
from belot_kit.ids import new_id
from belot_table import chatting, closing, complaints, course, seating, stand_in
from belot_table.admission import admits
from belot_table.chatting import MOST_SAID, Mute, ReportMessage, Say, mute, report_message, say
from belot_table.claiming import AnswerClaim, ClaimTricks, answer_claim, claim_tricks
from belot_table.clock import time_is_over
from belot_table.committing import Request
from belot_table.endings import EndKind
from belot_table.halting import halt, is_breach
from belot_table.ports import Ports, encode_ack, write
from belot_table.reporting import ReportDeal, may_report, reported
from belot_table.results import early_of
from belot_table.seating import Opening
from belot_table.standstill import going_on, must_not_be_halted
from belot_table.state_cache import no_such_table
from belot_table.store import Answered
from belot_table.table import Actor, Refused, Step, Table, step, unchanged

ATTEMPTS: Final = 20
_PARTICIPANT_OCTETS: Final = 16


@dataclass(frozen=True, slots=True)
class SitDown:
    """Take a seat (None: the first free one) under a name; the code is a private table's."""

    seat: int | None
    name: str
    code: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Leave:
    """Leave the seat."""


@dataclass(frozen=True, slots=True)
class SetReady:
    """Be ready, or not."""

    ready: bool


@dataclass(frozen=True, slots=True)
class FillWithBots:
    """Bots of a level for all free seats."""

    level: str


@dataclass(frozen=True, slots=True)
class SendSeed:
    """The player's part of the shuffle."""

    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Act:
    """A bid or a card, as an encoded belot.rules.v1.Action."""

    action: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Resume:
    """Take the seat back from the bot that stands in."""


@dataclass(frozen=True, slots=True)
class Resign:
    """Give up."""


@dataclass(frozen=True, slots=True)
class ProposeDraw:
    """Ask the others for a draw."""


@dataclass(frozen=True, slots=True)
class AnswerDraw:
    """Say yes or no to a draw."""

    agree: bool


@dataclass(frozen=True, slots=True)
class EndMatch:
    """End the match for everybody: an operator's wish, as SERVER_FAULT or CANCELLED."""

    kind: EndKind


Wish = (
    SitDown
    | Leave
    | SetReady
    | FillWithBots
    | SendSeed
    | Act
    | ReportDeal
    | Resume
    | Resign
    | ProposeDraw
    | AnswerDraw
    | ClaimTricks
    | AnswerClaim
    | Say
    | Mute
    | ReportMessage
    | EndMatch
)


@dataclass(frozen=True, slots=True)
class Command:
    """Who wants what where; an empty `player_id` is the operators'. `fingerprint` is SHA-256 over what was asked."""

    table_id: str
    player_id: str
    request_id: str
    fingerprint: bytes
    wish: Wish
    expected_version: int | None = None


async def execute(ports: Ports, command: Command) -> bytes:
    """Do a command and return its encoded Ack. Every refusal of the table, the rules and the dealer comes from here.

    Commands of one table are done one after another in a process: decided at once, all but one would be decided in
    vain, and the slow ones again and again. VERSION_MISMATCH, REQUEST_ID_REUSED, CONFLICT when others, in other
    processes or fast bots, were faster twenty times.
    """
    async with ports.queues.turn(command.table_id):
        return await _execute(ports, command)


async def _execute(ports: Ports, command: Command) -> bytes:
    table = await ports.tables.current(command.table_id)
    for _ in range(ATTEMPTS):
        now = ports.clock.now_ms()
        try:
            step = await _decide(ports, table, command, now)
        except (Refused, DomainError) as refusal:
            answered = await _look_up(ports, command)
            if answered.fingerprint is not None:
                return answered.response
            if answered.version == table.version:
                if is_breach(refusal):
                    await halt(ports, table)
                raise _explained(refusal, table) from None
        else:
            request = Request(command.player_id, command.request_id, command.fingerprint, encode_ack(step.table))
            if await _done(ports, step, now, request):
                return request.response
            answered = await _look_up(ports, command)
            if answered.fingerprint is not None:
                return answered.response
        table = await ports.tables.fresh(command.table_id)
    raise DomainError(Reason.CONFLICT, "others were faster; try again")


async def _done(ports: Ports, step: Step, now_ms: int, request: Request) -> bool:
    """Whether the step and its answer are stored; also the answer to what changes nothing, for a late copy of it may
    find something to change."""
    if step.events:
        return await write(ports, step, now_ms, request)
    return await ports.store.keep_request(step.table.table_id, step.table.version, request, now_ms)


async def _decide(ports: Ports, table: Table, command: Command, now_ms: int) -> Step:
    code = command.wish.code if isinstance(command.wish, SitDown) else ""
    if command.player_id and not admits(table, command.player_id, code):
        raise no_such_table(table.table_id)
    if command.expected_version not in (None, table.version):
        raise DomainError(Reason.VERSION_MISMATCH, f"the table is at version {table.version}")
    if not isinstance(command.wish, _AT_ANY_TIME):
        _must_be_on(table, now_ms)
    return await _DECIDERS[type(command.wish)](ports, table, command.player_id, command.wish, now_ms)


def _must_be_on(table: Table, now_ms: int) -> None:
    """Something of the match may change now. TABLE_HALTED, WRONG_PHASE once its time is over."""
    must_not_be_halted(table)
    if time_is_over(table, now_ms):
        raise Refused("WRONG_PHASE", "the time of this match is over")


async def _look_up(ports: Ports, command: Command) -> Answered:
    """What is known of the command's request. TABLE_NOT_FOUND, REQUEST_ID_REUSED when it said something else."""
    answered = await ports.store.find_request(command.table_id, command.player_id, command.request_id)
    if answered is None:
        raise no_such_table(command.table_id)
    if answered.fingerprint not in (None, command.fingerprint):
        raise reused()
    return answered


def reused() -> DomainError:
    """The refusal of a request id that said something else before."""
    return DomainError(Reason.REQUEST_ID_REUSED, "this request id was used for something else")


def _explained(refusal: Refused | DomainError, table: Table) -> DomainError:
    """The refusal in the words of all services, with the version it was decided on."""
    if isinstance(refusal, Refused):
        field_name = refusal.facts.get("field")
        broken = [FieldViolation(str(field_name), refusal.message)] if field_name else []
        error = DomainError(Reason(refusal.reason), refusal.message, violations=broken)
        error.metadata = {name: str(fact) for name, fact in refusal.facts.items()}
    else:
        error = refusal
    if error.reason is Reason.TABLE_NOT_FOUND:  # nothing more is said of a table that he may not know of
        return error
    error.metadata = {**error.metadata, "version": str(table.version)}
    return error


def opening_of(table: Table, now_ms: int) -> Opening:
    """The random things of a match that may open with this step."""
    return Opening(new_id(now_ms), tuple(token_bytes(_PARTICIPANT_OCTETS) for _ in table.seats))


async def _sit_down(ports: Ports, table: Table, player_id: str, wish: SitDown, now_ms: int) -> Step:
    step = seating.sit_down(table, player_id, wish.name, wish.seat)
    # Before the commit: whoever sits has been seen, whatever dies in between; of one who does not it is forgotten.
    await ports.store.expect_player(table.table_id, player_id)
    return step


async def _leave(ports: Ports, table: Table, player_id: str, wish: Leave, now_ms: int) -> Step:
    ending = closing.leaving_ends(table, player_id)
    if ending is None:
        return seating.leave(table, player_id, now_ms)
    _must_be_on(table, now_ms)
    outcome = closing.Outcome(table.running)
    return closing.end_early(table, outcome, early_of(table, ending), now_ms, leaver=player_id)


async def _set_ready(ports: Ports, table: Table, player_id: str, wish: SetReady, now_ms: int) -> Step:
    return seating.set_ready(table, player_id, wish.ready, opening_of(table, now_ms))


async def _fill_with_bots(ports: Ports, table: Table, player_id: str, wish: FillWithBots, now_ms: int) -> Step:
    step = seating.fill_with_bots(table, player_id, wish.level, opening_of(table, now_ms))
    levels = await ports.bots.levels(len(table.seats))
    if wish.level not in levels:
        raise DomainError(Reason.BOT_LEVEL_UNKNOWN, f"levels at a table of {len(table.seats)} are {', '.join(levels)}")
    return step


async def _send_seed(ports: Ports, table: Table, player_id: str, wish: SendSeed, now_ms: int) -> Step:
    seat = course.may_seed(table, player_id)
    receipt = await ports.dealer.submit_seed(table.running.match_id, seat, wish.seed)
    return course.seeded(table, seat, receipt)


async def _act(ports: Ports, table: Table, player_id: str, wish: Act, now_ms: int) -> Step:
    seat = course.may_act(table, player_id)
    applied = await ports.rules.apply(table.running.state, table.ruleset_json, seat, wish.action)
    return course.decided(table, course.Decision(seat, Actor.PERSON), applied, now_ms)


async def _report(ports: Ports, table: Table, player_id: str, wish: ReportDeal, now_ms: int) -> Step:
    seat = may_report(table, player_id)
    await ports.dealer.report(table.running.match_id, seat, wish)
    return reported(table, seat, wish)


async def _resume(ports: Ports, table: Table, player_id: str, wish: Resume, now_ms: int) -> Step:
    return stand_in.resume(table, player_id, now_ms)


async def _resign(ports: Ports, table: Table, player_id: str, wish: Resign, now_ms: int) -> Step:
    return _settled(table, closing.resign(table, player_id), now_ms)


async def _propose_draw(ports: Ports, table: Table, player_id: str, wish: ProposeDraw, now_ms: int) -> Step:
    return _settled(table, closing.propose_draw(table, player_id), now_ms)


async def _answer_draw(ports: Ports, table: Table, player_id: str, wish: AnswerDraw, now_ms: int) -> Step:
    return _settled(table, closing.answer_draw(table, player_id, wish.agree), now_ms)


async def _say(ports: Ports, table: Table, player_id: str, wish: Say, now_ms: int) -> Step:
    said = say(table, player_id, wish)
    since = now_ms - chatting.WITHIN_MS
    recent = await ports.store.said_since(table.table_id, since, chatting.MOST_SAID_BY_ALL)
    wait = chatting.wait_ms(recent, player_id, now_ms)
    if wait:
        raise DomainError(Reason.RATE_LIMITED, f"at most {MOST_SAID} messages in ten seconds", retry_after_ms=wait)
    return said


async def _mute(ports: Ports, table: Table, player_id: str, wish: Mute, now_ms: int) -> Step:
    return mute(table, player_id, wish)


async def _report_message(ports: Ports, table: Table, player_id: str, wish: ReportMessage, now_ms: int) -> Step:
    found = await ports.store.events_after(table.table_id, wish.sequence - 1, 1)
    step = report_message(table, player_id, wish, found)
    since = now_ms - complaints.WITHIN_MS
    filed = await ports.store.reported_by(table.table_id, player_id, since, wish.sequence)
    if any(each.sequence == wish.sequence for each in filed):
        return unchanged(table)
    wait = complaints.wait_ms(filed, now_ms)
    if wait:
        message = f"at most {complaints.MOST_REPORTED} reports a minute"
        raise DomainError(Reason.RATE_LIMITED, message, retry_after_ms=wait)
    return step


async def _end_match(ports: Ports, table: Table, player_id: str, wish: EndMatch, now_ms: int) -> Step:
    ending = closing.ended_by_us(table, wish.kind)
    done = closing.end_early(table, closing.Outcome(table.running), early_of(table, ending), now_ms)
    return going_on(table, done)


def _settled(table: Table, outcome: closing.Outcome, now_ms: int) -> Step:
    """What a proposal or an answer comes to: the end of the match, or words that everybody hears."""
    if outcome.ending is not None:
        return closing.end_early(table, outcome, early_of(table, outcome.ending), now_ms)
    if not outcome.events:
        return unchanged(table)
    return step(table, replace(table, match=outcome.match), *outcome.events)


_AT_ANY_TIME: Final = (Leave, Say, Mute, ReportMessage, ReportDeal, EndMatch)
"""What can be done where the match can not go on; leaving a rated one cannot."""

_DECIDERS: Final[dict[type, Callable[..., Awaitable[Step]]]] = {
    SitDown: _sit_down,
    Leave: _leave,
    SetReady: _set_ready,
    FillWithBots: _fill_with_bots,
    SendSeed: _send_seed,
    Act: _act,
    Resume: _resume,
    Resign: _resign,
    ProposeDraw: _propose_draw,
    AnswerDraw: _answer_draw,
    ClaimTricks: claim_tricks,
    AnswerClaim: answer_claim,
    Say: _say,
    Mute: _mute,
    ReportMessage: _report_message,
    EndMatch: _end_match,
    ReportDeal: _report,
}
