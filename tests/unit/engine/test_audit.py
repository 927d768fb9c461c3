"""The engine checks itself: what cannot be is noticed."""

import random
from dataclasses import replace
from typing import Any

import pytest

from belot_engine.audit import audit, check_outcome, check_tally
from belot_engine.errors import AuditBreach
from belot_engine.events import Contract, LineKind, ScoreLine
from belot_engine.outcome import DealOutcome, Tally
from belot_engine.rulesets import resolve
from belot_engine.scoring import fresh_standing
from belot_engine.state import MatchState, Phase
from support.playouts import steps

_BELA = resolve("bela", 4, 32, {})
_GOOD = DealOutcome(0, (100, 62), (5, 3), (20, 0), (0, 20), 0, (1, 0))


def test_a_possible_outcome_passes() -> None:
    check_outcome(_BELA, _GOOD)


@pytest.mark.parametrize(
    "change",
    [
        {"points": (100, 63)},
        {"points": (162, 0, 0)},
        {"points": (172, -10)},
        {"tricks": (5, 4)},
        {"tricks": (8, 0)},
        {"last": 1, "points": (160, 2)},
        {"last": 2},
        {"declarer": 2},
        {"melds": (20, 20)},
        {"bela": (20, 20)},
        {"bela": (10, 0)},
        {"turn_order": (0, 0)},
        {"out_points": 10, "points": (90, 62)},
    ],
)
def test_an_impossible_outcome_is_noticed(change: dict[str, Any]) -> None:
    with pytest.raises(AuditBreach):
        check_outcome(_BELA, replace(_GOOD, **change))


def test_melds_in_a_game_without_are_noticed() -> None:
    with pytest.raises(AuditBreach):
        check_outcome(resolve("classic", 4, 32, {}), _GOOD)


@pytest.mark.parametrize(
    "change", [{"scores": (100, 64)}, {"held": 1}, {"contract": Contract.CANCELLED}, {"bolts": (-1, 0)}]
)
def test_scores_that_do_not_add_up_are_noticed(change: dict[str, Any]) -> None:
    good = Tally(Contract.MADE, (100, 62), (ScoreLine(LineKind.CARDS, (100, 62)),), (0, 0), 0)
    standing = fresh_standing(_BELA, 2)
    check_tally(_BELA, standing, _GOOD, good)
    with pytest.raises(AuditBreach):
        check_tally(_BELA, standing, _GOOD, replace(good, **change))


def _middle() -> MatchState:
    """A state with finished tricks and cards on the table."""
    for step in steps(_BELA, random.Random(6)):
        state = step.applied.state
        if len(state.tricks) == 3 and len(state.trick) == 2:
            break
    audit(state)
    return state


def test_a_broken_state_is_noticed() -> None:
    state = _middle()
    hands, trick = state.hands, state.tricks[1]
    broken = [
        replace(state, turn=((state.turn or 0) + 1) % 4),
        replace(state, turn=None),
        replace(state, hands=(hands[0] | hands[1], *hands[1:])),
        replace(state, hands=(hands[0] & hands[0] - 1, *hands[1:])),
        replace(state, hands=(hands[0] | 1 << state.trick[0], *hands[1:])),
        replace(state, tricks=(state.tricks[0], replace(trick, winner=(trick.winner + 1) % 4), state.tricks[2])),
        replace(state, tricks=(state.tricks[0], state.tricks[0], state.tricks[2])),
        replace(state, phase=Phase.FINISHED),
        replace(state, trump=None),
        replace(state, standing=replace(state.standing, totals=(1, 0))),
    ]
    for number, wrong in enumerate(broken):
        with pytest.raises(AuditBreach):
            audit(wrong)
        assert wrong != state, number
