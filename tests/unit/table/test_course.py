"""The course of a match: each step only where it belongs, and each of them once."""

from dataclasses import replace

import pytest

from belot_table import course, seating
from belot_table.convert import read_stint, stint_of
from belot_table.course import Decision, Opened, Released
from belot_table.table import Actor, Await, DecisionTaken, Fallback, Next, Refused, Status, Table, TurnStarted
from support.table_values import (
    NOW,
    applied,
    drawing,
    finished,
    kinds_of,
    opening,
    playing,
    seated,
    seeding,
    to_act,
    told,
    waiting_table,
)


def reason(call: object, *arguments: object) -> str:
    """The reason for which a step is refused."""
    with pytest.raises(Refused) as refused:
        call(*arguments)  # type: ignore[operator]
    return refused.value.reason


def test_an_opened_match_awaits_seeds() -> None:
    table = seeding("PPPP")
    assert (table.status, table.running.fairness.seed_deadline_ms) == (Status.SEEDING, NOW + 10_000)


def test_a_match_is_opened_once() -> None:
    assert reason(course.opened, seeding("PPPP"), Opened(b"x", 0, told("match_opened"))) == "WRONG_PHASE"


def test_a_seed_is_taken_from_those_who_sit_there() -> None:
    assert course.may_seed(seeding("PPPP"), "clara") == 2
    assert reason(course.may_seed, seeding("PPPP"), "eva") == "NOT_SEATED"


def test_a_seed_before_the_match_is_open_is_too_early() -> None:
    assert reason(course.may_seed, opening("PPPP"), "anna") == "WRONG_PHASE"


def test_a_seed_after_the_round_is_chosen_is_too_late() -> None:
    assert reason(course.may_seed, drawing("PPPP"), "anna") == "SEEDS_CLOSED"


def test_the_same_seed_again_changes_nothing() -> None:
    table = course.seeded(seeding("PPPP"), 1, told("seed_received")).table
    assert course.seeded(table, 1, told("seed_received")).events == ()


def test_play_begins_when_the_beacon_is_fixed() -> None:
    step = course.beacon_fixed(drawing("PPPP"), told("beacon_fixed"), applied(Next(Await.CARDS)), NOW)
    assert kinds_of(step) == ["beacon_fixed", "StatusChanged"]
    assert (step.table.status, step.table.running.started_ms) == (Status.PLAYING, NOW)


def test_cards_are_told_before_the_turn_they_lead_to() -> None:
    table = course.beacon_fixed(drawing("PPPP"), told("beacon_fixed"), applied(Next(Await.CARDS)), NOW).table
    released = Released(0, (told("cards_released"),), ())
    step = course.dealt(table, released, applied(to_act(1), events=[told("hand_dealt")]), NOW)
    assert kinds_of(step) == ["cards_released", "hand_dealt", "TurnStarted"]


def test_cards_that_are_not_due_are_refused() -> None:
    assert reason(course.dealt, playing("PPPP"), Released(0, (), ()), applied(to_act(1)), NOW) == "WRONG_PHASE"


def test_a_bots_seed_is_of_the_present_hand_alone() -> None:
    match = playing("PPPP").running
    assert course.bot_seed(match, 2) == b"\x02" * 32
    assert course.bot_seed(replace(match, hand=1), 2) == b""


def test_only_the_seat_whose_turn_it_is_may_act() -> None:
    assert course.may_act(playing("PPPP", turn=1), "boris") == 1
    assert reason(course.may_act, playing("PPPP", turn=1), "anna") == "NOT_YOUR_TURN"


def test_a_spectator_may_not_act() -> None:
    assert reason(course.may_act, playing("PPPP"), "eva") == "NOT_SEATED"


@pytest.mark.parametrize(
    "table", [seated("PPPP"), opening("PPPP"), finished("PPPP")], ids=["waiting", "opening", "over"]
)
def test_nobody_plays_outside_the_match(table: Table) -> None:
    assert reason(course.may_act, table, "boris") == "WRONG_PHASE"


def test_a_persons_decision_stands_alone_in_the_log() -> None:
    step = course.decided(
        playing("PPPP"), Decision(1, Actor.PERSON), applied(to_act(2), events=[told("card_played")]), NOW
    )
    assert kinds_of(step) == ["card_played", "TurnStarted"]


