"""Receipts, play log, proof and evidence files: exact octets, round trips, and strictness."""

import json
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256

import pytest

from belot_fair.documents import ProofMalformed
from belot_fair.evidence import Evidence, read_evidence, write_evidence
from belot_fair.keys import SigningKey
from belot_fair.octets import Malformed
from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry, PlayLog, decode_play_log, play_log_hash
from belot_fair.proof import read_proof, write_proof
from belot_fair.receipts import (
    BeaconReceipt,
    HandReceipt,
    Receipt,
    SeedReceipt,
    decode_receipt,
    receipt_holds,
    sign_receipt,
)
from support.proofs import DEALER_KEY, Match, Plan, evidence_of, played, proof_of

RECEIPTS: dict[str, tuple[Receipt, bytes]] = {
    "seed": (
        SeedReceipt("m-1", 2, b"s" * 16, b"C" * 32, 258),
        b"belot.club/receipt/seed/v1\x03m-1\x02\x10" + b"s" * 16 + b"C" * 32 + b"\x00" * 6 + b"\x01\x02",
    ),
    "hand": (
        HandReceipt("m-1", 1, 0, 3, ((0, 31), (12, 7)), 258),
        b"belot.club/receipt/hand/v1\x03m-1\x00\x00\x00\x01\x00\x03\x02\x00\x1f\x0c\x07" + b"\x00" * 6 + b"\x01\x02",
    ),
    "beacon": (
        BeaconReceipt("m-1", 9, b"S" * 48, 258),
        b"belot.club/receipt/beacon/v1\x03m-1" + b"\x00" * 7 + b"\x09\x30" + b"S" * 48 + b"\x00" * 6 + b"\x01\x02",
    ),
}
LOG = PlayLog(
    "m-1",
    (
        Entry(0, 1, Actor(ActorKind.PERSON, b"p" * 16), ActionKind.PASS, b"", 1),
        Entry(0, 2, Actor(ActorKind.BOT, level="hard", policy="2"), ActionKind.CHOOSE_SUIT, b"\x03", 2),
        Entry(256, 3, Actor(ActorKind.AUTOMATIC), ActionKind.PLAY_CARD, b"\x1f", 258),
    ),
)
LOG_OCTETS = (
    b"belot.club/playlog/v1\x03m-1\x00\x00\x00\x03"
    + (b"\x00\x00\x00\x00\x01\x00\x10" + b"p" * 16 + b"\x00\x00\x00\x00" + b"\x00" * 7 + b"\x01")
    + (b"\x00\x00\x00\x00\x02\x01\x00\x04hard\x012\x02\x01\x03" + b"\x00" * 7 + b"\x02")
    + (b"\x00\x00\x01\x00\x03\x02\x00\x00\x00\x03\x01\x1f" + b"\x00" * 6 + b"\x01\x02")
)


@pytest.fixture(scope="module")
def match() -> Match:
    return played(Plan(most_decisions=6))


@pytest.mark.parametrize("name", RECEIPTS)
def test_a_receipt_has_exactly_the_documented_octets(name: str) -> None:
    receipt, octets = RECEIPTS[name]
    assert receipt.encode() == octets
    assert decode_receipt(octets) == receipt


@pytest.mark.parametrize("name", RECEIPTS)
def test_a_signed_receipt_holds_for_its_key_alone(name: str) -> None:
    signed = sign_receipt(RECEIPTS[name][0], DEALER_KEY)
    assert signed.receipt == RECEIPTS[name][0]
    assert receipt_holds(signed, DEALER_KEY.public_key)
    assert not receipt_holds(signed, SigningKey(bytes(32)).public_key)


@pytest.mark.parametrize("name", RECEIPTS)
def test_every_flipped_octet_of_a_receipt_is_seen(name: str) -> None:
    signed = sign_receipt(RECEIPTS[name][0], DEALER_KEY)
    for at, octet in enumerate(signed.octets):
        changed = signed.octets[:at] + bytes((octet ^ 1,)) + signed.octets[at + 1 :]
        assert not receipt_holds(replace(signed, octets=changed), DEALER_KEY.public_key)


