"""The play-out kernel against the public functions: the same position and the same chance, the same tricks."""

import random

import pytest

from belot_engine.cards import PACK_MASK, cards_of
from belot_engine.kernel import Taken, kernel, playout
from belot_engine.play import legal_mask, trick_winner
from belot_engine.ruleset import Ruleset
from support.playouts import chosen_card, every_form, random_hands, slow_playout

_EACH = pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")


def _middle(rules: Ruleset, trump: int, rng: random.Random) -> tuple[list[int], int, tuple[int, ...]]:
    """A position somewhere in a deal: hands, the seat to act, the cards on the table."""
    hands, turn, trick = random_hands(rules, rng), rng.randrange(rules.seats), ()
    for _ in range(rng.randrange(rules.seats * rules.hand_size)):
        card = chosen_card(legal_mask(rules, trump, trick, hands[turn]), rng.randrange(256))
        hands[turn] ^= 1 << card
        trick, turn = (*trick, card), (turn + 1) % rules.seats
        if len(trick) == rules.seats:
            turn, trick = (turn + trick_winner(trump, trick)) % rules.seats, ()
    return hands, turn, trick


@_EACH
def test_a_deal_plays_out_as_by_the_public_functions(rules: Ruleset) -> None:
    rng = random.Random(f"deal {rules.name}")
    for _ in range(300):
        hands, turn, trump, chance = (
            random_hands(rules, rng),
            rng.randrange(rules.seats),
            rng.randrange(4),
            rng.randbytes(32),
        )
        assert playout(kernel(rules, trump), hands, turn, (), chance) == slow_playout(
            rules, trump, hands, turn, (), chance
        )


@_EACH
def test_any_position_plays_out_as_by_the_public_functions(rules: Ruleset) -> None:
    rng = random.Random(f"position {rules.name}")
    for _ in range(300):
        trump, chance = rng.randrange(4), rng.randbytes(32)
        hands, turn, trick = _middle(rules, trump, rng)
        assert playout(kernel(rules, trump), hands, turn, trick, chance) == slow_playout(
            rules, trump, hands, turn, trick, chance
        )


@_EACH
def test_a_playout_shares_out_all_points_and_tricks(rules: Ruleset) -> None:
    rng = random.Random(5)
    for _ in range(100):
        hands = random_hands(rules, rng)
        left_out = PACK_MASK[rules.pack] & ~sum(hands)
        taken = playout(kernel(rules, 2), hands, 0, (), rng.randbytes(32))
        assert sum(taken.tricks) == rules.hand_size
        assert sum(taken.points) + sum(kernel(rules, 2).points[card] for card in cards_of(left_out)) == 162


def test_a_playout_leaves_the_position_as_it_was() -> None:
    rules = every_form()[0]
    hands = random_hands(rules, random.Random(3))
    before = list(hands)
    playout(kernel(rules, 0), hands, 0, (), bytes(32))
    assert hands == before


def test_every_legal_card_is_about_equally_likely() -> None:
    for legal in range(1, 9):
        mask = (1 << legal) - 1
        counts = [0] * legal
        for chance in range(256):
            counts[chosen_card(mask, chance)] += 1
        assert max(counts) - min(counts) <= 1


def test_the_last_trick_has_its_ten_points() -> None:
    hands = [1 << 7, 1 << 6, 1 << 5, 1 << 4]
    taken = playout(kernel(every_form()[0], 0), hands, 0, (), bytes(4))
    assert taken == Taken((0, 0, 0, 11 + 4 + 3 + 20 + 10), (0, 0, 0, 1))
