"""The first lead, the first word and the first packet are those of the seat after the dealer; the dealer moves on."""

import random

import pytest

from belot_engine.events import DealStarted
from belot_engine.match import needs, start
from belot_engine.ruleset import Ruleset
from belot_engine.state import Phase
from support.playouts import every_form, steps

_EACH = pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")


@_EACH
@pytest.mark.parametrize("first_dealer", range(4))
def test_the_seat_after_the_dealer_leads_first(rules: Ruleset, first_dealer: int) -> None:
    dealer = first_dealer % rules.seats
    for step in steps(rules, random.Random(first_dealer), dealer):
        state = step.applied.state
        if state.phase is Phase.PLAYING and not state.tricks and not state.trick:
            assert state.turn == (state.dealer + 1) % rules.seats
        if state.phase is Phase.BIDDING and not state.bids:
            assert state.turn == (state.dealer + 1) % rules.seats


@_EACH
def test_the_first_packet_goes_to_the_seat_after_the_dealer(rules: Ruleset) -> None:
    for dealer in range(rules.seats):
        need = needs(start(rules, dealer))
        assert need is not None
        assert need.places[0] == (0, (dealer + 1) % rules.seats)


@_EACH
def test_hand_k_is_dealt_by_the_kth_seat_after_the_first_dealer(rules: Ruleset) -> None:
    first = rules.seats - 1
    for step in steps(rules, random.Random(9), first):
        for event in step.applied.events:
            if isinstance(event, DealStarted):
                assert event.dealer == (first + event.hand_number) % rules.seats
