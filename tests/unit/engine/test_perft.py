"""How many ways the cards of fixed deals can be played: the engine against a slow counter that shares nothing with it.

The numbers are kept, so that a change of both counters at once is seen, too.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from belot_engine.cards import cards_of
from belot_engine.deal_notation import parse_deal
from belot_engine.deal_state import state_of
from belot_engine.match import apply
from belot_engine.notation import hand_text, suit_text
from belot_engine.play import legal_mask, trick_winner
from belot_engine.state import MatchState, Phase, Play
from support.plain_rules import PLAIN_RULES, count_lines

_CASES = json.loads((Path(__file__).parents[2] / "golden" / "perft.json").read_text())["cases"]
_EACH = pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])


def _perft(state: MatchState, depth: int) -> int:
    """Lines of so many cards through the legality and the winners of the engine, as far as the deal goes."""
    hands, trick, turn = list(state.hands), state.trick, state.turn or 0
    return _lines(state, hands, trick, turn, depth)


def _lines(state: MatchState, hands: list[int], trick: tuple[int, ...], turn: int, depth: int) -> int:
    if depth == 0 or not hands[turn]:
        return 1
    rules, trump, seats = state.ruleset, state.trump or 0, state.seats
    legal = legal_mask(rules, trump, trick, hands[turn])
    if depth == 1:
        return legal.bit_count()
    lines = 0
    for card in cards_of(legal):
        left = list(hands)
        left[turn] ^= 1 << card
        cards, following = (*trick, card), (turn + 1) % seats
        if len(cards) == seats:
            cards, following = (), (following + trick_winner(trump, cards)) % seats
        lines += _lines(state, left, cards, following, depth - 1)
    return lines


@_EACH
def test_the_engine_counts_the_lines_that_are_known(case: dict[str, Any]) -> None:
    state = state_of(parse_deal(case["deal"]))
    assert [_perft(state, depth) for depth in range(1, len(case["lines"]) + 1)] == case["lines"]


@_EACH
def test_the_slow_counter_counts_the_same(case: dict[str, Any]) -> None:
    state = state_of(parse_deal(case["deal"]))
    hands = [hand_text(hand).split() for hand in state.hands]
    table = [hand_text(1 << card) for card in state.trick]
    depths = range(1, len(case["lines"]) + 1)
    rules, trump = PLAIN_RULES[state.ruleset.name], suit_text(state.trump or 0)
    counted = [count_lines(rules, hands, state.turn or 0, table, trump, depth) for depth in depths]
    assert counted == case["lines"]


@_EACH
def test_apply_counts_the_same_to_a_depth_of_three(case: dict[str, Any]) -> None:
    states = [state_of(parse_deal(case["deal"]))]
    for lines in case["lines"][:3]:
        states = [
            apply(state, state.turn, Play(card)).state
            for state in states
            for card in cards_of(legal_mask(state.ruleset, state.trump or 0, state.trick, state.hands[state.turn or 0]))
        ]
        assert len(states) == lines
        assert all(state.phase is Phase.PLAYING for state in states)
