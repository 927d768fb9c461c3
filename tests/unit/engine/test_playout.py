"""Play-outs of open deals by a player of sense."""

import random

import pytest

from belot_engine.cards import cards_of, mask_points, side_of
from belot_engine.notation import parse_card, parse_cards, parse_hand
from belot_engine.play import legal_mask, trick_winner
from belot_engine.playout import Playout, choice, finish, lay, legal, put
from belot_engine.ranked import card_of, ranked_card, ranked_mask, table_of
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.solver import Search, solve
from support.playouts import every_form, random_hands
from support.slow_endings import random_ending

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]


def sides(rules: Ruleset) -> list[int]:
    return [
        sum(1 << other for other in range(rules.seats) if side_of(other, rules.seats) == side_of(seat, rules.seats))
        for seat in range(rules.seats)
    ]


def laid(rules: Ruleset, trump: int, hands: list[int], turn: int, trick: tuple[int, ...], declaring: int) -> Playout:
    play = Playout(table_of(rules), sides(rules), declaring, rules.last_trick)
    lay(play, [ranked_mask(trump, hand) for hand in hands], turn, [ranked_card(trump, card) for card in trick])
    return play


def chosen(hands: list[str], trick: str, declaring: int, name: str = "classic") -> str:
    """What seat 0 plays, hearts being trumps; the hands of seats 1, 2, 3 are open."""
    rules = resolve(name, 4, 32, {})
    play = laid(rules, 2, [parse_hand(hand) for hand in hands], 0, parse_cards(trick), declaring)
    card = card_of(2, choice(play))
    return "789TJQKA"[card & 7] + "CDHS"[card >> 3]


@pytest.mark.parametrize("rules", FORMS)
def test_a_deal_is_played_by_the_rules_to_its_end(rules: Ruleset) -> None:
    rng = random.Random(f"to the end {rules.name} {rules.seats} {rules.pack}")
    for _ in range(20):
        hands, trump, turn = random_hands(rules, rng), rng.randrange(4), rng.randrange(rules.seats)
        play = laid(rules, trump, hands, turn, (), sides(rules)[0])
        trick: tuple[int, ...] = ()
        going = True
        while going:
            allowed = legal_mask(rules, trump, trick, hands[turn])
            assert legal(play) == ranked_mask(trump, allowed)
            assert play.seat == turn
            card = card_of(trump, choice(play))
            assert allowed >> card & 1
            going = put(play, ranked_card(trump, card))
            hands[turn] ^= 1 << card
            trick, turn = (*trick, card), (turn + 1) % rules.seats
            if len(trick) == rules.seats:
                turn, trick = (turn + trick_winner(trump, trick)) % rules.seats, ()
        assert not any(hands)


@pytest.mark.parametrize("rules", FORMS)
def test_all_points_are_taken_whether_the_end_is_solved_or_played(rules: Ruleset) -> None:
    rng = random.Random(f"points {rules.name} {rules.seats} {rules.pack}")
    for number in range(20):
        hands, trump = random_hands(rules, rng), rng.randrange(4)
        search = Search(
            table_of(rules), [ranked_mask(trump, hand) for hand in hands], sides(rules)[0], rules.last_trick
        )
        play = laid(rules, trump, hands, 0, (), sides(rules)[0])
        finish(play, number % 4, search)
        assert sum(play.taken) == sum(mask_points(trump, hand) for hand in hands) + rules.last_trick


@pytest.mark.parametrize("rules", FORMS)
def test_the_last_tricks_are_worth_what_the_solver_says(rules: Ruleset) -> None:
    rng = random.Random(f"last {rules.name} {rules.seats} {rules.pack}")
    for _ in range(30):
        trump, hands, turn, trick = random_ending(rules, rng, 3)
        if trick:
            continue
        mine = sides(rules)[0]
        search = Search(table_of(rules), [ranked_mask(trump, hand) for hand in hands], mine, rules.last_trick)
        play = laid(rules, trump, hands, turn, trick, mine)
        finish(play, 3, search)
        taken = sum(points for seat, points in enumerate(play.taken) if mine >> seat & 1)
        assert taken == solve(rules, trump, hands, turn, trick, mine)


def test_a_ten_goes_to_the_partner_who_takes_the_trick_and_a_low_card_to_opponents() -> None:
    others = ["8D 9D", "QS KS", "7D 8S"]
    assert chosen(["TC 7C", *others], "9C AC QC", 1) == "TC"
    assert chosen(["TC 7C", *others], "AC 9C QC", 1) == "7C"


def test_a_declarer_draws_trumps_and_a_defender_does_not() -> None:
    hands = ["JH 7C 7S", "8H 8C 9S", "9C 8D 7D", "7H TC TD"]
    assert chosen(hands, "", 0b0101) == "JH"
    assert chosen(["QH 7C 7S", *hands[1:]], "", 0b1010) != "QH"


def test_a_card_is_not_led_into_a_ruff() -> None:
    hands = ["AC AD 9S", "7H 8D 9D", "7C 7D 7S", "8C TD 8S"]
    assert chosen(hands, "", 0b1010) == "AD"
    assert parse_card("AD") in cards_of(parse_hand(hands[0]))
