"""What one client kept, against the proof file: witnessed, not witnessed, or a contradiction."""

from dataclasses import replace

import pytest

from belot_fair.bodies import (
    Beacon,
)
from belot_fair.evidence import LearntBeacon, LearntCommitment, LearntRound
from belot_fair.keys import SigningKey
from belot_fair.proof import Proof
from belot_fair.receipts import BeaconReceipt, HandReceipt, SeedReceipt, sign_receipt
from belot_fair.report import Verdict
from belot_fair.verify import failed_points, verify_proof
from support.proofs import (
    DEALER_KEY,
    Match,
    Plan,
    evidence_of,
    played,
    proof_of,
    verdicts,
)


def test_a_client_that_watched_in_time_witnesses_everything(match: Match, honest: Proof) -> None:
    report = verify_proof(honest, evidence=evidence_of(match))
    witness = {name: verdict for name, verdict in verdicts(report).items() if name.startswith("witness")}
    assert len(witness) == 6
    assert set(witness.values()) == {Verdict.PROVEN}


def test_a_round_learnt_after_it_was_due_is_not_witnessed_and_no_failure(match: Match, honest: Proof) -> None:
    kept = evidence_of(match)
    late = kept.round.learnt_ms + 10_000
    kept = replace(kept, round=replace(kept.round, learnt_ms=late), commitment=replace(kept.commitment, learnt_ms=late))
    report = verify_proof(honest, evidence=kept)
    assert report.ok
    assert report.point("witness round").verdict is Verdict.NOT_WITNESSED
    assert report.point("witness commitment").verdict is Verdict.NOT_WITNESSED


def test_what_was_never_noted_is_not_witnessed(match: Match, honest: Proof) -> None:
    report = verify_proof(honest, evidence=replace(evidence_of(match), round=None, commitment=None))
    assert report.ok
    assert report.point("witness round").verdict is Verdict.NOT_WITNESSED


CONTRADICTIONS: dict[str, tuple[dict[str, object], str]] = {
    "another match": ({"match_id": "another"}, "witness"),
    "another commitment": ({"commitment": LearntCommitment(bytes(32), 1)}, "witness commitment"),
    "another round": ({"round": LearntRound(1, 1)}, "witness round"),
    "another seed": ({"seed": b"o" * 16, "seed_receipt": None}, "witness seed"),
    "a receipt for another seed": ({"seed": b"o" * 16}, "witness seed"),
    "a false beacon": ({"beacon": LearntBeacon(20999999, bytes(48), 1)}, "witness beacon"),
    "another dealer key": ({"public_keys": (SigningKey(bytes(32)).public_key,)}, "witness keys"),
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_what_a_client_kept_that_contradicts_the_file_fails(match: Match, honest: Proof, name: str) -> None:
    fields, expected = CONTRADICTIONS[name]
    report = verify_proof(honest, evidence=replace(evidence_of(match), **fields))
    assert failed_points(report) == (expected,)


def signed_hand(match: Match, **fields: object) -> tuple[object, ...]:
    receipt = match.receipts[0].receipt
    assert isinstance(receipt, HandReceipt)
    return (sign_receipt(replace(receipt, **fields), DEALER_KEY),)


@pytest.mark.parametrize(
    "fields",
    [
        {"cards": ((9, 0), (10, 1), (11, 2), (18, 3), (19, 4))},
        {"cards": ()},
        {"hand": 7},
        {"stage": 1},
        {"seat": 1},
        {"match_id": "another"},
    ],
    ids=str,
)
def test_a_hand_receipt_that_contradicts_the_packs_fails(
    match: Match, honest: Proof, fields: dict[str, object]
) -> None:
    kept = replace(evidence_of(match), hand_receipts=signed_hand(match, **fields))
    assert failed_points(verify_proof(honest, evidence=kept)) == ("witness hands",)


def test_a_hand_receipt_of_another_key_fails(match: Match, honest: Proof) -> None:
    forged = sign_receipt(match.receipts[0].receipt, SigningKey(bytes(32)))
    report = verify_proof(honest, evidence=replace(evidence_of(match), hand_receipts=(forged,)))
    assert failed_points(report) == ("witness hands",)


def test_a_seed_that_was_receipted_in_time_and_not_used_fails() -> None:
    match = played(Plan(missed=(0,)))
    kept = evidence_of(match)
    assert failed_points(verify_proof(proof_of(match), evidence=kept)) == ("witness seed",)
    without = verify_proof(proof_of(match), evidence=replace(kept, seed_receipt=None))
    assert without.point("witness seed").verdict is Verdict.NOT_PROTECTED


def test_a_seed_receipt_under_another_commitment_fails(match: Match, honest: Proof) -> None:
    kept = evidence_of(match)
    receipt = kept.seed_receipt.receipt
    assert isinstance(receipt, SeedReceipt)
    other = sign_receipt(replace(receipt, commitment=bytes(32)), DEALER_KEY)
    assert failed_points(verify_proof(honest, evidence=replace(kept, seed_receipt=other))) == ("witness seed",)


def test_a_seed_that_was_receipted_after_the_close_is_no_failure() -> None:
    match = played(Plan(missed=(0,)))
    kept = evidence_of(match)
    receipt = kept.seed_receipt.receipt
    assert isinstance(receipt, SeedReceipt)
    late = sign_receipt(replace(receipt, time_ms=receipt.time_ms + 60_000), DEALER_KEY)
    assert verify_proof(proof_of(match), evidence=replace(kept, seed_receipt=late)).ok


def test_a_fallback_although_the_dealer_had_the_beacon_fails(match: Match, fallen_back: Match) -> None:
    beacon = match.events[3].body
    assert isinstance(beacon, Beacon)
    in_time = fallen_back.events[3].time_ms - 1
    receipt = BeaconReceipt(match.match_id, beacon.round, beacon.signature, in_time)
    kept = replace(evidence_of(fallen_back), beacon_receipt=sign_receipt(receipt, DEALER_KEY))
    proof = proof_of(fallen_back)
    assert failed_points(verify_proof(proof, evidence=kept)) == ("witness beacon",)
    late = sign_receipt(replace(receipt, time_ms=in_time + 1), DEALER_KEY)
    assert verify_proof(proof, evidence=replace(kept, beacon_receipt=late)).ok


def test_a_beacon_that_only_the_client_had_makes_the_fallback_unprotected(match: Match, fallen_back: Match) -> None:
    beacon = match.events[3].body
    assert isinstance(beacon, Beacon)
    seen = LearntBeacon(beacon.round, beacon.signature, fallen_back.events[3].time_ms - 1)
    report = verify_proof(proof_of(fallen_back), evidence=replace(evidence_of(fallen_back), beacon=seen))
    assert report.ok
    assert report.point("witness beacon").verdict is Verdict.NOT_PROTECTED
