"""What the services' logs must never hold after a hostile run: errors, texts that are no log line, secrets."""

import base64
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

_BAD_LEVELS: Final = ("error", "critical")
_FORGED: Final = ("delivery_refused", "MATCH_RESULT_DIFFERS")
"""A forged result was recorded under a real match's id before the real one came: inside, services are believed."""

_OF_THE_MOMENT: Final = ("timestamp", "table_id", "match_id", "player_id", "request_id", "ms")


def log_findings(folder: Path, secrets: Iterable[bytes]) -> list[str]:
    """Findings over all log files of a fleet; `secrets` are octets that may be in no log, in whatever form."""
    forms = {form: secret for secret in secrets for form in forms_of(secret)}
    found: list[str] = []
    for file in sorted(folder.glob("*.log")):
        octets = file.read_bytes()
        found += [f"{file.name}: {text}" for text in _bad_lines(octets)]
        found += [f"{file.name}: a secret is logged ({secret[:4].hex()}...)" for secret in _held(octets, forms)]
    return found


def _bad_lines(octets: bytes) -> Iterator[str]:
    for line in octets.splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            yield f"not a log line: {line[:300]!r}"
            continue
        if entry.get("level") in _BAD_LEVELS and (entry.get("event"), entry.get("reason")) != _FORGED:
            yield json.dumps({key: value for key, value in entry.items() if key not in _OF_THE_MOMENT})[:1_500]


def _held(octets: bytes, forms: dict[bytes, bytes]) -> set[bytes]:
    return {secret for form, secret in forms.items() if form in octets}


def forms_of(secret: bytes) -> tuple[bytes, ...]:
    """How octets may show in a text: raw, hex, escaped, as a list, in base64."""
    encoded = base64.b64encode(secret), base64.urlsafe_b64encode(secret)
    texts = secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(list(secret))
    return (secret, *(each.rstrip(b"=") for each in encoded), *(each.encode() for each in texts))
