"""The points that one client's keepings add: what it knew in time, its own seed, and the cards that it was given."""

from collections.abc import Mapping, Sequence

from belot_fair.bodies import Beacon, Fallback
from belot_fair.drand import FALLBACK_AFTER_MS, BeaconRefused, time_of, verify
from belot_fair.evidence import Evidence
from belot_fair.keys import key_id_of
from belot_fair.octets import Malformed
from belot_fair.proof import Proof
from belot_fair.receipts import BeaconReceipt, HandReceipt, Receipt, SeedReceipt, SignedReceipt, receipt_holds
from belot_fair.report import Point, failed, not_checked, not_protected, not_witnessed, proven
from belot_fair.story import Story

Packs = Mapping[int, Sequence[int]]


def check_evidence(story: Story, proof: Proof, packs: Packs, kept: Evidence | None) -> tuple[Point, ...]:
    """What the client kept against what the file says; without evidence one point that says so."""
    if kept is None:
        return (not_checked("witness", "No client's evidence was given: whether the order was witnessed is open."),)
    if kept.match_id != story.match_id or kept.seat >= len(story.opened.seats):
        return (failed("witness", "The evidence is of another match or of a seat that is not there."),)
    return (
        _keys(proof, kept),
        _commitment(story, proof, kept),
        _round(story, proof, kept),
        _seed(story, proof, kept),
        _beacon(story, proof, kept),
        _hands(story, proof, packs, kept),
    )


def _keys(proof: Proof, kept: Evidence) -> Point:
    if not kept.public_keys:
        return not_checked("witness keys", "The client kept no dealer key of its own.")
    if not set(proof.public_keys) <= set(kept.public_keys):
        return failed("witness keys", "The file is signed with a key that the client did not know as the dealer's.")
    return proven("witness keys", "The file is signed with keys that the client knew.")


def _due(story: Story, proof: Proof) -> int | None:
    return time_of(proof.chain, story.chosen.round) if story.chosen and story.chosen.round else None


def _commitment(story: Story, proof: Proof, kept: Evidence) -> Point:
    name, due = "witness commitment", _due(story, proof)
    if kept.commitment is None:
        return not_witnessed(name, "The client did not note the commitment.")
    if kept.commitment.commitment != story.opened.commitment:
        return failed(name, "The client was told another commitment.")
    if due is not None and kept.commitment.learnt_ms >= due:
        return not_witnessed(name, "The client learnt of the commitment only after the round was due.")
    return proven(name, "The client knew the commitment before the value could exist.")


def _round(story: Story, proof: Proof, kept: Evidence) -> Point:
    name, due = "witness round", _due(story, proof)
    if kept.round is None or story.chosen is None or due is None:
        return not_witnessed(name, "The client did not note the round.")
    if kept.round.round != story.chosen.round:
        return failed(name, "The client was told another round.")
    if kept.round.learnt_ms >= due:
        return not_witnessed(name, "The client learnt of the round only after it was due.")
    return proven(name, "The client knew the round before its value could exist.")


def _seed(story: Story, proof: Proof, kept: Evidence) -> Point:
    name = "witness seed"
    if not kept.seed:
        return not_checked(name, "The client sent no seed.")
    receipt = None if kept.seed_receipt is None else _held(proof, kept.seed_receipt)
    if kept.seed_receipt is not None and not _is_own_seed(story, kept, receipt):
        return failed(name, "The receipt for the seed does not hold, or is for something else.")
    if story.seeds is None:
        return not_checked(name, "The match ended before seeds were shown.")
    used = story.client_seeds[kept.seat] if kept.seat < len(story.client_seeds) else b""
    if used == kept.seed:
        return proven(name, "The deal used the seed that the client sent.")
    if used:
        return failed(name, "The deal used another seed than the client sent.")
    if isinstance(receipt, SeedReceipt) and receipt.time_ms <= story.closed_ms:
        return failed(name, "The dealer signed for the seed in time, and dealt without it.")
    return not_protected(name, "The deal was made without the client's seed, and no receipt says that it came in time.")


