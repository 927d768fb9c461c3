"""How well a world agrees with what the others did: their cards beside those a player of sense would have played."""

from belot_engine.playout import Playout, doubt, lay, put


def doubt_of_plays(play: Playout, dealt: list[int], leader: int, cards: list[int], own: int, spread: int) -> int:
    """How unlikely the cards that others played are in this world: steps of 1/64 of a natural logarithm.

    ``dealt`` are the full hands before the first lead (masks of ranked cards by seat), ``leader`` has the first lead,
    ``cards`` are those played so far in order, ``own`` is the seat whose cards say nothing, being known. ``spread`` is
    that of ``playout.doubt``.
    """
    lay(play, dealt, leader, [])
    total = 0
    for card in cards:
        if play.seat != own:
            total += doubt(play, card, spread)
        put(play, card)
    return total
