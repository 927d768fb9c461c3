"""A committed event of a table as the writer stores it and every reader receives it, before it is filtered."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Envelope:
    """One event: `sequence` counts the table's log from 1 without gaps, `at_ms` is unix milliseconds.

    `payload` is an encoded belot.table.v1.TableEvent as everybody may see it; empty: nobody but `only_seat` may.
    `seat_payload` holds further encoded fields of the same TableEvent for `only_seat`: appended to `payload` they
    make that seat's whole event. Both may hold cards and stay out of every repr. The seats `hidden_from` get nothing
    but the number, whatever else is said here.
    """

    table_id: str
    sequence: int
    kind: str
    at_ms: int
    payload: bytes = field(repr=False)
    only_seat: int | None = None
    seat_payload: bytes = field(default=b"", repr=False)
    hidden_from: tuple[int, ...] = ()
