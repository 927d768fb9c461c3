"""Bela, belote: 20 for king and queen of trumps in one hand, told with the first card or with the second."""

import random

import pytest

from belot_engine.cards import BELA_MASK
from belot_engine.events import BelaAnnounced, CardPlayed
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from support.playouts import every_form, steps

_EACH = pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")


@pytest.mark.parametrize(
    ("name", "told"), [("club", "first"), ("bela", "second"), ("classic", "first"), ("announces", "first")]
)
def test_with_which_card_it_is_told(name: str, told: str) -> None:
    rules = resolve(name, 4, 32, {})
    assert (rules.bela_announced, rules.bela_points) == (told, 20)


@_EACH
def test_it_is_told_with_one_card_of_the_pair_and_once_a_deal(rules: Ruleset) -> None:
    played, told = 0, 0
    for step in steps(rules, random.Random(23)):
        pair = BELA_MASK[step.before.trump or 0]
        for event in step.applied.events:
            if isinstance(event, CardPlayed) and pair >> event.card & 1:
                played += 1
            if isinstance(event, BelaAnnounced):
                told += 1
                assert pair >> step.applied.events[0].card & 1
                assert rules.bela_announced == "first" or played == 2
        if step.applied.state.hand_number != step.before.hand_number:
            assert told <= 1
            played = told = 0
