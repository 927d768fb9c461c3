"""What players say to their table, whom they do not hear, and what they report.

Own words within limits, or phrases that clients translate. It is an event like any other, so that it comes in order and
once, and it moves no clock. How much was said lately stands in the log, so that every replica knows it. Pure.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_events.visibility import visible_to
from belot_table.complaints import Reported
from belot_table.table import Refused, Step, Table, own_seat, persons, step, unchanged
from belot_table.told import private_event, told_event

PHRASES: Final = frozenset({"hello", "good_luck", "well_played", "thanks", "sorry", "one_moment", "good_game", "bye"})
MOST_LETTERS: Final = 200
MOST_SAID: Final = 5
"""Messages of a player within `WITHIN_MS`."""

MOST_SAID_BY_ALL: Final = 20
"""Messages of a whole table within `WITHIN_MS`, whoever sat down in between to say them."""

WITHIN_MS: Final = 10_000
_MOST_MUTES: Final = 64
"""Of a table; who goes on muting people who come and go forgets the first of them."""

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
"""Characters that move the cursor, turn the writing round or show nothing."""


@dataclass(frozen=True, slots=True)
class Say:
    """Own words, or the name of a phrase."""

    text: str = field(default="", repr=False)
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class Mute:
    """Hear another player no longer, or again."""

    player_id: str
    muted: bool


@dataclass(frozen=True, slots=True)
class ReportMessage:
    """Report the Said event `sequence`; `reason` is numbered as belot.table.v1.ReportReason."""

    sequence: int
    reason: int


def spoken(text: str) -> str:
    """The text as others get to see it: composed, without control characters, trimmed, spaces in a row made one."""
    shown = "".join(" " if each.isspace() else each for each in unicodedata.normalize("NFC", text))
    return " ".join("".join(each for each in shown if unicodedata.category(each) not in _HIDDEN).split())


def wait_ms(recent: Iterable[Envelope], player_id: str, now_ms: int) -> int:
    """How long the player must wait before he may speak again; `recent` was said at his table, in order."""
    lately = [each for each in recent if each.at_ms > now_ms - WITHIN_MS]
    his = [each for each in lately if _speaker(each) == player_id]
    return max(_wait_ms(lately, MOST_SAID_BY_ALL, now_ms), _wait_ms(his, MOST_SAID, now_ms))


def say(table: Table, player_id: str, words: Say) -> Step:
    """Say it to all but those who muted the speaker. NOT_SEATED for spectators."""
    seat = own_seat(table, player_id).seat
    said = view_pb2.Said(seat=seat, player_id=player_id, text=words.text, phrase=words.phrase)
    deaf = tuple(each.seat for each in table.seats if (each.player_id, player_id) in table.mutes)
    return step(table, table, replace(told_event(view_pb2.TableEvent(said=said)), hidden_from=deaf))


def mute(table: Table, player_id: str, wish: Mute) -> Step:
    """Hear a player no longer, or again; nobody else is told. NOT_SEATED for spectators.

    INVALID_ARGUMENT unless it is another player who sits here, or left during the match.
    """
    seat, pair = own_seat(table, player_id).seat, (player_id, wish.player_id)
    if (pair in table.mutes) is wish.muted:
        return unchanged(table)
    left = table.match.leavers if table.match is not None else ()
    if wish.muted and (wish.player_id == player_id or wish.player_id not in (*persons(table), *left)):
        field_name = "command.action.mute_player.player_id"
        raise Refused("INVALID_ARGUMENT", "must be another player of this table", field=field_name)
    others = tuple(each for each in table.mutes if each != pair)
    mutes = (*others, pair)[-_MOST_MUTES:] if wish.muted else others
    told = view_pb2.TableEvent(player_muted=view_pb2.PlayerMuted(player_id=wish.player_id, muted=wish.muted))
    return step(table, replace(table, mutes=mutes), private_event(seat, told))


def report_message(table: Table, player_id: str, wish: ReportMessage, found: Sequence[Envelope]) -> Step:
    """Report what another player said; `found` is the event, if there is one. NOT_SEATED for spectators.

    MESSAGE_NOT_FOUND unless the player could see it.
    """
    seat = own_seat(table, player_id).seat
    seen = [each for each in found if each.sequence == wish.sequence and each.kind == "said" and visible_to(each, seat)]
    if not seen or _speaker(seen[0]) == player_id:
        raise Refused("MESSAGE_NOT_FOUND", "nobody else said anything there")
    return step(table, table, Reported(seat, wish.sequence, player_id, _speaker(seen[0]), wish.reason))


def _wait_ms(said: Sequence[Envelope], most: int, now_ms: int) -> int:
    return said[-most].at_ms + WITHIN_MS - now_ms if len(said) >= most else 0


def _speaker(envelope: Envelope) -> str:
    return view_pb2.TableEvent.FromString(envelope.payload).said.player_id
