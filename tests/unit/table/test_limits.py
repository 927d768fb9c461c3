"""Matches with a limit, and tables at which whoever does not come loses."""

from dataclasses import replace

import pytest

from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import DomainError
from belot_table import closing, course, seating
from belot_table.clock import HALT_MS, Timer, TimerKind, next_timer, time_is_over
from belot_table.course import Decision
from belot_table.endings import Ending, EndKind, SideOutcome
from belot_table.no_show import ending_of_unplayed, is_binding, unplayed
from belot_table.requests import read_new_table
from belot_table.results import early_of, is_revealed, match_finished
from belot_table.standstill import halted
from belot_table.table import Actor, Options, Refused, Status, Table
from support.table_values import (
    NAMES,
    NOW,
    OPENING,
    applied,
    drawing,
    finished,
    opening,
    playing,
    seated,
    seeding,
    to_act,
    waiting_table,
)

LIMIT = NOW + 60_000
LIMITED = Options("classic", ends_by_ms=LIMIT)
KEPT = Options("classic", ends_by_ms=LIMIT, reserved_for=NAMES, waiting_ms=30_000)


def due(table: Table, now: int = NOW) -> tuple[TimerKind, int] | None:
    """What the table waits for, and until when."""
    timer = next_timer(table, now)
    return None if timer is None else (timer.kind, timer.due_ms)


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (waiting_table(options=LIMITED), (TimerKind.LIMIT, LIMIT)),
        (playing("PPPP", LIMITED), (TimerKind.LIMIT, LIMIT)),
        (playing("PPPP", replace(LIMITED, ends_by_ms=NOW + 100_000)), (TimerKind.TURN, NOW + 80_000)),
        (playing("PBPB", LIMITED), (TimerKind.BOT, NOW)),
        (seeding("PPPP", replace(LIMITED, ends_by_ms=NOW + 5_000)), (TimerKind.LIMIT, NOW + 5_000)),
        (drawing("PPPP", replace(LIMITED, ends_by_ms=NOW + 1_000)), (TimerKind.LIMIT, NOW + 1_000)),
        (opening("PPPP", replace(LIMITED, ends_by_ms=NOW - 1)), (TimerKind.OPEN, NOW)),
    ],
    ids=["waiting", "a turn after it", "a turn before it", "a bot's turn", "seeding", "drawing", "opening"],
)
def test_the_limit_comes_whatever_else_is_waited_for(table: Table, expected: tuple[TimerKind, int]) -> None:
    assert due(table) == expected


def test_a_match_that_has_its_result_knows_no_limit() -> None:
    table = finished("PPPP")
    table = replace(table, options=replace(table.options, ends_by_ms=NOW))
    assert due(table) == (TimerKind.REVEAL, NOW)
    assert not time_is_over(table, LIMIT)


def test_a_halted_table_is_ended_by_its_limit_too() -> None:
    table = halted(playing("PPPP", LIMITED), NOW).table
    assert due(table) == (TimerKind.LIMIT, LIMIT)
    table = halted(playing("PPPP", replace(LIMITED, ends_by_ms=NOW + HALT_MS + 1)), NOW).table
    assert due(table) == (TimerKind.TURN, NOW + HALT_MS)


@pytest.mark.parametrize(("now", "over"), [(LIMIT - 1, False), (LIMIT, True), (LIMIT + 1, True)])
def test_the_time_is_over_at_the_limit(now: int, over: bool) -> None:
    assert time_is_over(playing("PPPP", LIMITED), now) is over
    assert not time_is_over(playing("PPPP"), now)


def acted(table: Table, *seats: int) -> Table:
    """The table after decisions of these seats' persons."""
    for seat in seats:
        table = replace(table, match=replace(table.running, next=to_act(seat)))
        table = course.decided(table, Decision(seat, Actor.PERSON), applied(to_act(seat)), NOW).table
    return table


def test_what_a_person_decides_for_himself_is_remembered_by_seat() -> None:
    table = acted(playing("PPPP"), 2, 0, 2)
    assert table.running.decided == (0, 2)
    by_clock = course.decided(table, Decision(2, Actor.AUTOMATIC), applied(to_act(3)), NOW).table
    assert by_clock.running.decided == (0, 2)
    by_bot = course.decided(by_clock, Decision(3, Actor.BOT, "easy/1"), applied(to_act(0)), NOW).table
    assert by_bot.running.decided == (0, 2)


@pytest.mark.parametrize(
    ("table", "ending"),
    [
        (playing("PPPP"), Ending(EndKind.DOUBLE_LOSS, (0, 1))),
        (acted(playing("PPPP"), 1), Ending(EndKind.TIMED_OUT, (0,))),
        (acted(playing("PPPP"), 0, 2), Ending(EndKind.TIMED_OUT, (1,))),
        (acted(playing("PPPP"), 0, 3), Ending(EndKind.DOUBLE_LOSS, (0, 1))),
        (seeding("PPPP"), Ending(EndKind.DOUBLE_LOSS, (0, 1))),
        (playing("BBBB"), Ending(EndKind.DOUBLE_LOSS, (0, 1))),
        (playing("PBPB"), Ending(EndKind.TIMED_OUT, (0,))),
        (halted(playing("PPPP"), NOW).table, Ending(EndKind.SERVER_FAULT)),
    ],
    ids=["nobody", "side 1", "side 0", "both", "before play", "bots", "persons against bots", "halted"],
)
def test_an_undecided_match_is_lost_by_all_or_by_who_never_decided_anything(table: Table, ending: Ending) -> None:
    assert closing.at_limit(table) == ending


