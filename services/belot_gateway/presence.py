"""Telling the table service who is connected: players with a stream here that follows a table at which they sit.

Who has just come is named within a second, everybody again every few seconds; who is gone is named once more, so that
his grace begins there, and then no more, so that a gateway that dies says what a client that goes away does. Whichever
table pod hears it will do.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Protocol

import structlog

from belot_kit.errors import DomainError

_log = structlog.get_logger(__name__)

_LOOK_SECONDS: Final = 1.0
_MOST_AT_ONCE: Final = 1_000

Present = tuple[str, str]
"""Table id and player id."""


class Hears(Protocol):
    """Where it is told."""

    async def report_presence(self, present: Sequence[Present]) -> None:
        """Name at most 1,000 who are connected."""


async def keep_reporting(tables: Hears, present: Callable[[], Iterable[Present]], every_s: float) -> None:
    """Name who is connected, for ever; what could not be told is told the next time."""
    loop = asyncio.get_running_loop()
    known: frozenset[Present] = frozenset()
    all_due = loop.time()
    while True:
        await asyncio.sleep(min(_LOOK_SECONDS, every_s))
        now = frozenset(present())
        everybody = loop.time() >= all_due
        wanted = sorted(now | known if everybody else now ^ known)
        try:
            for start in range(0, len(wanted), _MOST_AT_ONCE):
                await tables.report_presence(wanted[start : start + _MOST_AT_ONCE])
        except DomainError as error:
            _log.warning("presence_not_reported", reason=error.reason)
            continue
        known = now
        if everybody:
            all_due = loop.time() + every_s
