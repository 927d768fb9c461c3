"""Which cards may be played, and which duty an illegal one breaks."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_engine.cards import PLAIN_ORDER, TRUMP_ORDER, cards_of, mask_of
from belot_engine.errors import Clause
from belot_engine.notation import hand_text, parse_card, parse_cards, parse_hand, parse_position, parse_suit
from belot_engine.play import beats, broken_clause, legal_mask, trick_points, trick_winner
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from support.playouts import every_form

_CASES = json.loads((Path(__file__).parents[2] / "golden" / "legal_cards.json").read_text())["cases"]


def _legal(position: str) -> str:
    where = parse_position(position)
    rules = resolve(where.ruleset, 4, 32, {})
    return hand_text(legal_mask(rules, where.trump, where.trick, where.hand))


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_a_disputed_position_has_exactly_these_legal_cards(case: dict[str, Any]) -> None:
    rules = resolve(case["ruleset"], 4, 32, {})
    trick = tuple(parse_card(card) for card in case["trick"])
    hand = mask_of(parse_card(card) for card in case["hand"])
    legal = legal_mask(rules, parse_suit(case["trump"]), trick, hand)
    assert hand_text(legal).split() == hand_text(mask_of(map(parse_card, case["legal"]))).split()


def test_the_leader_may_play_anything() -> None:
    assert _legal("bela H | | 7C 8D JH AS") == "7C 8D JH AS"


def test_a_void_player_must_trump() -> None:
    assert _legal("bela H | AC | 7D 7H") == "7H"


def test_a_void_player_without_trumps_may_play_anything() -> None:
    assert _legal("club H | AC | 7D 9S") == "7D 9S"


def test_bela_has_to_beat_until_the_trick_is_ruffed() -> None:
    assert _legal("bela S | 9H KH | 7H TH") == "TH"
    assert _legal("bela S | 9H 7S | 7H TH") == "7H TH"


def test_a_player_whose_partner_wins_is_free_in_classic_alone() -> None:
    assert _legal("classic S | AH 7H | 7D 8S") == "7D 8S"
    assert _legal("club S | AH 7H | 7D 8S") == "8S"


def test_the_first_opponent_is_no_partner() -> None:
    assert _legal("classic S | AH | 7D 8S") == "8S"
    assert _legal("classic S | 7H AH | 7D 8S") == "8S"


def test_nobody_has_a_partner_at_a_table_of_three() -> None:
    rules = resolve("club", 3, 32, {})
    rules = replace(rules, ruff="unless_partner")
    trick, hand = parse_cards("AH 7H"), parse_hand("7D 8S")
    assert legal_mask(rules, parse_suit("S"), trick, hand) == parse_hand("8S")


@pytest.mark.parametrize(
    ("position", "card", "clause"),
    [
        ("club H | AC | 7C 7H", "7H", Clause.MUST_FOLLOW),
        ("bela H | 9C | 7C TC", "7C", Clause.MUST_BEAT),
        ("club H | AC | 7D 7H", "7D", Clause.MUST_TRUMP),
        ("club H | AC 8H | 7D 7H 9H", "7D", Clause.MUST_TRUMP),
        ("club H | AC 8H | 7H 9H", "7H", Clause.MUST_OVERTRUMP),
        ("club H | 9H | 7H JH", "7H", Clause.MUST_RISE_IN_TRUMP),
        ("club H | 9H | 7H JH AC", "AC", Clause.MUST_FOLLOW),
    ],
)
def test_an_illegal_card_is_refused_with_its_clause(position: str, card: str, clause: Clause) -> None:
    where = parse_position(position)
    assert card not in _legal(position)
    assert broken_clause(where.trump, where.trick, where.hand, parse_card(card)) is clause


def test_the_winner_of_a_trick_is_its_best_trump_or_the_best_of_the_led_suit() -> None:
    assert trick_winner(parse_suit("H"), parse_cards("9C AC TC AD")) == 1
    assert trick_winner(parse_suit("H"), parse_cards("9C AC 7H 8H")) == 3
    assert trick_winner(parse_suit("C"), parse_cards("AC 9C JC TC")) == 2


def test_a_trick_is_worth_its_cards() -> None:
    assert trick_points(parse_suit("H"), parse_cards("JH 9H AC TC")) == 20 + 14 + 11 + 10


def _slow_legal(rules: Ruleset, trump: int, trick: tuple[int, ...], hand: int) -> set[int]:
    """The procedure of the rules once more, with lists and orders in place of masks and tables."""
    held = set(cards_of(hand))
    if not trick:
        return held

    def power(card: int) -> tuple[bool, int]:
        order = TRUMP_ORDER if card >> 3 == trump else PLAIN_ORDER
        return card >> 3 == trump, order[card & 7]

    led = trick[0] >> 3
    best = max((card for card in trick if card >> 3 in (led, trump)), key=power)
    ruffed = led != trump and best >> 3 == trump
    follow = {card for card in held if card >> 3 == led}
    if follow:
        rise = led == trump or (rules.name == "bela" and not ruffed)
        return {card for card in follow if rise and power(card) > power(best)} or follow
    trumps = {card for card in held if card >> 3 == trump}
    partner = rules.name in ("classic", "announces") and len(trick) >= 2 and trick[-2] == best
    if not trumps or partner:
        return held
    return {card for card in trumps if power(card) > power(best)} or trumps


@pytest.mark.parametrize("seed", range(3))
def test_masks_agree_with_the_plain_procedure(seed: int) -> None:
    rng = random.Random(seed)
    for rules in every_form():
        for _ in range(400):
            cards = rng.sample(cards_of(0xFFFFFFFF), rng.randint(1, 8) + rules.seats - 1)
            trick = tuple(cards[: rng.randint(0, rules.seats - 1)])
            hand, trump = mask_of(cards[rules.seats - 1 :]), rng.randrange(4)
            legal = set(cards_of(legal_mask(rules, trump, trick, hand)))
            assert legal == _slow_legal(rules, trump, trick, hand)
            assert legal


@pytest.mark.parametrize(("trump", "order"), [("H", "J9ATKQ87"), ("S", "ATKQJ987")])
def test_the_cards_of_a_suit_beat_each_other_in_their_order(trump: str, order: str) -> None:
    cards = [parse_card(rank + "H") for rank in order]
    for place, card in enumerate(cards):
        assert [beats(parse_suit(trump), card, other) for other in cards] == [False] * (place + 1) + [True] * (
            7 - place
        )


def test_a_card_beats_only_within_its_suit_or_as_a_trump() -> None:
    trump = parse_suit("H")
    assert beats(trump, parse_card("7H"), parse_card("AC"))
    assert beats(trump, parse_card("9H"), parse_card("AH"))
    assert not beats(trump, parse_card("9C"), parse_card("JC"))
    assert not beats(trump, parse_card("AD"), parse_card("7C"))
