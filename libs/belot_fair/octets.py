"""Canonical octets: the few building blocks of which every signed or hashed record is made.

Integers are unsigned and big-endian. A `short` is a u8 length and that many octets, a `long` a u32 length and
that many octets. A `name` is a short of 0 to 64 characters out of `A-Z a-z 0-9 . _ : / + -`. Every value has exactly
one encoding, so that decoding and encoding again gives the same octets; a reader refuses anything else.
"""

import re
import struct

U8_MAX = 2**8 - 1
U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1
NAME_LENGTH = 64
MATCH_ID_PATTERN = re.compile(r"[A-Za-z0-9._:-]{1,64}", re.ASCII)
_NAME_PATTERN = re.compile(r"[A-Za-z0-9._:/+-]{0,64}", re.ASCII)
_U32 = struct.Struct(">I")
_U64 = struct.Struct(">Q")


class Malformed(ValueError):  # noqa: N818 - the domain says malformed
    """Octets or a value that no canonical record can hold; the message names the field, never its content."""


def _ranged(value: int, most: int, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise Malformed(f"{what} must be a whole number from 0 to {most}")
    return value


def u8(value: int, what: str = "number") -> bytes:
    """One octet."""
    return bytes((_ranged(value, U8_MAX, what),))


def u32(value: int, what: str = "number") -> bytes:
    """Four octets, big-endian."""
    return _U32.pack(_ranged(value, U32_MAX, what))


def u64(value: int, what: str = "number") -> bytes:
    """Eight octets, big-endian."""
    return _U64.pack(_ranged(value, U64_MAX, what))


def fixed(value: bytes, length: int, what: str = "octets") -> bytes:
    """Octets of a length that the format itself knows; no length is written."""
    if not isinstance(value, bytes) or len(value) != length:
        raise Malformed(f"{what} must be exactly {length} octets")
    return value


def short(value: bytes, what: str = "octets") -> bytes:
    """A u8 length and the octets, at most 255."""
    if not isinstance(value, bytes) or len(value) > U8_MAX:
        raise Malformed(f"{what} must be at most 255 octets")
    return bytes((len(value),)) + value


def long(value: bytes, what: str = "octets") -> bytes:
    """A u32 length and the octets."""
    if not isinstance(value, bytes):
        raise Malformed(f"{what} must be octets")
    return u32(len(value), f"length of {what}") + value


def name(value: str, what: str = "name") -> bytes:
    """A short of ASCII letters, digits and `. _ : / + -`, 0 to 64 characters."""
    if not isinstance(value, str) or not _NAME_PATTERN.fullmatch(value):
        raise Malformed(f"{what} must be 0 to 64 characters of A-Z a-z 0-9 . _ : / + -")
    return short(value.encode("ascii"), what)


def match_id(value: str) -> bytes:
    """A match id: a name of 1 to 64 characters, without `/` and `+`."""
    if not isinstance(value, str) or not MATCH_ID_PATTERN.fullmatch(value):
        raise Malformed("match id must be 1 to 64 characters of A-Z a-z 0-9 . _ : -")
    return short(value.encode("ascii"), "match id")


class Reader:
    """Takes canonical octets apart from the front; every method raises `Malformed` when they run short."""

    __slots__ = ("_at", "_octets")

    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self._at = 0

    def fixed(self, length: int, what: str = "octets") -> bytes:
        """The next `length` octets."""
        end = self._at + length
        if end > len(self._octets):
            raise Malformed(f"the octets end inside {what}")
        taken = self._octets[self._at : end]
        self._at = end
        return taken

    def label(self, label: bytes) -> None:
        """Step over the label that starts a record, and refuse any other."""
        if self.fixed(len(label), "the label") != label:
            raise Malformed(f"the record does not start with {label.decode('ascii')}")

    def u8(self, what: str = "number") -> int:
        """One octet."""
        return self.fixed(1, what)[0]

    def u32(self, what: str = "number") -> int:
        """Four octets, big-endian."""
        return int.from_bytes(self.fixed(4, what), "big")

    def u64(self, what: str = "number") -> int:
        """Eight octets, big-endian."""
        return int.from_bytes(self.fixed(8, what), "big")

    def short(self, what: str = "octets") -> bytes:
        """A u8 length and that many octets."""
        return self.fixed(self.u8(f"length of {what}"), what)

    def long(self, what: str = "octets") -> bytes:
        """A u32 length and that many octets."""
        return self.fixed(self.u32(f"length of {what}"), what)

    def name(self, what: str = "name") -> str:
        """A name; characters outside its alphabet are refused."""
        text = self.short(what).decode("latin-1")
        if not _NAME_PATTERN.fullmatch(text):
            raise Malformed(f"{what} must be 0 to 64 characters of A-Z a-z 0-9 . _ : / + -")
        return text

    def match_id(self) -> str:
        """A match id."""
        text = self.short("match id").decode("latin-1")
        if not MATCH_ID_PATTERN.fullmatch(text):
            raise Malformed("match id must be 1 to 64 characters of A-Z a-z 0-9 . _ : -")
        return text

    def done(self) -> None:
        """Refuse octets that are left over."""
        if self._at != len(self._octets):
            raise Malformed("octets are left over after the record")