def test_a_side_that_never_decided_loses_alone_and_nothing_is_rated() -> None:
    table = acted(playing("PPPP", replace(LIMITED, rated=True)), 1)
    ending = closing.at_limit(table)
    table = closing.end_early(table, closing.Outcome(table.running), early_of(unread(table), ending), LIMIT).table
    told = match_finished(table)
    assert (told.outcome_kind, told.rated, list(told.result.ranks)) == ("timed_out", False, [2, 1])
    assert list(told.side_outcomes) == [view_pb2.SIDE_OUTCOME_TIMED_OUT, view_pb2.SIDE_OUTCOME_WON]


def unread(table: Table) -> Table:
    """The table with a match state that can be read."""
    return replace(table, match=replace(table.running, state=b""))


@pytest.mark.parametrize(
    ("table", "binding"),
    [
        (waiting_table(options=KEPT, maker="maker"), True),
        (waiting_table(options=replace(KEPT, ends_by_ms=0, rated=True), maker="maker"), True),
        (waiting_table(options=replace(KEPT, ends_by_ms=0), maker="maker"), False),
        (waiting_table(options=replace(KEPT, reserved_for=("anna", "boris", "clara", "")), maker="maker"), False),
        (waiting_table(options=replace(KEPT, reserved_for=NAMES[:3]), maker="maker"), False),
        (replace(waiting_table(options=KEPT, maker="maker"), maker=""), False),
    ],
    ids=["a limit", "rated", "neither", "a free seat", "three kept", "a rematch"],
)
def test_who_does_not_come_loses_where_every_seat_is_kept_and_the_match_counts(table: Table, binding: bool) -> None:
    assert is_binding(table) is binding


def kept(kinds: str, options: Options = KEPT) -> Table:
    """A binding table at which some have come."""
    return replace(seated(kinds, options), maker="maker")


def test_the_time_in_which_they_must_come_runs_from_the_tables_making() -> None:
    assert due(replace(kept("PP.."), still_since_ms=NOW + 20_000), NOW + 20_000) == (TimerKind.EXPIRY, NOW + 30_000)


@pytest.mark.parametrize(
    ("kinds", "ending"),
    [
        ("PPP.", Ending(EndKind.NO_SHOW, (1,))),
        (".P.P", Ending(EndKind.NO_SHOW, (0,))),
        ("PP..", Ending(EndKind.DOUBLE_LOSS, (0, 1))),
        ("....", Ending(EndKind.DOUBLE_LOSS, (0, 1))),
        ("PPPP", Ending(EndKind.DOUBLE_LOSS, (0, 1))),
    ],
)
def test_a_side_of_which_somebody_did_not_come_loses(kinds: str, ending: Ending) -> None:
    assert ending_of_unplayed(kept(kinds)) == ending


def test_the_record_of_a_match_to_which_somebody_did_not_come_names_everybody() -> None:
    before = kept("PPP.", replace(KEPT, rated=True))
    over, told = unplayed(before, "match-9", LIMIT)
    done = closing.end_early(
        over, closing.Outcome(over.running, told), early_of(over, ending_of_unplayed(before)), LIMIT
    )
    record = match_finished(done.table)
    assert (record.outcome_kind, record.rated, list(record.leavers)) == ("no_show", False, ["dmitri"])
    assert [each.player_id for each in record.seats] == list(NAMES)
    assert record.side_outcomes == [SideOutcome.WON, SideOutcome.NO_SHOW]
    assert (record.result.deals_played, list(record.result.ranks), list(record.card_points)) == (0, [1, 2], [0, 0])
    assert (done.table.status, done.table.version) == (Status.FINISHED, before.version + 1)
    # Nothing was opened at the dealer, so that nothing is to be revealed.
    assert next_timer(done.table, LIMIT) is None
    assert is_revealed(done.table)


def test_leaving_does_not_close_a_table_to_which_others_must_come() -> None:
    done = seating.leave(kept("P..."), "anna", NOW)
    assert (done.table.status, done.table.seats[0].kind) == (Status.WAITING, Actor.NOBODY)


def test_bots_do_not_take_the_seats_of_those_who_must_come() -> None:
    with pytest.raises(Refused) as refused:
        seating.fill_with_bots(kept("P..."), "anna", "normal", OPENING)
    assert refused.value.reason == "PERMISSION_DENIED"


def test_those_who_came_play_ready_or_not() -> None:
    table = seating.open_all(kept("PPPP"), OPENING).table
    assert (table.status, all(each.ready for each in table.seats)) == (Status.OPENING, True)


def test_a_rematch_has_no_limit_of_the_old_match() -> None:
    old = replace(finished("PPPP"), options=KEPT)
    again = seating.table_like(old, "again", LIMIT)
    assert again.options == replace(KEPT, ends_by_ms=0)
    assert not is_binding(again)


@pytest.mark.parametrize("seconds", [-1, 0, 253_402_300_800])
def test_a_limit_that_is_no_time_is_refused_by_name(seconds: int) -> None:
    request = table_pb2.CreateTableRequest(player_id="anna", request_id="r")
    request.options.ruleset = "bela"
    request.options.ends_by.seconds = seconds
    request.options.ends_by.nanos = 0 if seconds else 1_000_000_000
    with pytest.raises(DomainError) as refused:
        read_new_table(request)
    assert refused.value.violations[0].field == "options.ends_by"


def test_a_timer_of_the_limit_is_meant_for_one_version() -> None:
    table = playing("PPPP", LIMITED)
    assert next_timer(table, NOW) == Timer(TimerKind.LIMIT, LIMIT, table.version)
