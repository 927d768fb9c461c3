"""Signed receipts: what the dealer cannot deny afterwards to one player.

Three kinds, each with a label of its own and the same signature as every record (see keys.py): for a seed, for the
cards of a hand, and for a beacon that a client handed in.
"""

from dataclasses import dataclass, field

from belot_fair.bodies import HASH_LENGTH
from belot_fair.drand import SIGNATURE_LENGTH
from belot_fair.keys import SigningKey, signature_holds
from belot_fair.octets import Malformed, Reader, fixed, match_id, short, u8, u32, u64
from belot_fair.recipe import CLIENT_SEED_LENGTH

SEED_LABEL = b"belot.club/receipt/seed/v1"
HAND_LABEL = b"belot.club/receipt/hand/v1"
BEACON_LABEL = b"belot.club/receipt/beacon/v1"


@dataclass(frozen=True, slots=True)
class SeedReceipt:
    """The dealer took this seed (16 octets) for this seat, under this commitment, at this unix millisecond."""

    match_id: str
    seat: int
    seed: bytes = field(repr=False)
    commitment: bytes
    time_ms: int

    def encode(self) -> bytes:
        """label (26) | match id short | seat u8 | seed short | commitment (32) | time u64."""
        if len(self.seed) != CLIENT_SEED_LENGTH:
            raise Malformed("a seed receipt is for 16 octets")
        head = SEED_LABEL + match_id(self.match_id) + u8(self.seat, "seat") + short(self.seed, "seed")
        return head + fixed(self.commitment, HASH_LENGTH, "commitment") + u64(self.time_ms, "time")


@dataclass(frozen=True, slots=True)
class HandReceipt:
    """The dealer gave this seat these cards, `(position, card number)` in the order of the deal map."""

    match_id: str
    hand: int
    stage: int
    seat: int
    cards: tuple[tuple[int, int], ...] = field(repr=False)
    time_ms: int

    def encode(self) -> bytes:
        """label (26) | match id short | hand u32 | stage u8 | seat u8 | u8 count | (position u8, card u8)... | time."""
        head = HAND_LABEL + match_id(self.match_id) + u32(self.hand, "hand") + u8(self.stage, "stage")
        cards = b"".join(u8(at, "position") + u8(card, "card") for at, card in self.cards)
        return head + u8(self.seat, "seat") + u8(len(self.cards), "cards") + cards + u64(self.time_ms, "time")


@dataclass(frozen=True, slots=True)
class BeaconReceipt:
    """A client handed this valid beacon in at this time: proof, should the match have fallen back without cause."""

    match_id: str
    round: int
    signature: bytes
    time_ms: int

    def encode(self) -> bytes:
        """label (28) | match id short | round u64 | signature short | time u64."""
        if len(self.signature) != SIGNATURE_LENGTH:
            raise Malformed("a beacon signature is exactly 48 octets")
        head = BEACON_LABEL + match_id(self.match_id) + u64(self.round, "round")
        return head + short(self.signature, "signature") + u64(self.time_ms, "time")


Receipt = SeedReceipt | HandReceipt | BeaconReceipt


@dataclass(frozen=True, slots=True)
class SignedReceipt:
    """A receipt's canonical octets (they hold a seed or cards: never log them) with the dealer's signature."""

    octets: bytes = field(repr=False)
    key_id: str
    signature: bytes

    @property
    def receipt(self) -> Receipt:
        """The receipt that the octets hold; raises `Malformed`."""
        return decode_receipt(self.octets)


def sign_receipt(receipt: Receipt, key: SigningKey) -> SignedReceipt:
    """The receipt's octets with the dealer's signature."""
    octets = receipt.encode()
    return SignedReceipt(octets, key.key_id, key.sign(octets))


def receipt_holds(signed: SignedReceipt, public_key: bytes) -> bool:
    """Whether the octets are a receipt and the signature over them is that key's; never raises."""
    try:
        decode_receipt(signed.octets)
    except Malformed:
        return False
    return signature_holds(public_key, signed.octets, signed.signature)


def decode_receipt(octets: bytes) -> Receipt:
    """The receipt in `octets`, told apart by its label; anything but canonical octets raises `Malformed`."""
    for label, read in _READERS.items():
        if octets.startswith(label):
            reader = Reader(octets)
            reader.label(label)
            receipt = read(reader)
            reader.done()
            if receipt.encode() != octets:
                raise Malformed("the receipt is not in its canonical form")
            return receipt
    raise Malformed("the octets start with no label of a receipt")


def _read_seed(reader: Reader) -> Receipt:
    match, seat, seed = reader.match_id(), reader.u8("seat"), reader.short("seed")
    return SeedReceipt(match, seat, seed, reader.fixed(HASH_LENGTH, "commitment"), reader.u64("time"))


def _read_hand(reader: Reader) -> Receipt:
    match, hand, stage, seat = reader.match_id(), reader.u32("hand"), reader.u8("stage"), reader.u8("seat")
    cards = tuple((reader.u8("position"), reader.u8("card")) for _ in range(reader.u8("cards")))
    return HandReceipt(match, hand, stage, seat, cards, reader.u64("time"))


def _read_beacon(reader: Reader) -> Receipt:
    match, round, signature = reader.match_id(), reader.u64("round"), reader.short("signature")
    return BeaconReceipt(match, round, signature, reader.u64("time"))


_READERS = {SEED_LABEL: _read_seed, HAND_LABEL: _read_hand, BEACON_LABEL: _read_beacon}
