"""What the normal bot knows of other hands: never more than was to be seen, and nothing that is not so."""

import random
from dataclasses import replace
from math import comb

import pytest

from belot_bot.memory import remember
from belot_bot.view import SeatView, seat_view
from belot_engine.cards import SUIT_MASK, mask_of
from belot_engine.events import Event
from belot_engine.match import legal_actions
from belot_engine.notation import parse_card, parse_cards, parse_hand
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import LegalActions, MatchState, Phase, Trick
from support.playouts import every_form, steps

HEARTS = 2


def view(name: str = "club", trick: str = "", tricks: tuple[Trick, ...] = (), hand: str = "7C 8C") -> SeatView:
    cards = parse_hand(hand)
    return SeatView(
        rules=resolve(name, 4, 32, {}),
        seat=0,
        dealer=3,
        hand=cards,
        up_card=parse_card("9H"),
        bids=(),
        declarer=1,
        trump=HEARTS,
        tricks=tricks,
        trick=parse_cards(trick),
        legal=LegalActions(0, cards=cards),
    )


def positions(rules: Ruleset, seed: str) -> list[MatchState]:
    states = [step.before for step in steps(rules, random.Random(seed))]
    return [state for state in states if state.phase is Phase.PLAYING]


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_every_real_hand_is_among_those_thought_possible(rules: Ruleset) -> None:
    for state in positions(rules, f"possible {rules.name} {rules.seats} {rules.pack}"):
        legal = legal_actions(state)
        assert legal is not None
        memory = remember(seat_view(state, legal))
        for seat, hand in enumerate(state.hands):
            assert memory.sizes[seat] == hand.bit_count()
            if seat != legal.seat:
                assert not hand & ~(memory.possible[seat] | memory.sure[seat])
                assert not memory.sure[seat] & ~hand


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_nothing_is_known_that_depends_on_hidden_cards(rules: Ruleset) -> None:
    seen: list[Event] = []
    for step in steps(rules, random.Random(f"hidden {rules.name} {rules.seats} {rules.pack}")):
        state, legal = step.before, legal_actions(step.before)
        if legal is not None:
            hidden = tuple(hand if seat == legal.seat else 0 for seat, hand in enumerate(state.hands))
            public = [event for event in seen if event.seat is None]
            assert seat_view(replace(state, hands=hidden), legal, public) == seat_view(state, legal)
        seen += step.applied.events


def test_who_does_not_follow_is_out_of_the_suit_and_who_may_not_discard_out_of_trumps() -> None:
    memory = remember(view(trick="AC 7D 9C"))
    assert not memory.possible[2] & (SUIT_MASK[0] | SUIT_MASK[HEARTS])
    assert memory.possible[3] & SUIT_MASK[0]


def test_a_discard_on_a_winning_partner_says_nothing_of_trumps_where_it_is_free() -> None:
    # Seat 1 leads, seat 3 discards on its partner's ace.
    memory = remember(view("classic", trick="AC 7C 7D", hand="8C 9C"))
    assert not memory.possible[3] & SUIT_MASK[0]
    assert memory.possible[3] & SUIT_MASK[HEARTS]


def test_a_lower_trump_shows_that_no_higher_one_was_held() -> None:
    memory = remember(view(trick="7C 9H 8H"))
    higher_than_the_nine = mask_of(parse_cards("JH"))
    assert not memory.possible[3] & higher_than_the_nine
    assert memory.possible[3] & mask_of(parse_cards("AH"))


def test_following_without_beating_shows_that_nothing_higher_was_held_where_that_is_a_duty() -> None:
    risen = remember(view(trick="9H 8H"))
    assert not risen.possible[3] & mask_of(parse_cards("JH"))
    beaten = remember(view("bela", trick="TC 9C"))
    assert not beaten.possible[3] & mask_of(parse_cards("AC"))
    assert remember(view("club", trick="TC 9C")).possible[3] & mask_of(parse_cards("AC"))


def test_the_card_turned_up_is_known_to_be_with_the_declarer_until_it_is_played() -> None:
    memory = remember(view())
    nine = 1 << parse_card("9H")
    assert memory.sure[1] == nine
    assert memory.lacks(1, nine) == 0.0
    assert memory.lacks(2, nine) == 1.0
    assert remember(view(trick="9H")).sure[1] == 0


def test_the_chance_to_lack_cards_is_that_of_a_random_hand() -> None:
    memory = remember(replace(view(hand="7C 8C 9C TC JC QC KC AC"), up_card=None))
    wanted = parse_hand("JH 9H")
    assert memory.lacks(2, wanted) == pytest.approx(comb(22, 8) / comb(24, 8))
    assert memory.lacks(2, 0) == 1.0
