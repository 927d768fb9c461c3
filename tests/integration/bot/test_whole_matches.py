"""Bots play whole matches over gRPC: a real bot server decides, a real rules server judges."""

import random
from itertools import cycle, islice

import pytest

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot.rules.v1 import match_pb2, rules_pb2_grpc
from belot_bot.convert import read_view
from belot_bot.policy import choose, policy_of
from belot_bot.view import seat_view
from belot_engine.match import legal_actions
from belot_engine.ruleset import Ruleset, canonical_json
from belot_engine.rulesets import resolve
from belot_kit.grpc_client import call
from belot_rules.convert.known import know
from belot_rules.convert.writing import write_state
from support.bot_client import bot_channel, by_bots, turn_message, view_message
from support.playouts import every_form, steps
from support.rules_client import action_message, apply_unary, play_match, rules_channel, start_request

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]


SEED = b"\x07" * 32


def short(rules: Ruleset) -> Ruleset:
    """The same game over two deals."""
    return resolve(rules.name, rules.seats, rules.pack, {"deals": "2"})


@pytest.mark.parametrize("kinds", [("normal", "easy", "normal"), ("hard", "normal", "hard")], ids=["easy", "hard"])
@pytest.mark.parametrize("rules", FORMS)
async def test_a_match_of_bots_is_legal_to_its_end_and_the_same_again(
    rules: Ruleset, kinds: tuple[str, str, str]
) -> None:
    levels = list(islice(cycle(kinds), rules.seats))
    ends = []
    async with rules_channel() as rules_side, bot_channel() as bot_side:
        stub = rules_pb2_grpc.RulesServiceStub(rules_side)
        for _ in range(2):
            started = (await stub.StartMatch(start_request(canonical_json(short(rules))))).applied
            rng = random.Random(f"bots {rules.name} {rules.seats} {rules.pack}")
            choice = by_bots(bot_side, levels, SEED)
            played = await play_match(started, apply_unary(rules_side), choice, rng)
            ends.append([event.SerializeToString() for event in played.events])
    assert played.applied[-1].state.public.phase == match_pb2.PHASE_FINISHED
    assert ends[0] == ends[1]


async def test_a_full_match_to_its_target_is_played_by_normal_bots() -> None:
    rules = resolve("classic", 4, 32, {})
    async with rules_channel() as rules_side, bot_channel() as bot_side:
        stub = rules_pb2_grpc.RulesServiceStub(rules_side)
        started = (await stub.StartMatch(start_request(canonical_json(rules)))).applied
        choice = by_bots(bot_side, ["normal"] * 4)
        played = await play_match(started, apply_unary(rules_side), choice, random.Random("full"))
    assert max(played.applied[-1].next.finished.totals) >= 1000


@pytest.mark.parametrize("rules", FORMS)
def test_the_view_from_a_message_is_the_view_from_the_match(rules: Ruleset) -> None:
    known = know(rules)
    for step in steps(rules, random.Random(f"view {rules.name} {rules.seats} {rules.pack}")):
        legal = legal_actions(step.before)
        if legal is not None:
            message = view_message(write_state(known, step.before), turn_message(step.before))
            assert read_view(message) == seat_view(step.before, legal)


@pytest.mark.parametrize("level", ["normal", "hard"])
@pytest.mark.parametrize("rules", FORMS)
async def test_the_server_decides_what_the_policy_decides_offline(rules: Ruleset, level: str) -> None:
    known, policy = know(rules), policy_of(level)
    assert policy is not None
    async with bot_channel() as channel:
        stub = bot_pb2_grpc.BotServiceStub(channel)
        for step in list(steps(rules, random.Random(f"offline {rules.name} {rules.seats} {rules.pack}")))[:70]:
            legal = legal_actions(step.before)
            if legal is None:
                continue
            view = view_message(write_state(known, step.before), turn_message(step.before))
            request = bot_pb2.ChooseRequest(view=view, level=level, seed=SEED, ruleset_json=canonical_json(rules))
            answer = await call(stub.Choose, request)
            assert answer.action == action_message(choose(seat_view(step.before, legal), level, SEED))
            assert (answer.policy, answer.level) == (policy.version, level)
            assert answer.fallback == bot_pb2.FALLBACK_UNSPECIFIED


async def test_the_options_of_the_table_are_those_of_the_question() -> None:
    rules = resolve("bela", 4, 32, {"melds": "off", "stiglja": "off"})
    step = next(step for step in steps(rules, random.Random("options")) if len(step.before.tricks) == 2)
    legal = legal_actions(step.before)
    assert legal is not None
    view = view_message(write_state(know(rules), step.before), turn_message(step.before))
    assert read_view(view, canonical_json(rules)).rules == rules
    assert read_view(view).rules == resolve("bela", 4, 32, {})


async def test_a_call_with_little_time_left_is_answered_by_normal_which_says_so() -> None:
    rules = resolve("classic", 4, 32, {})
    step = next(step for step in steps(rules, random.Random("late")) if step.before.tricks)
    view = view_message(write_state(know(rules), step.before), turn_message(step.before))
    async with bot_channel() as channel:
        request = bot_pb2.ChooseRequest(view=view, level="hard", seed=SEED)
        answer = await bot_pb2_grpc.BotServiceStub(channel).Choose(request, timeout=0.06)
    assert (answer.level, answer.policy) == ("normal", "normal/1")
    assert answer.fallback == bot_pb2.FALLBACK_DEADLINE
