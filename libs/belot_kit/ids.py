"""Identifiers: sortable by time for what is new, derived from a request for what its repetition must find again."""

import hashlib
import secrets
import uuid
from typing import Final

_SEPARATOR: Final = b"\x00"


def new_id(now_ms: int) -> str:
    """A UUID of version 7 (RFC 9562): milliseconds first, then 74 random bits, so that later ids sort later."""
    random_bits = secrets.randbits(74)
    value = (now_ms & ((1 << 48) - 1)) << 80
    value |= 0x7 << 76 | (random_bits >> 62) << 64
    value |= 0b10 << 62 | (random_bits & ((1 << 62) - 1))
    return str(uuid.UUID(int=value))


def id_for_request(kind: str, player_id: str, request_id: str) -> str:
    """The id of what this request of this player creates, a UUID of version 8: the same however often it is sent.

    `kind` (``table``, ``match``) keeps apart two things that one request creates. Guessing it needs the request id,
    and it opens nothing by itself.
    """
    parts = (kind.encode(), player_id.encode(), request_id.encode())
    digest = hashlib.sha256(_SEPARATOR.join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
    value = int.from_bytes(digest[:16], "big")
    value = value & ~(0xF << 76) | 0x8 << 76
    value = value & ~(0b11 << 62) | 0b10 << 62
    return str(uuid.UUID(int=value))
