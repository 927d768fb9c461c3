"""Published keys of a dealer, from a file, so that `belot verify` can tell whose signatures a proof carries."""

import re
from pathlib import Path
from typing import Final

from belot_fair.keys import PUBLIC_KEY_LENGTH, key_id_of

_MOST_OCTETS: Final = 2**16
_KEY = re.compile(rf"(?:([0-9a-f]{{16}})\s+)?([0-9a-fA-F]{{{2 * PUBLIC_KEY_LENGTH}}})")


class KeysMalformed(ValueError):  # noqa: N818 - the file is malformed
    """A file of published keys that is none; says in which line."""


def read_keys(file: Path) -> tuple[bytes, ...]:
    """The dealer's published keys: a line each, 64 hex characters, its key id before it if you like; `#` comments.

    Errors: OSError, KeysMalformed.
    """
    with file.open("rb") as stream:
        text = stream.read(_MOST_OCTETS).decode("utf-8", errors="replace")
    keys = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        found = _KEY.fullmatch(words)
        if found is None:
            raise KeysMalformed(f"line {number} holds no key: 64 hex characters, after the key id or alone")
        key = bytes.fromhex(found[2])
        if found[1] not in {None, key_id_of(key)}:
            raise KeysMalformed(f"line {number}: the key id is not that of its key")
        keys.append(key)
    if not keys:
        raise KeysMalformed("it holds no key")
    return tuple(keys)
