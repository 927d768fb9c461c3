"""What players say to their table: own words within limits, or phrases that clients translate. Pure.

It is an event like any other, so that it comes in order and once, and it moves no clock. How much a player has said
lately stands in the log, so that every replica knows it.
"""

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_table.table import Step, Table, own_seat, step
from belot_table.told import told_event

PHRASES: Final = frozenset({"hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "good_game", "bye"})
MOST_LETTERS: Final = 200
MOST_SAID: Final = 5
"""Messages of a player within `WITHIN_MS`."""

WITHIN_MS: Final = 10_000
LOOK_BACK: Final = 200
"""Events in which messages are looked for: more never come in that time while anybody could read them."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Characters that move the cursor, turn the writing round or show nothing."""


@dataclass(frozen=True, slots=True)
class Say:
    """Own words, or the name of a phrase."""

    text: str = field(default="", repr=False)
    phrase: str = ""


def spoken(text: str) -> str:
    """The text as others get to see it: composed, without control characters, trimmed, spaces in a row made one."""
    shown = "".join(" " if each.isspace() else each for each in unicodedata.normalize("NFC", text))
    return " ".join("".join(each for each in shown if unicodedata.category(each) not in _HIDDEN).split())


def wait_ms(recent: Iterable[Envelope], player_id: str, now_ms: int) -> int:
    """How long the player must wait before he may speak again; `recent` is the end of the table's log."""
    said = [each.at_ms for each in recent if each.kind == "said" and _speaker(each) == player_id]
    lately = [at_ms for at_ms in said if at_ms > now_ms - WITHIN_MS]
    return lately[-MOST_SAID] + WITHIN_MS - now_ms if len(lately) >= MOST_SAID else 0


def say(table: Table, player_id: str, words: Say) -> Step:
    """Say it. NOT_SEATED for spectators."""
    seat = own_seat(table, player_id).seat
    said = view_pb2.Said(seat=seat, player_id=player_id, text=words.text, phrase=words.phrase)
    return step(table, table, told_event(view_pb2.TableEvent(said=said)))


def _speaker(envelope: Envelope) -> str:
    return view_pb2.TableEvent.FromString(envelope.payload).said.player_id
