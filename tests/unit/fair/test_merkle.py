"""Merkle trees against a second, slow reading of RFC 6962, and against trees whose roots are known."""

import random
from collections.abc import Sequence
from hashlib import sha256

import pytest

from belot_fair.merkle import EMPTY_ROOT, audit_path, leaf_hash, root_from, root_of
from belot_fair.octets import Malformed

KNOWN_LEAVES = ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
KNOWN_ROOTS = {
    1: "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    2: "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    8: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
}
SIZES = (*range(1, 40), 63, 64, 65, 100, 127, 128, 129)


def slow_root(leaves: Sequence[bytes]) -> bytes:
    """The text of section 2.1, word by word, over leaves and not over their hashes."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    return sha256(b"\x01" + slow_root(leaves[:left]) + slow_root(leaves[left:])).digest()


def slow_path(index: int, leaves: Sequence[bytes]) -> list[bytes]:
    """The text of section 2.1.1."""
    if len(leaves) == 1:
        return []
    left = 1
    while left * 2 < len(leaves):
        left *= 2
    if index < left:
        return [*slow_path(index, leaves[:left]), slow_root(leaves[left:])]
    return [*slow_path(index - left, leaves[left:]), slow_root(leaves[:left])]


def leaves_of(size: int) -> list[bytes]:
    drawn = random.Random(size)
    return [drawn.randbytes(drawn.randrange(80)) for _ in range(size)]


@pytest.mark.parametrize("size", KNOWN_ROOTS)
def test_known_trees_have_their_known_roots(size: int) -> None:
    hashes = [leaf_hash(bytes.fromhex(leaf)) for leaf in KNOWN_LEAVES[:size]]
    assert root_of(hashes).hex() == KNOWN_ROOTS[size]


def test_no_leaves_give_the_hash_of_nothing() -> None:
    assert root_of(()) == EMPTY_ROOT == slow_root([])


@pytest.mark.parametrize("size", SIZES)
def test_roots_and_paths_are_those_of_the_slow_reading(size: int) -> None:
    leaves = leaves_of(size)
    hashes = [leaf_hash(leaf) for leaf in leaves]
    root = root_of(hashes)
    assert root == slow_root(leaves)
    for index in range(size):
        path = audit_path(hashes, index)
        assert list(path) == slow_path(index, leaves)
        assert root_from(hashes[index], index, size, path) == root


@pytest.mark.parametrize("size", [2, 3, 7, 8, 13])
def test_a_path_fits_one_leaf_at_one_place_alone(size: int) -> None:
    hashes = [leaf_hash(leaf) for leaf in leaves_of(size)]
    root = root_of(hashes)
    for index in range(size):
        path = audit_path(hashes, index)
        for place in range(size):
            if place != index:
                assert _leads_to(hashes[index], place, size, path) != root
        assert _leads_to(leaf_hash(b"another"), index, size, path) != root
        assert _leads_to(hashes[index], index, size, path[1:]) is None
        assert _leads_to(hashes[index], index, size, (*path, bytes(32))) is None


def _leads_to(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes | None:
    try:
        return root_from(leaf, index, size, path)
    except Malformed:
        return None


def test_what_is_no_leaf_or_no_hash_is_refused() -> None:
    with pytest.raises(IndexError):
        audit_path([bytes(32)], 1)
    for index, size, path in ((0, 0, ()), (2, 2, (bytes(32),)), (0, 2, (bytes(31),))):
        with pytest.raises(Malformed):
            root_from(bytes(32), index, size, path)