@pytest.mark.parametrize("actor", [Actor.BOT, Actor.AUTOMATIC])
def test_who_decided_in_a_persons_place_is_told_before_the_decision(actor: Actor) -> None:
    decision = Decision(1, actor, "normal/1" if actor is Actor.BOT else "")
    step = course.decided(playing("PPPP"), decision, applied(to_act(2), events=[told("card_played")]), NOW)
    assert kinds_of(step) == ["DecisionTaken", "card_played", "TurnStarted"]
    assert step.events[0] == DecisionTaken(1, actor, decision.policy)


def test_a_stint_counts_what_was_decided_in_its_bots_place_and_why() -> None:
    table = playing("PBPB")
    for fallback in (None, Fallback.DEADLINE, Fallback.PROCESS, Fallback.DEADLINE):
        decision = Decision(1, Actor.BOT, "hard/1" if fallback is None else "normal/1", fallback)
        table = course.decided(table, decision, applied(to_act(1)), NOW).table
    stints = table.running.stints
    assert [(each.late, each.lost) for each in stints] == [(0, 0), (2, 1), (0, 0), (0, 0)]
    assert [read_stint(stint_of(each)) for each in stints] == list(stints)


def test_a_late_decision_is_paid_from_the_reserve() -> None:
    step = course.decided(playing("PPPP"), Decision(1, Actor.PERSON), applied(to_act(2)), NOW + 23_000)
    assert step.table.running.clock.reserves_ms == (60_000, 57_000, 60_000, 60_000)


def test_a_timeout_takes_the_whole_reserve() -> None:
    step = course.decided(playing("PPPP"), Decision(1, Actor.AUTOMATIC), applied(to_act(2)), NOW + 80_000)
    assert step.table.running.clock.reserves_ms[1] == 0


def test_the_next_turn_begins_when_the_decision_was_taken() -> None:
    step = course.decided(playing("PPPP"), Decision(1, Actor.PERSON), applied(to_act(2)), NOW + 3_000)
    assert step.events[-1] == TurnStarted(2, NOW + 83_000, NOW + 23_000, to_act(2).body)


def test_nobody_learns_what_a_bot_may_do() -> None:
    turn = playing("PBPB", turn=1)
    step = course.decided(turn, Decision(1, Actor.BOT, "normal/1"), applied(to_act(3)), NOW)
    assert isinstance(step.events[-1], TurnStarted)
    assert step.events[-1].legal == b""


def test_a_decision_for_another_seat_is_refused() -> None:
    assert (
        reason(course.decided, playing("PPPP"), Decision(2, Actor.PERSON), applied(to_act(3)), NOW) == "NOT_YOUR_TURN"
    )


def test_the_end_of_the_match_closes_its_record() -> None:
    table = finished("PPPP")
    assert (table.status, table.running.ended_ms, table.running.card_points) == (Status.FINISHED, NOW + 1_000, (152, 0))


def test_card_points_add_up_over_the_deals() -> None:
    table = playing("PPPP")
    for seat in (1, 2):
        deal_over = applied(to_act(seat + 1), card_points=(100, 52))
        table = course.decided(table, Decision(seat, Actor.PERSON), deal_over, NOW).table
    assert table.running.card_points == (200, 104)


def test_the_seed_is_revealed_once() -> None:
    table = course.revealed(finished("PPPP"), b"s" * 32, told("seed_revealed")).table
    assert course.revealed(table, b"s" * 32, told("seed_revealed")).events == ()


def test_a_table_that_waited_in_vain_is_closed() -> None:
    assert course.expired(waiting_table()).table.status is Status.CLOSED


def test_a_running_match_does_not_expire() -> None:
    assert reason(course.expired, playing("PPPP")) == "TABLE_NOT_OPEN"


def test_versions_count_commits_and_sequences_count_events() -> None:
    before = playing("PPPP")
    step = course.decided(before, Decision(1, Actor.BOT, "x/1"), applied(to_act(2), events=[told("card_played")]), NOW)
    assert (step.table.version, step.table.sequence) == (before.version + 1, before.sequence + 3)


def test_the_repr_of_a_table_shows_neither_hands_nor_seeds() -> None:
    table = seating.leave(playing("PPPP"), "anna", NOW).table
    table = replace(table, match=replace(table.running, state=b"the-hands", bot_seeds=((0, b"the-seed"),)))
    assert "the-" not in repr(table)
