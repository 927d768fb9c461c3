"""What may be said, heard and reported: no control characters, not too much, players alone."""

from dataclasses import replace

import pytest

from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_events.visibility import visible_to
from belot_table import complaints, seating
from belot_table.chatting import (
    MOST_SAID,
    MOST_SAID_BY_ALL,
    WITHIN_MS,
    Mute,
    ReportMessage,
    Say,
    mute,
    report_message,
    say,
    spoken,
    wait_ms,
)
from belot_table.complaints import Filed, Reported
from belot_table.table import Refused, Table
from belot_table.told import envelopes_of
from belot_table.views import table_view
from support.table_values import NOW, playing, seated


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("  bine   jucat \n", "bine jucat"),
        ("a\x1b[31mb\x07", "a[31mb"),
        ("\u202egnorw", "gnorw"),
        ("zero\u200bwidth", "zerowidth"),
        ("e\u0301", "é"),
        ("\u2028\x00", ""),
        ("♥ 10", "♥ 10"),
    ],
)
def test_what_others_see_has_no_hidden_characters(typed: str, shown: str) -> None:
    assert spoken(typed) == shown


def said(player_id: str, at_ms: int) -> Envelope:
    """Something that was said."""
    event = view_pb2.TableEvent(said=view_pb2.Said(player_id=player_id, text="hm"))
    return Envelope("table-1", 1, "said", at_ms, event.SerializeToString(), None, b"")


def test_a_player_who_said_much_waits_until_the_first_of_it_is_old_enough() -> None:
    recent = [said("anna", NOW + number) for number in range(MOST_SAID)]
    assert wait_ms(recent, "anna", NOW + 100) == WITHIN_MS - 100
    assert wait_ms(recent, "anna", NOW + WITHIN_MS) == 0


def test_others_words_do_not_count() -> None:
    assert wait_ms([said("boris", NOW)] * 9 + [said("anna", NOW)], "anna", NOW) == 0


def test_a_spectator_says_nothing() -> None:
    with pytest.raises(Refused) as refused:
        say(playing("PPPP"), "eva", Say("hello"))
    assert refused.value.reason == "NOT_SEATED"


def test_talk_moves_no_clock() -> None:
    table = playing("PPPP")
    assert say(table, "anna", Say(phrase="hello")).table.running.clock == table.running.clock


def test_a_table_is_not_flooded_by_players_who_take_turns() -> None:
    recent = [said(f"guest-{number}", NOW + number) for number in range(MOST_SAID_BY_ALL)]
    assert wait_ms(recent, "anna", NOW + 100) == WITHIN_MS - 100
    assert wait_ms(recent, "anna", NOW + WITHIN_MS) == 0


def muted(table: Table, who: str = "anna", whom: str = "boris") -> Table:
    """A table where one player does not hear another."""
    return mute(table, who, Mute(whom, True)).table


def heard(table: Table, speaker: str) -> dict[int | None, bool]:
    """By viewer, whether he hears what the speaker says now."""
    envelope = envelopes_of(say(table, speaker, Say(phrase="hello")), NOW)[0]
    return {viewer: visible_to(envelope, viewer) is not None for viewer in (0, 1, 2, 3, None)}


def test_who_mutes_a_player_hears_nothing_of_him_and_everybody_else_does() -> None:
    table = muted(playing("PPPP"))
    assert heard(table, "boris") == {0: False, 1: True, 2: True, 3: True, None: True}
    assert heard(table, "anna")[1]
    assert heard(mute(table, "anna", Mute("boris", False)).table, "boris")[0]


def test_that_somebody_is_muted_is_told_to_the_one_who_mutes_alone() -> None:
    envelope = envelopes_of(mute(playing("PPPP"), "anna", Mute("boris", True)), NOW)[0]
    seen = [visible_to(envelope, viewer) for viewer in (0, 1, 2, 3, None)]
    assert view_pb2.TableEvent.FromString(seen[0] or b"").player_muted.muted
    assert seen[1:] == [None] * 4
    table = muted(seated("PPPP"))
    assert list(table_view(table, (), "anna").muted_player_ids) == ["boris"]
    assert not table_view(table, (), "boris").muted_player_ids


def test_muting_again_changes_nothing() -> None:
    table = muted(playing("PPPP"))
    assert mute(table, "anna", Mute("boris", True)).events == ()
    assert mute(playing("PPPP"), "anna", Mute("boris", False)).events == ()


@pytest.mark.parametrize(
    ("who", "whom", "reason"),
    [("anna", "anna", "INVALID_ARGUMENT"), ("anna", "eva", "INVALID_ARGUMENT"), ("eva", "anna", "NOT_SEATED")],
    ids=["himself", "a stranger", "a spectator"],
)
def test_players_mute_other_players_of_their_table(who: str, whom: str, reason: str) -> None:
    with pytest.raises(Refused) as refused:
        mute(playing("PPPP"), who, Mute(whom, True))
    assert refused.value.reason == reason


def test_who_left_the_match_can_still_be_muted_and_heard_again() -> None:
    table = muted(seating.leave(playing("PPPP"), "boris", NOW).table)
    assert table.mutes == (("anna", "boris"),)
    assert mute(table, "anna", Mute("boris", False)).table.mutes == ()


def test_a_table_keeps_no_endless_list_of_mutes() -> None:
    table = replace(playing("PPPP"), mutes=tuple(("clara", f"guest-{number}") for number in range(64)))
    mutes = muted(table).mutes
    assert (len(mutes), mutes[-1]) == (64, ("anna", "boris"))


def message(speaker: str, hidden_from: tuple[int, ...] = ()) -> Envelope:
    """Event 7: something that was said."""
    return replace(said(speaker, NOW), sequence=7, hidden_from=hidden_from)


def test_a_report_names_speaker_and_reporter() -> None:
    step = report_message(playing("PPPP"), "anna", ReportMessage(7, 1), [message("boris")])
    assert step.events == (Reported(0, 7, "anna", "boris", 1),)
    envelope = envelopes_of(step, NOW)[0]
    assert [visible_to(envelope, viewer) is not None for viewer in (0, 1, None)] == [True, False, False]


@pytest.mark.parametrize(
    "found",
    [
        [],
        [message("anna")],
        [message("boris", (0,))],
        [replace(message("boris"), sequence=8)],
        [replace(message("boris"), kind="seat_left")],
    ],
    ids=["nothing", "own words", "not heard", "another number", "no message"],
)
def test_only_what_another_player_said_and_one_heard_can_be_reported(found: list[Envelope]) -> None:
    with pytest.raises(Refused) as refused:
        report_message(playing("PPPP"), "anna", ReportMessage(7, 1), found)
    assert refused.value.reason == "MESSAGE_NOT_FOUND"


def test_a_spectator_reports_nothing() -> None:
    with pytest.raises(Refused) as refused:
        report_message(playing("PPPP"), "eva", ReportMessage(7, 1), [message("boris")])
    assert refused.value.reason == "NOT_SEATED"


def test_who_reported_much_waits() -> None:
    filed = [Filed(number, NOW + number) for number in range(complaints.MOST_REPORTED)]
    assert complaints.wait_ms(filed, NOW + 100) == complaints.WITHIN_MS - 100
    assert complaints.wait_ms(filed, NOW + complaints.WITHIN_MS) == 0
