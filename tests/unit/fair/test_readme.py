"""The byte-exact example of the library's README is what the code makes."""

from pathlib import Path

import belot_fair
from belot_fair.bodies import Fallback
from belot_fair.keys import SigningKey
from belot_fair.transcript import Event, event_hash, sign

README = Path(belot_fair.__file__).with_name("README.md").read_text()


def shown(name: str) -> str:
    """The value of a name in the example, its lines joined."""
    lines = README.rsplit("```", 2)[1].strip("\n").split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith(name))
    following = lines[start + 1 :]
    more = next((at for at, line in enumerate(following) if not line.startswith(" ")), len(following))
    return "".join(line[12:] for line in [lines[start], *following[:more]])


def test_the_example_of_the_readme_is_made_to_the_octet() -> None:
    key = SigningKey(bytes(range(32)))
    event = Event("m-1", 5, b"P" * 32, Fallback(258), 2571)
    signed = sign(event, key)
    assert shown("octets") == signed.octets.hex()
    assert shown("hash") == event_hash(event).hex()
    assert shown("public key") == key.public_key.hex()
    assert shown("key id") == key.key_id
    assert shown("signature") == signed.signature.hex()
