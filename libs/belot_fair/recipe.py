"""The recipe `belot.club/deal/v1`: from seeds and a beacon value to a pack that nobody picked.

Message of block b of hand k: label | k u32 | b u32 | number of seats u8 | per seat a u8 length (0 or 16) and the seed |
round u64 | value (32). Block = HMAC-SHA256(server seed, message); blocks 0, 1, ... are one stream of octets. The pack
C D H S, each 7 8 9 10 J Q K A, is shuffled from position 31 down to 1 with octets that carry no bias.
"""

import hmac
from collections.abc import Iterator, Sequence
from hashlib import sha256

from belot_fair.octets import Malformed, match_id, u8, u32, u64

RECIPE = "belot.club/deal/v1"
BOT_LABEL = b"belot.club/bot/v1"
SERVER_SEED_LENGTH = 32
CLIENT_SEED_LENGTH = 16
VALUE_LENGTH = 32
NO_VALUE = bytes(VALUE_LENGTH)
PACK_SIZES = (24, 32)
SEATS = range(2, 5)

_LABEL = RECIPE.encode("ascii")
_FULL_PACK = tuple(range(32))
# (position i, i + 1, first octet that would favour some positions and is refused)
_STEPS = tuple((i, i + 1, 256 - 256 % (i + 1)) for i in range(31, 0, -1))
_SHORT_PACK_RANK = 2


class RecipeRefused(Malformed):
    """An input that the recipe does not know: a seed, value, round, hand, seat count or pack of the wrong size."""


def commitment(server_seed: bytes) -> bytes:
    """SHA-256 of the raw server seed, 32 octets; a seed that is not exactly 32 octets raises `RecipeRefused`.

    The length matters: HMAC pads a shorter key with zeros, and hashes one over 64 octets, so that other lengths would
    give two seeds one pack, or publish the key as its own commitment.
    """
    return sha256(_server_seed(server_seed)).digest()


def shuffle(
    server_seed: bytes, hand: int, seeds: Sequence[bytes], round: int, value: bytes, pack_size: int = 32
) -> tuple[int, ...]:
    """The pack of one hand: card numbers (8 * suit + rank) by position, position 0 first.

    `hand` counts deals from 0 (u32), `seeds` are in table order, 16 octets or none, `round` and `value` are the
    beacon's, both zero without one. A pack of 24 is the same pack without 7s and 8s. Raises `RecipeRefused`.
    """
    if pack_size not in PACK_SIZES:
        raise RecipeRefused("a pack has 24 or 32 cards")
    tail = _tail(seeds, round, value)
    head = _LABEL + u32(hand, "hand")
    pack = list(_FULL_PACK)
    stream = _stream(_server_seed(server_seed), head, tail)
    for i, size, limit in _STEPS:
        octet = next(stream)
        while octet >= limit:
            octet = next(stream)
        other = octet % size
        pack[i], pack[other] = pack[other], pack[i]
    if pack_size == 32:
        return tuple(pack)
    return tuple(card for card in pack if card % 8 >= _SHORT_PACK_RANK)


def bot_seed(server_seed: bytes, match: str, seat: int, hand: int) -> bytes:
    """The 32 octets from which a bot at `seat` draws in hand `hand`.

    HMAC-SHA256(server seed, `belot.club/bot/v1` (17) | match id: u8 length and ASCII | seat u8 | hand u32).
    """
    message = BOT_LABEL + match_id(match) + u8(seat, "seat") + u32(hand, "hand")
    return hmac.digest(_server_seed(server_seed), message, "sha256")


def _server_seed(seed: bytes) -> bytes:
    if not isinstance(seed, bytes) or len(seed) != SERVER_SEED_LENGTH:
        raise RecipeRefused("a server seed is exactly 32 octets")
    return seed


def _tail(seeds: Sequence[bytes], round: int, value: bytes) -> bytes:
    if len(seeds) not in SEATS:
        raise RecipeRefused("a table has 2, 3 or 4 seats")
    if any(not isinstance(seed, bytes) or len(seed) not in (0, CLIENT_SEED_LENGTH) for seed in seeds):
        raise RecipeRefused("a client seed is 16 octets, or none at all")
    if not isinstance(value, bytes) or len(value) != VALUE_LENGTH:
        raise RecipeRefused("a beacon value is exactly 32 octets")
    if (round == 0) != (value == NO_VALUE):
        raise RecipeRefused("round 0 goes with the zero value, and no other round does")
    written = b"".join(bytes((len(seed),)) + seed for seed in seeds)
    return u8(len(seeds)) + written + u64(round, "round") + value


def _stream(key: bytes, head: bytes, tail: bytes) -> Iterator[int]:
    block = 0
    while True:
        yield from hmac.digest(key, head + u32(block) + tail, "sha256")
        block += 1
