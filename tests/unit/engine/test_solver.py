"""Open positions solved exactly."""

import random

import pytest

from belot_engine.cards import cards_of, side_of
from belot_engine.notation import parse_cards, parse_hand
from belot_engine.play import legal_mask
from belot_engine.ranked import HIGHER, POINTS, card_of, ranked_card, ranked_mask
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.solver import solve, solve_cards
from support.playouts import every_form, random_hands
from support.slow_endings import random_ending, slow_after, slow_value

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]
ENDINGS = 120


def seats_of_side(rules: Ruleset, side: int) -> int:
    return sum(1 << seat for seat in range(rules.seats) if side_of(seat, rules.seats) == side)


@pytest.mark.parametrize("rules", FORMS)
def test_small_endings_are_worth_what_counting_them_out_says(rules: Ruleset) -> None:
    rng = random.Random(f"endings {rules.name} {rules.seats} {rules.pack}")
    for number in range(ENDINGS):
        tricks = (2, 3)[number % 2] if rules.seats == 4 else (3, 4)[number % 2]
        trump, hands, turn, trick = random_ending(rules, rng, tricks)
        mine = seats_of_side(rules, rng.randrange(2))
        expected = tuple(
            (card, slow_after(rules, trump, hands, turn, trick, mine, card))
            for card in cards_of(legal_mask(rules, trump, trick, hands[turn]))
        )
        before = list(hands)
        assert solve_cards(rules, trump, hands, turn, trick, mine) == expected, (number, trump, hands, turn, trick)
        assert solve(rules, trump, hands, turn, trick, mine) == slow_value(rules, trump, hands, turn, trick, mine)
        assert hands == before


@pytest.mark.parametrize("rules", FORMS)
def test_two_sides_share_what_there_is(rules: Ruleset) -> None:
    rng = random.Random(f"sum {rules.name} {rules.seats} {rules.pack}")
    for _ in range(10):
        trump, hands, turn, trick = random_ending(rules, rng, 4)
        first = seats_of_side(rules, 0)
        everybody = (1 << rules.seats) - 1
        total = solve(rules, trump, hands, turn, trick, everybody)
        both = [solve(rules, trump, hands, turn, trick, mine) for mine in (first, everybody & ~first)]
        assert sum(both) == total


def test_a_whole_deal_is_solved() -> None:
    rules = resolve("classic", 4, 32, {})
    rng = random.Random("whole deal")
    hands = random_hands(rules, rng)
    value = solve(rules, 1, hands, 0, (), 0b0101)
    assert value + solve(rules, 1, hands, 0, (), 0b1010) == 162


def test_the_hand_with_all_the_trumps_takes_everything() -> None:
    rules = resolve("club", 4, 32, {})
    hands = [parse_hand(hand) for hand in ("JH 9H", "AC TC", "7H 8H", "KC QC")]
    assert solve(rules, 2, hands, 0, (), 0b0101) == 20 + 14 + 11 + 10 + 4 + 3 + 10
    assert solve_cards(rules, 2, hands, 0, (), 0b1010) == ((18, 0), (20, 0))


def test_with_three_players_the_others_play_together_against_one() -> None:
    rules = resolve("club", 3, 32, {})
    hands = [parse_hand(hand) for hand in ("AC", "TC", "7H")]
    assert [solve(rules, 2, hands, 0, (), 1 << seat) for seat in range(3)] == [0, 0, 31]


def test_a_seven_and_a_nine_are_not_the_same_to_an_eight() -> None:
    # Seat 3 takes the rich trick from the eight with the nine, but not with the seven.
    rules = resolve("classic", 4, 32, {})
    hands = [parse_hand(hand) for hand in ("8C 7D", "AS 8D", "TS 9D", "7C 9C")]
    assert solve(rules, 2, hands, 0, (), 0b1010) == slow_value(rules, 2, hands, 0, (), 0b1010) == 31
    assert solve(rules, 2, hands, 0, (), 0b0101) == 0


def test_a_trick_on_the_table_counts_with_its_cards() -> None:
    rules = resolve("classic", 4, 32, {})
    hands = [parse_hand(hand) for hand in ("TC", "7D", "", "")]
    assert solve(rules, 2, hands, 0, parse_cards("AC QC"), 0b0101) == 11 + 3 + 10 + 10


@pytest.mark.parametrize("trump", range(4))
def test_ranked_cards_go_there_and_back_and_stand_in_the_order_of_strength(trump: int) -> None:
    assert [card_of(trump, ranked_card(trump, card)) for card in range(32)] == list(range(32))
    for card in range(32):
        assert ranked_mask(trump, 1 << card) == 1 << ranked_card(trump, card)
    assert sum(POINTS) == 152
    jack = ranked_card(trump, 8 * trump + 4)
    assert jack == 31
    assert HIGHER[jack] == 0
    assert HIGHER[ranked_card(trump, 8 * trump + 2)] == 1 << jack
