"""A seed is a course: played again, here or in another process, the very same things happen in the same order."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from robustness.histories import Finding
from simulation.__main__ import say
from simulation.plan import plan_of
from simulation.run import Outcome, simulate

TESTS = Path(__file__).parents[1]


@pytest.mark.parametrize("seed", [3, 16, 64])
def test_a_seed_played_twice_has_one_trace(seed: int) -> None:
    first: list[str] = []
    second: list[str] = []
    outcomes = simulate(seed, first), simulate(seed, second)
    assert first == second
    assert outcomes[0] == outcomes[1]
    assert any("dies" in line for line in first) == bool(outcomes[0].deaths)


def test_another_process_with_other_hashes_plays_the_same_course() -> None:
    expected = simulate(42).digest
    for hashes in ("1", "2"):
        environment = os.environ | {"PYTHONHASHSEED": hashes, "PYTHONPATH": os.pathsep.join([str(TESTS), *sys.path])}
        command = [sys.executable, "-m", "simulation", "--seed", "42"]
        ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        assert f"trace {expected}" in ran.stdout


def test_two_seeds_have_two_courses() -> None:
    assert simulate(5).digest != simulate(6).digest


def test_a_finding_names_the_seed_and_how_to_play_it_again(capsys: pytest.CaptureFixture[str]) -> None:
    outcome = Outcome(plan_of(7), "00", 1.0, 0, 0, (Finding("Unique", "t", "twice"),))
    assert say(outcome) == 1
    assert "--seed 7" in capsys.readouterr().out
