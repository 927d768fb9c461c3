"""What is kept for a while only: answered requests, for the life of the match and a day more."""

import asyncio
from typing import Final

import structlog

from belot_kit.clock import Clock
from belot_kit.errors import DomainError
from belot_table.store import Store

_log = structlog.get_logger(__name__)

KEPT_MS: Final = 24 * 3_600_000
_EVERY_SECONDS: Final = 60.0


async def keep_forgetting(store: Store, clock: Clock) -> None:
    """Drop what is old, a little every minute, for ever."""
    while True:
        await asyncio.sleep(_EVERY_SECONDS)
        try:
            await store.forget_requests(clock.now_ms() - KEPT_MS)
        except DomainError as error:
            _log.warning("requests_not_forgotten", reason=error.reason)
