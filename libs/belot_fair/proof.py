"""The proof file: everything that is needed to check one match without any server.

One JSON document, format `belot.club/proof`, version 1 (documents.py says how strict it is). It holds the transcript
as canonical octets with signatures, the dealer's public keys, the parameters of the beacon chain, the play log as
canonical octets, and the score as recorded. Names, chat and accounts are nowhere in it.
"""

from dataclasses import dataclass

from belot_fair.documents import Fields, Json, ProofMalformed, read_document, write_document
from belot_fair.drand import PUBLIC_KEY_LENGTH as CHAIN_KEY_LENGTH
from belot_fair.drand import BeaconRefused, Chain
from belot_fair.keys import PUBLIC_KEY_LENGTH, SIGNATURE_LENGTH, key_id_of
from belot_fair.octets import MATCH_ID_PATTERN, U32_MAX
from belot_fair.transcript import SignedEvent

FORMAT = "belot.club/proof"
VERSION = 1
MOST_OCTETS = 16 * 2**20
_MOST_EVENTS = 20_000
_MOST_EVENT_OCTETS = 2**17
_MOST_LOG_OCTETS = 4 * 2**20
_MOST_KEYS = 64


@dataclass(frozen=True, slots=True)
class Score:
    """The score as recorded: totals by side, and the outcome.

    Of a finished match the outcome is the engine's word (`won`, `drawn`, `belot`), otherwise how the match ended.
    """

    totals: tuple[int, ...]
    outcome: str


@dataclass(frozen=True, slots=True)
class Proof:
    """One match: its events in order, the dealer keys that signed them, the chain, the play log's octets, the score."""

    match_id: str
    events: tuple[SignedEvent, ...]
    public_keys: tuple[bytes, ...]
    chain: Chain
    play_log: bytes
    score: Score


def write_proof(proof: Proof) -> bytes:
    """The octets of the proof file."""
    return write_document(
        {
            "format": FORMAT,
            "version": VERSION,
            "match_id": proof.match_id,
            "chain": _chain_fields(proof.chain),
            "public_keys": [{"key_id": key_id_of(key), "octets": key.hex()} for key in proof.public_keys],
            "events": [signed_fields(event.octets, event.key_id, event.signature) for event in proof.events],
            "play_log": proof.play_log.hex(),
            "score": {"totals": list(proof.score.totals), "outcome": proof.score.outcome},
        }
    )


def read_proof(octets: bytes) -> Proof:
    """The proof in a file; anything that `write_proof` would not have written raises `ProofMalformed`."""
    fields = read_document(octets, "proof", FORMAT, VERSION, MOST_OCTETS)
    match = fields.text("match_id")
    if not MATCH_ID_PATTERN.fullmatch(match):
        raise ProofMalformed("proof.match_id is no match id")
    proof = Proof(
        match_id=match,
        events=tuple(SignedEvent(*read_signed(each, _MOST_EVENT_OCTETS)) for each in _events(fields)),
        public_keys=tuple(_read_key(each) for each in fields.objects("public_keys", _MOST_KEYS)),
        chain=_read_chain(fields.object("chain")),
        play_log=fields.octets("play_log", _MOST_LOG_OCTETS),
        score=_read_score(fields.object("score")),
    )
    fields.done()
    if write_proof(proof) != octets:
        raise ProofMalformed("the proof is not written in its canonical form")
    return proof


def signed_fields(octets: bytes, key_id: str, signature: bytes) -> dict[str, Json]:
    """A signed record as JSON."""
    return {"octets": octets.hex(), "key_id": key_id, "signature": signature.hex()}


def read_signed(fields: Fields, most: int) -> tuple[bytes, str, bytes]:
    """A signed record from JSON: octets (at most `most`), key id, signature."""
    octets, key_id = fields.octets("octets", most), fields.text("key_id", 16)
    signature = fields.octets("signature", SIGNATURE_LENGTH, SIGNATURE_LENGTH)
    fields.done()
    return octets, key_id, signature


def _events(fields: Fields) -> tuple[Fields, ...]:
    return fields.objects("events", _MOST_EVENTS)


def _chain_fields(chain: Chain) -> dict[str, Json]:
    return {
        "public_key": chain.public_key.hex(),
        "period": chain.period,
        "genesis": str(chain.genesis),
        "group_hash": chain.group_hash.hex(),
        "scheme": chain.scheme,
        "beacon_id": chain.beacon_id,
        "chain_hash": chain.chain_hash.hex(),
    }


def _read_chain(fields: Fields) -> Chain:
    try:
        chain = Chain(
            public_key=fields.octets("public_key", CHAIN_KEY_LENGTH, CHAIN_KEY_LENGTH),
            period=fields.integer("period", 1, U32_MAX),
            genesis=fields.u64("genesis"),
            group_hash=fields.octets("group_hash", 32, 32),
            scheme=fields.text("scheme"),
            beacon_id=fields.text("beacon_id"),
            chain_hash=fields.octets("chain_hash", 32, 32),
        )
    except BeaconRefused as refused:
        raise ProofMalformed(f"proof.chain: {refused.why}") from None
    fields.done()
    return chain


def _read_key(fields: Fields) -> bytes:
    key_id, octets = fields.text("key_id", 16), fields.octets("octets", PUBLIC_KEY_LENGTH, PUBLIC_KEY_LENGTH)
    fields.done()
    if key_id_of(octets) != key_id:
        raise ProofMalformed("proof.public_keys names a key by another's id")
    return octets


def _read_score(fields: Fields) -> Score:
    score = Score(fields.integers("totals", -(2**31), 2**31, 4), fields.text("outcome"))
    fields.done()
    return score
