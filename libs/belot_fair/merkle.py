"""Merkle trees as RFC 6962 hashes them: one root over many leaves, and short proofs that a leaf is under it.

Leaf hash SHA-256(0x00 | leaf); inner hash SHA-256(0x01 | left | right); the left part of n leaves has the largest power
of two below n; no leaves give SHA-256 of nothing. An audit path names siblings from the leaf upwards (section 2.1.1).
"""

from collections.abc import Sequence
from hashlib import sha256

from belot_fair.octets import Malformed

HASH_LENGTH = 32
MOST_PATH = 64
EMPTY_ROOT = sha256(b"").digest()


def leaf_hash(leaf: bytes) -> bytes:
    """The hash of a leaf's octets."""
    return sha256(b"\x00" + leaf).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of two subtrees put together."""
    return sha256(b"\x01" + left + right).digest()


def root_of(hashes: Sequence[bytes]) -> bytes:
    """The root over leaf hashes in their order; it takes n - 1 hashes."""
    return _levels(hashes)[-1][0] if hashes else EMPTY_ROOT


def audit_path(hashes: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The siblings on the way from leaf `index` to the root. Errors: IndexError for a leaf that is not there."""
    if not 0 <= index < len(hashes):
        raise IndexError("there is no such leaf")
    path = []
    for level in _levels(hashes)[:-1]:
        sibling = index ^ 1
        if sibling < len(level):
            path.append(level[sibling])
        index //= 2
    return tuple(path)


def root_from(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """The root that a leaf hash and its audit path lead to, in a tree of `size` leaves.

    Errors: Malformed for a path of another length than that leaf has, or for siblings that are no hashes.
    """
    if not 0 <= index < size or any(len(each) != HASH_LENGTH for each in path):
        raise Malformed("an audit path is of a leaf that is there, and of hashes")
    node, last, left = leaf, size - 1, list(path)
    while last:
        if index % 2 or index < last:
            if not left:
                raise Malformed("the audit path is too short")
            sibling = left.pop(0)
            node = node_hash(sibling, node) if index % 2 else node_hash(node, sibling)
        index, last = index // 2, last // 2
    if left:
        raise Malformed("the audit path is too long")
    return node


def _levels(hashes: Sequence[bytes]) -> list[list[bytes]]:
    """The tree from its leaves to its root. Pairing neighbours, and carrying a last one up, is the RFC's splitting."""
    levels = [list(hashes)]
    while len(levels[-1]) > 1:
        level = levels[-1]
        paired = [node_hash(level[at], level[at + 1]) for at in range(0, len(level) - 1, 2)]
        levels.append(paired + level[len(level) - len(level) % 2 :])
    return levels
