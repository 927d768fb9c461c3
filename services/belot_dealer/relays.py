"""Which relays of the beacon there are, and in which order a round is asked of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from itertools import zip_longest
from urllib.parse import urlsplit

QUICKNET_RELAYS = (
    "https://api.drand.sh",
    "https://drand.cloudflare.com",
    "https://api2.drand.sh",
    "https://api3.drand.sh",
)


@dataclass(frozen=True, slots=True)
class Relay:
    """One HTTP relay: its address without a slash at the end, and who runs it."""

    url: str
    operator: str


def relay(url: str) -> Relay:
    """The relay at an http(s) address; its operator is told by the domain, `drand.sh` of `https://api2.drand.sh`.

    An address by number is an operator of its own, with its port. Errors: ValueError for anything but such an address.
    """
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment or parts.username:
        raise ValueError("a relay is an http or https address without user, query and fragment")
    return Relay(url.rstrip("/"), _operator(parts.hostname, parts.netloc))


def _operator(host: str, netloc: str) -> str:
    try:
        ip_address(host)
    except ValueError:
        return ".".join(host.split(".")[-2:])
    return netloc


def is_loopback(url: str) -> bool:
    """Whether an address stays on this machine."""
    host = urlsplit(url).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def in_turn(relays: Sequence[Relay]) -> tuple[Relay, ...]:
    """The relays so ordered that neighbours have different operators as far as possible, each operator's in order."""
    operators: dict[str, list[Relay]] = {}
    for each in relays:
        operators.setdefault(each.operator, []).append(each)
    rows = zip_longest(*operators.values())
    return tuple(each for row in rows for each in row if each is not None)
