"""The public beacon: which round belongs to a time, and whether a signature is really that round's.

Scheme `bls-unchained-g1-rfc9380` alone: signatures are compressed points of G1 (48 octets), the public key one of G2
(96), the message SHA-256 of the round as u64. All parameters of a chain are pinned together and its hash is recomputed
from them; nothing is ever taken from a relay but a round and a signature. Times are unix milliseconds.
"""

from dataclasses import dataclass, field
from hashlib import sha256, sha512
from typing import NoReturn

from py_arkworks_bls12381 import GT, G1Point, G2Point, Scalar

from belot_fair.octets import U32_MAX, U64_MAX, Malformed, fixed, name, u32, u64

SCHEME = "bls-unchained-g1-rfc9380"
SIGNATURE_LENGTH = 48
PUBLIC_KEY_LENGTH = 96
DEVELOPMENT_BEACON = "belot-dev"
CLOSE_MARGIN_MS = 1_000
FALLBACK_AFTER_MS = 5_000

_DST = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_DEFAULT_BEACON = "default"
_COMPRESSED, _INFINITY = 0x80, 0x40
_DEVELOPMENT_LABEL = b"belot.club/dev-beacon/v1"
_G2_GENERATOR = G2Point()


class BeaconRefused(ValueError):  # noqa: N818 - the domain says refused
    """A beacon, or the parameters of a chain, that do not hold; `why` is one clause for a log or a report."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Chain:
    """The pinned parameters of one beacon chain.

    `public_key` 96 octets, `period` in seconds, `genesis` the unix second of round 1, `group_hash` and `chain_hash` 32
    octets. Parameters that do not give `chain_hash` raise `BeaconRefused` when the value is made.
    """

    public_key: bytes
    period: int
    genesis: int
    group_hash: bytes
    scheme: str
    beacon_id: str
    chain_hash: bytes
    _key: G2Point = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.scheme != SCHEME:
            raise BeaconRefused(f"only the scheme {SCHEME} is known")
        if not 0 < self.period <= U32_MAX:
            raise BeaconRefused("a period is at least one second")
        expected = chain_hash(self.public_key, self.period, self.genesis, self.group_hash, self.beacon_id)
        if expected != self.chain_hash:
            raise BeaconRefused("the parameters of the chain do not give its hash")
        object.__setattr__(self, "_key", _public_point(self.public_key))


def chain_hash(public_key: bytes, period: int, genesis: int, group_hash: bytes, beacon_id: str) -> bytes:
    """SHA-256(period u32 | genesis u64 | public key | group hash | beacon id unless `default`)."""
    try:
        name(beacon_id, "beacon id")
        octets = u32(period, "period") + u64(genesis, "genesis")
        octets += fixed(public_key, PUBLIC_KEY_LENGTH, "public key") + fixed(group_hash, 32, "group hash")
    except Malformed as refused:
        raise BeaconRefused(str(refused)) from None
    return sha256(octets + (b"" if beacon_id == _DEFAULT_BEACON else beacon_id.encode("ascii"))).digest()


def chain_info(chain: Chain) -> dict[str, str | int]:
    """The chain as the HTTP API of drand shows it under `/{chain hash}/info`, octets in hex."""
    return {
        "public_key": chain.public_key.hex(),
        "period": chain.period,
        "genesis_time": chain.genesis,
        "hash": chain.chain_hash.hex(),
        "groupHash": chain.group_hash.hex(),
        "schemeID": chain.scheme,
        "beaconID": chain.beacon_id,
    }


def round_at(chain: Chain, at_ms: int) -> int:
    """The newest round due at a time; a time before genesis raises `BeaconRefused`."""
    since = at_ms - chain.genesis * 1000
    if since < 0:
        raise BeaconRefused("the time lies before the first round")
    return since // (chain.period * 1000) + 1


def time_of(chain: Chain, round: int) -> int:
    """When a round is due, unix milliseconds; rounds count from 1."""
    if not 1 <= round <= U64_MAX:
        raise BeaconRefused("rounds count from 1 and fit 64 bits")
    return (chain.genesis + chain.period * (round - 1)) * 1000


def first_round_for(chain: Chain, close_time_ms: int, highest_verified: int) -> int:
    """The round of a match whose seeds closed at `close_time_ms`: due a second later or more, and never seen yet.

    `highest_verified` is the highest round whose value anybody here has verified, 0 when none was. The answer is the
    least round r with T(r) >= close + 1 s and r > highest, so that a slow clock never picks a known value.
    """
    since = close_time_ms + CLOSE_MARGIN_MS - chain.genesis * 1000
    due = max(0, -(-since // (chain.period * 1000))) + 1
    return max(due, highest_verified + 1)


def verify(chain: Chain, round: int, signature: bytes) -> bytes:
    """The 32 octets of a round's value, SHA-256 of its signature; anything but the true one raises `BeaconRefused`.

    Takes about 2 ms. The point must be canonical and of the right subgroup: a genuine signature plus a point of small
    order would pass the pairing and let a relay choose among very many values.
    """
    if not 1 <= round <= U64_MAX:
        raise BeaconRefused("rounds count from 1 and fit 64 bits")
    point = _signature_point(signature)
    if not GT.pairing_check([point, -_message_point(round)], [_G2_GENERATOR, chain._key]):
        raise BeaconRefused("the signature is not that of this round on this chain")
    return sha256(signature).digest()


class BeaconKey:
    """The secret of a development chain; the public beacon's is held by nobody."""

    __slots__ = ("_scalar", "public_key")

    public_key: bytes

    def __init__(self, seed: bytes) -> None:
        """Any octets make a key: SHA-512(`belot.club/dev-beacon/v1` | seed) modulo the group order."""
        self._scalar = Scalar.from_be_bytes_mod_order(sha512(_DEVELOPMENT_LABEL + seed).digest())
        self.public_key = (_G2_GENERATOR * self._scalar).to_compressed_bytes()

    def sign(self, round: int) -> bytes:
        """The signature of a round, 48 octets, as a relay of the chain would serve it."""
        return (_message_point(round) * self._scalar).to_compressed_bytes()

    def __repr__(self) -> str:
        return "BeaconKey(redacted)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a beacon key is not pickled")


