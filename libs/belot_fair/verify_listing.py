"""The point `listed`: whether the match's commitment is one of those that the dealer answers for on that day."""

from collections.abc import Sequence

from belot_fair.listing import Inclusion, Leaf, root_holds
from belot_fair.merkle import leaf_hash, root_from
from belot_fair.octets import Malformed
from belot_fair.proof import Proof
from belot_fair.report import Point, failed, not_checked, proven
from belot_fair.story import Story

_NAME = "listed"


def check_listed(
    story: Story, proof: Proof, inclusion: Inclusion | None, trusted_keys: Sequence[bytes] | None
) -> Point:
    """The commitment of OPENED is under the signed root of the day on which the match was opened."""
    if inclusion is None:
        return not_checked(_NAME, "No inclusion proof was given: the list of all commitments was not compared.")
    if inclusion.match_id != story.match_id:
        return failed(_NAME, "The inclusion proof is of another match.")
    keys = set(proof.public_keys) | set(trusted_keys or ())
    if not root_holds(inclusion.root, inclusion.public_key):
        return failed(_NAME, "The root of the day is not signed with the key that it names.")
    root, leaf = inclusion.root.root, Leaf(story.match_id, story.opened.commitment, story.opened_ms)
    if root.day != leaf.day:
        return failed(_NAME, "The root is of another day than the one on which the match was opened.")
    try:
        found = root_from(leaf_hash(leaf.encode()), inclusion.index, root.size, inclusion.path)
    except Malformed as malformed:
        return failed(_NAME, f"The inclusion proof is none: {malformed}.")
    if found != root.root:
        return failed(_NAME, "The commitment is not under the root of its day.")
    if inclusion.public_key not in keys:
        # After a rotation a day's root is signed by a key that no event of the match needs to know.
        return not_checked(_NAME, "The root of the day is signed with a key that was not compared with published ones.")
    return proven(_NAME, f"The commitment is number {inclusion.index + 1} of the {root.size} issued on its day.")
