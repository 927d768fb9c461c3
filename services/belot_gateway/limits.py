"""Who may call how much at this gateway: each player, and each address where nobody says who he is.

Every pod counts for itself. What is refused costs nothing and has changed nothing; what is repeated costs again.
"""

import ipaddress
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final
from urllib.parse import unquote

from prometheus_client import Counter

from belot_gateway.callers import CallContext, signed_in
from belot_gateway.credits import COSTS, Allowance, cost_of, spend
from belot_kit.errors import DomainError, Reason

CREDITS: Final = Counter("belot_gateway_credits_total", "Credits that calls have cost.", ("rpc",))
OVER_LIMIT: Final = Counter("belot_gateway_over_limit_total", "Calls refused for want of credits.", ("rpc", "whose"))
_credits = cache(CREDITS.labels)

_SITE_BITS: Final = 64
"""Of an IPv6 address: what one household or server usually has."""


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """How much a caller may do (``BELOT_GATEWAY__LIMITS__PLAYER_PER_S`` and so on).

    enabled            off: nobody's calls are counted; for measurements and tests
    player_capacity    credits of a signed-in player at once; see credits.py for what calls cost
    player_per_s       credits that he gets back each second
    address_capacity   the same for an address, where a call needs no token
    address_per_s
    address_header     metadata key in which our own proxy names the client, ``x-forwarded-for``; its last entry counts.
                       Empty: the address that connects. Set it only where every connection comes through that proxy
    most_kept          callers of each kind who are remembered; the least recently seen is forgotten first
    """

    enabled: bool = True
    player_capacity: float = 500.0
    player_per_s: float = 50.0
    address_capacity: float = 600.0
    address_per_s: float = 20.0
    address_header: str = ""
    most_kept: int = 100_000

    def __post_init__(self) -> None:
        dearest = max(COSTS.values())
        if min(self.player_capacity, self.address_capacity) < dearest:
            raise ValueError(f"capacities must be at least {dearest}, the cost of the dearest call")
        if min(self.player_per_s, self.address_per_s) <= 0 or self.most_kept < 1:
            raise ValueError("rates must be above 0 and most_kept at least 1")


class Buckets:
    """The credits of callers of one kind."""

    def __init__(self, whose: str, allowance: Allowance, most: int, now: Callable[[], float]) -> None:
        """`whose` names the kind in metrics; at most `most` callers are kept."""
        self._whose = whose
        self._allowance = allowance
        self._most = most
        self._now = now
        self._full_at: dict[str, float] = {}

    def __len__(self) -> int:
        """How many callers are kept."""
        return len(self._full_at)

    def spend(self, key: str, rpc: str, cost: float) -> None:
        """Have a caller pay. RATE_LIMITED, with the time after which it can be granted."""
        kept, now = self._full_at, self._now()
        spent = spend(kept.pop(key, 0.0), cost, now, self._allowance)
        kept[key] = spent.full_at
        if len(kept) > self._most:
            del kept[next(iter(kept))]
        if spent.wait_s > 0:
            OVER_LIMIT.labels(rpc, self._whose).inc()
            retry_after_ms = math.ceil(spent.wait_s * 1000)
            raise DomainError(Reason.RATE_LIMITED, "too many calls: try again later", retry_after_ms=retry_after_ms)
        _credits(rpc).inc(cost)


class Limits:
    """What is counted at this gateway."""

    def __init__(self, options: LimitOptions, now: Callable[[], float] = time.monotonic) -> None:
        """`now` gives seconds."""
        self._enabled = options.enabled
        self._header = options.address_header.lower()
        players = Allowance(options.player_capacity, options.player_per_s)
        addresses = Allowance(options.address_capacity, options.address_per_s)
        self.players = Buckets("player", players, options.most_kept, now)
        self.addresses = Buckets("address", addresses, options.most_kept, now)

    def guard(self, method: str, context: CallContext) -> None:
        """Have whoever calls pay; runs after the guard that knows him. RATE_LIMITED."""
        cost = cost_of(method)
        if not self._enabled or not cost:
            return
        rpc, identity = method.rpartition("/")[2], signed_in()
        if identity is not None:
            self.players.spend(identity.player_id, rpc, cost)
        elif (address := address_of(context.peer(), self._named(context))) is not None:
            self.addresses.spend(address, rpc, cost)

    def spend(self, player_id: str, rpc: str, times: int = 1) -> None:
        """Have a player pay for what he asks on an open stream. RATE_LIMITED."""
        if self._enabled and times > 0:
            self.players.spend(player_id, rpc, cost_of(rpc) * times)

    def _named(self, context: CallContext) -> str:
        if not self._header:
            return ""
        metadata: Mapping[str, str | bytes] = dict(context.invocation_metadata() or ())
        value = metadata.get(self._header, "")
        return value.rpartition(",")[2].strip() if isinstance(value, str) else ""


def address_of(peer: str, named: str = "") -> str | None:
    """Whose credits a call without a token spends: `named` by our proxy, else the `peer` as gRPC writes it.

    None, which is not limited: a unix socket or this machine itself, for behind it is a proxy that did not say for whom
    it speaks, or a developer. Addresses of IPv6 count by their first 64 bits.
    """
    try:
        found = ipaddress.ip_address(named)
    except ValueError:
        named, text = "", unquote(peer).partition(":")[2].rpartition(":")[0].strip("[]")
        try:
            found = ipaddress.ip_address(text.partition("%")[0])
        except ValueError:
            return None
    if isinstance(found, ipaddress.IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if found.is_loopback and not named:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((found, _SITE_BITS), strict=False))
    return str(found)


UNLIMITED: Final = LimitOptions(enabled=False)