def development_chain(key: BeaconKey, genesis: int, period: int = 1) -> Chain:
    """The chain of a loopback beacon that signs with `key`: real BLS, beacon id `belot-dev`, a hash of its own.

    `genesis` is the unix second of round 1, `period` is in seconds.
    """
    group_hash = sha256(_DEVELOPMENT_LABEL + key.public_key).digest()
    hashed = chain_hash(key.public_key, period, genesis, group_hash, DEVELOPMENT_BEACON)
    return Chain(key.public_key, period, genesis, group_hash, SCHEME, DEVELOPMENT_BEACON, hashed)


def _message_point(round: int) -> G1Point:
    return G1Point.hash_to_curve(sha256(u64(round, "round")).digest(), _DST)


def _signature_point(signature: bytes) -> G1Point:
    if not isinstance(signature, bytes) or len(signature) != SIGNATURE_LENGTH:
        raise BeaconRefused("a signature is exactly 48 octets")
    if not signature[0] & _COMPRESSED or signature[0] & _INFINITY:
        raise BeaconRefused("the signature is not a compressed point")
    try:
        point = G1Point.from_compressed_bytes(signature)
    except ValueError:
        raise BeaconRefused("the signature is no point of the group") from None
    if point == G1Point.identity() or not point.is_in_subgroup() or point.to_compressed_bytes() != signature:
        raise BeaconRefused("the signature is no canonical point of the group")
    return point


def _public_point(public_key: bytes) -> G2Point:
    if not public_key[0] & _COMPRESSED or public_key[0] & _INFINITY:
        raise BeaconRefused("the public key is not a compressed point")
    try:
        point = G2Point.from_compressed_bytes(public_key)
    except ValueError:
        raise BeaconRefused("the public key is no point of the group") from None
    if point == G2Point.identity() or not point.is_in_subgroup() or point.to_compressed_bytes() != public_key:
        raise BeaconRefused("the public key is no canonical point of the group")
    return point


QUICKNET = Chain(
    public_key=bytes.fromhex(
        "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a"
    ),
    period=3,
    genesis=1692803367,
    group_hash=bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e"),
    scheme=SCHEME,
    beacon_id="quicknet",
    chain_hash=bytes.fromhex("52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"),
)
"""The League of Entropy's quicknet, the only chain that a production table takes."""
