"""Two public engines against this one: random deals card by card, every position compared, no difference unexplained.

What differs on purpose is in ``_ON_PURPOSE`` with its clause; a position where it shows must differ exactly so.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import pytest

from belot_engine.cards import BEATERS, SUIT_MASK, cards_of, mask_of
from belot_engine.errors import Clause
from belot_engine.notation import Position, position_text
from belot_engine.play import best_card, broken_clause, legal_mask, trick_points, trick_winner
from belot_engine.rulesets import resolve
from differential.engines import BeloteCli, Colver
from support.playouts import chosen_card, shuffled

_POSITIONS = 10_000
Foreign = type[BeloteCli] | type[Colver]


@dataclass(frozen=True, slots=True)
class _OnPurpose:
    """A difference that is meant: the clause that this engine refuses by, where it shows, what the other one allows."""

    clause: Clause
    why: str
    shows: Callable[[Position], bool]
    allows: Callable[[Position], int]


def _only_lower_trumps_over_an_opponents_ruff(where: Position) -> bool:
    """Void in the led plain suit, an opponent's trump is winning, and no trump held is above it."""
    trick, hand = where.trick, where.hand
    if not trick or trick[0] >> 3 == where.trump or hand & SUIT_MASK[trick[0] >> 3]:
        return False
    best, trumps = best_card(where.trump, trick), hand & SUIT_MASK[where.trump]
    partners = len(trick) >= 2 and trick[-2] == best
    ruffed = best >> 3 == where.trump and not partners
    return bool(trumps) and ruffed and not trumps & BEATERS[where.trump][best]


#: Engine -> what it does otherwise on purpose. The rules page: "cannot overruff: lower trump is due", settled.
_ON_PURPOSE: dict[Foreign, tuple[_OnPurpose, ...]] = {
    BeloteCli: (),
    Colver: (
        _OnPurpose(
            Clause.MUST_TRUMP,
            "who cannot overruff an opponent may throw off anything there; here a lower trump is due",
            _only_lower_trumps_over_an_opponents_ruff,
            lambda where: where.hand,
        ),
    ),
}


def _positions(name: str, foreign: Foreign, rng: random.Random) -> Iterator[tuple[Position, int]]:
    """Positions of random deals, with the mask of the cards that the other engine allows; both play the same card."""
    rules, trump, dealer = resolve(name, 4, 32, {}), rng.randrange(4), rng.randrange(4)
    pack = shuffled(rng, 32)
    hands = [mask_of(pack[8 * seat : 8 * seat + 8]) for seat in range(4)]
    other, turn, trick, points = foreign(hands, trump, dealer), (dealer + 1) % 4, (), [0, 0]
    for left in range(31, -1, -1):
        assert other.turn() == turn
        allowed, legal = other.legal(), legal_mask(rules, trump, trick, hands[turn])
        yield Position(name, trump, trick, hands[turn]), allowed
        card = chosen_card(allowed & legal, rng.randrange(256))
        other.play(card)
        hands[turn] ^= 1 << card
        trick, turn = (*trick, card), (turn + 1) % 4
        if len(trick) == 4:
            turn = (turn + trick_winner(trump, trick)) % 4
            points[turn & 1] += trick_points(trump, trick) + (0 if left else 10)
            trick = ()
    assert other.points() in (tuple(points), _with_capot(points))


def _with_capot(points: Sequence[int]) -> tuple[int, ...]:
    """Points of a deal with 252 for all the tricks: colver counts them so, this engine by a line of its own."""
    return tuple(252 if value == 162 else value for value in points)


@pytest.mark.parametrize(("foreign", "name"), [(BeloteCli, "classic"), (BeloteCli, "announces"), (Colver, "classic")])
def test_ten_thousand_positions_have_the_same_legal_cards(foreign: Foreign, name: str) -> None:
    rng, rules, seen, meant = random.Random(f"{foreign.__name__} {name}"), resolve(name, 4, 32, {}), 0, 0
    while seen < _POSITIONS:
        for where, allowed in _positions(name, foreign, rng):
            seen += 1
            legal = legal_mask(rules, where.trump, where.trick, where.hand)
            on_purpose = next((item for item in _ON_PURPOSE[foreign] if item.shows(where)), None)
            if on_purpose is None:
                assert allowed == legal, position_text(where)
                continue
            meant += 1
            assert allowed == on_purpose.allows(where), position_text(where)
            for card in cards_of(allowed & ~legal):
                assert broken_clause(where.trump, where.trick, where.hand, card) is on_purpose.clause
    assert (meant > 0) == bool(_ON_PURPOSE[foreign])
