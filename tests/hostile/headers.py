"""What goes beside a request: good tokens of several guests, bad ones of every kind, languages and deadlines."""

import base64
import json
import random
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, TypeAlias

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from belot_gateway.auth import AUDIENCE, ISSUER, load_keys

Metadata: TypeAlias = tuple[tuple[str, str | bytes], ...]

USUAL_SECONDS: Final = 8.0
_LANGUAGES: Final = ("en", "ro;q=0.1, pl", "xx-YY", "", "*", ";;;===,,,", "q=" * 900, "en;q=nan, de;q=-1", "a" * 3_000)
_DEADLINES: Final = (1e-9, 0.001, 0.02, 0.049, 0.06, 1e6, 1e9)


@dataclass(frozen=True, slots=True)
class Beside:
    """Metadata and the deadline in seconds that a request is sent with; `signed_in`: with a good token."""

    metadata: Metadata = field(repr=False)
    seconds: float = USUAL_SECONDS
    signed_in: bool = True

    @property
    def hurried(self) -> bool:
        """Whether the caller himself may give up before an answer can be there."""
        return self.seconds < 1


class Headers:
    """Makes what goes beside requests."""

    def __init__(
        self, rng: random.Random, strangers: Sequence[str], sitters: Mapping[str, str], key_file: Path
    ) -> None:
        """Good tokens of people without seats, and with them by player; `key_file`: to make tokens nearly good."""
        self._rng = rng
        self._strangers = strangers
        self._sitters = sitters
        self._bad = _bad_tokens(key_file, strangers[0])

    def beside(self, player_id: str = "") -> Beside:
        """Mostly a good token (often this sitter's) and a good deadline."""
        rng = self._rng
        chance = rng.random()
        seconds = rng.choice(_DEADLINES) if rng.random() < 0.02 else USUAL_SECONDS
        more: Metadata = ()
        if rng.random() < 0.05:
            more = (("accept-language", rng.choice(_LANGUAGES)),)
        if rng.random() < 0.01:
            more = (*more, ("x-junk-bin", rng.randbytes(200)), ("x-junk", "~" * 500))
        if chance < 0.06:
            bad = rng.choice(self._bad)
            return Beside((*more, *(("authorization", each) for each in bad)), seconds, False)
        seated = player_id in self._sitters and rng.random() < 0.6
        good = self._sitters[player_id] if seated else rng.choice(self._strangers)
        return Beside((*more, ("authorization", f"Bearer {good}")), seconds)


def _bad_tokens(key_file: Path, good: str) -> tuple[tuple[str, ...], ...]:
    """Values of `authorization`, each of which must be refused (none at all among them)."""
    keys = load_keys(key_file, create=False)
    now = int(time.time())
    claims = {"iss": ISSUER, "aud": AUDIENCE, "sub": "00000000-0000-4000-8000-000000000000", "name": "x", "iat": now}
    sound = {**claims, "exp": now + 1_000}
    named = {"kid": keys.signing_id}
    header, body, signature = good.split(".")
    none = _part({"alg": "none", "typ": "JWT", **named}) + "." + _part(sound) + "."
    made = [
        none,
        _part({"alg": "HS256", "typ": "JWT", **named}) + f".{_part(sound)}." + "AAAA",
        jwt.encode(sound, "k" * 32, algorithm="HS256", headers=named),
        jwt.encode(sound, Ed25519PrivateKey.generate(), algorithm="EdDSA", headers=named),
        *(
            jwt.encode(each, keys.signing, algorithm="EdDSA", headers=named)
            for each in (
                {**claims, "exp": now - 10},
                {**sound, "aud": "other"},
                {**sound, "iss": "other"},
                {**sound, "sub": "not a uuid"},
                claims,
            )
        ),
        f"{header}.{body}.",
        f"{header}.{body}.{signature[:-4]}AAAA",
        f"{header}.{_part({**sound, 'sub': 'x'})}.{signature}",
        "a.b.c",
        "x" * 4_500,
        "..",
    ]
    values = [f"Bearer {each}" for each in made] + ["Bearer", "Bearer ", "Basic eDp4", good, "~"]
    return ((), *((value,) for value in values))


def _part(value: dict[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(value).encode()).rstrip(b"=").decode()
