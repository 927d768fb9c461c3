"""Openings of matches as the dealer's pure rules take them."""

from hashlib import sha256

from belot_dealer.match import Opening
from belot_fair.bodies import Seat, SeatKind


def an_opening(
    kinds: str = "PPPP", *, match_id: str = "m", pack_size: int = 32, seed_timeout_ms: int = 10_000
) -> Opening:
    """An opening for seats `P` (person) and `B` (bot)."""
    return Opening(
        match_id=match_id,
        seats=tuple(_seat(at, kind) for at, kind in enumerate(kinds)),
        sides=tuple(at % 2 for at in range(len(kinds))),
        first_dealer=0,
        ruleset_name="club",
        ruleset_version=1,
        ruleset_hash=sha256(b"{}").digest(),
        ruleset_json=b"{}",
        pack_size=pack_size,
        seed_timeout_ms=seed_timeout_ms,
    )


def _seat(at: int, kind: str) -> Seat:
    participant = bytes([at]) * 16
    return Seat(participant) if kind == "P" else Seat(participant, SeatKind.BOT, "normal", "normal/1")
