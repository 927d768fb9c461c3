"""Worlds: whole distributions of the cards that agree with what a seat knows, drawn by chance that comes from outside.

The cards with fewest possible places go first, in random order among equals. Each goes to one of the hands that may
have it, more often the more room a hand has left. For cards that may be anywhere, and for the first of those that may
not, this is exactly as often as in all distributions taken alike; after several restricted cards only about so. Where
all hands for a card are full, another card makes room for it; there is always one that can.
"""

import hashlib
from typing import Final

from belot_engine.cards import cards_of
from belot_engine.inference import Knowledge

_BLOCK: Final = 2048


class Chance:
    """A stream of chance from a seed: the same seed, the same numbers, everywhere and always (SHAKE-128)."""

    __slots__ = ("_at", "_block", "_octets", "_seed")

    def __init__(self, seed: bytes) -> None:
        """Any octets, all of them matter."""
        self._seed = seed
        self._block = 0
        self._at = _BLOCK
        self._octets = b""

    def below(self, limit: int) -> int:
        """A number from 0 to ``limit`` - 1, at most 256 numbers, about equally likely."""
        if self._at == _BLOCK:
            self._octets = hashlib.shake_128(self._seed + self._block.to_bytes(8, "big")).digest(_BLOCK)
            self._block += 1
            self._at = 0
        at = self._at
        self._at = at + 2
        return (self._octets[at] << 8 | self._octets[at + 1]) * limit >> 16


def draw_world(known: Knowledge, seat: int, hand: int, chance: Chance) -> list[int]:
    """One distribution as masks by seat, the cards out of play last; the seat that knows has its own hand."""
    holders = list(known.possible)
    room = list(known.sizes)
    holders.append(known.out)
    room.append(known.out_size)
    holders[seat] = room[seat] = 0
    world = [0] * len(holders)
    for group in _restricted_first(known.unseen, holders):
        for left in range(len(group), 0, -1):
            pick = chance.below(left)
            card = group[pick]
            group[pick] = group[left - 1]
            _place(card, holders, room, world, chance)
    world[seat] = hand
    return world


def _restricted_first(unseen: int, holders: list[int]) -> list[list[int]]:
    """The cards by how many hands may have them, fewest first."""
    groups: list[list[int]] = [[] for _ in range(len(holders) + 1)]
    for card in cards_of(unseen):
        places = 0
        for mask in holders:
            places += mask >> card & 1
        groups[places].append(card)
    return groups


def _place(card: int, holders: list[int], room: list[int], world: list[int], chance: Chance) -> None:
    """Give a card to one of its possible hands."""
    places = [at for at in range(len(holders)) if holders[at] >> card & 1]
    total = 0
    for at in places:
        total += room[at]
    if not total:
        for at in places:
            if _make_room(at, 1 << at, holders, room, world):
                total = room[at]
                break
    point = chance.below(total) if total > 1 else 0
    for at in places:
        point -= room[at]
        if point < 0:
            room[at] -= 1
            world[at] |= 1 << card
            return


def _make_room(full: int, asked: int, holders: list[int], room: list[int], world: list[int]) -> bool:
    """Pass a card of a full hand on to another one that may have it, which may have to do the same first."""
    for at in range(len(holders)):
        movable = 0 if asked >> at & 1 else world[full] & holders[at]
        if movable and (room[at] or _make_room(at, asked | 1 << at, holders, room, world)):
            card = movable & -movable
            world[full] ^= card
            world[at] |= card
            room[full] += 1
            room[at] -= 1
            return True
    return False
