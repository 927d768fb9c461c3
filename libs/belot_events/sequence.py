"""The one sequence of a table: how its writer numbers events and how readers notice what they missed."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from belot_events.envelope import Envelope


@dataclass(frozen=True, slots=True)
class Taken:
    """What a reader makes of a batch: `fresh` follows on from its head; `missed` says that something lies between.

    With `missed`, `fresh` is empty: read the log after the head first, then take the batch again.
    """

    fresh: tuple[Envelope, ...]
    missed: bool = False


def take(head: int, batch: Sequence[Envelope]) -> Taken:
    """Sort out a batch for a reader that has seen everything up to `head`: repetitions go, a gap is reported.

    A publisher that repeats itself, two publishers that overtake each other and lost messages all end here.
    """
    fresh = tuple(each for each in batch if each.sequence > head)
    expected = range(head + 1, head + 1 + len(fresh))
    if any(each.sequence != number for each, number in zip(fresh, expected, strict=True)):
        return Taken((), missed=True)
    return Taken(fresh)


class Resumption(Enum):
    """How a reader that comes back is served."""

    TAIL = "tail"
    SNAPSHOT = "snapshot"


def resume(after: int | None, head: int, longest_tail: int) -> Resumption:
    """Tail or snapshot for a reader that last saw `after` (None: nothing) of a log that ends at `head`.

    A number beyond the head belongs to another log, and a tail over `longest_tail` costs more than a snapshot.
    """
    if after is None or after > head or head - after > longest_tail:
        return Resumption.SNAPSHOT
    return Resumption.TAIL
