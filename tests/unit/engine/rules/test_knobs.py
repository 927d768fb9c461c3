"""The table of knobs, row by row: what each ruleset has."""

import pytest

from belot_engine.rulesets import resolve

_NAMES = ("club", "bela", "classic", "announces")
_ROWS: dict[str, tuple[object, object, object, object]] = {
    "beat_plain": ("never", "until_ruffed", "never", "never"),
    "ruff": ("always", "always", "unless_partner", "unless_partner"),
    "turned_up": (True, False, True, True),
    "bidding_rounds": (2, 1, 2, 2),
    "nobody_chooses": ("dealer_chooses", "dealer_chooses", "redeal", "redeal"),
    "melds": (True, True, False, True),
    "melds_shown": ("after_first_trick", "before_play", "before_play", "after_first_trick"),
    "meld_tie": ("nobody", "earlier_in_turn", "earlier_in_turn", "nobody"),
    "full_run_wins": (False, True, False, False),
    "bela_points": (20, 20, 20, 20),
    "bela_announced": ("first", "second", "first", "first"),
    "bela_in_limit": (True, False, True, True),
    "last_trick": (10, 10, 10, 10),
    "sweep": (False, True, True, True),
    "sweep_bonus": (0, 90, 90, 90),
    "unit": (10, 1, 1, 1),
    "penalty": (10, 0, 0, 0),
    "bolts_per_penalty": (3, 0, 0, 0),
    "litige": ("none", "none", "carry", "carry"),
    "target": (101, 1001, 1000, 1000),
    "deals": (0, 0, 0, 0),
    "level_extension": (50, 0, 0, 0),
    "hand_size": (8, 8, 8, 8),
}


@pytest.mark.parametrize("knob", _ROWS)
def test_a_row_of_the_table(knob: str) -> None:
    assert tuple(getattr(resolve(name, 4, 32, {}), knob) for name in _NAMES) == _ROWS[knob]


@pytest.mark.parametrize("name", _NAMES)
def test_runs_and_fours_are_worth_the_same_everywhere(name: str) -> None:
    rules = resolve(name, 4, 32, {})
    assert rules.run_points == (0, 0, 0, 20, 50, 100, 100, 100, 100)
    assert rules.four_points == (0, 0, 150, 100, 200, 100, 100, 100)
