"""What those may see of a match who do not sit at its table, and when. Pure.

Before the match nobody is a spectator: a waiting table is shown as it is to everybody who may sit down there. From its
opening on a table may be closed to spectators, or shown to them so much later; whoever loses his seat is one of them.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from belot_events.envelope import Envelope
from belot_gateway.sequencing import SeatChange, Sent, seat_after


@dataclass(frozen=True, slots=True)
class Terms:
    """On which terms a viewer is shown a table now: so many milliseconds late, and `guarded` when the beginning of the
    match changes them.
    """

    delay_ms: int = 0
    guarded: bool = False


SEATED = Terms()
"""Who sits at the table sees everything at once."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which envelopes a viewer may be sent on his present terms; `over`: what comes next needs new ones."""

    envelopes: Sequence[Envelope]
    over: bool = False


def allowed(
    sent: Sent,
    player_id: str,
    envelopes: Sequence[Envelope],
    change_of: Callable[[Envelope], SeatChange | None],
    opens_match: Callable[[Envelope], bool],
    *,
    guarded: bool,
) -> Allowed:
    """The envelopes up to the one by which he loses his seat; for a guarded spectator, up to the opening of the match.

    That he lost his seat he is still told. `envelopes` follow on from what he was sent, or repeat some of it.
    """
    seat = sent.seat
    for place, envelope in enumerate(envelopes):
        if envelope.sequence <= sent.head:
            continue
        if guarded and seat is None and opens_match(envelope):
            return Allowed(envelopes[:place], over=True)
        change = change_of(envelope)
        if change is None:
            continue
        before, seat = seat, seat_after(seat, player_id, change)
        if before is not None and seat is None:
            return Allowed(envelopes[: place + 1], over=True)
    return Allowed(envelopes)


def due(envelopes: Sequence[Envelope], delay_ms: int, now_ms: int) -> Sequence[Envelope]:
    """The first envelopes, in the order of the log, that are old enough to be shown so late."""
    for place, envelope in enumerate(envelopes):
        if wait_ms(envelope.at_ms, delay_ms, now_ms) > 0:
            return envelopes[:place]
    return envelopes


def wait_ms(at_ms: int, delay_ms: int, now_ms: int) -> int:
    """Milliseconds until something that happened at `at_ms` may be shown; 0 or less: now."""
    return at_ms + delay_ms - now_ms
