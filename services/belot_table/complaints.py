"""Messages that players report: who may report what, how often, and what is kept of it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

MOST_REPORTED: Final = 5
"""Reports of a player at a table within `WITHIN_MS`."""

WITHIN_MS: Final = 60_000


@dataclass(frozen=True, slots=True)
class Reported:
    """A player, at `seat`, reported the Said event `sequence`; `reason` is numbered as belot.table.v1.ReportReason."""

    seat: int
    sequence: int
    reporter_id: str
    speaker_id: str
    reason: int


@dataclass(frozen=True, slots=True)
class Filed:
    """A report of a player that is kept already."""

    sequence: int
    at_ms: int


@dataclass(frozen=True, slots=True)
class MessageReport:
    """A report as moderators read it; `said` is the encoded TableEvent."""

    table_id: str
    sequence: int
    reporter_id: str
    reason: int
    at_ms: int
    said: bytes = field(repr=False)


def wait_ms(filed: Sequence[Filed], now_ms: int) -> int:
    """How long a player must wait before he may report again."""
    lately = [each.at_ms for each in filed if each.at_ms > now_ms - WITHIN_MS]
    return lately[-MOST_REPORTED] + WITHIN_MS - now_ms if len(lately) >= MOST_REPORTED else 0
