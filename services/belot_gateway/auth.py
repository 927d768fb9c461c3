"""Who is calling: guest tokens, made here and checked here.

A token is a JWT signed with Ed25519 (``alg`` EdDSA). Claims: ``sub`` the player id (a UUID of ours), ``name`` what to
call the player, ``iss`` and ``aud`` fixed words, ``iat`` and ``exp`` unix seconds. Nothing is stored, so any gateway
that has the key file checks any token. Tokens and keys appear in no log, error or repr.
"""

import hashlib
import os
import time
import uuid
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)

from belot_kit.errors import DomainError, Reason

ISSUER: Final = "belot"
AUDIENCE: Final = "belot.gateway"
GUEST_LIFETIME_S: Final = 30 * 24 * 3600
DISPLAY_NAME_LENGTH: Final = 32
_ALGORITHM: Final = "EdDSA"
_LONGEST_TOKEN: Final = 4096
_REMEMBERED_TOKENS: Final = 20_000
_PEM_END: Final = b"-----END PRIVATE KEY-----"
_SIGN_IN: Final = "sign in with AuthService.SignInAsGuest and send its token as metadata 'authorization: Bearer TOKEN'"


@dataclass(frozen=True, slots=True)
class Identity:
    """The caller as his token names him; `expires_at` is in unix seconds."""

    player_id: str
    display_name: str
    expires_at: int


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A new guest and his token."""

    identity: Identity
    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class TokenKeys:
    """The key that signs, and every key that is still believed, by key id."""

    signing_id: str
    signing: Ed25519PrivateKey = field(repr=False)
    believed: Mapping[str, Ed25519PublicKey] = field(repr=False)


def load_keys(path: Path, *, create: bool) -> TokenKeys:
    """The keys of a PEM file: the first one signs, all are believed, so a key is changed by putting a new one first.

    `create` makes a missing file (readable by its owner alone), for development. Errors: FileNotFoundError,
    ValueError when the file holds no Ed25519 private key.
    """
    if create and not path.exists():
        _create_key_file(path)
    blocks = [block + _PEM_END for block in path.read_bytes().split(_PEM_END)[:-1]]
    keys = [load_pem_private_key(block.strip(), None) for block in blocks]
    private = [key for key in keys if isinstance(key, Ed25519PrivateKey)]
    if not private or len(private) != len(keys):
        raise ValueError(f"{path}: expected Ed25519 private keys in PEM and nothing else")
    named = {_key_id(key.public_key()): key for key in private}
    first = _key_id(private[0].public_key())
    return TokenKeys(first, private[0], {key_id: key.public_key() for key_id, key in named.items()})


def _create_key_file(path: Path) -> None:
    """Written aside and linked, so that two processes starting at once agree on one key and none reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    aside = path.with_name(f".{path.name}.{uuid.uuid4().hex}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
        os.link(aside, path)
    except FileExistsError:
        return
    finally:
        aside.unlink()


def _key_id(key: Ed25519PublicKey) -> str:
    return hashlib.sha256(key.public_bytes(Encoding.Raw, PublicFormat.Raw)).hexdigest()[:16]


class Tokens:
    """Makes and checks tokens. Checked ones are remembered by their hash until they expire: a check costs 100 µs."""

    def __init__(self, keys: TokenKeys, now: Callable[[], float] = time.time) -> None:
        """`now` gives unix seconds."""
        self._keys = keys
        self._now = now
        self._checked: OrderedDict[bytes, Identity] = OrderedDict()

    def sign_in_guest(self, display_name: str) -> SignedIn:
        """A new player of ours with a token for 30 days."""
        issued_at = int(self._now())
        identity = Identity(str(uuid.uuid4()), display_name, issued_at + GUEST_LIFETIME_S)
        claims = {
            "iss": ISSUER,
            "aud": AUDIENCE,
            "sub": identity.player_id,
            "name": display_name,
            "iat": issued_at,
            "exp": identity.expires_at,
        }
        headers = {"kid": self._keys.signing_id}
        return SignedIn(identity, jwt.encode(claims, self._keys.signing, algorithm=_ALGORITHM, headers=headers))

    def identify(self, authorization: str | None) -> Identity:
        """The caller named by an ``authorization`` value. UNAUTHENTICATED when it is absent, expired or forged."""
        scheme, _, token = (authorization or "").partition(" ")
        if not authorization:
            raise _refused("no token came with the call", "absent")
        if scheme.lower() != "bearer" or not token or len(token) > _LONGEST_TOKEN:
            raise _refused("the authorization metadata is not 'Bearer TOKEN'", "malformed")
        digest = hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
        identity = self._checked.get(digest)
        if identity is None:
            identity = self._check(token)
            self._remember(digest, identity)
        if identity.expires_at <= self._now():
            raise _refused("the token has expired", "expired")
        return identity

    def _check(self, token: str) -> Identity:
        try:
            key = self._keys.believed[str(jwt.get_unverified_header(token).get("kid"))]
            claims = jwt.decode(
                token,
                key,
                algorithms=[_ALGORITHM],
                audience=AUDIENCE,
                issuer=ISSUER,
                options={"require": ["exp", "sub", "iss", "aud"], "verify_exp": False, "verify_iat": False},
            )
            return Identity(str(uuid.UUID(claims["sub"])), str(claims.get("name", "")), int(claims["exp"]))
        except (jwt.PyJWTError, KeyError, ValueError, TypeError):
            raise _refused("the token was not made here", "forged") from None

    def _remember(self, digest: bytes, identity: Identity) -> None:
        self._checked[digest] = identity
        if len(self._checked) > _REMEMBERED_TOKENS:
            self._checked.popitem(last=False)


def _refused(message: str, token: str) -> DomainError:
    return DomainError(Reason.UNAUTHENTICATED, f"{message}: {_SIGN_IN}", token=token)
