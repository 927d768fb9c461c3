"""What one player's client kept of a match, so that it can be held against the proof file afterwards.

One JSON document, format `belot.club/evidence`, version 1 (documents.py says how strict it is). It holds cards of
hands: the file is its player's own, and is published by nobody else. Times are unix milliseconds of the client's clock.
"""

from dataclasses import dataclass, field

from belot_fair.documents import Fields, Json, ProofMalformed, read_document, write_document
from belot_fair.drand import SIGNATURE_LENGTH
from belot_fair.keys import PUBLIC_KEY_LENGTH
from belot_fair.octets import MATCH_ID_PATTERN
from belot_fair.proof import read_signed, signed_fields
from belot_fair.receipts import SignedReceipt
from belot_fair.recipe import CLIENT_SEED_LENGTH

FORMAT = "belot.club/evidence"
VERSION = 1
MOST_OCTETS = 4 * 2**20
_MOST_RECEIPTS = 10_000
_MOST_RECEIPT_OCTETS = 2**12
_MOST_KEYS = 64


@dataclass(frozen=True, slots=True)
class LearntCommitment:
    """The commitment, and when the client learnt of it."""

    commitment: bytes
    learnt_ms: int


@dataclass(frozen=True, slots=True)
class LearntRound:
    """The chosen round, and when the client learnt of it."""

    round: int
    learnt_ms: int


@dataclass(frozen=True, slots=True)
class LearntBeacon:
    """A beacon that the client got, from a relay or from the table, and when."""

    round: int
    signature: bytes
    learnt_ms: int


@dataclass(frozen=True, slots=True)
class Evidence:
    """The keepings of the client at one seat; None and empty values stand for what it does not have.

    `public_keys` are the dealer keys that the client trusts from elsewhere, `seed` is what it sent (16 octets).
    """

    match_id: str
    seat: int
    commitment: LearntCommitment | None = None
    seed: bytes = field(default=b"", repr=False)
    seed_receipt: SignedReceipt | None = None
    round: LearntRound | None = None
    beacon: LearntBeacon | None = None
    beacon_receipt: SignedReceipt | None = None
    hand_receipts: tuple[SignedReceipt, ...] = ()
    public_keys: tuple[bytes, ...] = ()


def write_evidence(kept: Evidence) -> bytes:
    """The octets of the evidence file."""
    commitment, round, beacon = kept.commitment, kept.round, kept.beacon
    return write_document(
        {
            "format": FORMAT,
            "version": VERSION,
            "match_id": kept.match_id,
            "seat": kept.seat,
            "commitment": None if commitment is None else _commitment_fields(commitment),
            "seed": kept.seed.hex(),
            "seed_receipt": _receipt_fields(kept.seed_receipt),
            "round": None if round is None else _round_fields(round),
            "beacon": None if beacon is None else _beacon_fields(beacon),
            "beacon_receipt": _receipt_fields(kept.beacon_receipt),
            "hand_receipts": [_receipt_fields(receipt) for receipt in kept.hand_receipts],
            "public_keys": [{"octets": key.hex()} for key in kept.public_keys],
        }
    )


def read_evidence(octets: bytes) -> Evidence:
    """The evidence in a file; anything that `write_evidence` would not have written raises `ProofMalformed`."""
    fields = read_document(octets, "evidence", FORMAT, VERSION, MOST_OCTETS)
    match = fields.text("match_id")
    if not MATCH_ID_PATTERN.fullmatch(match):
        raise ProofMalformed("evidence.match_id is no match id")
    kept = Evidence(
        match_id=match,
        seat=fields.integer("seat", 0, 3),
        commitment=_read_commitment(fields.optional("commitment")),
        seed=fields.octets("seed", CLIENT_SEED_LENGTH),
        seed_receipt=_read_receipt(fields.optional("seed_receipt")),
        round=_read_round(fields.optional("round")),
        beacon=_read_beacon(fields.optional("beacon")),
        beacon_receipt=_read_receipt(fields.optional("beacon_receipt")),
        hand_receipts=tuple(_signed(each) for each in fields.objects("hand_receipts", _MOST_RECEIPTS)),
        public_keys=tuple(_read_key(each) for each in fields.objects("public_keys", _MOST_KEYS)),
    )
    fields.done()
    if write_evidence(kept) != octets:
        raise ProofMalformed("the evidence is not written in its canonical form")
    return kept


def _receipt_fields(receipt: SignedReceipt | None) -> Json:
    return None if receipt is None else signed_fields(receipt.octets, receipt.key_id, receipt.signature)


def _commitment_fields(learnt: LearntCommitment) -> Json:
    return {"octets": learnt.commitment.hex(), "learnt_ms": str(learnt.learnt_ms)}


def _round_fields(learnt: LearntRound) -> Json:
    return {"round": str(learnt.round), "learnt_ms": str(learnt.learnt_ms)}


def _beacon_fields(learnt: LearntBeacon) -> Json:
    return {
        "round": str(learnt.round),
        "signature": learnt.signature.hex(),
        "learnt_ms": str(learnt.learnt_ms),
    }


def _signed(fields: Fields) -> SignedReceipt:
    return SignedReceipt(*read_signed(fields, _MOST_RECEIPT_OCTETS))


def _read_receipt(fields: Fields | None) -> SignedReceipt | None:
    return None if fields is None else _signed(fields)


def _read_commitment(fields: Fields | None) -> LearntCommitment | None:
    if fields is None:
        return None
    learnt = LearntCommitment(fields.octets("octets", 32, 32), fields.u64("learnt_ms"))
    fields.done()
    return learnt


def _read_round(fields: Fields | None) -> LearntRound | None:
    if fields is None:
        return None
    learnt = LearntRound(fields.u64("round"), fields.u64("learnt_ms"))
    fields.done()
    return learnt


def _read_beacon(fields: Fields | None) -> LearntBeacon | None:
    if fields is None:
        return None
    signature = fields.octets("signature", SIGNATURE_LENGTH, SIGNATURE_LENGTH)
    learnt = LearntBeacon(fields.u64("round"), signature, fields.u64("learnt_ms"))
    fields.done()
    return learnt


def _read_key(fields: Fields) -> bytes:
    octets = fields.octets("octets", PUBLIC_KEY_LENGTH, PUBLIC_KEY_LENGTH)
    fields.done()
    return octets
