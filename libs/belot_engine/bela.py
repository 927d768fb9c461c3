"""King and queen of trumps in one hand: when the pair is announced."""

from collections.abc import Sequence

from belot_engine.cards import BELA_MASK
from belot_engine.ruleset import Ruleset
from belot_engine.state import Trick


def announces_bela(ruleset: Ruleset, trump: int, player: int, card: int, left: int, tricks: Sequence[Trick]) -> bool:
    """Whether playing this card announces the pair.

    With the first card the other one is still in the hand (``left``, a mask without ``card``); with the second
    the same player has played it in an earlier trick.
    """
    pair = BELA_MASK[trump]
    if not pair >> card & 1:
        return False
    other = pair ^ 1 << card
    if ruleset.bela_announced == "first":
        return bool(left & other)
    return any(1 << trick.cards[(player - trick.leader) % ruleset.seats] == other for trick in tricks)
