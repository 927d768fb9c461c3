"""Keys and secrets: the dealer's Ed25519 signatures, and values that never show themselves in a text.

A signature stands over `belot.club/signature/v1` followed by the SHA-256 of a record's canonical octets. Every kind of
record starts with a label of its own, so that a signature for one kind never fits another.
"""

import hashlib
import hmac
from typing import NoReturn

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from belot_fair.octets import Malformed

SIGNATURE_LABEL = b"belot.club/signature/v1"
PUBLIC_KEY_LENGTH = 32
SIGNATURE_LENGTH = 64


class Secret:
    """A secret value, a server seed for instance: only `reveal()` gives it, no repr, str, format or pickle does."""

    __slots__ = ("_octets",)

    def __init__(self, octets: bytes) -> None:
        self._octets = bytes(octets)

    def reveal(self) -> bytes:
        """The value itself; call it where the octets are used, and keep the result in no longer-lived place."""
        return self._octets

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Secret) and hmac.compare_digest(self._octets, other._octets)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self._octets)

    def __repr__(self) -> str:
        return "Secret(redacted)"

    def __format__(self, _spec: str) -> str:
        return repr(self)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a secret is not pickled")


class SigningKey:
    """The dealer's Ed25519 key: signs canonical octets, shows its public half, hides the rest."""

    __slots__ = ("_private", "key_id", "public_key")

    key_id: str
    public_key: bytes

    def __init__(self, private_octets: bytes) -> None:
        """`private_octets` are the 32 octets of RFC 8032; any other length raises `Malformed`."""
        if len(private_octets) != PUBLIC_KEY_LENGTH:
            raise Malformed("a signing key is exactly 32 octets")
        self._private = Ed25519PrivateKey.from_private_bytes(private_octets)
        self.public_key = self._private.public_key().public_bytes_raw()
        self.key_id = key_id_of(self.public_key)

    def sign(self, octets: bytes) -> bytes:
        """The 64 octets of the signature over a record's canonical octets."""
        return self._private.sign(signed_message(octets))

    def __repr__(self) -> str:
        return f"SigningKey({self.key_id}, private part redacted)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("a signing key is not pickled")


def key_id_of(public_key: bytes) -> str:
    """The name of a public key: the first 8 octets of its SHA-256, as 16 lower-case hex characters."""
    return hashlib.sha256(public_key).digest()[:8].hex()


def signed_message(octets: bytes) -> bytes:
    """What Ed25519 signs for a record: the signature label and the SHA-256 of the record's canonical octets."""
    return SIGNATURE_LABEL + hashlib.sha256(octets).digest()


def signature_holds(public_key: bytes, octets: bytes, signature: bytes) -> bool:
    """Whether `signature` was made over these canonical octets by the holder of `public_key`; never raises."""
    if len(public_key) != PUBLIC_KEY_LENGTH or len(signature) != SIGNATURE_LENGTH:
        return False
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, signed_message(octets))
    except (InvalidSignature, ValueError):
        return False
    return True
