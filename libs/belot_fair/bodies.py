"""What each event of a transcript says: one frozen value per kind, with its canonical octets.

Kinds and octets are settled for good; a later feature adds a kind, and never changes one. A kind that this version does
not know decodes to `Unknown`, so that a chain with newer events can still be checked.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum

from belot_fair.drand import SIGNATURE_LENGTH
from belot_fair.octets import Malformed, Reader, fixed, long, name, short, u8, u32, u64
from belot_fair.recipe import CLIENT_SEED_LENGTH, SEATS, SERVER_SEED_LENGTH, VALUE_LENGTH

HASH_LENGTH = 32
PARTICIPANT_LENGTH = 16
SHOWN_TO_ALL = 0xFF
OUT_OF_PLAY = 0xFE


class Kind(IntEnum):
    """The kinds of events, as written in the octets."""

    OPENED = 1
    SEEDS = 2
    ROUND_CHOSEN = 3
    BEACON = 4
    FALLBACK = 5
    HAND = 6
    REVEALED = 7


class SeatKind(IntEnum):
    """Who sits at a seat when the match opens."""

    PERSON = 0
    BOT = 1


class SeedState(IntEnum):
    """Why a seat has a seed, or none."""

    GIVEN = 0
    MISSED = 1
    BOT = 2


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat at OPENED: a random id of this match alone (16 octets), and for a bot its level and policy version."""

    participant: bytes
    kind: SeatKind = SeatKind.PERSON
    bot_level: str = ""
    bot_policy: str = ""

    def encode(self) -> bytes:
        """participant (16) | kind u8 | level name | policy version name; the names of a person's seat are empty."""
        if (self.kind is SeatKind.BOT) != bool(self.bot_level and self.bot_policy):
            raise Malformed("a bot seat names its level and policy version, a person's neither")
        if self.kind is SeatKind.PERSON and (self.bot_level or self.bot_policy):
            raise Malformed("a person's seat names no bot")
        identity = fixed(self.participant, PARTICIPANT_LENGTH, "participant")
        return identity + u8(self.kind) + name(self.bot_level, "bot level") + name(self.bot_policy, "bot policy")


@dataclass(frozen=True, slots=True)
class Opened:
    """Everything that is bound before any seed or beacon is known.

    `commitment` SHA-256 of the server seed; `sides[seat]` the side a seat plays for, counted from 0; `ruleset_json` the
    canonical JSON whose SHA-256 is `ruleset_hash`; `seed_deadline_ms` the unix millisecond after which a person without
    a seed counts as having none.
    """

    recipe: str
    commitment: bytes
    seats: tuple[Seat, ...]
    sides: tuple[int, ...]
    first_dealer: int
    ruleset_name: str
    ruleset_version: int
    ruleset_hash: bytes
    ruleset_json: bytes
    pack_size: int
    chain_hash: bytes
    chain_name: str
    seed_deadline_ms: int

    def encode(self) -> bytes:
        """The fields in the order above; seats are a u8 count and the seats, sides one u8 a seat."""
        self._check()
        return b"".join(
            (
                name(self.recipe, "recipe"),
                fixed(self.commitment, HASH_LENGTH, "commitment"),
                u8(len(self.seats)),
                *(seat.encode() for seat in self.seats),
                *(u8(side, "side") for side in self.sides),
                u8(self.first_dealer, "first dealer"),
                name(self.ruleset_name, "ruleset"),
                u32(self.ruleset_version, "ruleset version"),
                fixed(self.ruleset_hash, HASH_LENGTH, "ruleset hash"),
                long(self.ruleset_json, "ruleset JSON"),
                u8(self.pack_size, "pack size"),
                fixed(self.chain_hash, HASH_LENGTH, "chain hash"),
                name(self.chain_name, "chain name"),
                u64(self.seed_deadline_ms, "seed deadline"),
            )
        )

    def _check(self) -> None:
        if len(self.seats) not in SEATS or len(self.sides) != len(self.seats):
            raise Malformed("a table has 2, 3 or 4 seats, and a side for each")
        if not 0 <= self.first_dealer < len(self.seats):
            raise Malformed("the first dealer is one of the seats")
        if not self.recipe or not self.ruleset_name or not self.chain_name:
            raise Malformed("recipe, ruleset and chain have names")
        if len({seat.participant for seat in self.seats}) != len(self.seats):
            raise Malformed("every seat has a participant of its own")

    @classmethod
    def decode(cls, reader: Reader) -> "Opened":
        """Reads what `encode` writes."""
        recipe, commitment, count = reader.name("recipe"), reader.fixed(HASH_LENGTH, "commitment"), reader.u8("seats")
        seats = tuple(_read_seat(reader) for _ in range(count))
        return cls(
            recipe=recipe,
            commitment=commitment,
            seats=seats,
            sides=tuple(reader.u8("side") for _ in seats),
            first_dealer=reader.u8("first dealer"),
            ruleset_name=reader.name("ruleset"),
            ruleset_version=reader.u32("ruleset version"),
            ruleset_hash=reader.fixed(HASH_LENGTH, "ruleset hash"),
            ruleset_json=reader.long("ruleset JSON"),
            pack_size=reader.u8("pack size"),
            chain_hash=reader.fixed(HASH_LENGTH, "chain hash"),
            chain_name=reader.name("chain name"),
            seed_deadline_ms=reader.u64("seed deadline"),
        )


