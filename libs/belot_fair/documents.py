"""Strict JSON documents: the reading and writing that proof and evidence files share.

Octets are lower-case hex, numbers that may need 64 bits decimal strings, unknown and missing fields are refused, and a
file must be octet for octet what writing it again gives: any changed octet is seen, white space included.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import NoReturn

from belot_fair.octets import U64_MAX

Json = None | bool | int | str | Sequence["Json"] | Mapping[str, "Json"]

_HEX = re.compile(r"(?:[0-9a-f]{2})*", re.ASCII)
_DECIMAL = re.compile(r"0|[1-9][0-9]{0,19}", re.ASCII)


class ProofMalformed(ValueError):  # noqa: N818 - the domain says malformed
    """A proof or evidence file that is none: the message says what is wrong and where, never the content."""


class Fields:
    """The fields of one JSON object, taken one by one; `done` refuses those that nobody asked for."""

    __slots__ = ("_left", "_path")

    def __init__(self, value: Json, path: str) -> None:
        if not isinstance(value, dict):
            raise ProofMalformed(f"{path} is not an object")
        self._left: dict[str, Json] = dict(value)
        self._path = path

    def take(self, name: str) -> Json:
        """The raw value of a field that must be there."""
        if name not in self._left:
            raise ProofMalformed(f"{self._path} lacks {name}")
        return self._left.pop(name)

    def text(self, name: str, most: int = 64) -> str:
        """A text of at most `most` characters."""
        value = self.take(name)
        if not isinstance(value, str) or len(value) > most:
            raise self._wrong(name, f"a text of at most {most} characters")
        return value

    def octets(self, name: str, most: int, length: int | None = None) -> bytes:
        """Octets in lower-case hex, at most `most`, and exactly `length` where that is given."""
        value = self.take(name)
        if not isinstance(value, str) or len(value) > 2 * most or not _HEX.fullmatch(value):
            raise self._wrong(name, f"lower-case hex of at most {most} octets")
        octets = bytes.fromhex(value)
        if length is not None and len(octets) != length:
            raise self._wrong(name, f"exactly {length} octets in hex")
        return octets

    def u64(self, name: str) -> int:
        """A decimal string of at most 64 bits."""
        value = self.take(name)
        if not isinstance(value, str) or not _DECIMAL.fullmatch(value) or int(value) > U64_MAX:
            raise self._wrong(name, "a decimal string of at most 64 bits")
        return int(value)

    def integer(self, name: str, least: int, most: int) -> int:
        """A JSON number without fraction, within bounds."""
        return self._integer(name, self.take(name), least, most)

    def integers(self, name: str, least: int, most: int, count: int) -> tuple[int, ...]:
        """A list of at most `count` numbers without fraction, within bounds."""
        return tuple(self._integer(name, item, least, most) for item in self._items(name, count))

    def objects(self, name: str, count: int) -> tuple["Fields", ...]:
        """A list of at most `count` objects."""
        items = self._items(name, count)
        return tuple(Fields(item, f"{self._path}.{name}[{at}]") for at, item in enumerate(items))

    def object(self, name: str) -> "Fields":
        """An object."""
        return Fields(self.take(name), f"{self._path}.{name}")

    def optional(self, name: str) -> "Fields | None":
        """An object, or null."""
        value = self.take(name)
        return None if value is None else Fields(value, f"{self._path}.{name}")

    def done(self) -> None:
        """Refuse fields that are left over."""
        if self._left:
            raise ProofMalformed(f"{self._path} has {len(self._left)} unknown fields")

    def _items(self, name: str, count: int) -> list[Json]:
        value = self.take(name)
        if not isinstance(value, list) or len(value) > count:
            raise self._wrong(name, f"a list of at most {count}")
        return value

    def _integer(self, name: str, value: Json, least: int, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self._wrong(name, f"a whole number from {least} to {most}")
        return value

    def _wrong(self, name: str, expected: str) -> ProofMalformed:
        return ProofMalformed(f"{self._path}.{name} is not {expected}")


def read_document(octets: bytes, what: str, form: str, version: int, most: int) -> Fields:
    """The fields of a document whose `format` and `version` are these; at most `most` octets are looked at."""
    if len(octets) > most:
        raise ProofMalformed(f"{what} is longer than {most} octets")
    try:
        value = json.loads(
            octets.decode("ascii"), object_pairs_hook=_unique, parse_float=_refuse, parse_constant=_refuse
        )
    except ProofMalformed:
        raise
    except (ValueError, RecursionError):
        raise ProofMalformed(f"{what} is no JSON document in ASCII") from None
    fields = Fields(value, what)
    if fields.text("format") != form:
        raise ProofMalformed(f"{what} is not of the format {form}")
    if fields.integer("version", 0, 2**31) != version:
        raise ProofMalformed(f"{what} is of a version that is not known here")
    return fields


def write_document(value: Mapping[str, Json]) -> bytes:
    """The octets of a document: ASCII, fields sorted by name, one space of indent, a newline at the end."""
    return json.dumps(value, indent=1, sort_keys=True, ensure_ascii=True).encode("ascii") + b"\n"


def _unique(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ProofMalformed("an object names a field twice")
    return fields


def _refuse(_text: str) -> NoReturn:
    raise ProofMalformed("a number is not a whole one")