def test_a_receipt_shows_no_seed_and_no_card() -> None:
    shown = "".join(repr(sign_receipt(receipt, DEALER_KEY)) + repr(receipt) for receipt, _ in RECEIPTS.values())
    assert "sssss" not in shown
    assert "cards" not in shown


@pytest.mark.parametrize("octets", [b"", b"belot.club/receipt/seed/v1", b"belot.club/transcript/v1\x03m-1"])
def test_octets_that_are_no_receipt_are_refused(octets: bytes) -> None:
    with pytest.raises(Malformed):
        decode_receipt(octets)


def test_a_play_log_has_exactly_the_documented_octets() -> None:
    assert LOG.encode() == LOG_OCTETS
    assert decode_play_log(LOG_OCTETS) == LOG
    assert play_log_hash(LOG) == sha256(LOG_OCTETS).digest()


def test_a_play_log_that_ends_early_or_late_is_refused() -> None:
    for octets in [LOG_OCTETS[:end] for end in range(len(LOG_OCTETS))] + [LOG_OCTETS + b"\x00"]:
        with pytest.raises(Malformed):
            decode_play_log(octets)


@pytest.mark.parametrize(
    "entry",
    [
        Entry(0, 1, Actor(ActorKind.PERSON), ActionKind.PASS, b"", 1),
        Entry(0, 1, Actor(ActorKind.PERSON, b"p" * 16, "easy", "1"), ActionKind.PASS, b"", 1),
        Entry(0, 1, Actor(ActorKind.BOT, b"p" * 16, "easy", "1"), ActionKind.PASS, b"", 1),
        Entry(0, 1, Actor(ActorKind.BOT), ActionKind.PASS, b"", 1),
        Entry(0, 1, Actor(ActorKind.AUTOMATIC, level="easy"), ActionKind.PASS, b"", 1),
        Entry(0, 1, Actor(ActorKind.AUTOMATIC), ActionKind.PASS, b"\x01", 1),
        Entry(0, 1, Actor(ActorKind.AUTOMATIC), ActionKind.PLAY_CARD, b"", 1),
    ],
)
def test_a_decision_that_contradicts_itself_is_refused(entry: Entry) -> None:
    with pytest.raises(Malformed):
        entry.encode()


@pytest.mark.parametrize(
    "octets",
    [
        LOG_OCTETS.replace(b"\x00\x10" + b"p" * 16, b"\x00\x00"),
        LOG_OCTETS.replace(b"\x04hard\x012", b"\x04hard\x00"),
        LOG_OCTETS.replace(b"\x02\x01\x03", b"\x02\x00"),
        LOG_OCTETS.replace(b"\x03m-1", b"\x03m 1"),
        LOG_OCTETS.replace(b"\x02\x00\x00\x00\x03\x01", b"\x07\x00\x00\x00\x03\x01"),
    ],
)
def test_octets_that_say_what_no_decision_may_say_are_refused(octets: bytes) -> None:
    assert octets != LOG_OCTETS
    with pytest.raises(Malformed):
        decode_play_log(octets)


def test_octets_that_say_what_no_receipt_may_say_are_refused() -> None:
    octets = RECEIPTS["seed"][1].replace(b"\x10" + b"s" * 16, b"\x00")
    with pytest.raises(Malformed):
        decode_receipt(octets)


def test_an_action_of_a_later_version_is_kept_as_it_came() -> None:
    log = PlayLog("m", (Entry(0, 1, Actor(ActorKind.AUTOMATIC), 9, b"claim", 1),))
    assert decode_play_log(log.encode()) == log


def test_a_proof_file_is_read_as_it_was_written(match: Match) -> None:
    proof = proof_of(match)
    assert read_proof(write_proof(proof)) == proof


