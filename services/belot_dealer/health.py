"""How relays have answered this process since its start."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from belot_dealer.relays import Relay


@dataclass(frozen=True, slots=True)
class RelayHealth:
    """One relay: tries, answers that verified, the last of them (unix ms, 0: none), why the last failure was one."""

    relay: Relay
    tries: int = 0
    verified: int = 0
    last_verified_ms: int = 0
    last_failure: str = ""


@dataclass(slots=True)
class Health:
    """The relays by address."""

    _relays: dict[str, RelayHealth] = field(default_factory=dict)

    def verified(self, at: Relay, now_ms: int) -> None:
        """An answer that verified."""
        seen = self._seen(at)
        self._relays[at.url] = replace(seen, tries=seen.tries + 1, verified=seen.verified + 1, last_verified_ms=now_ms)

    def failed(self, at: Relay, why: str) -> None:
        """A try without a valid answer; `why` is one word."""
        seen = self._seen(at)
        self._relays[at.url] = replace(seen, tries=seen.tries + 1, last_failure=why)

    def of(self, relays: Sequence[Relay]) -> tuple[RelayHealth, ...]:
        """Every relay, those that were never asked included."""
        return tuple(self._seen(each) for each in relays)

    def _seen(self, at: Relay) -> RelayHealth:
        return self._relays.get(at.url, RelayHealth(at))
