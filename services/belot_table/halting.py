"""What happens when the rules find that a deal does not add up: the table stops as it is, and somebody is called.

Of the step nothing was written, so nothing is lost: match, log and cards are those before it. Everybody at the table is
told, nothing of the match can be done, and the table's timer is put off, so that no replica tries again and again; when
it is due the step is decided anew, and after a release that mends the fault the match goes on by itself. Each try that
fails raises the alarm again.
"""

from typing import Final

import structlog
from prometheus_client import Counter

from belot_kit.errors import DomainError, Reason
from belot_table.ports import Ports, write
from belot_table.standstill import halted
from belot_table.table import Table

AUDIT_BREACHES: Final = Counter(
    "belot_table_audit_breaches_total", "Steps of tables that were stopped because a deal did not add up; alert on any."
)

_log = structlog.get_logger(__name__)


def is_breach(error: Exception) -> bool:
    """Whether the rules say that it is no player's fault, but ours."""
    return isinstance(error, DomainError) and error.reason is Reason.AUDIT_BREACH


async def halt(ports: Ports, table: Table) -> None:
    """Raise the alarm and let the table rest. Errors: DomainError UNAVAILABLE; it is as it was then."""
    AUDIT_BREACHES.inc()
    match = table.match
    _log.critical(
        "audit_breach",
        table_id=table.table_id,
        match_id=match.match_id if match else None,
        version=table.version,
        hand_number=match.hand if match else None,
        ruleset=table.ruleset.name,
        ruleset_hash=table.ruleset.hash,
    )
    now = ports.clock.now_ms()
    await write(ports, halted(table, now), now)
