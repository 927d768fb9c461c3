"""A table whose deal does not add up stands still, loses nothing, and goes on with the turn it stopped at."""

import pytest

from belot.table.v1 import view_pb2
from belot_table import chatting, seating
from belot_table.clock import HALT_MS, Timer, TimerKind, next_timer, stamped
from belot_table.standstill import going_on, halted, must_not_be_halted, turn_anew
from belot_table.table import Options, Refused, Step, Told, step
from support.table_values import NOW, drawing, kinds_of, playing, seated

LATER = NOW + 5 * 60_000


def said(done: Step) -> list[bool]:
    """What a step tells of the table being halted."""
    told = [each.body for each in done.events if isinstance(each, Told) and each.kind == "table_halted"]
    return [view_pb2.TableEvent.FromString(each).table_halted.halted for each in told]


def test_a_halted_table_keeps_its_match_and_tells_everybody() -> None:
    before = playing("PPPP")
    done = halted(before, LATER)
    assert (done.table.match, done.table.halted, said(done)) == (before.match, True, [True])


def test_a_try_that_fails_again_tells_nobody_and_rests_anew() -> None:
    done = halted(halted(playing("PPPP"), NOW).table, LATER)
    assert done.events == ()
    assert next_timer(done.table, LATER) == Timer(TimerKind.TURN, LATER + HALT_MS, done.table.version, 1)


def test_talk_does_not_move_the_time_of_the_next_try() -> None:
    table = halted(playing("PBPB"), NOW).table
    talked = chatting.say(table, "anna", chatting.Say("hm"))
    timer = next_timer(talked.table, LATER)
    assert timer is not None
    assert (timer.kind, timer.due_ms) == (TimerKind.BOT, NOW + HALT_MS)


def test_a_person_whose_turn_it_was_has_it_anew_with_the_reserve_he_had() -> None:
    before = halted(playing("PPPP"), NOW).table
    done = going_on(before, turn_anew(before, LATER))
    assert kinds_of(done) == ["table_halted", "TurnStarted"]
    assert said(done) == [False]
    clock = done.table.running.clock
    assert (clock.reserve_from_ms - LATER, clock.due_ms - LATER) == (20_000, 80_000)
    assert not done.table.halted
    assert done.table.sequence == before.sequence + 2
    assert done.table.version == before.version + 1


def test_nobody_has_a_turn_anew_where_nobody_was_to_act() -> None:
    with pytest.raises(Refused) as refused:
        turn_anew(drawing("PPPP"), NOW)
    assert refused.value.reason == "WRONG_PHASE"


def test_a_table_that_was_not_halted_says_nothing_of_it() -> None:
    table = playing("PPPP")
    done = step(table, table, Told("x", b"\x7a\x00"))
    assert going_on(table, done) is done


def test_play_is_refused_while_the_table_stands() -> None:
    must_not_be_halted(playing("PPPP"))
    with pytest.raises(Refused) as refused:
        must_not_be_halted(halted(playing("PPPP"), NOW).table)
    assert refused.value.reason == "TABLE_HALTED"


def expiry(done: Step) -> int:
    """How long after NOW a waiting table is closed, if the step is written five minutes later."""
    timer = next_timer(stamped(done, LATER).table, LATER)
    assert timer is not None
    assert timer.kind is TimerKind.EXPIRY
    return timer.due_ms - NOW


def test_seats_and_readiness_begin_a_waiting_tables_time_anew_and_nothing_else_does() -> None:
    table, waiting = seated("PP..", Options("classic", waiting_ms=60_000)), 60_000
    assert expiry(chatting.say(table, "anna", chatting.Say("hello"))) == waiting
    assert expiry(chatting.mute(table, "anna", chatting.Mute("boris", True))) == waiting
    assert expiry(seating.set_connected(table, "anna", False)) == waiting
    assert expiry(seating.sit_down(table, "clara", "Clara", None)) == waiting + LATER - NOW
    assert expiry(seating.leave(table, "boris", LATER)) == waiting + LATER - NOW
