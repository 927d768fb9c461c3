"""Open endings counted out card by card through the public functions, without a single thought: slow and plain."""

import random
from collections.abc import Sequence

from belot_engine.cards import cards_of, mask_of
from belot_engine.play import legal_mask, trick_points, trick_winner
from belot_engine.ruleset import Ruleset
from support.playouts import shuffled


def slow_value(ruleset: Ruleset, trump: int, hands: Sequence[int], turn: int, trick: tuple[int, ...], mine: int) -> int:
    """What the seats of the mask ``mine`` take from here on: every legal card of everybody is tried."""
    worths = [
        slow_after(ruleset, trump, hands, turn, trick, mine, card)
        for card in cards_of(legal_mask(ruleset, trump, trick, hands[turn]))
    ]
    return max(worths) if mine >> turn & 1 else min(worths)


def slow_after(
    ruleset: Ruleset, trump: int, hands: Sequence[int], turn: int, trick: tuple[int, ...], mine: int, card: int
) -> int:
    """The same once the seat to act has played a card."""
    left = [hand & ~(1 << card) if seat == turn else hand for seat, hand in enumerate(hands)]
    trick, turn = (*trick, card), (turn + 1) % ruleset.seats
    if len(trick) < ruleset.seats:
        return slow_value(ruleset, trump, left, turn, trick, mine)
    winner = (turn + trick_winner(trump, trick)) % ruleset.seats
    gain = trick_points(trump, trick) + (0 if any(left) else ruleset.last_trick)
    rest = slow_value(ruleset, trump, left, winner, (), mine) if any(left) else 0
    return (gain if mine >> winner & 1 else 0) + rest


def random_ending(ruleset: Ruleset, rng: random.Random, tricks: int) -> tuple[int, list[int], int, tuple[int, ...]]:
    """Trumps, hands, the seat to act and the cards on the table, with so many tricks to come; nobody revokes."""
    trump, seats = rng.randrange(4), ruleset.seats
    pack = shuffled(rng, ruleset.pack)
    hands = [mask_of(pack[seat * tricks : (seat + 1) * tricks]) for seat in range(seats)]
    turn = rng.randrange(seats)
    trick: tuple[int, ...] = ()
    for _ in range(rng.randrange(seats)):
        card = rng.choice(cards_of(legal_mask(ruleset, trump, trick, hands[turn])))
        hands[turn] ^= 1 << card
        trick, turn = (*trick, card), (turn + 1) % seats
    return trump, hands, turn, trick