@dataclass(frozen=True, slots=True)
class SeatSeed:
    """What one seat brought: 16 octets when given, otherwise none, and why."""

    state: SeedState
    seed: bytes = field(default=b"", repr=False)

    def encode(self) -> bytes:
        """state u8 | seed short."""
        if len(self.seed) != (CLIENT_SEED_LENGTH if self.state is SeedState.GIVEN else 0):
            raise Malformed("a seed that was given has 16 octets, any other none")
        return u8(self.state) + short(self.seed, "seed")


@dataclass(frozen=True, slots=True)
class Seeds:
    """The seeds of all seats in seat order, shown together; the event's time is the moment they closed."""

    seats: tuple[SeatSeed, ...]

    def encode(self) -> bytes:
        """A u8 count and the seats."""
        return u8(len(self.seats)) + b"".join(seat.encode() for seat in self.seats)

    @classmethod
    def decode(cls, reader: Reader) -> "Seeds":
        """Reads what `encode` writes."""
        count = reader.u8("seeds")
        return cls(tuple(SeatSeed(_seed_state(reader.u8("seed state")), reader.short("seed")) for _ in range(count)))


@dataclass(frozen=True, slots=True)
class RoundChosen:
    """The beacon round of the match, with the two facts that force it: when seeds closed, the highest known round."""

    round: int
    close_time_ms: int
    highest_verified: int

    def encode(self) -> bytes:
        """round u64 | close time u64 | highest verified round u64 (0 when none)."""
        return u64(self.round, "round") + u64(self.close_time_ms, "close time") + u64(self.highest_verified, "highest")

    @classmethod
    def decode(cls, reader: Reader) -> "RoundChosen":
        """Reads what `encode` writes."""
        return cls(reader.u64("round"), reader.u64("close time"), reader.u64("highest verified round"))


@dataclass(frozen=True, slots=True)
class Beacon:
    """The beacon's answer: the round that was chosen, its signature (48 octets), and SHA-256 of that (32)."""

    round: int
    signature: bytes
    value: bytes

    def encode(self) -> bytes:
        """round u64 | signature short | value (32)."""
        if len(self.signature) != SIGNATURE_LENGTH:
            raise Malformed("a beacon signature is exactly 48 octets")
        written = u64(self.round, "round") + short(self.signature, "signature")
        return written + fixed(self.value, VALUE_LENGTH, "value")

    @classmethod
    def decode(cls, reader: Reader) -> "Beacon":
        """Reads what `encode` writes."""
        return cls(reader.u64("round"), reader.short("signature"), reader.fixed(VALUE_LENGTH, "value"))


@dataclass(frozen=True, slots=True)
class Fallback:
    """No valid value came in time for `round`: the match is played with round 0 and the zero value.

    `reason` is a short code; `no_valid_value` is the only one so far.
    """

    round: int
    reason: str = "no_valid_value"

    def encode(self) -> bytes:
        """round u64 | reason name."""
        if not self.reason:
            raise Malformed("a fallback says why")
        return u64(self.round, "round") + name(self.reason, "reason")

    @classmethod
    def decode(cls, reader: Reader) -> "Fallback":
        """Reads what `encode` writes."""
        return cls(reader.u64("round"), reader.name("reason"))


