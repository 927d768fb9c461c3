"""How well a world agrees with what the others did: their cards held against those a player of sense would have played."""

from typing import Final

from belot_engine.playout import Playout, lay, put, regret

#: One card counts for no more than this, in twentieths of a point: anybody may err, or know better.
_MOST: Final = 400


def regret_of_plays(play: Playout, dealt: list[int], leader: int, cards: list[int], own: int) -> int:
    """What all cards that others played seem to have cost them in this world, in twentieths of a point.

    ``dealt`` are the full hands before the first lead (masks of ranked cards by seat), ``leader`` has the first lead,
    ``cards`` are those played so far in order, ``own`` is the seat whose cards say nothing, being known.
    """
    lay(play, dealt, leader, [])
    total = 0
    for card in cards:
        if play.seat != own:
            cost = regret(play, card)
            total += cost if cost < _MOST else _MOST
        put(play, card)
    return total
