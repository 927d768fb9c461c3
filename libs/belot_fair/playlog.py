"""The play log: every decision of a match in order, who took it, and the hash that the reveal binds.

Octets: `belot.club/playlog/v1` (21) | match id short | u32 count | entries. It names people by the random ids of this
match alone, so that a proof never holds personal data. Its hash is SHA-256 of these octets.
"""

from dataclasses import dataclass
from enum import IntEnum
from hashlib import sha256

from belot_fair.bodies import PARTICIPANT_LENGTH
from belot_fair.octets import Malformed, Reader, match_id, name, short, u8, u32, u64

LABEL = b"belot.club/playlog/v1"


class ActorKind(IntEnum):
    """Who took a decision: a person, a bot, or the clock in a person's place."""

    PERSON = 0
    BOT = 1
    AUTOMATIC = 2


class ActionKind(IntEnum):
    """What was decided; later versions add kinds. The argument of a suit or card is one octet, that of others none.

    A claim of the remaining tricks is certain from what its seat had seen, or its opponents agreed.
    """

    PASS = 0
    ACCEPT = 1
    CHOOSE_SUIT = 2
    PLAY_CARD = 3
    CLAIM = 4
    CLAIM_AGREED = 5


ARGUMENT_LENGTHS: dict[int, int] = {
    ActionKind.PASS: 0,
    ActionKind.ACCEPT: 0,
    ActionKind.CHOOSE_SUIT: 1,
    ActionKind.PLAY_CARD: 1,
    ActionKind.CLAIM: 0,
    ActionKind.CLAIM_AGREED: 0,
}


@dataclass(frozen=True, slots=True)
class Actor:
    """Who decided: a person by participant id (16 octets), a bot by level and policy version, the clock by neither."""

    kind: ActorKind
    participant: bytes = b""
    level: str = ""
    policy: str = ""

    def encode(self) -> bytes:
        """kind u8 | participant short (16 for a person, else 0) | level name | policy version name."""
        if len(self.participant) != (PARTICIPANT_LENGTH if self.kind is ActorKind.PERSON else 0):
            raise Malformed("a person has a participant id of 16 octets, nobody else has one")
        named = (bool(self.level), bool(self.policy))
        if named != ((True, True) if self.kind is ActorKind.BOT else (False, False)):
            raise Malformed("a bot names its level and policy version, nobody else does")
        head = u8(self.kind, "actor") + short(self.participant, "participant")
        return head + name(self.level, "bot level") + name(self.policy, "bot policy")


@dataclass(frozen=True, slots=True)
class Entry:
    """One decision: `hand` counts deals from 0, `action` an `ActionKind`, `argument` its octets, `time_ms` unix ms."""

    hand: int
    seat: int
    actor: Actor
    action: int
    argument: bytes
    time_ms: int

    def encode(self) -> bytes:
        """hand u32 | seat u8 | actor | action u8 | argument short | time u64."""
        expected = ARGUMENT_LENGTHS.get(self.action)
        if expected is not None and len(self.argument) != expected:
            raise Malformed("the argument does not fit its action")
        head = u32(self.hand, "hand") + u8(self.seat, "seat") + self.actor.encode()
        return head + u8(self.action, "action") + short(self.argument, "argument") + u64(self.time_ms, "time")


@dataclass(frozen=True, slots=True)
class PlayLog:
    """All decisions of one match, in the order in which they counted."""

    match_id: str
    entries: tuple[Entry, ...]

    def encode(self) -> bytes:
        """The canonical octets."""
        head = LABEL + match_id(self.match_id) + u32(len(self.entries), "entries")
        return head + b"".join(entry.encode() for entry in self.entries)


def play_log_hash(log: PlayLog) -> bytes:
    """SHA-256 of the canonical octets, as it stands in REVEALED."""
    return sha256(log.encode()).digest()


def decode_play_log(octets: bytes) -> PlayLog:
    """The play log in `octets`; anything but canonical octets raises `Malformed`."""
    reader = Reader(octets)
    reader.label(LABEL)
    match, count = reader.match_id(), reader.u32("entries")
    log = PlayLog(match, tuple(_read_entry(reader) for _ in range(count)))
    reader.done()
    if log.encode() != octets:
        raise Malformed("the play log is not in its canonical form")
    return log


def _read_entry(reader: Reader) -> Entry:
    hand, seat, kind = reader.u32("hand"), reader.u8("seat"), reader.u8("actor")
    if kind not in ActorKind.__members__.values():
        raise Malformed("a decision is a person's, a bot's or the clock's")
    actor = Actor(ActorKind(kind), reader.short("participant"), reader.name("bot level"), reader.name("bot policy"))
    return Entry(hand, seat, actor, reader.u8("action"), reader.short("argument"), reader.u64("time"))
