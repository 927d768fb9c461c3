"""The course of a match: opened, seeds, round, beacon, cards, decisions, result, reveal.

Pure: a table and what the dealer or the rules answered in, a step or `Refused` out. Every step checks that the table
still stands where the answer belongs, so that one fired twice does nothing.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from belot_table.clock import begin_turn, seeds_complete, spend_reserve
from belot_table.closing import lapse
from belot_table.stand_in import MOST_MISSED, STAND_IN_LEVEL, count_missed, given_back, taken_over
from belot_table.table import (
    Actor,
    Await,
    Clock,
    DecisionTaken,
    Fairness,
    Fallback,
    Happening,
    Match,
    MatchOver,
    Next,
    Refused,
    Status,
    StatusChanged,
    Step,
    Stint,
    Table,
    Told,
    own_seat,
    step,
    unchanged,
)

MOST_PASSED_OUT: Final = 24
"""Hands in a row that nobody takes before the match is given up: only absent people and easy bots pass so often, and
without an end they would pass for ever."""


@dataclass(frozen=True, slots=True)
class Applied:
    """What the rules made of an action: the state after it, what it waits for, where it stands, what happened.

    `card_points` are those of a deal that ended with it, by side; empty when none did. `cancelled` is set when a hand
    was passed out: the encoded MatchResult for a match that is given up here.
    """

    state: bytes = field(repr=False)
    next: Next
    hand: int
    trick: int
    events: tuple[Told, ...]
    card_points: tuple[int, ...] = ()
    cancelled: bytes = b""


@dataclass(frozen=True, slots=True)
class Opened:
    """The dealer opened the match: commitment (32 octets), until when seeds are taken, and the word of it."""

    commitment: bytes
    seed_deadline_ms: int
    event: Told


@dataclass(frozen=True, slots=True)
class Released:
    """Cards left the dealer: the words of it, and each seat's seed for a bot in that hand."""

    hand: int
    events: tuple[Told, ...]
    bot_seeds: tuple[tuple[int, bytes], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Decision:
    """Who decided at the seat whose turn it was; `policy` is a bot's, `fallback` why it was not that bot's own."""

    seat: int
    actor: Actor
    policy: str = ""
    fallback: Fallback | None = None


def opened(table: Table, answer: Opened) -> Step:
    """The match is open: seeds are awaited."""
    match = _at(table, Status.OPENING)
    fairness = Fairness(answer.commitment, answer.seed_deadline_ms)
    after = _with_match(table, Status.SEEDING, replace(match, fairness=fairness))
    return step(table, after, answer.event, StatusChanged(Status.SEEDING))


def may_seed(table: Table, player_id: str) -> int:
    """The seat for which this player may send a seed now. NOT_SEATED, WRONG_PHASE, SEEDS_CLOSED."""
    seat = own_seat(table, player_id).seat
    if table.status in (Status.WAITING, Status.OPENING):
        raise Refused("WRONG_PHASE", "no seeds are awaited yet")
    if table.status is not Status.SEEDING:
        raise Refused("SEEDS_CLOSED", "the seeds are closed")
    return seat


def seeded(table: Table, seat: int, receipt: Told) -> Step:
    """A seed has come; the same one again changes nothing."""
    match = _at(table, Status.SEEDING)
    if seat in match.fairness.seeded:
        return unchanged(table)
    fairness = replace(match.fairness, seeded=tuple(sorted((*match.fairness.seeded, seat))))
    return step(table, _with_match(table, Status.SEEDING, replace(match, fairness=fairness)), receipt)


def round_chosen(table: Table, round_due_ms: int, event: Told) -> Step:
    """The seeds are shown and the round is chosen: its beacon is awaited."""
    match = _at(table, Status.SEEDING)
    fairness = replace(match.fairness, round_due_ms=round_due_ms)
    after = _with_match(table, Status.DRAWING, replace(match, fairness=fairness))
    return step(table, after, event, StatusChanged(Status.DRAWING))


def beacon_fixed(table: Table, event: Told, start: Applied, now_ms: int) -> Step:
    """The value of all packs is fixed: play begins."""
    match = replace(_at(table, Status.DRAWING), started_ms=now_ms, card_points=(0,) * (max(table.sides) + 1))
    return _advance(table, match, start, (event, StatusChanged(Status.PLAYING)), now_ms)


def dealt(table: Table, released: Released, applied: Applied, now_ms: int) -> Step:
    """Cards were dealt."""
    match = _at(table, Status.PLAYING)
    if match.next.kind is not Await.CARDS:
        raise Refused("WRONG_PHASE", "no cards are due")
    if released.bot_seeds:
        match = replace(match, bot_seeds=released.bot_seeds, bot_seeds_hand=released.hand)
    return _advance(table, match, applied, released.events, now_ms)


def may_act(table: Table, player_id: str) -> int:
    """The seat for which this player may bid or play now. NOT_SEATED, WRONG_PHASE, NOT_YOUR_TURN."""
    seat = own_seat(table, player_id).seat
    if table.status is not Status.PLAYING or table.running.next.kind is not Await.TURN:
        raise Refused("WRONG_PHASE", "nobody is to act now")
    turn = table.running.next.seat
    if turn != seat:
        raise Refused("NOT_YOUR_TURN", f"seat {turn} is to act", seat=turn)
    return seat


def decided(table: Table, decision: Decision, applied: Applied, now_ms: int) -> Step:
    """A bid or card that the rules accepted; the reserve pays for what went beyond its time.

    A person who decides has his seat back; one who missed his second turn in a row is stood in for from now on.
    """
    match = _at(table, Status.PLAYING)
    if match.next.kind is not Await.TURN or match.next.seat != decision.seat:
        raise Refused("NOT_YOUR_TURN", "another seat is to act", seat=match.next.seat)
    actor, seat, clock = decision.actor, table.seats[decision.seat], match.clock
    if actor is not Actor.BOT:
        clock = replace(clock, reserves_ms=spend_reserve(clock, seat.seat, now_ms))
    match = replace(match, clock=clock, missed=count_missed(match, seat.seat, actor, len(table.seats)))
    first: tuple[Happening, ...] = ()
    if actor is Actor.PERSON and seat.seat not in match.decided:
        match = replace(match, decided=tuple(sorted((*match.decided, seat.seat))))
    if actor is not Actor.PERSON:
        first = (DecisionTaken(seat.seat, actor, decision.policy),)
        match = replace(match, stints=_counted(match.stints, decision))
    elif seat.stood_in:
        table, first = given_back(table, seat)
        match = replace(match, stints=(*match.stints, Stint(seat.seat, actor, "", match.hand, match.trick)))
    if actor is Actor.AUTOMATIC and match.missed[seat.seat] >= MOST_MISSED and seat.kind is Actor.PERSON:
        table, last = taken_over(table, seat.seat, match.missed[seat.seat])
        stint = Stint(seat.seat, Actor.BOT, STAND_IN_LEVEL, applied.hand, _trick_after(match, applied))
        return _advance(table, replace(match, stints=(*match.stints, stint)), applied, first, now_ms, last)
    return _advance(table, match, applied, first, now_ms)


def _counted(stints: tuple[Stint, ...], decision: Decision) -> tuple[Stint, ...]:
    """The stints, with one decision more that was not the bot's own in the last one of its seat."""
    if decision.fallback is None:
        return stints
    last = max(at for at, each in enumerate(stints) if each.seat == decision.seat)
    stint = stints[last]
    if decision.fallback is Fallback.DEADLINE:
        stint = replace(stint, late=stint.late + 1)
    else:
        stint = replace(stint, lost=stint.lost + 1)
    return (*stints[:last], stint, *stints[last + 1 :])


def _trick_after(match: Match, applied: Applied) -> int:
    """The trick in which the seat that just acted decides next: not the present one, where it played to that."""
    played = not match.next.bidding and (applied.hand, applied.trick) == (match.hand, match.trick)
    return applied.trick + 1 if played else applied.trick


def revealed(table: Table, server_seed: bytes, event: Told) -> Step:
    """The server seed is public: the table is done."""
    match = _at(table, Status.FINISHED)
    if match.fairness.server_seed:
        return unchanged(table)
    fairness = replace(match.fairness, server_seed=server_seed)
    return step(table, _with_match(table, Status.FINISHED, replace(match, fairness=fairness)), event)


def expired(table: Table) -> Step:
    """Nobody came: the table is closed."""
    if table.status is not Status.WAITING:
        raise Refused("TABLE_NOT_OPEN", "the table does not wait any more")
    return step(table, replace(table, status=Status.CLOSED), StatusChanged(Status.CLOSED))


def bot_seed(match: Match, seat: int) -> bytes:
    """The seed of a bot at this seat in the present hand; empty when the dealer gave none."""
    return dict(match.bot_seeds).get(seat, b"") if match.bot_seeds_hand == match.hand else b""


def ready_to_close_seeds(table: Table, now_ms: int) -> bool:
    """Whether all seeds have come or their time is over."""
    return seeds_complete(table) or now_ms >= table.running.fairness.seed_deadline_ms


def _advance(
    table: Table,
    match: Match,
    applied: Applied,
    first: Sequence[Happening],
    now_ms: int,
    then: Sequence[Happening] = (),
) -> Step:
    """Take over what the rules answered, its events between `first` and `then`; begin the next turn or end all."""
    reserves = match.clock.reserves_ms
    match, lapsed = lapse(match, applied.hand)
    status, clock, ended_ms = Status.PLAYING, Clock(reserves_ms=reserves), 0
    last: tuple[Happening, ...] = ()
    passed_out, next_ = _passed_out(match, applied)
    if next_.kind is Await.TURN:
        clock, turn = begin_turn(table, next_, reserves, now_ms)
        last = (turn,)
    elif next_.kind is Await.FINISHED:
        status, ended_ms = Status.FINISHED, now_ms
        last = (StatusChanged(Status.FINISHED), MatchOver())
    points = match.card_points
    if applied.card_points:
        points = tuple(old + new for old, new in zip(points, applied.card_points, strict=True))
    match = replace(
        match,
        state=applied.state,
        next=next_,
        passed_out=passed_out,
        hand=applied.hand,
        trick=applied.trick,
        card_points=points,
        clock=clock,
        ended_ms=ended_ms,
    )
    events = (*first, *applied.events, *lapsed, *then, *last)
    # In one go, because this is every move: `step` would copy the table once more.
    version, sequence = table.version + 1, table.sequence + len(events)
    return Step(replace(table, status=status, match=match, version=version, sequence=sequence), events)


def _passed_out(match: Match, applied: Applied) -> tuple[int, Next]:
    """Hands passed out in a row, and what the match waits for: nothing more when there were too many."""
    if not applied.cancelled:
        return 0 if applied.trick else match.passed_out, applied.next
    count = match.passed_out + 1
    return count, Next(Await.FINISHED, body=applied.cancelled) if count >= MOST_PASSED_OUT else applied.next


def _at(table: Table, status: Status) -> Match:
    if table.status is not status:
        raise Refused("WRONG_PHASE", f"the table is {table.status.name.lower()}, not {status.name.lower()}")
    return table.running


def _with_match(table: Table, status: Status, match: Match) -> Table:
    return replace(table, status=status, match=match)
