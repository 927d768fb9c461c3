"""Outbox rows on their way to another service: until it has acknowledged each, and each apart from the others.

A row that the consumer refuses for good stays: it is tried again at growing intervals, up to ten minutes, in case one
side is mended; log, metric and the row itself say why. Whatever dies on the way, the row is delivered again once its
claim is over, so consumers must take a repetition for what it is.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import grpc
import structlog
from prometheus_client import Counter, Gauge

from belot_kit.errors import DomainError
from belot_kit.failpoints import failpoint
from belot_table.delivery_store import DeliveryStore, Parcel, PutOff

ASK_SECONDS: Final = 3.0
"""How long one delivery may take."""

_CLAIM_MS: Final = 5_000
_SURVEY_SECONDS: Final = 5.0
_FIRST_WAIT_MS: Final = 500
_MOST_DOUBLINGS: Final = 20
_MOST_AWAY_MS: Final = 10_000
_MOST_REFUSED_MS: Final = 600_000
_PASSING: Final = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
        grpc.StatusCode.ABORTED,
    }
)
"""Codes that say nothing about the row itself."""

OLDEST = Gauge(
    "belot_table_delivery_oldest_seconds", "Age of the oldest outbox row that a consumer has not taken.", ("consumer",)
)
REFUSED = Gauge("belot_table_delivery_refused", "Outbox rows that a consumer refuses to take.", ("consumer",))
FAILURES = Counter(
    "belot_table_delivery_failures_total", "Deliveries that failed: away or refused.", ("consumer", "how")
)
_log = structlog.get_logger(__name__)

Deliver = Callable[[Parcel], Awaitable[None]]
"""Hands one row over; returns when the consumer has it for good. Errors: DomainError; anything else is a refusal."""


class Deliveries:
    """What the relay works on: the outbox rows of one consumer. Those delivered are counted by the relay."""

    def __init__(self, consumer: str, store: DeliveryStore, deliver: Deliver) -> None:
        """`consumer` as in the rows."""
        self._consumer = consumer
        self._store = store
        self._deliver = deliver

    async def fetch(self, limit: int) -> Sequence[Parcel]:
        """Rows that are due, claimed."""
        return await self._store.claim(self._consumer, limit, _CLAIM_MS)

    async def publish(self, rows: Sequence[Parcel]) -> Sequence[Parcel]:
        """Deliver them all at once, and put off what did not arrive."""
        failed = await asyncio.gather(*(self._failed(each) for each in rows))
        late = [each for each in failed if each is not None]
        if late:
            _log.warning("deliveries_put_off", consumer=self._consumer, rows=len(late))
            await self._store.put_off(late)
        failpoint("table_after_delivery")
        return [row for row, failure in zip(rows, failed, strict=True) if failure is None]

    async def mark(self, rows: Sequence[Parcel]) -> None:
        """Remember that they arrived."""
        await self._store.acknowledge(rows)

    async def keep_surveying(self) -> None:
        """Tell the metrics what waits, every five seconds, for ever."""
        while True:
            try:
                found = await self._store.survey(self._consumer)
                OLDEST.labels(self._consumer).set(found.oldest_ms / 1000)
                REFUSED.labels(self._consumer).set(found.refused)
            except DomainError as error:
                _log.warning("deliveries_not_surveyed", consumer=self._consumer, reason=error.reason)
            await asyncio.sleep(_SURVEY_SECONDS)

    async def _failed(self, row: Parcel) -> PutOff | None:
        try:
            await self._deliver(row)
        except Exception as error:  # whatever a row does must not keep the others from being delivered
            if isinstance(error, DomainError) and error.code in _PASSING:
                FAILURES.labels(self._consumer, "away").inc()
                return PutOff(row, wait_ms(row.attempts, _MOST_AWAY_MS))
            return self._refused(row, error.reason.value if isinstance(error, DomainError) else type(error).__name__)
        return None

    def _refused(self, row: Parcel, why: str) -> PutOff:
        FAILURES.labels(self._consumer, "refused").inc()
        _log.error(
            "delivery_refused",
            consumer=self._consumer,
            table_id=row.table_id,
            outbox_id=row.outbox_id,
            reason=why,
            attempts=row.attempts,
        )
        return PutOff(row, wait_ms(row.attempts, _MOST_REFUSED_MS), why)


def wait_ms(attempts: int, most_ms: int) -> int:
    """How long to wait after so many tries: half a second after the first, then twice as long each time."""
    return min(_FIRST_WAIT_MS << min(attempts - 1, _MOST_DOUBLINGS), most_ms)