def test_an_evidence_file_is_read_as_it_was_written(match: Match) -> None:
    for kept in (evidence_of(match), Evidence("m-1", 3)):
        assert read_evidence(write_evidence(kept)) == kept


def test_rounds_and_times_of_64_bits_are_decimal_strings(match: Match) -> None:
    document = json.loads(write_proof(proof_of(match)))
    assert document["chain"]["genesis"] == "1692803367"
    assert json.loads(write_evidence(evidence_of(match)))["round"]["round"] == "20999999"


def changed_document(octets: bytes, change: Callable[[dict], object]) -> bytes:
    document = json.loads(octets)
    change(document)
    return json.dumps(document, indent=1, sort_keys=True).encode() + b"\n"


WRONG_DOCUMENTS: dict[str, Callable[[dict], object]] = {
    "an unknown field": lambda document: document.update(more=1),
    "a missing field": lambda document: document.pop("play_log"),
    "another format": lambda document: document.update(format="belot.club/other"),
    "a later version": lambda document: document.update(version=2),
    "a version that is true": lambda document: document.update(version=True),
    "an unknown field inside": lambda document: document["score"].update(more=1),
    "upper-case hex": lambda document: document.update(play_log=document["play_log"].upper()),
    "half an octet": lambda document: document.update(play_log=document["play_log"] + "0"),
    "a match id with a blank": lambda document: document.update(match_id="a b"),
    "a chain that does not give its hash": lambda document: document["chain"].update(period=4),
    "a genesis with a leading zero": lambda document: document["chain"].update(genesis="01692803367"),
    "a genesis that is a number": lambda document: document["chain"].update(genesis=1692803367),
    "a key by another's id": lambda document: document["public_keys"][0].update(key_id="0" * 16),
    "a short signature": lambda document: document["events"][0].update(signature="00"),
    "five totals": lambda document: document["score"].update(totals=[0] * 5),
    "a total with a fraction": lambda document: document["score"].update(totals=[0.5, 0]),
    "events that are no list": lambda document: document.update(events={}),
    "a score that is no object": lambda document: document.update(score=[]),
}


@pytest.mark.parametrize("name", WRONG_DOCUMENTS)
def test_a_proof_file_with_anything_wrong_is_refused(match: Match, name: str) -> None:
    octets = write_proof(proof_of(match))
    with pytest.raises(ProofMalformed):
        read_proof(changed_document(octets, WRONG_DOCUMENTS[name]))


@pytest.mark.parametrize(
    "octets",
    [
        b"",
        b"[]",
        b"null",
        b"\xff",
        b"[" * 100_000,
        b'{"format":"belot.club/proof","format":"belot.club/proof"}',
        b'{"format":NaN}',
        b'{"version":' + b"9" * 5000 + b"}",
    ],
)
def test_octets_that_are_no_document_are_refused(octets: bytes) -> None:
    with pytest.raises(ProofMalformed):
        read_proof(octets)
    with pytest.raises(ProofMalformed):
        read_evidence(octets)


def test_a_field_that_is_named_twice_is_refused(match: Match) -> None:
    octets = write_proof(proof_of(match))
    twice = octets.replace(b' "version": 1\n', b' "version": 1,\n "version": 1\n')
    assert twice != octets
    with pytest.raises(ProofMalformed, match="twice"):
        read_proof(twice)


def test_a_file_that_is_too_long_is_refused_unread() -> None:
    with pytest.raises(ProofMalformed, match="longer than"):
        read_proof(b" " * (16 * 2**20 + 1))


def test_a_file_written_in_another_layout_is_refused(match: Match) -> None:
    octets = write_proof(proof_of(match))
    for other in (octets + b"\n", octets[:-1], json.dumps(json.loads(octets)).encode()):
        with pytest.raises(ProofMalformed, match="canonical form"):
            read_proof(other)
