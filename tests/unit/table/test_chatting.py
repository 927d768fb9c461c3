"""What may be said: no control characters, not too much, players alone."""

import pytest

from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_table.chatting import MOST_SAID, WITHIN_MS, Say, say, spoken, wait_ms
from belot_table.table import Refused
from support.table_values import NOW, playing


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
