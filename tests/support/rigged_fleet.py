"""A small fleet whose tables ask a dealer that lies when a test tells it to."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

from belot_dealer.main import DealerConfig
from support.beacons import Beaconry
from support.cheating_dealer import CheatingDealer, cheating_dealer
from support.databases import Database
from support.small_fleet import SmallFleet, small_fleet


@dataclass(frozen=True, slots=True)
class RiggedFleet:
    """The fleet, the liar in it, and the relays of its beacon."""

    fleet: SmallFleet
    liar: CheatingDealer
    beaconry: Beaconry

    @property
    def gateway(self) -> str:
        """What clients dial."""
        return self.fleet.gateways[0]


@asynccontextmanager
async def rigged_fleet(database: Database, valkey: str, directory: Path) -> AsyncIterator[RiggedFleet]:
    """One gateway, one table service, a liar before the dealer; it is honest until a test sets its lie."""
    found: list[tuple[CheatingDealer, Beaconry]] = []

    @asynccontextmanager
    async def stand_in(config: DealerConfig, beaconry: Beaconry, address: str) -> AsyncIterator[None]:
        async with cheating_dealer(config, beaconry.relays[0].beacon, address) as liar:
            found.append((liar, beaconry))
            yield

    async with small_fleet(database, valkey, directory, stand_in=stand_in) as fleet:
        await fleet.add_gateway()
        yield RiggedFleet(fleet, *found[0])
