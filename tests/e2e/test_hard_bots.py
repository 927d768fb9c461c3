"""A match of hard bots through a fleet of processes, and everything they chose computed again from the proof alone."""

import json
from pathlib import Path

from belot_bot.policy import POLICIES
from belot_bot.view import seat_view
from belot_engine.state import Action
from belot_fair.playlog import Actor, ActorKind, decode_play_log
from belot_fair.proof import read_proof
from belot_fair.verify import failed_points, verify_proof
from belot_fair.verify_plays import BotTurn
from support.belot_command import run

HARD, NORMAL = (next(policy for policy in POLICIES if policy.level == level) for level in ("hard", "normal"))


def as_normal(turn: BotTurn) -> Action:
    """What normal does where hard was asked."""
    return NORMAL.choose(seat_view(turn.state, turn.legal, turn.seen), turn.seed)


async def test_a_match_of_hard_bots_is_proven_decision_by_decision(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    asked = ("--bots", "hard", "--ruleset", "bela", "--deals", "1", "--save", str(file))
    status, said = await run("play", "--auto", *asked, "--beacon", "dev", "--state-dir", str(tmp_path / "state"))
    assert status == 0, said
    status, said = await run("verify", str(file), "--accept-dev", "--json")
    assert status == 0, said
    (bots,) = (point for point in json.loads(said)["points"] if point["name"] == "bots")
    proof = read_proof(file.read_bytes())
    log = decode_play_log(proof.play_log)
    assert {entry.actor for entry in log.entries} == {Actor(ActorKind.BOT, level="hard", policy=HARD.version)}
    assert (bots["verdict"], f"All {len(log.entries)} decisions" in bots["sentence"]) == ("proven", True)
    assert failed_points(verify_proof(proof, accept_chains=[proof.chain], bot_policy=as_normal)) == ("bots",)
