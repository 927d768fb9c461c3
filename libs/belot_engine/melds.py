"""Runs and fours of a kind: what a hand holds, and whose melds count.

A card may serve a run and a four; of a run only the longest form counts. The strongest single meld decides and
its side scores all its melds.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from belot_engine.cards import SUIT_MASK, side_of
from belot_engine.events import Meld, MeldKind
from belot_engine.ruleset import Ruleset

_SHORTEST_RUN = 3


def _runs_of_byte(ranks: int) -> tuple[tuple[int, int, int], ...]:
    """(top rank, length, mask) of each longest run among the eight ranks of a suit."""
    runs: list[tuple[int, int, int]] = []
    length = 0
    for rank in range(9):
        if ranks >> rank & 1:
            length += 1
            continue
        if length >= _SHORTEST_RUN:
            runs.append((rank - 1, length, (1 << rank) - (1 << (rank - length))))
        length = 0
    return tuple(runs)


_RUNS: tuple[tuple[tuple[int, int, int], ...], ...] = tuple(_runs_of_byte(ranks) for ranks in range(256))
_FOUR_MASK: tuple[int, ...] = tuple(0x01010101 << rank for rank in range(8))


@dataclass(frozen=True, slots=True)
class Recognised:
    """The melds that count in a deal: those of one side, with their sum."""

    side: int
    melds: tuple[Meld, ...]
    points: int


def melds_of(ruleset: Ruleset, player: int, hand: int) -> tuple[Meld, ...]:
    """Every meld of a full hand that is worth points, fours first, then runs by suit."""
    found: list[Meld] = []
    fours = hand & hand >> 8 & hand >> 16 & hand >> 24 & 0xFF
    if fours:
        for rank in range(8):
            points = ruleset.four_points[rank]
            if fours >> rank & 1 and points:
                found.append(Meld(player, MeldKind.FOUR, rank, None, 4, points, _FOUR_MASK[rank]))
    for suit in range(4):
        for top, length, ranks in _RUNS[hand >> 8 * suit & 0xFF]:
            points = ruleset.run_points[length]
            found.append(Meld(player, MeldKind.RUN, top, suit, length, points, ranks << 8 * suit))
    return tuple(found)


_MEASURE: dict[str, Callable[[Meld, int], int]] = {
    "points": lambda meld, trump: meld.points,
    "four": lambda meld, trump: meld.kind is MeldKind.FOUR,
    "length": lambda meld, trump: meld.length,
    "top": lambda meld, trump: meld.rank,
    "trump": lambda meld, trump: meld.suit == trump,
}


def strength(ruleset: Ruleset, trump: int, meld: Meld) -> tuple[int, ...]:
    """A key by which melds compare: the greater is the stronger one."""
    return tuple(_MEASURE[measure](meld, trump) for measure in ruleset.meld_order)


def recognised(ruleset: Ruleset, trump: int, hands: Sequence[int], first: int) -> Recognised | None:
    """The melds that count, from the full hands and the seat that leads first; None when nobody has any that do."""
    if not ruleset.melds:
        return None
    seats = ruleset.seats
    order = [(first + place) % seats for place in range(seats)]
    melds = [meld for player in order for meld in melds_of(ruleset, player, hands[player])]
    if not melds:
        return None
    keys = [strength(ruleset, trump, meld) for meld in melds]
    best = max(keys)
    sides = [side_of(meld.player, seats) for meld, key in zip(melds, keys, strict=True) if key == best]
    if ruleset.meld_tie == "nobody" and len(set(sides)) > 1:
        return None
    counted = tuple(meld for meld in melds if side_of(meld.player, seats) == sides[0])
    return Recognised(sides[0], counted, sum(meld.points for meld in counted))


def full_run(ruleset: Ruleset, hands: Sequence[int], first: int) -> Meld | None:
    """A run of a whole suit that wins the match, the earliest in turn; None when there is none or it does not."""
    if not ruleset.full_run_wins:
        return None
    for place in range(ruleset.seats):
        player = (first + place) % ruleset.seats
        if hands[player] in SUIT_MASK:
            return melds_of(ruleset, player, hands[player])[0]
    return None
