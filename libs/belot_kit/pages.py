"""Lists in pages: keyset, never offsets, with opaque tokens that fit only the list they came from.

A token holds the key of the last row and a fingerprint of the other parameters. It is neither secret nor signed:
it can only name a place to go on from, and what a caller may see is decided by the query.
"""

import base64
import binascii
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from belot_kit.errors import DomainError, invalid_field

DEFAULT_SIZE: Final = 50
LARGEST_SIZE: Final = 200
_FINGERPRINT_BYTES: Final = 9
_LONGEST_TOKEN: Final = 1_024

KeyPart: TypeAlias = str | int


@dataclass(frozen=True, slots=True)
class Page:
    """Which rows are wanted: `size` of them, those after the key `after` (None: from the start).

    Ask the store for `size + 1` rows, so that `next_token` knows whether more follow.
    """

    size: int
    after: tuple[KeyPart, ...] | None
    fingerprint: str


def page_of(
    page_size: int, page_token: str, *, key: Sequence[type[str] | type[int]], **bound: str | int | bool
) -> Page:
    """Read a list request's paging fields. `key` gives the types of the key's parts, `bound` all other parameters.

    Sizes: 0 means 50, more than 200 means 200. Errors: DomainError INVALID_ARGUMENT for a negative size, and for a
    token that is none or comes from a list with other parameters.
    """
    if page_size < 0:
        raise invalid_field("page_size", "must not be negative")
    fingerprint = _fingerprint(bound)
    after = _read(page_token, fingerprint, key) if page_token else None
    return Page(min(page_size or DEFAULT_SIZE, LARGEST_SIZE), after, fingerprint)


def next_token(page: Page, keys: Sequence[tuple[KeyPart, ...]]) -> str:
    """The token after this page; `keys` are those of the rows found, up to `size + 1`. Empty when no more follow."""
    if len(keys) <= page.size:
        return ""
    payload = json.dumps([page.fingerprint, *keys[page.size - 1]], separators=(",", ":"))
    return base64.urlsafe_b64encode(payload.encode()).decode().rstrip("=")


def _fingerprint(bound: dict[str, str | int | bool]) -> str:
    digest = hashlib.sha256(json.dumps(bound, sort_keys=True).encode()).digest()
    return base64.urlsafe_b64encode(digest[:_FINGERPRINT_BYTES]).decode()


def _read(token: str, fingerprint: str, key: Sequence[type[str] | type[int]]) -> tuple[KeyPart, ...]:
    try:
        if len(token) > _LONGEST_TOKEN:
            raise _bad_token()
        padded = token + "=" * (-len(token) % 4)
        found = json.loads(base64.b64decode(padded, altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        raise _bad_token() from None
    if not isinstance(found, list) or not found or found[0] != fingerprint:
        raise _bad_token()
    parts = found[1:]
    if len(parts) != len(key) or any(type(part) is not kind for part, kind in zip(parts, key, strict=True)):
        raise _bad_token()
    return tuple(parts)


def _bad_token() -> DomainError:
    return invalid_field("page_token", "does not belong to this list")