@dataclass(frozen=True, slots=True)
class Hand:
    """Positions of pack `hand` that left the dealer at one stage, each with the seat that got it.

    Seat 0xFF is a card shown to all (the up-card), 0xFE a card out of play, shown when its deal has ended. Cards
    themselves are never in here: the pack follows from the reveal. The pairs keep the order of the deal map.
    """

    hand: int
    stage: int
    positions: tuple[tuple[int, int], ...]

    def encode(self) -> bytes:
        """hand u32 | stage u8 | u8 count | per position: position u8, seat u8."""
        head = u32(self.hand, "hand") + u8(self.stage, "stage") + u8(len(self.positions), "positions")
        return head + b"".join(u8(at, "position") + u8(seat, "seat") for at, seat in self.positions)

    @classmethod
    def decode(cls, reader: Reader) -> "Hand":
        """Reads what `encode` writes."""
        hand, stage, count = reader.u32("hand"), reader.u8("stage"), reader.u8("positions")
        return cls(hand, stage, tuple((reader.u8("position"), reader.u8("seat")) for _ in range(count)))


@dataclass(frozen=True, slots=True)
class Revealed:
    """The end: the server seed (32 octets), the hash of the whole play log, and how the match ended.

    `ending` is a short code: `finished`, `abandoned` or `cancelled`.
    """

    server_seed: bytes = field(repr=False)
    play_log_hash: bytes
    ending: str

    def encode(self) -> bytes:
        """server seed (32) | play log hash (32) | ending name."""
        if not self.ending:
            raise Malformed("a reveal says how the match ended")
        seed = fixed(self.server_seed, SERVER_SEED_LENGTH, "server seed")
        return seed + fixed(self.play_log_hash, HASH_LENGTH, "play log hash") + name(self.ending, "ending")

    @classmethod
    def decode(cls, reader: Reader) -> "Revealed":
        """Reads what `encode` writes."""
        seed = reader.fixed(SERVER_SEED_LENGTH, "server seed")
        return cls(seed, reader.fixed(HASH_LENGTH, "play log hash"), reader.name("ending"))


@dataclass(frozen=True, slots=True)
class Unknown:
    """An event of a kind that a later version added: its number and its octets, which still chain and are signed."""

    kind: int
    octets: bytes = field(repr=False)

    def encode(self) -> bytes:
        """The octets as they came."""
        if self.kind in _DECODERS:
            raise Malformed("this kind is known")
        return self.octets


Body = Opened | Seeds | RoundChosen | Beacon | Fallback | Hand | Revealed | Unknown

_KINDS: dict[type, Kind] = {
    Opened: Kind.OPENED,
    Seeds: Kind.SEEDS,
    RoundChosen: Kind.ROUND_CHOSEN,
    Beacon: Kind.BEACON,
    Fallback: Kind.FALLBACK,
    Hand: Kind.HAND,
    Revealed: Kind.REVEALED,
}
_DECODERS: dict[int, Callable[[Reader], Body]] = {
    Kind.OPENED: Opened.decode,
    Kind.SEEDS: Seeds.decode,
    Kind.ROUND_CHOSEN: RoundChosen.decode,
    Kind.BEACON: Beacon.decode,
    Kind.FALLBACK: Fallback.decode,
    Kind.HAND: Hand.decode,
    Kind.REVEALED: Revealed.decode,
}


def kind_of(body: Body) -> int:
    """The number of a body's kind."""
    return body.kind if isinstance(body, Unknown) else _KINDS[type(body)]


def decode_body(kind: int, octets: bytes) -> Body:
    """The body that `octets` hold; octets that are not canonical for a known kind raise `Malformed`."""
    decoder = _DECODERS.get(kind)
    if decoder is None:
        return Unknown(kind, octets)
    reader = Reader(octets)
    body = decoder(reader)
    reader.done()
    if body.encode() != octets:
        raise Malformed("the body is not in its canonical form")
    return body


def _read_seat(reader: Reader) -> Seat:
    participant, kind = reader.fixed(PARTICIPANT_LENGTH, "participant"), reader.u8("seat kind")
    if kind not in SeatKind.__members__.values():
        raise Malformed("a seat is a person's or a bot's")
    return Seat(participant, SeatKind(kind), reader.name("bot level"), reader.name("bot policy"))


def _seed_state(number: int) -> SeedState:
    if number not in SeedState.__members__.values():
        raise Malformed("a seed was given, missed, or is a bot's")
    return SeedState(number)
