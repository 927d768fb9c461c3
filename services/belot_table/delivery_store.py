"""The outbox as its deliveries see it: the port, and the adapter over delivery.sql."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Protocol

from belot_kit.postgres import Pool
from belot_kit.queries import load_queries
from belot_table.committing import unavailable

_SQL = load_queries("belot_table", "delivery.sql")
_CLAIM: Final = _SQL["claim_deliveries"]
_ACKNOWLEDGE: Final = _SQL["acknowledge_deliveries"]
_PUT_OFF: Final = _SQL["put_off_deliveries"]
_SURVEY: Final = _SQL["survey_deliveries"]


@dataclass(frozen=True, slots=True)
class Parcel:
    """An outbox row under way; `attempts` counts tries, this one included."""

    table_id: str
    outbox_id: str
    payload: bytes = field(repr=False)
    attempts: int


@dataclass(frozen=True, slots=True)
class PutOff:
    """A parcel that did not arrive: when to try again, and why it was refused, if it was."""

    parcel: Parcel
    wait_ms: int
    refusal: str | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """What a consumer has not acknowledged: age of the oldest row (0: there is none), rows he refused."""

    oldest_ms: int
    refused: int


class DeliveryStore(Protocol):
    """The port. Errors of every method: DomainError UNAVAILABLE when the database does not answer."""

    async def claim(self, consumer: str, limit: int, claim_ms: int) -> Sequence[Parcel]:
        """Rows that are due, which nobody else gets before the claim is over."""

    async def acknowledge(self, parcels: Sequence[Parcel]) -> None:
        """These arrived."""

    async def put_off(self, late: Sequence[PutOff]) -> None:
        """These are to be tried again later."""

    async def survey(self, consumer: str) -> Survey:
        """What waits for a consumer."""


class PostgresDeliveries:
    """The outbox in schema `belot_table`."""

    def __init__(self, pool: Pool) -> None:
        """The pool's search path is the schema."""
        self._pool = pool

    async def claim(self, consumer: str, limit: int, claim_ms: int) -> Sequence[Parcel]:
        """See DeliveryStore."""
        with unavailable():
            rows = await self._pool.fetch(_CLAIM, consumer, limit, claim_ms)
        return [Parcel(*row) for row in rows]

    async def acknowledge(self, parcels: Sequence[Parcel]) -> None:
        """See DeliveryStore."""
        with unavailable():
            await self._pool.execute(
                _ACKNOWLEDGE, [each.table_id for each in parcels], [each.outbox_id for each in parcels]
            )

    async def put_off(self, late: Sequence[PutOff]) -> None:
        """See DeliveryStore."""
        with unavailable():
            await self._pool.execute(
                _PUT_OFF,
                [each.parcel.table_id for each in late],
                [each.parcel.outbox_id for each in late],
                [each.wait_ms for each in late],
                [each.refusal for each in late],
            )

    async def survey(self, consumer: str) -> Survey:
        """See DeliveryStore."""
        with unavailable():
            row = await self._pool.fetchrow(_SURVEY, consumer)
        return Survey(0, 0) if row is None else Survey(*row)
