"""Octets that are no message, or not the one they seem: what a generator of messages never writes."""

import random
from collections.abc import Callable
from typing import Final

from google.protobuf.message import Message

from hostile.messages import BROKEN_TEXT

_NO_UTF8: Final = b"\xff\xfe\xc0\x80\xed\xa0\x80\xf8\x88broken"
MOST_OCTETS: Final = 4 << 20
"""What a server takes; beyond it gRPC itself answers RESOURCE_EXHAUSTED."""


def send_form(message: Message) -> bytes:
    """The message encoded, broken text put in where the generator asked for it."""
    return message.SerializeToString().replace(BROKEN_TEXT.encode(), _NO_UTF8)


def damaged(octets: bytes, rng: random.Random) -> bytes:
    """An encoded message made into something else."""
    return rng.choice(_WAYS)(octets, rng)


def _random(octets: bytes, rng: random.Random) -> bytes:
    return rng.randbytes(rng.choice((1, 2, 3, 8, 40, 300)))


def _truncated(octets: bytes, rng: random.Random) -> bytes:
    return octets[: rng.randrange(len(octets))] if octets else b"\x0a"


def _flipped(octets: bytes, rng: random.Random) -> bytes:
    changed = bytearray(octets or b"\x00")
    for _ in range(rng.randint(1, 8)):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def _spliced(octets: bytes, rng: random.Random) -> bytes:
    cut = rng.randrange(len(octets) + 1)
    return octets[:cut] + rng.randbytes(rng.randint(1, 12)) + octets[cut:]


def _wrong_wire_type(octets: bytes, rng: random.Random) -> bytes:
    field = rng.randint(1, 16)
    return octets + _tag(field, rng.randrange(8)) + rng.randbytes(rng.randint(0, 12))


def _overlong_varint(octets: bytes, rng: random.Random) -> bytes:
    return octets + _tag(rng.randint(1, 8), 0) + b"\xff" * rng.choice((9, 10, 11, 30)) + b"\x01"


def _giant_length(octets: bytes, rng: random.Random) -> bytes:
    length = rng.choice((b"\xff\xff\xff\xff\x07", b"\xff\xff\xff\xff\x0f", b"\xff" * 9 + b"\x01", b"\x80\x80\x80\x10"))
    return octets + _tag(rng.randint(1, 8), 2) + length + rng.randbytes(5)


def _nested(octets: bytes, rng: random.Random) -> bytes:
    """Field 1 within field 1 within ..., past the depth that any parser follows; groups likewise."""
    field, deep = rng.randint(1, 5), rng.choice((50, 99, 101, 1_000))
    if rng.random() < 0.5:
        return _tag(field, 3) * deep + (_tag(field, 4) * deep if rng.random() < 0.5 else b"")
    inner = b""
    for _ in range(deep):
        inner = _tag(field, 2) + _varint(len(inner)) + inner
    return inner


def _field_zero(octets: bytes, rng: random.Random) -> bytes:
    return octets + bytes((rng.randrange(8),)) + rng.randbytes(3)


def _doubled(octets: bytes, rng: random.Random) -> bytes:
    return octets * rng.choice((2, 3, 20))


def _unknown_fields(octets: bytes, rng: random.Random) -> bytes:
    return octets + b"".join(_tag(rng.randint(1_000, 2**29 - 1), 0) + b"\x01" for _ in range(rng.choice((1, 5, 2_000))))


_WAYS: Final[tuple[Callable[[bytes, random.Random], bytes], ...]] = (
    _random, _truncated, _flipped, _flipped, _spliced, _wrong_wire_type, _overlong_varint, _giant_length, _nested,
    _field_zero, _doubled, _unknown_fields,
)  # fmt: skip


def oversized(rng: random.Random) -> bytes:
    """A sound field that no message has, larger than what a server takes."""
    size = MOST_OCTETS + rng.choice((1, 100_000))
    return _tag(15_000, 2) + _varint(size) + b"\x00" * size


def _tag(field: int, wire: int) -> bytes:
    return _varint(field << 3 | wire)


def _varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*out, value))
