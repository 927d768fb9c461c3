"""All validators by name, and their verdict on a run."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from robustness.histories import Finding, TableHistory
from robustness.log_checks import acknowledged_once, contiguous, delivered_once, one_clock, refused, timers_once
from robustness.replay import replayed
from robustness.stream_checks import bookmarkable, ordered, private, reliable, resumable, unique

Validator = Callable[[TableHistory], Iterator[str]]

VALIDATORS: Mapping[str, Validator] = {
    "contiguous": contiguous,
    "acknowledged once": acknowledged_once,
    "refused": refused,
    "replayed": replayed,
    "timers once": timers_once,
    "one clock": one_clock,
    "delivered once": delivered_once,
    "Ordered": ordered,
    "Unique": unique,
    "Reliable": reliable,
    "Resumable": resumable,
    "Bookmarkable": bookmarkable,
    "Private": private,
}


def findings(histories: Iterable[TableHistory]) -> tuple[Finding, ...]:
    """Everything that must not be, over all tables."""
    return tuple(
        Finding(name, history.table.table_id, text)
        for history in histories
        for name, validator in VALIDATORS.items()
        for text in validator(history)
    )
