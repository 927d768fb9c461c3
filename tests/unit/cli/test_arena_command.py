"""`belot arena`: figures, files to go on with, and whoever cannot play."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from belot_bot.view import seat_view
from belot_cli.arena_file import arena_file
from belot_cli.contestants import at_random, contestant
from belot_cli.main import main
from belot_engine.match import apply, legal_actions
from belot_engine.rulesets import resolve
from support.playouts import Step, steps

USUAL = ("arena", "normal", "easy", "--ruleset", "club", "--pack", 24, "--jobs", 1)


def belot(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def told(*arguments: object) -> Any:
    result = belot(*USUAL, *arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_json_has_these_keys() -> None:
    answer = told("--deals", 3)
    assert list(answer) == [
        "a", "b", "ruleset", "players", "pack", "seed", "engine", "deals", "card_points", "score",
    ]  # fmt: skip
    assert answer["a"] == {"name": "normal", "policy": "normal/1"}
    assert list(answer["ruleset"]) == ["name", "version", "hash"]
    assert (answer["players"], answer["pack"], answer["seed"], answer["deals"]) == (4, 24, "7", 3)
    points = answer["card_points"]
    assert list(points) == list(answer["score"]) == ["mean", "half_width", "low", "high"]
    assert points["high"] - points["mean"] == pytest.approx(points["half_width"])


def test_the_same_seed_gives_the_same_answer_and_another_one_another() -> None:
    assert told("--deals", 12) == told("--deals", 12)
    assert told("--deals", 12) != told("--deals", 12, "--seed", 8)


def test_processes_change_nothing() -> None:
    assert told("--deals", 12) == told("--deals", 12, "--jobs", 2)


def test_in_several_sittings_it_comes_to_the_same(tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    told("--deals", 5, "--resume", file)
    first = file.read_bytes()
    with file.open("ab") as stream:
        stream.write(b"[5, 12.0")  # killed while it wrote
    resumed = told("--deals", 12, "--resume", file)
    assert resumed == told("--deals", 12)
    assert file.read_bytes().startswith(first)
    numbers = [json.loads(line)[0] for line in file.read_text().splitlines()[1:]]
    assert sorted(numbers) == list(range(12))
    assert told("--deals", 5, "--resume", file) == told("--deals", 5)


def test_finished_deals_are_not_played_again(tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    told("--deals", 4, "--resume", file)
    changed = file.read_text().splitlines()
    changed[1] = json.dumps([json.loads(changed[1])[0], 1000.0, 0.0])
    file.write_text("\n".join(changed) + "\n")
    assert told("--deals", 4, "--resume", file)["card_points"]["mean"] > 200


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        (("arena", "easy", "easy", "--ruleset", "club", "--pack", 24), "another a and a_policy"),
        ((*USUAL, "--seed", "8"), "another seed"),
        ((*USUAL, "--option", "target=51"), "another ruleset"),
    ],
)
def test_the_file_of_another_arena_is_left_alone(tmp_path: Path, changed: tuple[object, ...], why: str) -> None:
    file = tmp_path / "arena.jsonl"
    told("--deals", 2, "--resume", file)
    before = file.read_bytes()
    result = belot(*changed, "--deals", 2, "--resume", file)
    assert result.exit_code == 2
    assert why in result.stderr
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", ["hello\n", '{"format": "other"}\n', "[1, 2]\n"])
def test_a_file_of_something_else_is_left_alone(tmp_path: Path, content: str) -> None:
    file = tmp_path / "notes.txt"
    file.write_text(content)
    result = belot(*USUAL, "--deals", 2, "--resume", file)
    assert result.exit_code == 2
    assert "no file of an arena" in result.stderr
    assert file.read_text() == content


def test_two_arenas_do_not_write_to_one_file(tmp_path: Path) -> None:
    file = tmp_path / "arena.jsonl"
    told("--deals", 2, "--resume", file)
    head = json.loads(file.read_text().splitlines()[0])
    about = {name: value for name, value in head.items() if name != "format"}
    with arena_file(file, about) as kept:
        assert sorted(kept.finished) == [0, 1]
        result = belot(*USUAL, "--deals", 2, "--resume", file)
    assert result.exit_code == 2
    assert "another process writes to it" in result.stderr


def test_people_read_who_is_ahead_and_what_runs() -> None:
    lines = belot(*USUAL, "--deals", 30).stdout.splitlines()
    assert lines[0] == "arena        A normal (normal/1)  B easy (easy/1)"
    assert lines[1] == "ruleset      club, 4 players, 24 cards; seed 7"
    assert lines[2] in ("engine       pure Python, 1 process", "engine       compiled, 1 process")
    assert lines[3].startswith("card points")
    assert lines[3].endswith("a deal for A (95 %): A ahead")
    assert lines[5] == "over 30 duplicate deals, each played once for each of 2 sides"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("arena", "best", "easy"), "there is no 'best': random, easy, normal"),
        (("arena", "easy", "grpc://127.0.0.1:1"), "UNAVAILABLE"),
        (("arena", "easy", "normal", "--deals", 1), "--deals"),
        (("arena", "easy", "normal", "--ruleset", "whist"), "whist"),
        (("arena", "easy", "normal", "--players", 3), "players"),
    ],
)
def test_what_cannot_be_played_ends_with_status_2(arguments: tuple[object, ...], why: str) -> None:
    result = belot(*arguments)
    assert result.exit_code == 2
    assert why in result.stderr


def match_of(name: str, pack: int) -> Iterator[Step]:
    return steps(resolve(name, 4, pack, {}), random.Random("random plays"))


def test_random_plays_every_legal_action_and_the_same_one_with_the_same_seed() -> None:
    seen = set()
    for step in (*match_of("club", 24), *match_of("bela", 32)):
        legal = legal_actions(step.before)
        if legal is None or step.before.hand_number > 2:
            continue
        view, seed = seat_view(step.before, legal), bytes((step.before.hand_number, legal.seat))
        chosen = at_random(view, seed)
        apply(step.before, legal.seat, chosen)
        assert chosen == at_random(view, seed)
        seen.add(type(chosen).__name__)
        others = {at_random(view, bytes((number,))) for number in range(80)}
        assert legal.cards.bit_count() == 0 or len(others) == legal.cards.bit_count()
    assert seen == {"Play", "Pass", "Accept", "Choose"}
    assert contestant("random").policy == "random/1"
