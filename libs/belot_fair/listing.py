"""The public list of commitments: what is a leaf of a day's tree, the signed root of a day, and the inclusion file.

Every commitment that is ever issued is a leaf of the tree of the UTC day on which its match was opened. So a match that
was opened and thrown away stays visible. Roots of days name the record of the day before, without a gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from belot_fair.documents import Fields, ProofMalformed, read_document, write_document
from belot_fair.keys import SigningKey, key_id_of, signature_holds
from belot_fair.merkle import HASH_LENGTH, MOST_PATH, leaf_hash
from belot_fair.octets import Malformed, Reader, fixed, match_id, u32, u64
from belot_fair.proof import read_signed, signed_fields

LEAF_LABEL = b"belot.club/commitment/v1"
ROOT_LABEL = b"belot.club/daily-root/v1"
FORMAT = "belot.club/inclusion"
VERSION = 1
MOST_OCTETS = 2**15
DAY_MS = 86_400_000
NO_RECORD = bytes(32)
_MOST_ROOT_OCTETS = 2**8


@dataclass(frozen=True, slots=True)
class Leaf:
    """A commitment as it is listed: of which match, issued when (unix ms, the time of OPENED)."""

    match_id: str
    commitment: bytes
    opened_ms: int

    @property
    def day(self) -> int:
        """The UTC day it belongs to, counted from 1970-01-01."""
        return self.opened_ms // DAY_MS

    def encode(self) -> bytes:
        """label (24) | match id short | commitment (32) | time u64."""
        head = LEAF_LABEL + match_id(self.match_id) + fixed(self.commitment, HASH_LENGTH, "commitment")
        return head + u64(self.opened_ms, "time")


def leaf_hashes(leaves: Sequence[Leaf]) -> tuple[bytes, ...]:
    """Leaf hashes in the order of a day's tree: by time, then by match id."""
    ordered = sorted(leaves, key=lambda leaf: (leaf.opened_ms, leaf.match_id))
    return tuple(leaf_hash(leaf.encode()) for leaf in ordered)


@dataclass(frozen=True, slots=True)
class DailyRoot:
    """The root over all commitments of a UTC day.

    `day` counts from 1970-01-01, `size` how many there were, `previous_hash` is SHA-256 of the record of the day before
    (zeros for the first), `time_ms` when it was made.
    """

    day: int
    size: int
    root: bytes
    previous_hash: bytes
    time_ms: int

    def encode(self) -> bytes:
        """label (24) | day u32 | size u64 | root (32) | previous hash (32) | time u64."""
        head = ROOT_LABEL + u32(self.day, "day") + u64(self.size, "size") + fixed(self.root, HASH_LENGTH, "root")
        return head + fixed(self.previous_hash, HASH_LENGTH, "previous hash") + u64(self.time_ms, "time")


@dataclass(frozen=True, slots=True)
class SignedRoot:
    """A day's record in canonical octets with the dealer's signature."""

    octets: bytes
    key_id: str
    signature: bytes

    @property
    def root(self) -> DailyRoot:
        """The record that the octets hold; raises `Malformed`."""
        return decode_root(self.octets)

    @property
    def record_hash(self) -> bytes:
        """What the record of the next day names."""
        return sha256(self.octets).digest()


def sign_root(root: DailyRoot, key: SigningKey) -> SignedRoot:
    """The record's octets with the dealer's signature."""
    octets = root.encode()
    return SignedRoot(octets, key.key_id, key.sign(octets))


def decode_root(octets: bytes) -> DailyRoot:
    """The record in `octets`; anything but canonical octets raises `Malformed`."""
    reader = Reader(octets)
    reader.label(ROOT_LABEL)
    day, size, root = reader.u32("day"), reader.u64("size"), reader.fixed(HASH_LENGTH, "root")
    record = DailyRoot(day, size, root, reader.fixed(HASH_LENGTH, "previous hash"), reader.u64("time"))
    reader.done()
    return record


@dataclass(frozen=True, slots=True)
class Inclusion:
    """That a match's commitment is leaf `index` under a day's root: `path` are its siblings (32 octets each)."""

    match_id: str
    index: int
    path: tuple[bytes, ...]
    root: SignedRoot
    public_key: bytes


def root_holds(signed: SignedRoot, public_key: bytes) -> bool:
    """Whether the octets are a day's record, signed by that key; never raises."""
    try:
        decode_root(signed.octets)
    except Malformed:
        return False
    return key_id_of(public_key) == signed.key_id and signature_holds(public_key, signed.octets, signed.signature)


def write_inclusion(inclusion: Inclusion) -> bytes:
    """The octets of the inclusion file."""
    root = inclusion.root
    return write_document(
        {
            "format": FORMAT,
            "version": VERSION,
            "match_id": inclusion.match_id,
            "index": str(inclusion.index),
            "path": [{"octets": each.hex()} for each in inclusion.path],
            "root": signed_fields(root.octets, root.key_id, root.signature),
            "public_key": inclusion.public_key.hex(),
        }
    )


def read_inclusion(octets: bytes) -> Inclusion:
    """The inclusion in a file; anything that `write_inclusion` would not have written raises `ProofMalformed`."""
    fields = read_document(octets, "inclusion", FORMAT, VERSION, MOST_OCTETS)
    inclusion = Inclusion(
        match_id=fields.text("match_id"),
        index=fields.u64("index"),
        path=tuple(_read_hash(each) for each in fields.objects("path", MOST_PATH)),
        root=SignedRoot(*read_signed(fields.object("root"), _MOST_ROOT_OCTETS)),
        public_key=fields.octets("public_key", HASH_LENGTH, HASH_LENGTH),
    )
    fields.done()
    if write_inclusion(inclusion) != octets:
        raise ProofMalformed("the inclusion is not written in its canonical form")
    return inclusion


def _read_hash(fields: Fields) -> bytes:
    octets = fields.octets("octets", HASH_LENGTH, HASH_LENGTH)
    fields.done()
    return octets
