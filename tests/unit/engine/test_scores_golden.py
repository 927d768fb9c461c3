"""Every worked number of the rules, one deal each."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from belot_engine.cards import side_count
from belot_engine.outcome import DealOutcome
from belot_engine.rulesets import resolve
from belot_engine.scoring import fresh_standing, score_deal, standing_after

_CASES = json.loads((Path(__file__).parents[2] / "golden" / "scores.json").read_text())["cases"]


def _tuples(value: dict[str, Any]) -> dict[str, Any]:
    return {name: tuple(item) if isinstance(item, list) else item for name, item in value.items()}


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["id"])
def test_a_deal_scores_as_worked_out(case: dict[str, Any]) -> None:
    rules = resolve(case["ruleset"], case["seats"], case["pack"], case["options"])
    before = replace(fresh_standing(rules, side_count(rules.seats)), **_tuples(case.get("before", {})))
    sheet = score_deal(rules, before, 0, 0, DealOutcome(**_tuples(case["outcome"])))
    assert {name: getattr(sheet, name) for name in case["expect"]} == _tuples(case["expect"])


@pytest.mark.parametrize("case", [case for case in _CASES if case["seats"] == 4], ids=lambda case: case["id"])
def test_swapping_the_sides_swaps_the_scores(case: dict[str, Any]) -> None:
    rules = resolve(case["ruleset"], case["seats"], case["pack"], case["options"])
    before = replace(fresh_standing(rules, 2), **_tuples(case.get("before", {})))
    outcome = DealOutcome(**_tuples(case["outcome"]))
    swapped = replace(
        outcome,
        declarer=1 - outcome.declarer,
        last=1 - outcome.last,
        **{name: getattr(outcome, name)[::-1] for name in ("points", "tricks", "melds", "bela", "turn_order")},
    )
    mirrored = replace(before, totals=before.totals[::-1], bolts=before.bolts[::-1])
    sheet, mirror = score_deal(rules, before, 0, 0, outcome), score_deal(rules, mirrored, 0, 0, swapped)
    assert sheet.scores == mirror.scores[::-1]
    assert sheet.contract is mirror.contract
    assert standing_after(before, sheet).totals == standing_after(mirrored, mirror).totals[::-1]
