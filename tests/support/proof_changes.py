"""Proof and evidence files with one thing changed: by a hand on the file, or by a dealer who signs again."""

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

from belot_fair.bodies import Beacon, Body, Fallback, Hand, Opened, Revealed, RoundChosen, Seeds
from belot_fair.keys import SigningKey
from belot_fair.proof import Proof
from belot_fair.receipts import SignedReceipt
from belot_fair.transcript import LABEL, SignedEvent

Path = tuple[str | int, ...]


def written(document: object) -> bytes:
    """A document in the one form that files have."""
    return json.dumps(document, indent=1, sort_keys=True).encode("ascii") + b"\n"


def leaves(document: object, path: Path = ()) -> Iterator[Path]:
    """The path of every value in a document that holds no others."""
    items: Sequence[tuple[str | int, object]] = ()
    if isinstance(document, dict):
        items = sorted(document.items())
    elif isinstance(document, list):
        items = list(enumerate(document))
    if not items:
        yield path
    for name, value in items:
        yield from leaves(value, (*path, name))


def with_leaf_changed(octets: bytes, path: Path, drawn: random.Random) -> bytes:
    """The file with the value at a path changed to another that looks like it."""
    document = json.loads(octets)
    holder = document
    for name in path[:-1]:
        holder = holder[name]
    holder[path[-1]] = _other(holder[path[-1]], drawn)
    return written(document)


def without_leaf(octets: bytes, path: Path) -> bytes:
    """The file with the value at a path left out."""
    document = json.loads(octets)
    holder = document
    for name in path[:-1]:
        holder = holder[name]
    del holder[path[-1]]
    return written(document)


def _other(value: object, drawn: random.Random) -> object:
    match value:
        case bool() | None:
            return 1
        case int():
            return value + drawn.choice((-1, 1))
        case str() if value:
            at = drawn.randrange(len(value))
            letter = drawn.choice([each for each in "0123456789abcdef" if each != value[at]])
            return value[:at] + letter + value[at + 1 :]
        case _:
            return "00"


@dataclass(frozen=True, slots=True)
class Parts:
    """An event's octets, taken apart as far as the chain needs; `head` ends before the hash of the event before."""

    head: bytes
    kind: int
    body: bytes
    time: bytes

    def joined(self, previous_hash: bytes) -> bytes:
        """The octets again, after another event."""
        return (
            self.head + previous_hash + bytes((self.kind,)) + len(self.body).to_bytes(4, "big") + self.body + self.time
        )


def taken_apart(octets: bytes) -> Parts:
    """The parts of an event."""
    at = len(LABEL) + 1 + octets[len(LABEL)] + 8
    length = int.from_bytes(octets[at + 33 : at + 37], "big")
    body = octets[at + 37 : at + 37 + length]
    return Parts(octets[:at], octets[at + 32], body, octets[at + 37 + length :])


def chained_again(proof: Proof, parts: Sequence[Parts], key: SigningKey) -> Proof:
    """The proof of a dealer who chains and signs changed events, whatever their octets are."""
    events: list[SignedEvent] = []
    for part in parts:
        previous = sha256(events[-1].octets).digest() if events else bytes(32)
        octets = part.joined(previous)
        events.append(SignedEvent(octets, key.key_id, key.sign(octets)))
    return replace(proof, events=tuple(events))


def fields_of(body: Body) -> list[range]:
    """The places of each field in a body's octets, lengths and counts among them; of a HAND three positions."""
    places, start = [], 0
    for length in _lengths(body):
        if length:
            places.append(range(start, start + length))
        start += length
    return places


def _lengths(body: Body) -> list[int]:
    match body:
        case Opened():
            seats = [each for seat in body.seats for each in (16, 1, *_text(seat.bot_level), *_text(seat.bot_policy))]
            ruleset = [*_text(body.ruleset_name), 4, 32, 4, len(body.ruleset_json), 1]
            sides = [1] * len(body.sides)
            return [*_text(body.recipe), 32, 1, *seats, *sides, 1, *ruleset, 32, *_text(body.chain_name), 8]
        case Seeds():
            return [1, *(each for seat in body.seats for each in (1, 1, len(seat.seed)))]
        case RoundChosen():
            return [8, 8, 8]
        case Beacon():
            return [8, 1, 48, 32]
        case Fallback():
            return [8, *_text(body.reason)]
        case Hand():
            return [4, 1, 1, *[1] * 6]
        case Revealed():
            return [32, 32, *_text(body.ending)]
        case _:
            return []


def _text(text: str) -> tuple[int, int]:
    return 1, len(text)


def with_octet_changed(octets: bytes, at: int, drawn: random.Random) -> bytes:
    """Octets of which one is another."""
    return octets[:at] + bytes(((octets[at] + drawn.randint(1, 255)) % 256,)) + octets[at + 1 :]


def signed_again(receipt: SignedReceipt, at: int, key: SigningKey, drawn: random.Random) -> SignedReceipt:
    """A receipt of which one octet is another, signed as it stands."""
    octets = with_octet_changed(receipt.octets, at, drawn)
    return SignedReceipt(octets, key.key_id, key.sign(octets))
