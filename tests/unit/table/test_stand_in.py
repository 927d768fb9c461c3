"""A bot goes on for who missed two turns in a row, and he may always come back."""

from dataclasses import replace

import pytest

from belot_table import course, seating, stand_in
from belot_table.clock import STAND_IN_MS, TimerKind, next_timer
from belot_table.course import Decision
from belot_table.results import match_finished
from belot_table.stand_in import MOST_MISSED
from belot_table.table import Actor, Refused, Step, Stint, Table, TurnStarted, persons, seat_of
from support.table_values import NOW, OPTIONS, applied, finished, kinds_of, playing, to_act

RATED = replace(OPTIONS, rated=True)


def decide(table: Table, actor: Actor, then: int, now: int = NOW) -> Step:
    """The seat to act decides; `then` is to act next."""
    policy = "normal-1" if actor is Actor.BOT else ""
    return course.decided(table, Decision(table.running.next.seat, actor, policy), applied(to_act(then)), now)


def absent(turns: int = MOST_MISSED, options: object = RATED) -> Step:
    """The last of so many turns in a row that seat 1 missed, the others acting in between; then seat 2 is to act."""
    step = decide(playing("PPPP", options), Actor.AUTOMATIC, 2)  # type: ignore[arg-type]
    for _ in range(turns - 1):
        step = decide(decide(step.table, Actor.PERSON, 1).table, Actor.AUTOMATIC, 2)
    return step


def test_one_missed_turn_costs_the_seat_nothing() -> None:
    table = absent(1).table
    assert (table.seats[1].kind, table.running.missed) == (Actor.PERSON, (0, 1, 0, 0))


def test_after_two_missed_turns_in_a_row_a_bot_takes_the_seat_and_everybody_is_told() -> None:
    step = absent()
    seat = step.table.seats[1]
    assert (seat.kind, seat.bot_level, seat.player_id) == (Actor.BOT, "normal", "boris")
    assert kinds_of(step) == ["DecisionTaken", "SeatTakenOver", "SeatChanged", "TurnStarted"]


def test_two_missed_turns_with_an_own_decision_between_are_not_in_a_row() -> None:
    table = decide(absent(1).table, Actor.PERSON, 1).table
    table = decide(decide(table, Actor.PERSON, 1).table, Actor.AUTOMATIC, 2).table
    assert table.seats[1].kind is Actor.PERSON


def test_the_stint_of_the_bot_begins_with_the_seats_next_decision() -> None:
    # The card that the clock played belongs to trick 0, which goes on: the bot plays from trick 1.
    assert absent().table.running.stints[-1] == Stint(1, Actor.BOT, "normal", 0, 1)


def test_a_person_who_is_stood_in_for_still_has_the_seat() -> None:
    table = absent().table
    seat = seat_of(table, "boris")
    assert seat is not None
    assert (seat.seat, persons(table)) == (1, ("anna", "boris", "clara", "dmitri"))


def test_the_bot_leaves_the_person_time_to_act_and_shows_him_what_he_may_do() -> None:
    step = decide(absent().table, Actor.PERSON, 1)
    timer, turn = next_timer(step.table, NOW), step.events[-1]
    assert timer is not None
    assert isinstance(turn, TurnStarted)
    assert (timer.kind, timer.due_ms, bool(turn.legal)) == (TimerKind.BOT, NOW + STAND_IN_MS, True)


def test_a_person_comes_back_between_turns_without_moving_anybodys_clock() -> None:
    before = absent().table
    step = stand_in.resume(before, "boris", NOW + 3_000)
    assert kinds_of(step) == ["SeatReturned", "SeatChanged"]
    assert step.table.running.clock == before.running.clock
    assert (step.table.seats[1].kind, step.table.seats[1].bot_level) == (Actor.PERSON, "")


def test_a_person_who_comes_back_in_his_turn_has_it_from_the_beginning() -> None:
    table = decide(absent().table, Actor.PERSON, 1).table
    step = stand_in.resume(table, "boris", NOW + 500)
    timer = next_timer(step.table, NOW + 500)
    assert kinds_of(step) == ["SeatReturned", "SeatChanged", "TurnStarted"]
    assert timer is not None
    assert (timer.kind, step.table.running.clock.reserve_from_ms) == (TimerKind.TURN, NOW + 20_500)


def test_a_card_of_his_own_is_a_way_back() -> None:
    table = decide(absent().table, Actor.PERSON, 1).table
    step = decide(table, Actor.PERSON, 2)
    assert kinds_of(step) == ["SeatReturned", "SeatChanged", "TurnStarted"]
    assert (step.table.seats[1].kind, step.table.running.missed[1]) == (Actor.PERSON, 0)
    assert [each.actor for each in step.table.running.stints if each.seat == 1] == [
        Actor.PERSON,
        Actor.BOT,
        Actor.PERSON,
    ]


def test_who_comes_back_and_misses_the_next_turn_is_stood_in_for_at_once() -> None:
    table = stand_in.resume(absent().table, "boris", NOW).table
    table = decide(decide(table, Actor.PERSON, 1).table, Actor.AUTOMATIC, 2).table
    assert table.seats[1].stood_in


def test_coming_back_to_a_seat_that_one_never_lost_changes_nothing() -> None:
    assert stand_in.resume(playing("PPPP"), "anna", NOW).events == ()


@pytest.mark.parametrize(
    ("table", "player", "reason"),
    [(playing("PPPP"), "eva", "NOT_SEATED"), (finished("PPPP"), "anna", "WRONG_PHASE")],
    ids=["a spectator", "after the match"],
)
def test_nobody_else_and_nothing_afterwards_takes_a_seat_back(table: Table, player: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        stand_in.resume(table, player, NOW)
    assert refused.value.reason == reason


def test_a_person_who_leaves_while_a_bot_stands_in_leaves_it_the_seat_for_good() -> None:
    table = seating.leave(absent(options=OPTIONS).table, "boris", NOW).table
    assert (table.seats[1].player_id, table.seats[1].kind, table.running.leavers) == ("", Actor.BOT, ("boris",))
    assert [each.actor for each in table.running.stints if each.seat == 1] == [Actor.PERSON, Actor.BOT]


def test_a_rated_match_stays_rated_and_who_is_absent_at_its_end_has_left() -> None:
    done = finished("PPPP").running
    table = absent().table
    over = replace(table, match=replace(table.running, next=done.next))
    told = match_finished(over)
    assert (told.rated, list(told.leavers), told.outcome_kind) == (True, ["boris"], "won")


def test_a_rated_match_is_deserted_once_bots_hold_all_seats() -> None:
    table = absent().table
    assert not stand_in.deserted(table)
    bots = tuple(replace(each, kind=Actor.BOT, bot_level="normal") for each in table.seats)
    assert stand_in.deserted(replace(table, seats=bots))
    assert not stand_in.deserted(replace(table, seats=bots, options=OPTIONS))
