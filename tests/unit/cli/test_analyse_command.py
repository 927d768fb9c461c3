"""`belot analyse` on good, short of budget and foreign files."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from belot_cli.main import main
from belot_fair.proof import write_proof
from support.proofs import Plan, played, proof_of


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The proof of a short match."""
    file = tmp_path_factory.mktemp("proofs") / "match.json"
    plan = Plan(ruleset="club", seats=4, pack=24, options=(("deals", "2"),), bots=(1, 3))
    file.write_bytes(write_proof(proof_of(played(plan))))
    return file


def belot(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def told(file: Path, *options: object) -> Any:
    result = belot("analyse", file, "--jobs", 1, "--json", *options)
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_json_has_these_keys(file: Path) -> None:
    answer = told(file)
    assert list(answer) == ["match_id", "ruleset", "engine", "budget", "deals", "costs", "totals"]
    assert list(answer["deals"][0]) == [
        "hand",
        "dealer",
        "declarer",
        "trump",
        "first_trick",
        "par",
        "taken",
        "luck",
        "skill",
        "adjusted",
        "score",
        "claim",
        "cards",
        "costs",
    ]
    card = answer["deals"][0]["cards"][0]
    assert list(card) == ["decision", "trick", "seat", "by", "card", "cost", "best", "options"]
    assert list(answer["costs"][0]) == ["seat", "by", "cards", "cost"]
    assert list(answer["totals"]) == ["deals", "par", "taken", "luck", "skill", "adjusted"]
    assert answer["engine"] in ("pure Python", "compiled")
    assert card["options"][card["card"]] == card["cost"]
    assert card["options"][card["best"]] == 0


def test_figures_add_up(file: Path) -> None:
    for deal in told(file)["deals"]:
        own, others = (sum(each["cost"] for each in deal["cards"] if each["seat"] % 2 == side) for side in range(2))
        assert deal["taken"][0] == deal["par"][0] - own + others
        assert deal["first_trick"] == 0
        assert sum(deal["taken"]) == 162


def test_processes_change_nothing(file: Path) -> None:
    assert belot("analyse", file, "--json", "--jobs", 2).stdout == belot("analyse", file, "--json", "--jobs", 1).stdout


def test_people_read_cards_costs_and_sums_within_80_columns(file: Path) -> None:
    result = belot("analyse", file, "--jobs", 1)
    lines = result.stdout.splitlines()
    assert result.exit_code == 0
    assert all(len(line) <= 80 for line in lines)
    assert sum(line.startswith("── deal ") for line in lines) == 2
    dear = next(each for each in told(file)["deals"][0]["cards"] if each["cost"])
    assert any(
        f"seat {dear['seat']} ({dear['by']})" in line and f"costs {dear['cost']}, best" in line for line in lines
    )
    assert any(line.startswith("seat 3     easy ") for line in lines)
    assert "over 2 of 2 deals, those solved whole and played out" in result.stdout


def test_a_small_budget_is_said_in_the_answer(file: Path) -> None:
    deal = told(file, "--budget", 3)["deals"][0]
    assert deal["first_trick"] > 0
    early = deal["cards"][0]
    assert (early["cost"], early["best"], early["options"]) == (None, None, {})
    text = belot("analyse", file, "--jobs", 1, "--budget", 3).stdout
    assert f"solved from trick {deal['first_trick'] + 1} on: 3 positions do not reach further back" in text


@pytest.mark.parametrize("octets", [b"", b"{}", b'{"format":"belot.club/proof"}'])
def test_a_file_that_is_no_proof_ends_with_status_2(tmp_path: Path, octets: bytes) -> None:
    file = tmp_path / "broken.json"
    file.write_bytes(octets)
    result = belot("analyse", file)
    assert result.exit_code == 2
    assert f"{file} cannot be analysed" in result.stderr
    missing = belot("analyse", tmp_path / "nowhere.json")
    assert missing.exit_code == 2
    assert "cannot be read" in missing.stderr
