"""The transcript of a match: events in canonical octets, chained by their hashes and signed by the dealer.

Octets of an event: `belot.club/transcript/v1` (24) | match id short | sequence u64 | hash of the event before (32,
zeros for the first) | kind u8 | body long | time u64 (unix ms). The hash of an event is SHA-256 of these octets; the
signature stands over `belot.club/signature/v1` | that hash (see keys.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256

from belot_fair.bodies import Body, Kind, Opened, RoundChosen, Seeds, decode_body, kind_of
from belot_fair.drand import Chain, first_round_for
from belot_fair.keys import SigningKey, signature_holds
from belot_fair.octets import Malformed, Reader, fixed, long, match_id, u8, u64

LABEL = b"belot.club/transcript/v1"
NO_PREVIOUS = bytes(32)

_AFTER_VALUE = frozenset({Kind.HAND, Kind.REVEALED})
_FOLLOWS: dict[int | None, frozenset[int]] = {
    None: frozenset({Kind.OPENED}),
    Kind.OPENED: frozenset({Kind.SEEDS, Kind.REVEALED}),
    Kind.SEEDS: frozenset({Kind.ROUND_CHOSEN}),
    Kind.ROUND_CHOSEN: frozenset({Kind.BEACON, Kind.FALLBACK, Kind.REVEALED}),
    Kind.BEACON: _AFTER_VALUE,
    Kind.FALLBACK: _AFTER_VALUE,
    Kind.HAND: _AFTER_VALUE,
    Kind.REVEALED: frozenset(),
}


class ChainBroken(ValueError):  # noqa: N818 - the domain says broken
    """A transcript that does not hold: which point failed (`format`, `chain`, `signatures`, `order`), where and why."""

    def __init__(self, point: str, sequence: int, why: str) -> None:
        super().__init__(f"event {sequence}: {why}")
        self.point = point
        self.sequence = sequence
        self.why = why


@dataclass(frozen=True, slots=True)
class Event:
    """One step of a match: `previous_hash` 32 octets, `time_ms` unix milliseconds, `sequence` from 0 without gaps."""

    match_id: str
    sequence: int
    previous_hash: bytes
    body: Body
    time_ms: int

    @property
    def kind(self) -> int:
        """The number of the body's kind."""
        return kind_of(self.body)

    def encode(self) -> bytes:
        """The canonical octets; a value that they cannot hold raises `Malformed`."""
        return b"".join(
            (
                LABEL,
                match_id(self.match_id),
                u64(self.sequence, "sequence"),
                fixed(self.previous_hash, len(NO_PREVIOUS), "previous hash"),
                u8(self.kind, "kind"),
                long(self.body.encode(), "body"),
                u64(self.time_ms, "time"),
            )
        )


@dataclass(frozen=True, slots=True)
class SignedEvent:
    """An event's canonical octets with the dealer's signature; the octets are what is stored, sent and checked."""

    octets: bytes
    key_id: str
    signature: bytes

    @property
    def event(self) -> Event:
        """The event that the octets hold."""
        return decode_event(self.octets)


def event_hash(event: Event) -> bytes:
    """SHA-256 of an event's canonical octets, which the next event names as its `previous_hash`."""
    return sha256(event.encode()).digest()


def decode_event(octets: bytes) -> Event:
    """The event in `octets`; anything but canonical octets raises `Malformed`."""
    reader = Reader(octets)
    reader.label(LABEL)
    match, sequence, previous = reader.match_id(), reader.u64("sequence"), reader.fixed(32, "previous hash")
    kind, body, time_ms = reader.u8("kind"), reader.long("body"), reader.u64("time")
    reader.done()
    return Event(match, sequence, previous, decode_body(kind, body), time_ms)


def first_event(match: str, opened: Opened, time_ms: int) -> Event:
    """The event that opens a match."""
    event = Event(match, 0, NO_PREVIOUS, opened, time_ms)
    event.encode()
    return event