def _is_own_seed(story: Story, kept: Evidence, receipt: Receipt | None) -> bool:
    return (
        isinstance(receipt, SeedReceipt)
        and (receipt.match_id, receipt.seat, receipt.seed) == (kept.match_id, kept.seat, kept.seed)
        and receipt.commitment == story.opened.commitment
    )


def _beacon(story: Story, proof: Proof, kept: Evidence) -> Point:
    name, answer = "witness beacon", story.answer
    if kept.beacon is None and kept.beacon_receipt is None:
        return not_checked(name, "The client kept no beacon.")
    if kept.beacon is not None:
        try:
            verify(proof.chain, kept.beacon.round, kept.beacon.signature)
        except BeaconRefused as refused:
            return failed(name, f"The beacon that the client was given does not hold: {refused.why}.")
    if isinstance(answer, Beacon):
        same = kept.beacon is None or (kept.beacon.round, kept.beacon.signature) == (answer.round, answer.signature)
        return proven(name, "The client got the same beacon.") if same else failed(name, "The client got another one.")
    if isinstance(answer, Fallback):
        return _unjustified(proof, kept, answer)
    return not_checked(name, "The match ended before the beacon was needed.")


def _unjustified(proof: Proof, kept: Evidence, fallback: Fallback) -> Point:
    if not fallback.round:
        return failed("witness beacon", "The match fell back from a round that does not exist.")
    name, limit = "witness beacon", time_of(proof.chain, fallback.round) + FALLBACK_AFTER_MS
    receipt = None if kept.beacon_receipt is None else _held(proof, kept.beacon_receipt)
    if isinstance(receipt, BeaconReceipt) and (receipt.match_id, receipt.round) == (proof.match_id, fallback.round):
        try:
            verify(proof.chain, receipt.round, receipt.signature)
        except BeaconRefused:
            return failed(name, "The dealer signed for a beacon that does not hold.")
        if receipt.time_ms < limit:
            return failed(name, "The dealer signed for the valid beacon in time, and fell back nevertheless.")
    if kept.beacon is not None and kept.beacon.round == fallback.round and kept.beacon.learnt_ms < limit:
        return not_protected(name, "The client had the beacon in time; the dealer did not sign for it.")
    return proven(name, "Nothing that the client kept speaks against the fallback.")


def _hands(story: Story, proof: Proof, packs: Packs, kept: Evidence) -> Point:
    name = "witness hands"
    if not kept.hand_receipts:
        return not_checked(name, "The client kept no receipt for a hand.")
    for signed in kept.hand_receipts:
        receipt = _held(proof, signed)
        if not isinstance(receipt, HandReceipt) or (receipt.match_id, receipt.seat) != (kept.match_id, kept.seat):
            return failed(name, "A receipt for a hand does not hold, or is for something else.")
        wrong = _wrong_hand(story, packs, receipt)
        if wrong:
            return failed(name, f"Hand {receipt.hand}, stage {receipt.stage}: {wrong}.")
    return proven(
        name, f"All {len(kept.hand_receipts)} receipts agree with the packs and with what the dealer released."
    )


def _wrong_hand(story: Story, packs: Packs, receipt: HandReceipt) -> str:
    """What is wrong with a receipt whose signature holds; empty when nothing is."""
    released = [hand for hand in story.hands if (hand.hand, hand.stage) == (receipt.hand, receipt.stage)]
    own = tuple(at for hand in released for at, seat in hand.positions if seat == receipt.seat)
    if tuple(at for at, _ in receipt.cards) != own:
        return "the receipt names other positions than the transcript"
    pack = packs.get(receipt.hand)
    if pack is None:
        return "there is no pack of that hand"
    if any(at >= len(pack) or pack[at] != card for at, card in receipt.cards):
        return "the cards are not those of the pack"
    return ""


def _held(proof: Proof, signed: SignedReceipt) -> Receipt | None:
    """The receipt, when one of the file's keys signed it."""
    for key in proof.public_keys:
        if key_id_of(key) == signed.key_id and receipt_holds(signed, key):
            try:
                return signed.receipt
            except Malformed:
                return None
    return None
