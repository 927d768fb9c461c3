"""The point `listed`: a commitment under the signed root of its day, and every way in which it is not."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from belot_fair.bodies import Opened
from belot_fair.documents import ProofMalformed
from belot_fair.keys import SigningKey
from belot_fair.listing import (
    DAY_MS,
    NO_RECORD,
    DailyRoot,
    Inclusion,
    Leaf,
    decode_root,
    leaf_hashes,
    read_inclusion,
    sign_root,
    write_inclusion,
)
from belot_fair.merkle import audit_path, leaf_hash, root_of
from belot_fair.octets import Malformed
from belot_fair.report import Verdict
from belot_fair.verify import verify_proof
from support.proofs import DEALER_KEY, Match, Plan, played, proof_of

OTHER_KEY = SigningKey(bytes(range(32)))
OTHERS = 20


@pytest.fixture(scope="module")
def match() -> Match:
    return played(Plan(most_decisions=4))


def leaf_of(match: Match) -> Leaf:
    opened = match.events[0]
    assert isinstance(opened.body, Opened)
    return Leaf(match.match_id, opened.body.commitment, opened.time_ms)


def inclusion_of(match: Match, key: SigningKey = DEALER_KEY, days: int = 0) -> Inclusion:
    """The match among others of its day."""
    own = leaf_of(match)
    others = [Leaf(f"m-{at}", bytes([at]) * 32, own.day * DAY_MS + at) for at in range(OTHERS)]
    hashes = leaf_hashes((own, *others))
    index = hashes.index(leaf_hash(own.encode()))
    root = DailyRoot(own.day + days, len(hashes), root_of(hashes), NO_RECORD, (own.day + 1) * DAY_MS)
    return Inclusion(match.match_id, index, audit_path(hashes, index), sign_root(root, key), key.public_key)


def listed(match: Match, inclusion: Inclusion | None, trusted: tuple[bytes, ...] | None = None) -> Verdict:
    report = verify_proof(proof_of(match), inclusion=inclusion, trusted_keys=trusted)
    return report.point("listed").verdict


def test_a_listed_commitment_is_proven(match: Match) -> None:
    assert listed(match, read_inclusion(write_inclusion(inclusion_of(match)))) is Verdict.PROVEN


def test_without_an_inclusion_file_it_is_not_checked(match: Match) -> None:
    assert listed(match, None) is Verdict.NOT_CHECKED


def test_a_root_signed_by_a_key_of_later_is_proven_once_that_key_is_known(match: Match) -> None:
    inclusion = inclusion_of(match, OTHER_KEY)
    assert listed(match, inclusion) is Verdict.NOT_CHECKED
    assert listed(match, inclusion, (DEALER_KEY.public_key, OTHER_KEY.public_key)) is Verdict.PROVEN


LIES: dict[str, Callable[[Inclusion], Inclusion]] = {
    "another match": lambda kept: replace(kept, match_id="m-2"),
    "another place": lambda kept: replace(kept, index=kept.index - 1),
    "no such place": lambda kept: replace(kept, index=OTHERS + 1),
    "a sibling": lambda kept: replace(kept, path=(bytes(32), *kept.path[1:])),
    "a shorter path": lambda kept: replace(kept, path=kept.path[1:]),
    "a longer path": lambda kept: replace(kept, path=(*kept.path, bytes(32))),
    "another key": lambda kept: replace(kept, public_key=OTHER_KEY.public_key),
    "a signature": lambda kept: replace(kept, root=replace(kept.root, signature=bytes(64))),
    "a key id": lambda kept: replace(kept, root=replace(kept.root, key_id=OTHER_KEY.key_id)),
    "another record": lambda kept: replace(kept, root=replace(kept.root, octets=kept.root.octets[:-1] + b"\x01")),
    "no record": lambda kept: replace(kept, root=replace(kept.root, octets=b"")),
}


@pytest.mark.parametrize("lie", LIES)
def test_whatever_is_changed_fails(match: Match, lie: str) -> None:
    assert listed(match, LIES[lie](inclusion_of(match))) is Verdict.FAILED


def test_the_root_of_another_day_fails(match: Match) -> None:
    assert listed(match, inclusion_of(match, days=1)) is Verdict.FAILED


def test_a_commitment_that_was_left_out_has_no_inclusion(match: Match) -> None:
    kept = inclusion_of(match)
    others = leaf_hashes([Leaf(f"m-{at}", bytes([at]) * 32, leaf_of(match).day * DAY_MS + at) for at in range(OTHERS)])
    root = sign_root(replace(kept.root.root, size=OTHERS, root=root_of(others)), DEALER_KEY)
    for index in range(OTHERS):
        assert listed(match, replace(kept, root=root, index=index, path=audit_path(others, index))) is Verdict.FAILED


def test_a_file_is_read_only_as_it_is_written(match: Match) -> None:
    octets = write_inclusion(inclusion_of(match))
    for changed in (octets[:-1], octets.replace(b" ", b"  ", 1), octets.replace(b'"index"', b'"indices"'), b"{}\n"):
        with pytest.raises(ProofMalformed):
            read_inclusion(changed)


def test_a_record_one_octet_longer_or_shorter_is_none(match: Match) -> None:
    octets = inclusion_of(match).root.octets
    assert decode_root(octets).encode() == octets
    for changed in (octets[:-1], octets + b"\x00", b"x" + octets[1:]):
        with pytest.raises(Malformed):
            decode_root(changed)
