"""Who may see what: the one function behind every stream, list and snapshot."""

from belot_events.envelope import Envelope


def visible_to(envelope: Envelope, seat: int | None) -> bytes | None:
    """The encoded TableEvent that the viewer at `seat` (None: a spectator) may see; None when it is hidden from him.

    A hidden event still counts: the viewer gets its sequence number alone.
    """
    if seat is not None and seat in envelope.hidden_from:
        return None
    if seat is not None and seat == envelope.only_seat:
        return envelope.payload + envelope.seat_payload or None
    return envelope.payload or None