def next_event(previous: Event, body: Body, time_ms: int) -> Event:
    """The event after `previous`; a kind that may not follow raises `ChainBroken`, a bad value `Malformed`.

    Clocks of two replicas may differ a little: a time before the previous event's is written as that one.
    """
    kind = kind_of(body)
    if kind in _FOLLOWS and previous.kind in _FOLLOWS and kind not in _FOLLOWS[previous.kind]:
        raise ChainBroken("order", previous.sequence + 1, f"kind {kind} does not follow kind {previous.kind}")
    time_ms = max(time_ms, previous.time_ms)
    event = Event(previous.match_id, previous.sequence + 1, event_hash(previous), body, time_ms)
    event.encode()
    return event


def close_seeds(opened: Event, seeds: Seeds, chain: Chain, highest_verified: int, time_ms: int) -> tuple[Event, Event]:
    """SEEDS and ROUND_CHOSEN, for one transaction: the round follows from the time at which seeds closed."""
    closed = next_event(opened, seeds, time_ms)
    round = first_round_for(chain, closed.time_ms, highest_verified)
    chosen = RoundChosen(round, closed.time_ms, highest_verified)
    return closed, next_event(closed, chosen, closed.time_ms)


def sign(event: Event, key: SigningKey) -> SignedEvent:
    """The event's octets with the dealer's signature."""
    octets = event.encode()
    return SignedEvent(octets, key.key_id, key.sign(octets))


def decode_events(events: Sequence[SignedEvent]) -> tuple[Event, ...]:
    """All events of a transcript; octets that are none raise `ChainBroken` with the point `format`."""
    decoded = []
    for at, signed in enumerate(events):
        try:
            decoded.append(signed.event)
        except Malformed as refused:
            raise ChainBroken("format", at, str(refused)) from None
    return tuple(decoded)


def check_links(events: Sequence[Event]) -> None:
    """Sequence, previous hashes, match id and times form one chain; raises `ChainBroken` with the point `chain`."""
    previous_hash, before = NO_PREVIOUS, None
    for at, event in enumerate(events):
        if event.sequence != at:
            raise ChainBroken("chain", at, "the sequence has a gap or a repetition")
        if event.previous_hash != previous_hash:
            raise ChainBroken("chain", at, "it does not name the hash of the event before it")
        if before is not None and event.match_id != before.match_id:
            raise ChainBroken("chain", at, "it belongs to another match")
        if before is not None and event.time_ms < before.time_ms:
            raise ChainBroken("chain", at, "its time lies before that of the event before it")
        previous_hash, before = event_hash(event), event


def check_signatures(events: Sequence[SignedEvent], public_keys: Mapping[str, bytes]) -> None:
    """Every event is signed by one of the keys (by key id); raises `ChainBroken` with the point `signatures`."""
    for at, signed in enumerate(events):
        public_key = public_keys.get(signed.key_id)
        if public_key is None:
            raise ChainBroken("signatures", at, "it is signed with a key that is not among the given ones")
        if not signature_holds(public_key, signed.octets, signed.signature):
            raise ChainBroken("signatures", at, "its signature does not hold")


def check_order(events: Sequence[Event]) -> None:
    """The kinds come in the order of a match; unknown kinds may stand anywhere after the first event.

    Raises `ChainBroken` with the point `order`. An unfinished transcript, which does not end in REVEALED, passes.
    """
    before: int | None = None
    for at, event in enumerate(events):
        if event.kind not in _FOLLOWS and at > 0:
            continue
        if event.kind not in _FOLLOWS[before]:
            raise ChainBroken("order", at, "its kind may not come at this place")
        before = event.kind


def check_chain(events: Sequence[SignedEvent], public_keys: Mapping[str, bytes]) -> tuple[Event, ...]:
    """The events of a transcript after every check that needs nothing but it: octets, links, signatures, order.

    `public_keys` maps key ids to the 32 octets of each dealer key. Raises `ChainBroken` with the point that failed.
    """
    decoded = decode_events(events)
    check_links(decoded)
    check_signatures(events, public_keys)
    check_order(decoded)
    return decoded
