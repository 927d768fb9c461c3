"""Tables as values for tests of what decides about them: no services, no clock, no randomness."""

from collections.abc import Sequence
from dataclasses import replace

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot_table import course, seating
from belot_table.course import Applied, Decision, Opened, Released
from belot_table.seating import Opening
from belot_table.table import Actor, Await, Next, Options, RulesetRef, Step, Table, Told

NOW = 1_000_000
OPTIONS = Options("classic", bid_ms=15_000, card_ms=20_000, reserve_ms=60_000)
OPENING = Opening("match-1", tuple(bytes((seat,)) * 16 for seat in range(4)))
SECRET_STATE = b"\x12\x06secret"
NAMES = ("anna", "boris", "clara", "dmitri")


def empty_table(table_id: str = "table-1", options: Options = OPTIONS) -> Table:
    """A new table before its first step."""
    ref = RulesetRef("classic", 1, "00" * 32)
    return seating.new_table(table_id, options, ref, "{}", (0, 1, 0, 1), NOW)


def waiting_table(table_id: str = "table-1", options: Options = OPTIONS, maker: str = "") -> Table:
    """A new table after its first step; `maker` sits at seat 0 when named."""
    return seating.set_up(empty_table(table_id, options), maker, maker).table


def seated(kinds: str, options: Options = OPTIONS) -> Table:
    """A waiting table with persons `P` (anna, boris, ... not ready), bots `B` and free seats `.`."""
    table = waiting_table(options=options)
    for seat, kind in enumerate(kinds):
        if kind == "P":
            table = seating.sit_down(table, NAMES[seat], NAMES[seat].title(), seat).table
    if "B" in kinds:
        bots = tuple(
            replace(each, kind=Actor.BOT, bot_level="normal", ready=True) if kinds[each.seat] == "B" else each
            for each in table.seats
        )
        table = replace(table, seats=bots)
    return table


def opening(kinds: str, options: Options = OPTIONS) -> Table:
    """A table whose persons are all ready."""
    table = seated(kinds, options)
    if "P" not in kinds:
        return seating.fill_with_bots(waiting_table(options=options), "maker", "normal", OPENING).table
    for seat, kind in enumerate(kinds):
        if kind == "P":
            table = seating.set_ready(table, NAMES[seat], True, OPENING).table
    return table


def seeding(kinds: str, options: Options = OPTIONS) -> Table:
    """A table that awaits seeds until 10 s from NOW."""
    return course.opened(opening(kinds, options), Opened(b"c" * 32, NOW + 10_000, told("match_opened"))).table


def drawing(kinds: str, options: Options = OPTIONS) -> Table:
    """A table whose round is due 3 s from NOW."""
    return course.round_chosen(seeding(kinds, options), NOW + 3_000, told("round_chosen")).table


def playing(kinds: str, options: Options = OPTIONS, *, turn: int = 1, bidding: bool = False, now: int = NOW) -> Table:
    """A table where `turn` is to act since `now`."""
    start = applied(Next(Await.CARDS, body=b"\x10\x01"))
    table = course.beacon_fixed(drawing(kinds, options), told("beacon_fixed"), start, now).table
    released = Released(0, (told("cards_released"),), tuple((seat, bytes((seat,)) * 32) for seat in range(4)))
    return course.dealt(table, released, applied(to_act(turn, bidding=bidding)), now).table


def finished(kinds: str) -> Table:
    """A table whose match has its result."""
    table = playing(kinds)
    result = match_pb2.MatchResult(outcome="won", ranks=(1, 2), totals=(162, 0), deals_played=1)
    end = applied(Next(Await.FINISHED, body=result.SerializeToString()), card_points=(152, 0))
    return course.decided(table, Decision(1, Actor.PERSON), end, NOW + 1_000).table


def to_act(seat: int, *, bidding: bool = False) -> Next:
    """The seat is to act."""
    legal = (
        match_pb2.LegalActions(may_pass=True)
        if bidding
        else match_pb2.LegalActions(cards=[common_pb2.CARD_SEVEN_OF_CLUBS])
    )
    return Next(Await.TURN, seat, bidding, legal.SerializeToString())


def applied(next_: Next, *, card_points: Sequence[int] = (), events: Sequence[Told] = ()) -> Applied:
    """What the rules answered."""
    return Applied(SECRET_STATE, next_, 0, 0, tuple(events), tuple(card_points))


def told(kind: str) -> Told:
    """An event for everybody."""
    return Told(kind, b"\x7a\x00")


def kinds_of(step: Step) -> list[str]:
    """What a step tells, by name."""
    return [each.kind if isinstance(each, Told) else type(each).__name__ for each in step.events]
