"""Development beacons for tests: relays that share one chain, each with faults of its own, on loopback."""

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from belot_dealer.dev_beacon import BeaconIdentity, DevBeacon, new_identity, serving
from belot_dealer.faults import Fault, FaultKind
from belot_fair.drand import Chain


@dataclass(frozen=True, slots=True)
class RelayAt:
    """A relay and where it is; set `beacon.fault` to make it fail."""

    beacon: DevBeacon
    url: str


@dataclass(frozen=True, slots=True)
class Beaconry:
    """Relays of one chain."""

    relays: tuple[RelayAt, ...]

    @property
    def chain(self) -> Chain:
        """The chain that all of them serve."""
        return self.relays[0].beacon.chain

    @property
    def urls(self) -> tuple[str, ...]:
        """Where they are."""
        return tuple(each.url for each in self.relays)

    @property
    def asked(self) -> list[int]:
        """The rounds they were asked for, as they came to each."""
        return [round for each in self.relays for round in each.beacon.asked]

    @property
    def asked_early(self) -> list[int]:
        """The rounds they were asked for before their time."""
        return [round for each in self.relays for round in each.beacon.asked_early]

    def forget_asked(self) -> None:
        """Begin to note anew what they are asked for."""
        for each in self.relays:
            each.beacon.asked.clear()
            each.beacon.asked_early.clear()

    def break_all(self, kind: FaultKind, seconds: float = 0.5) -> None:
        """Give every relay the same fault."""
        for each in self.relays:
            each.beacon.fault = Fault(kind, seconds)


@asynccontextmanager
async def beacons(
    faults: Sequence[Fault] = (Fault(), Fault()), identity: BeaconIdentity | None = None
) -> AsyncIterator[Beaconry]:
    """One relay for each fault, sound ones by default, all of one chain (a fresh one unless given)."""
    shared = identity or new_identity(time.time())
    async with AsyncExitStack() as stack:
        relays = [DevBeacon(shared, fault) for fault in faults]
        yield Beaconry(tuple([RelayAt(each, await stack.enter_async_context(serving(each))) for each in relays]))
