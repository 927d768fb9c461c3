"""Which table pod a table's commands go to: rendezvous hashing, so that caches stay warm and few tables move.

Pure. A hint only: any pod serves any table, and the version of its state is the truth.
"""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b


@lru_cache(maxsize=65_536)
def ranked(table_id: str, addresses: tuple[str, ...]) -> tuple[str, ...]:
    """The addresses in the order in which this table prefers them; the same everywhere, whatever their order here."""
    return tuple(sorted(addresses, key=lambda address: _weight(table_id, address), reverse=True))


def _weight(table_id: str, address: str) -> bytes:
    return blake2b(table_id.encode(), digest_size=8, key=blake2b(address.encode(), digest_size=32).digest()).digest()


def pick(table_id: str, addresses: tuple[str, ...], live: Sequence[str] | frozenset[str]) -> str:
    """The live address this table prefers; its favourite when none is known to be live."""
    order = ranked(table_id, addresses)
    return next((address for address in order if address in live), order[0])
