"""Values of the engine between processes, whether it is compiled or not."""

import pickle
import random

import pytest

from belot_bot.record import read_record
from belot_bot.travel import prepare
from belot_bot.view import seat_view
from belot_engine.analysis import analyse_deal
from belot_engine.match import legal_actions
from belot_engine.ruleset import Ruleset
from belot_fair.proof import write_proof
from support.playouts import every_form, steps
from support.proofs import Plan, played, proof_of

prepare()


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_views_actions_and_states_come_as_they_went(rules: Ruleset) -> None:
    for step in steps(rules, random.Random(f"travel {rules.name}")):
        legal = legal_actions(step.before)
        view = None if legal is None else seat_view(step.before, legal)
        for value in (view, step.action, step.applied):
            assert pickle.loads(pickle.dumps(value)) == value  # noqa: S301 - our own octets
        if step.before.hand_number > 1:
            break


def test_records_and_analyses_come_as_they_went() -> None:
    plan = Plan(ruleset="club", seats=4, pack=24, options=(("deals", "1"),))
    record = read_record(write_proof(proof_of(played(plan))))
    deal = analyse_deal(record.hands[0].played)
    assert pickle.loads(pickle.dumps((record, deal))) == (record, deal)  # noqa: S301 - our own octets
