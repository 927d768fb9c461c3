"""What a viewer of a table is sent next: which envelopes follow on, and what each one shows him.

Pure. Together with `belot_events.sequence.take` and `visible_to` this is what makes a stream Ordered, Unique,
Reliable and Private: every number once, in order, and a hidden event as its number alone.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from belot_events.envelope import Envelope
from belot_events.sequence import take
from belot_events.visibility import visible_to

Encode = Callable[[int, bytes | None], bytes]
"""Sequence and visible event (None: hidden) to an encoded batch of one item."""


@dataclass(frozen=True, slots=True)
class Merged:
    """What became of a table's envelopes: `fresh` ones follow on from the head, `waiting` ones lie beyond a gap."""

    fresh: tuple[Envelope, ...]
    waiting: tuple[Envelope, ...]


def merge(head: int, waiting: Sequence[Envelope], arrived: Iterable[Envelope]) -> Merged:
    """Put arrivals and what waited in order behind `head`; repetitions go."""
    if not waiting:
        arrived = tuple(arrived)
        taken = take(head, arrived)
        if not taken.missed:
            return Merged(taken.fresh, ())
    by_sequence = {each.sequence: each for each in (*waiting, *arrived) if each.sequence > head}
    end = head
    while end + 1 in by_sequence:
        end += 1
    fresh = tuple(by_sequence.pop(sequence) for sequence in range(head + 1, end + 1))
    return Merged(fresh, tuple(by_sequence[sequence] for sequence in sorted(by_sequence)))


@dataclass(frozen=True, slots=True)
class SeatChange:
    """From this event on `player_id` sits at `seat`; empty: no person does."""

    seat: int
    player_id: str


def seat_after(seat: int | None, player_id: str, change: SeatChange) -> int | None:
    """The viewer's seat after a change: his own move, or somebody else on what was his seat."""
    if change.player_id == player_id:
        return change.seat
    return None if change.seat == seat else seat


def seat_before(seat: int | None, player_id: str, changes: Sequence[tuple[SeatChange, str]]) -> int | None:
    """The viewer's seat before `changes`, given the one after them; each comes with the player who left by it.

    A change that puts him where he sits may be his sitting down or his being ready: nothing private happens before a
    match, so both count as having sat there.
    """
    for change, left in reversed(changes):
        if player_id in (left, change.player_id):
            seat = change.seat
    return seat


@dataclass(frozen=True, slots=True)
class Sent:
    """What one viewer of a table has been sent: everything up to `head`, as seen from `seat` (None: a spectator)."""

    head: int
    seat: int | None


def show(
    sent: Sent,
    player_id: str,
    envelopes: Iterable[Envelope],
    change_of: Callable[[Envelope], SeatChange | None],
    encode: Encode,
) -> tuple[Sent, bytes]:
    """The encoded items of envelopes that follow on for one viewer, joined, and what he has been sent afterwards."""
    head, seat = sent.head, sent.seat
    parts: list[bytes] = []
    for envelope in envelopes:
        if envelope.sequence <= head:
            continue
        parts.append(encode(envelope.sequence, visible_to(envelope, seat)))
        head = envelope.sequence
        change = change_of(envelope)
        if change is not None:
            seat = seat_after(seat, player_id, change)
    return Sent(head, seat), b"".join(parts)
