"""The arena as a process that is killed, and against bots behind a BotService."""

import asyncio
import json
import random
import signal
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot.rules.v1 import match_pb2
from belot_bot.analysts import analysts
from belot_bot.servicer import SERVICE, registered
from belot_bot.thinking import thinkers
from belot_bot.view import seat_view
from belot_cli.main import main
from belot_cli.remote_bot import view_message
from belot_engine.match import legal_actions
from belot_engine.ruleset import Ruleset
from belot_kit.embedded.processes import process_alive
from belot_kit.grpc_server import Register
from belot_rules.convert.known import know
from belot_rules.convert.writing import write_state
from support import bot_client
from support.belot_command import BELOT, run
from support.eventually import eventually
from support.playouts import every_form, steps
from support.rules_client import served

ARENA = ("arena", "normal", "easy", "--ruleset", "club", "--pack", "24", "--json")


class Oddity(bot_pb2_grpc.BotServiceServicer):
    """Somebody's bot, with one answer to everything."""

    def __init__(self, answer: bot_pb2.ChooseResponse) -> None:
        self._answer = answer

    async def Choose(  # noqa: N802 - gRPC's name
        self, request: bot_pb2.ChooseRequest, context: object
    ) -> bot_pb2.ChooseResponse:
        return self._answer

    async def ListBotLevels(  # noqa: N802 - gRPC's name
        self, request: bot_pb2.ListBotLevelsRequest, context: object
    ) -> bot_pb2.ListBotLevelsResponse:
        return bot_pb2.ListBotLevelsResponse(levels=[bot_pb2.BotLevel(name="odd", policy="odd/3")])


def oddity(answer: bot_pb2.ChooseResponse) -> Register:
    return lambda server: bot_pb2_grpc.add_BotServiceServicer_to_server(Oddity(answer), server)


async def belot(*arguments: object) -> Result:
    """The command in a thread, so that servers here can answer it."""
    return await asyncio.to_thread(CliRunner().invoke, main, [str(argument) for argument in arguments])


def children(pid: int) -> set[int]:
    """Every process that this one started, and theirs."""
    found: set[int] = set()
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            found |= {child} | children(child)
    return found


async def test_killed_in_the_middle_it_goes_on_and_says_the_same(tmp_path: Path) -> None:
    file, deals = tmp_path / "arena.jsonl", 300
    command = (*BELOT, *ARENA, "--deals", str(deals), "--jobs", "2", "--resume", str(file))
    process = await asyncio.create_subprocess_exec(*command, stdout=asyncio.subprocess.DEVNULL)
    await eventually(lambda: file.exists() and file.read_bytes().count(b"\n") > 5, seconds=60)
    helpers = children(process.pid)
    process.send_signal(signal.SIGKILL)
    assert await process.wait() == -signal.SIGKILL
    assert len(helpers) >= 2
    await eventually(lambda: not any(map(process_alive, helpers)), seconds=60)
    kept = file.read_bytes().count(b"\n") - 1
    assert 5 <= kept < deals
    resumed = await run(*ARENA, "--deals", str(deals), "--jobs", "2", "--resume", str(file))
    whole = await run(*ARENA, "--deals", str(deals), "--jobs", "1")
    assert resumed[0] == whole[0] == 0
    assert json.loads(resumed[1]) == json.loads(whole[1])


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_a_bot_elsewhere_is_told_what_a_table_tells_it(rules: Ruleset) -> None:
    told, known = 0, know(rules)
    for step in steps(rules, random.Random(f"told {rules.name}")):
        legal = legal_actions(step.before)
        if step.before.hand_number:
            break
        if legal is not None:
            whole = bot_client.view_message(write_state(known, step.before), bot_client.turn_message(step.before))
            assert view_message(seat_view(step.before, legal), known) == whole
            told += 1
    assert told > rules.seats * rules.hand_size


async def test_a_level_plays_behind_its_service_as_it_plays_here() -> None:
    async with thinkers(1) as pool, analysts(1) as solving, served(registered(pool, solving), SERVICE) as address:
        result = await belot(
            "arena", "normal", f"grpc://{address}#normal", "--deals", 4, "--jobs", 1, "--json", "--ruleset", "classic"
        )
        unknown = await belot("arena", "normal", f"grpc://{address}#none", "--deals", 4)
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout.splitlines()[-1])
    assert answer["b"] == {"name": f"grpc://{address}#normal", "policy": "normal/1"}
    assert answer["card_points"] == {"mean": 0.0, "half_width": 0.0, "low": 0.0, "high": 0.0}
    assert unknown.exit_code == 2
    assert "it offers easy, normal" in unknown.stderr


ODD: list[tuple[bot_pb2.ChooseResponse, str]] = [
    (bot_pb2.ChooseResponse(action=match_pb2.Action(play=match_pb2.Play(card=1))), "is refused"),  # type: ignore[arg-type]
    (bot_pb2.ChooseResponse(), "what is no action"),
    (
        bot_pb2.ChooseResponse(level="normal", fallback=bot_pb2.FALLBACK_DEADLINE),
        "normal decided in place of odd",
    ),
]


@pytest.mark.parametrize(("answer", "why"), ODD, ids=["illegal", "empty", "fallback"])
@pytest.mark.parametrize("jobs", [1, 2])
async def test_a_bot_that_does_not_play_by_the_rules_stops_the_arena_with_status_1(
    tmp_path: Path, answer: bot_pb2.ChooseResponse, why: str, jobs: int
) -> None:
    file = tmp_path / "arena.jsonl"
    async with served(oddity(answer), SERVICE) as address:
        result = await belot("arena", f"grpc://{address}", "easy", "--deals", 4, "--jobs", jobs, "--resume", file)
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith("belot arena: deal ")
    assert why in result.stderr
    assert "what was finished is kept" in result.stderr
    assert json.loads(file.read_text().splitlines()[0])["a_policy"] == "odd/3"
