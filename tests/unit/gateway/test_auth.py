"""Tokens: who is believed, who is not, and that nothing leaks."""

from pathlib import Path

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from belot_gateway.auth import AUDIENCE, GUEST_LIFETIME_S, ISSUER, Tokens, load_keys
from belot_kit.errors import DomainError, Reason

NOW = 1_700_000_000


class Clock:
    """Unix seconds that a test moves."""

    def __init__(self) -> None:
        self.at = float(NOW)

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def key_file(tmp_path: Path) -> Path:
    return tmp_path / "tokens.pem"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tokens(key_file: Path, clock: Clock) -> Tokens:
    return Tokens(load_keys(key_file, create=True), clock)


def refused(tokens: Tokens, authorization: str | None) -> DomainError:
    with pytest.raises(DomainError) as caught:
        tokens.identify(authorization)
    assert caught.value.reason is Reason.UNAUTHENTICATED
    assert "SignInAsGuest" in caught.value.message
    return caught.value


def test_a_guest_is_known_by_his_token(tokens: Tokens) -> None:
    signed_in = tokens.sign_in_guest("Ana")
    assert tokens.identify(f"Bearer {signed_in.token}") == signed_in.identity
    assert signed_in.identity.display_name == "Ana"
    assert signed_in.identity.expires_at == NOW + GUEST_LIFETIME_S


def test_two_guests_of_one_name_are_two_players(tokens: Tokens) -> None:
    assert tokens.sign_in_guest("Ana").identity.player_id != tokens.sign_in_guest("Ana").identity.player_id


def test_a_call_without_a_token_is_told_to_sign_in(tokens: Tokens) -> None:
    assert refused(tokens, None).metadata == {"token": "absent"}


@pytest.mark.parametrize("value", ["Bearer", "Bearer ", "Basic abc", "abc", "Bearer " + "a" * 5000])
def test_metadata_of_another_shape_is_malformed(tokens: Tokens, value: str) -> None:
    assert refused(tokens, value).metadata == {"token": "malformed"}


def test_a_token_expires_although_it_was_believed_before(tokens: Tokens, clock: Clock) -> None:
    authorization = f"Bearer {tokens.sign_in_guest('Ana').token}"
    tokens.identify(authorization)
    clock.at += GUEST_LIFETIME_S
    assert refused(tokens, authorization).metadata == {"token": "expired"}


def test_a_token_signed_with_another_key_is_forged(tokens: Tokens, tmp_path: Path) -> None:
    elsewhere = Tokens(load_keys(tmp_path / "other.pem", create=True))
    assert refused(tokens, f"Bearer {elsewhere.sign_in_guest('Ana').token}").metadata == {"token": "forged"}


def test_a_token_that_borrows_our_key_id_is_forged(tokens: Tokens) -> None:
    kid = jwt.get_unverified_header(tokens.sign_in_guest("Ana").token)["kid"]
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "00000000-0000-0000-0000-000000000001", "exp": NOW + 60}
    forged = jwt.encode(claims, Ed25519PrivateKey.generate(), algorithm="EdDSA", headers={"kid": kid})
    assert refused(tokens, f"Bearer {forged}").metadata == {"token": "forged"}


def test_an_unsigned_token_is_forged(tokens: Tokens) -> None:
    kid = jwt.get_unverified_header(tokens.sign_in_guest("Ana").token)["kid"]
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "00000000-0000-0000-0000-000000000001", "exp": NOW + 60}
    unsigned = jwt.encode(claims, None, algorithm="none", headers={"kid": kid})
    assert refused(tokens, f"Bearer {unsigned}").metadata == {"token": "forged"}


def test_one_changed_character_is_forged(tokens: Tokens) -> None:
    token = tokens.sign_in_guest("Ana").token
    at = token.index(".") + 5
    changed = token[:at] + ("A" if token[at] != "A" else "B") + token[at + 1 :]
    assert refused(tokens, f"Bearer {changed}").metadata == {"token": "forged"}


def test_a_second_process_believes_the_tokens_of_the_first(key_file: Path, tokens: Tokens) -> None:
    second = Tokens(load_keys(key_file, create=True), lambda: NOW)
    assert second.identify(f"Bearer {tokens.sign_in_guest('Ana').token}").display_name == "Ana"


def test_an_old_key_is_believed_after_a_new_one_was_put_first(key_file: Path, tokens: Tokens, tmp_path: Path) -> None:
    load_keys(tmp_path / "new.pem", create=True)
    both = tmp_path / "both.pem"
    both.write_bytes((tmp_path / "new.pem").read_bytes() + key_file.read_bytes())
    rotated = Tokens(load_keys(both, create=False), lambda: NOW)
    assert rotated.identify(f"Bearer {tokens.sign_in_guest('Ana').token}").display_name == "Ana"
    with pytest.raises(DomainError):
        tokens.identify(f"Bearer {rotated.sign_in_guest('Bo').token}")


def test_the_key_file_is_its_owners_alone(key_file: Path, tokens: Tokens) -> None:
    assert key_file.stat().st_mode & 0o077 == 0


def test_a_missing_key_file_is_not_made_up_in_production(key_file: Path) -> None:
    with pytest.raises(FileNotFoundError):
        load_keys(key_file, create=False)


def test_no_repr_shows_a_token_or_a_key(key_file: Path, tokens: Tokens) -> None:
    signed_in = tokens.sign_in_guest("Ana")
    assert signed_in.token not in repr(signed_in)
    assert "Ed25519" not in repr(load_keys(key_file, create=False))
