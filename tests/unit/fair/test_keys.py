"""Secrets stay secret, and signatures stand over exactly what the format says."""

import pickle
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from belot_fair.keys import Secret, SigningKey, key_id_of, signature_holds
from belot_fair.octets import Malformed

SEED = b"0123456789abcdef0123456789abcdef"


@pytest.mark.parametrize("show", [repr, str, "{}".format, "{:>40}".format, lambda secret: f"{secret!r}"])
def test_a_secret_shows_itself_in_no_text(show: object) -> None:
    assert callable(show)
    assert show(Secret(SEED)) == "Secret(redacted)"


def test_a_secret_gives_its_value_only_when_asked() -> None:
    assert Secret(SEED).reveal() == SEED
    assert Secret(SEED) == Secret(SEED)
    assert Secret(SEED) != Secret(SEED[::-1])
    assert Secret(SEED) != SEED


@pytest.mark.parametrize("value", [Secret(SEED), SigningKey(SEED)])
def test_secrets_are_not_pickled(value: object) -> None:
    with pytest.raises(TypeError):
        pickle.dumps(value)


def test_a_secret_is_no_key_of_a_mapping() -> None:
    with pytest.raises(TypeError):
        hash(Secret(SEED))


def test_a_signing_key_shows_only_its_key_id() -> None:
    key = SigningKey(SEED)
    assert repr(key) == f"SigningKey({key.key_id}, private part redacted)"
    assert SEED.hex() not in repr(key)


def test_a_signature_stands_over_the_label_and_the_hash() -> None:
    key = SigningKey(SEED)
    message = b"belot.club/signature/v1" + sha256(b"record").digest()
    Ed25519PublicKey.from_public_bytes(key.public_key).verify(key.sign(b"record"), message)


def test_a_key_id_is_the_start_of_the_hash_of_the_public_key() -> None:
    key = SigningKey(SEED)
    assert key.key_id == key_id_of(key.public_key) == sha256(key.public_key).hexdigest()[:16]


@pytest.mark.parametrize(
    ("public_key", "octets", "signature"),
    [
        (SigningKey(bytes(32)).public_key, b"record", SigningKey(SEED).sign(b"record")),
        (SigningKey(SEED).public_key, b"Record", SigningKey(SEED).sign(b"record")),
        (SigningKey(SEED).public_key, b"record", bytes(64)),
        (SigningKey(SEED).public_key, b"record", b""),
        (b"", b"record", SigningKey(SEED).sign(b"record")),
    ],
)
def test_a_signature_that_does_not_belong_is_not_taken(public_key: bytes, octets: bytes, signature: bytes) -> None:
    assert not signature_holds(public_key, octets, signature)


def test_a_signing_key_of_another_length_is_refused() -> None:
    with pytest.raises(Malformed):
        SigningKey(b"short")
