"""The dealer's two kinds of keys, kept in files: the Ed25519 key that signs, and the AES keys that seal server seeds.

A key file holds lower-case hex, one key of 32 octets a line; blank lines and lines with `#` in front do not count. The
first line is the key in use. Further lines of the signing file are published too, and go on signing the matches that
they opened; further lines of the sealing file still open seeds that were sealed before a rotation. Files that everybody
can read are refused.
"""

import contextlib
import hashlib
import os
import secrets
import stat
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import NoReturn

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from belot_fair.keys import Secret, SigningKey

KEY_LENGTH = 32
NONCE_LENGTH = 12
_SEAL_LABEL = b"belot.club/sealed-seed/v1"


class KeyFileError(RuntimeError):
    """A key file that is missing, malformed or readable by everybody; the text names the file and never its content."""


class SealBroken(RuntimeError):  # noqa: N818 - the domain says broken
    """A sealed seed that no key at hand opens, or that was changed."""


@dataclass(frozen=True, slots=True)
class SealedSeed:
    """A server seed at rest: nonce (12), ciphertext and tag (48), and the id of the key that sealed it."""

    octets: bytes = field(repr=False)
    key_id: str


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The signing keys at hand: the first signs what is new, each signs on what it began."""

    keys: tuple[SigningKey, ...]

    @property
    def current(self) -> SigningKey:
        """The key for what is new."""
        return self.keys[0]

    def of(self, key_id: str) -> SigningKey:
        """The key of this id, or the current one where it is not at hand any more."""
        return next((key for key in self.keys if key.key_id == key_id), self.current)


class SeedSeal:
    """Seals and opens server seeds with AES-256-GCM; the match id is bound in, so that seeds cannot be swapped."""

    __slots__ = ("_ciphers", "_current", "_nonce")

    def __init__(self, keys: tuple[bytes, ...], nonce: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """The first key seals, all open; each has 32 octets."""
        if not keys or any(len(key) != KEY_LENGTH for key in keys):
            raise KeyFileError("a sealing key is exactly 32 octets, and there is at least one")
        self._ciphers = {_seal_key_id(key): AESGCM(key) for key in keys}
        self._current = _seal_key_id(keys[0])
        self._nonce = nonce

    @property
    def current_id(self) -> str:
        """The id of the key that seals."""
        return self._current

    def seal(self, match_id: str, seed: Secret) -> SealedSeed:
        """The seed as it may be stored."""
        nonce = self._nonce(NONCE_LENGTH)
        octets = self._ciphers[self._current].encrypt(nonce, seed.reveal(), _bound(match_id))
        return SealedSeed(nonce + octets, self._current)

    def open(self, match_id: str, sealed: SealedSeed) -> Secret:
        """The seed of this match. Errors: SealBroken."""
        cipher = self._ciphers.get(sealed.key_id)
        if cipher is None:
            raise SealBroken(f"the sealing key {sealed.key_id} is not at hand")
        nonce, octets = sealed.octets[:NONCE_LENGTH], sealed.octets[NONCE_LENGTH:]
        try:
            return Secret(cipher.decrypt(nonce, octets, _bound(match_id)))
        except InvalidTag:
            raise SealBroken(f"the sealed seed of match {match_id} was changed") from None

    def __repr__(self) -> str:
        return f"SeedSeal({self._current}, keys redacted)"

    def __reduce__(self) -> NoReturn:
        raise TypeError("sealing keys are not pickled")


def _seal_key_id(key: bytes) -> str:
    return hashlib.sha256(_SEAL_LABEL + key).digest()[:8].hex()


def _bound(match_id: str) -> bytes:
    return _SEAL_LABEL + match_id.encode("ascii")


def load_signing_key(file: Path, *, create: bool) -> SigningKey:
    """The key that signs; `create` makes the file when it is missing (development only). Errors: KeyFileError."""
    return load_signing_keys(file, create=create).current


def load_signing_keys(file: Path, *, create: bool) -> KeyRing:
    """All signing keys of a file; `create` makes it when it is missing (development only). Errors: KeyFileError."""
    return KeyRing(tuple(SigningKey(key) for key in _load(file, create)))


def load_seed_seal(file: Path, *, create: bool) -> SeedSeal:
    """The keys that seal; `create` makes the file when it is missing (development only). Errors: KeyFileError."""
    return SeedSeal(_load(file, create))


def _load(file: Path, create: bool) -> tuple[bytes, ...]:
    if create and not file.exists():
        _create(file)
    try:
        if file.stat().st_mode & stat.S_IRWXO:
            raise KeyFileError(f"{file} is open to everybody: chmod o-rwx")
        lines = [line.strip() for line in file.read_text(encoding="ascii").splitlines()]
        keys = tuple(bytes.fromhex(line) for line in lines if line and not line.startswith("#"))
    except OSError as error:
        raise KeyFileError(f"{file} cannot be read: {error.strerror}") from None
    except ValueError:
        raise KeyFileError(f"{file} does not hold hex") from None
    if not keys or any(len(key) != KEY_LENGTH for key in keys):
        raise KeyFileError(f"{file} holds no keys of 32 octets in hex")
    return keys


def _create(file: Path) -> None:
    """Make a key file whole or not at all; when another process is quicker, its key stands."""
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as out:
            out.write(secrets.token_bytes(KEY_LENGTH).hex() + "\n")
            out.flush()
            os.fsync(out.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, file)
    finally:
        draft.unlink()
