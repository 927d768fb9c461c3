"""Who may sit, leave, be ready and call for bots, and when a match opens."""

import pytest

from belot_table import seating
from belot_table.table import Actor, Refused, Status, Stint, Table, persons, seat_of
from support.table_values import NAMES, NOW, OPENING, finished, kinds_of, opening, playing, seated, waiting_table


def refusal(call: object, *arguments: object) -> str:
    """The reason for which a decision is refused."""
    with pytest.raises(Refused) as refused:
        call(*arguments)  # type: ignore[operator]
    return refused.value.reason


def test_a_maker_who_wants_to_sits_at_seat_0() -> None:
    assert waiting_table(maker="anna").seats[0].player_id == "anna"


def test_a_new_table_is_at_version_1_with_its_first_events() -> None:
    table = waiting_table(maker="anna")
    assert (table.version, table.sequence) == (1, 2)


def test_a_player_gets_the_first_free_seat() -> None:
    table = seating.sit_down(seated("P..."), "boris", "Boris", None).table
    assert table.seats[1].player_id == "boris"


def test_a_player_gets_the_seat_he_asks_for() -> None:
    assert seating.sit_down(seated("P..."), "boris", "Boris", 3).table.seats[3].player_id == "boris"


def test_a_taken_seat_is_refused() -> None:
    assert refusal(seating.sit_down, seated("P..."), "boris", "Boris", 0) == "SEAT_TAKEN"


def test_nobody_sits_twice() -> None:
    assert refusal(seating.sit_down, seated("P..."), "anna", "Anna", 2) == "ALREADY_SEATED"


def test_a_full_table_takes_nobody() -> None:
    assert refusal(seating.sit_down, seated("PPPP"), "eva", "Eva", None) == "TABLE_FULL"


def test_a_seat_that_does_not_exist_is_malformed() -> None:
    assert refusal(seating.sit_down, seated("P..."), "boris", "Boris", 4) == "INVALID_ARGUMENT"


def test_nobody_sits_down_at_a_running_match() -> None:
    assert refusal(seating.sit_down, playing("PPPP"), "eva", "Eva", None) == "TABLE_NOT_OPEN"


def test_leaving_a_waiting_table_frees_the_seat() -> None:
    step = seating.leave(seated("PP.."), "anna", NOW)
    assert step.table.seats[0].kind is Actor.NOBODY
    assert kinds_of(step) == ["SeatLeft", "SeatChanged"]


def test_the_last_person_to_leave_closes_the_table() -> None:
    assert seating.leave(seated("PB.."), "anna", NOW).table.status is Status.CLOSED


def test_a_spectator_cannot_leave() -> None:
    assert refusal(seating.leave, seated("PP.."), "eva", NOW) == "NOT_SEATED"


def test_ready_at_a_table_with_free_seats_opens_nothing() -> None:
    step = seating.set_ready(seated("PPP."), "anna", True, OPENING)
    assert (step.table.status, step.table.match) == (Status.WAITING, None)


def test_being_ready_again_changes_nothing() -> None:
    table = seating.set_ready(seated("PP.."), "anna", True, OPENING).table
    assert seating.set_ready(table, "anna", True, OPENING).events == ()


def test_the_last_one_to_be_ready_opens_the_match() -> None:
    table = opening("PPPP")
    assert (table.status, table.running.match_id) == (Status.OPENING, "match-1")


def test_an_opened_match_binds_who_sits_where() -> None:
    stints = opening("PBPB").running.stints
    assert [(each.seat, each.actor) for each in stints] == [
        (0, Actor.PERSON),
        (1, Actor.BOT),
        (2, Actor.PERSON),
        (3, Actor.BOT),
    ]


def test_every_seat_gets_a_participant_id_of_its_own_at_the_opening() -> None:
    assert len({each.participant for each in opening("PPPP").seats}) == 4
    assert {each.participant for each in seated("PPPP").seats} == {b""}


def test_bots_take_all_free_seats_and_are_ready() -> None:
    table = seating.fill_with_bots(seated("P.P."), "anna", "easy", OPENING).table
    assert [(each.kind, each.bot_level, each.ready) for each in table.seats[1::2]] == [(Actor.BOT, "easy", True)] * 2


def test_bots_complete_a_table_of_ready_persons_and_open_the_match() -> None:
    table = seating.set_ready(seated("P..."), "anna", True, OPENING).table
    assert seating.fill_with_bots(table, "anna", "normal", OPENING).table.status is Status.OPENING


def test_anybody_may_call_bots_to_an_empty_table_and_the_match_opens() -> None:
    step = seating.fill_with_bots(waiting_table(), "maker", "normal", OPENING)
    assert step.table.status is Status.OPENING


def test_a_spectator_may_not_call_bots_to_other_peoples_table() -> None:
    assert refusal(seating.fill_with_bots, seated("P..."), "eva", "normal", OPENING) == "NOT_SEATED"


def test_bots_at_a_full_table_are_refused() -> None:
    assert refusal(seating.fill_with_bots, seated("PPPP"), "anna", "normal", OPENING) == "TABLE_FULL"


def test_a_person_who_leaves_during_play_is_replaced_by_a_bot_and_named_a_leaver() -> None:
    table = seating.leave(playing("PPPP", turn=1), "anna", NOW).table
    match = table.running
    assert (table.seats[0].kind, table.seats[0].bot_level, match.leavers) == (Actor.BOT, "normal", ("anna",))
    assert match.stints[-1] == Stint(0, Actor.BOT, "normal", 0, 0)


def test_the_bot_that_takes_over_keeps_the_participant_id() -> None:
    table = seating.leave(playing("PPPP"), "anna", NOW).table
    assert table.seats[0].participant == OPENING.participants[0]


def test_the_turn_of_a_person_who_leaves_begins_anew_for_the_bot() -> None:
    step = seating.leave(playing("PPPP", turn=0), "anna", NOW + 5_000)
    assert kinds_of(step) == ["SeatLeft", "SeatChanged", "TurnStarted"]
    assert step.table.running.clock.due_ms == NOW + 5_000


def test_the_turn_of_others_goes_on_when_somebody_leaves() -> None:
    before = playing("PPPP", turn=1)
    after = seating.leave(before, "anna", NOW + 5_000)
    assert after.table.running.clock == before.running.clock
    assert "TurnStarted" not in kinds_of(after)


def test_leaving_while_the_match_opens_keeps_what_was_bound() -> None:
    table = seating.leave(opening("PPPP"), "anna", NOW).table
    assert table.running.stints[0].actor is Actor.PERSON
    assert table.seats[0].kind is Actor.BOT


def test_when_everybody_left_four_bots_play_on() -> None:
    table = playing("PPPP")
    for name in NAMES:
        table = seating.leave(table, name, NOW).table
    assert (table.status, persons(table)) == (Status.PLAYING, ())


def test_nobody_leaves_a_match_that_is_over() -> None:
    assert refusal(seating.leave, finished("PPPP"), "anna", NOW) == "TABLE_NOT_OPEN"


@pytest.mark.parametrize("table", [seated("PP.."), playing("PPPP"), finished("PPPP")], ids=["waits", "plays", "over"])
def test_a_bots_seat_belongs_to_no_player(table: Table) -> None:
    assert seat_of(table, "") is None
