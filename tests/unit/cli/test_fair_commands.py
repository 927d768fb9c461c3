"""`belot fair`: every published pack and beacon at the command line, and what cannot be read."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from belot_cli.main import main

_GOLDEN = Path(__file__).parents[2] / "golden"
_DECK = json.loads((_GOLDEN / "deck.json").read_text())
_DRAND = json.loads((_GOLDEN / "drand_quicknet.json").read_text())
_PACKS = _DECK["vectors"]
_FALLBACKS = [vector for vector in _PACKS if vector["drand_round"] in (0, "0")]
_MISTAKES = _DECK["mistakes"]
_REAL = _DRAND["vectors"][0]


def ran(*arguments: str) -> tuple[int, str]:
    """Exit status and standard output."""
    result = CliRunner().invoke(main, arguments)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout


def refusal(*arguments: str) -> str:
    """What the command says on standard error when it cannot read what it was told."""
    result = CliRunner().invoke(main, arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def pack_arguments(vector: dict[str, Any], **changed: str) -> list[str]:
    """The command for a vector, with options changed."""
    options = {
        "--server-seed": vector["server_seed"],
        "--hand": str(vector["hand"]),
        "--seeds": ",".join(seed or "-" for seed in vector["seeds"]),
        "--round": str(vector["drand_round"]),
        "--value": vector["drand_value"],
        "--pack": str(vector.get("pack_size", 32)),
    }
    options |= {f"--{name.replace('_', '-')}": value for name, value in changed.items()}
    return ["fair", "pack", *(word for option in options.items() for word in option), "--json"]


@pytest.mark.parametrize("vector", _PACKS, ids=[vector["id"] for vector in _PACKS])
def test_every_published_pack_comes_out(vector: dict[str, Any]) -> None:
    status, said = ran(*pack_arguments(vector))
    assert status == 0
    assert json.loads(said) == {"pack": vector["pack_cards"].split(), "commitment": vector["commitment"]}


@pytest.mark.parametrize("vector", _FALLBACKS, ids=[vector["id"] for vector in _FALLBACKS])
def test_a_fallback_needs_no_round_and_no_value(vector: dict[str, Any]) -> None:
    seeds = ",".join(seed or "-" for seed in vector["seeds"])
    told = ("--server-seed", vector["server_seed"], "--hand", str(vector["hand"]), "--seeds", seeds, "--json")
    status, said = ran("fair", "pack", *told)
    assert (status, json.loads(said)["pack"]) == (0, vector["pack_cards"].split())


def test_the_pack_of_the_named_mistakes_is_the_right_one() -> None:
    status, said = ran(*pack_arguments(_MISTAKES["input"]))
    assert (status, json.loads(said)["pack"]) == (0, _MISTAKES["right"].split())


def test_seeds_that_are_not_32_octets_are_refused_without_being_repeated() -> None:
    long, short = _DECK["hmac_key_traps"]
    for seed in (long["server_seed"], short["server_seed_b"], _PACKS[0]["server_seed"][2:], ""):
        said = refusal(*pack_arguments(_PACKS[0], server_seed=seed))
        assert "--server-seed: this has" in said
        assert len(seed) < 8 or seed not in said


@pytest.mark.parametrize(
    ("option", "value", "told"),
    [
        ("server_seed", "zz" * 32, "--server-seed: this is not hex"),
        ("hand", "-1", "--hand: '-1' is no number"),
        ("hand", str(2**32), "hand"),
        ("seeds", "-", "1 seats, and a table has"),
        ("seeds", "-,-,-,-,-", "5 seats, and a table has"),
        ("seeds", "-,ab", "--seeds: this has 1 octets"),
        ("seeds", "-,,-", "--seeds: this has 0 octets"),
        ("round", "0", "--round: round 0 goes with"),
        ("round", "one", "--round: 'one' is no number"),
        ("round", str(2**64), "round"),
        ("value", "00" * 32, "--round: round 0 goes with"),
        ("value", "00" * 31, "--value: this has 31 octets"),
        ("pack", "28", "--pack: a pack has 24 or 32"),
    ],
)
def test_what_the_recipe_does_not_take_is_refused_by_the_option_to_change(option: str, value: str, told: str) -> None:
    assert told in refusal(*pack_arguments(_PACKS[0], **{option: value}))


def test_a_round_without_its_value_is_refused() -> None:
    arguments = pack_arguments(_PACKS[0])
    at = arguments.index("--value")
    assert "say round and value" in refusal(*arguments[:at], *arguments[at + 2 :])


@pytest.mark.parametrize("vector", _DRAND["vectors"], ids=[vector["round"] for vector in _DRAND["vectors"]])
def test_every_published_beacon_holds(vector: dict[str, Any]) -> None:
    status, said = ran("fair", "beacon", "--round", vector["round"], "--signature", vector["signature"], "--json")
    assert (status, json.loads(said)) == (0, {"valid": True, "value": vector["randomness"]})


@pytest.mark.parametrize("forgery", _DRAND["negative"], ids=[forgery["id"] for forgery in _DRAND["negative"]])
def test_every_forged_beacon_is_refused_with_a_reason(forgery: dict[str, Any]) -> None:
    status, said = ran("fair", "beacon", "--round", forgery["round"], "--signature", forgery["signature"], "--json")
    answer = json.loads(said)
    assert (status, answer["valid"]) == (1, False)
    assert answer["reason"]
    assert "value" not in answer


@pytest.mark.parametrize(
    ("round", "signature"), [("-1", _REAL["signature"]), (str(2**64), "00"), ("1", "0"), ("1", "xy")]
)
def test_what_cannot_be_a_beacon_is_refused_too(round: str, signature: str) -> None:
    status, said = ran("fair", "beacon", "--round", round, "--signature", signature, "--json")
    assert (status, json.loads(said)["valid"]) == (1, False)


@pytest.mark.parametrize("round", ["", "one", "1.0", "0x1", "1_0"])
def test_a_round_that_is_no_number_cannot_be_read(round: str) -> None:
    assert "--round" in refusal("fair", "beacon", "--round", round, "--signature", _REAL["signature"], "--json")


def test_people_get_lines() -> None:
    arguments = pack_arguments(_PACKS[0])[:-1]
    assert ran(*arguments)[1].splitlines()[0] == f"pack        {_PACKS[0]['pack_cards']}"
    beacon = ("fair", "beacon", "--round", _REAL["round"], "--signature")
    assert ran(*beacon, _REAL["signature"]) == (0, f"valid  value {_REAL['randomness']}\n")
    assert ran(*beacon, "00")[1] == "REFUSED: a signature is exactly 48 octets\n"


def process(*arguments: str) -> tuple[int, Any]:
    """Exit status and JSON of a real process."""
    command = (sys.executable, "-m", "belot_cli.main", *arguments)
    done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    return done.returncode, json.loads(done.stdout)


def test_a_real_process_answers_the_same() -> None:
    vector = next(each for each in _PACKS if None in each["seeds"])
    assert process(*pack_arguments(vector)) == (
        0,
        {"pack": vector["pack_cards"].split(), "commitment": vector["commitment"]},
    )
    forged = next(each for each in _DRAND["negative"] if each["id"].startswith("torsion"))
    status, answer = process("fair", "beacon", "--round", forged["round"], "--signature", forged["signature"], "--json")
    assert (status, answer["valid"]) == (1, False)
