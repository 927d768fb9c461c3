"""Whole matches on a real rules server, over gRPC alone."""

import asyncio
import random

import pytest

from belot.rules.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from belot_engine.ruleset import Ruleset, canonical_json
from support.playouts import every_form
from support.rules_client import (
    Played,
    apply_streamed,
    apply_unary,
    at_random,
    play_match,
    rules_channel,
    start_request,
)

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]
TAKEN = ("cards", "last_trick", "left_out")


def assert_conserved(played: Played, rules: Ruleset) -> None:
    """Cards and points are never made or lost, and totals are the sums of the scores."""
    totals = [0] * len(played.applied[0].state.public.totals)
    for sheet in played.sheets:
        lines = {line.name: sum(line.values) for line in sheet.lines}
        assert sum(lines.get(name, 0) for name in TAKEN) == 152 + rules.last_trick
        totals = [total + score for total, score in zip(totals, sheet.score, strict=True)]
        assert totals == list(sheet.totals)
    for applied in played.applied:
        public = applied.state.public
        seen = [card for trick in public.tricks for card in trick.cards] + list(public.trick.cards)
        held = [card for hand in applied.state.hands for card in range(1, 33) if hand >> (card - 1) & 1]
        assert len(set(seen + held)) == len(seen + held)
        assert [hand.bit_count() for hand in applied.state.hands] == list(public.hand_sizes)


def assert_ended(played: Played) -> None:
    """The last state and the last event agree on the result."""
    final = played.applied[-1]
    result = final.next.finished
    assert final.state.public.phase == match_pb2.PHASE_FINISHED
    assert final.state.public.result == result == played.events[-1].event.match_ended
    assert list(result.totals) == list(final.state.public.totals)
    assert min(result.ranks) == 1


@pytest.mark.parametrize("rules", FORMS)
async def test_a_random_match_is_played_to_its_end_by_unary_calls(rules: Ruleset) -> None:
    rng = random.Random(f"unary {rules.name} {rules.seats} {rules.pack}")
    async with rules_channel() as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        started = (await stub.StartMatch(start_request(canonical_json(rules), rules.seats - 1))).applied
        played = await play_match(started, apply_unary(channel), at_random(rng), rng)
    assert_conserved(played, rules)
    assert_ended(played)


async def test_matches_of_every_form_are_played_side_by_side_over_one_stream() -> None:
    async with rules_channel() as channel, apply_streamed(channel) as apply:
        stub = rules_pb2_grpc.RulesServiceStub(channel)

        async def one(rules: Ruleset, seed: int) -> None:
            rng = random.Random(f"stream {rules.name} {rules.seats} {rules.pack} {seed}")
            started = (await stub.StartMatch(start_request(canonical_json(rules)))).applied
            played = await play_match(started, apply, at_random(rng), rng)
            assert_conserved(played, rules)
            assert_ended(played)

        async with asyncio.TaskGroup() as matches:
            for rules in every_form():
                for seed in range(2):
                    matches.create_task(one(rules, seed))


async def test_only_the_owner_of_cards_is_addressed_by_them() -> None:
    rng = random.Random("addressed")
    rules = every_form()[0]
    async with rules_channel() as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        started = (await stub.StartMatch(start_request(canonical_json(rules)))).applied
        played = await play_match(started, apply_unary(channel), at_random(rng), rng)
    for addressed in played.events:
        dealt = addressed.event.HasField("hand_dealt")
        assert addressed.HasField("only_seat") == dealt
        assert not dealt or addressed.only_seat == addressed.event.hand_dealt.seat


async def test_every_ruleset_is_listed_in_every_form_and_can_be_started() -> None:
    async with rules_channel() as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        listed = (await stub.ListRulesets(rules_pb2.ListRulesetsRequest())).rulesets
        assert [(each.ref.name, each.seats, each.pack_size) for each in listed] == [
            (rules.name, rules.seats, rules.pack) for rules in every_form()
        ]
        for each in listed:
            request = rules_pb2.GetRulesetRequest(name=each.ref.name, seats=each.seats, pack_size=each.pack_size)
            assert (await stub.GetRuleset(request)).ruleset == each
            started = (await stub.StartMatch(start_request(each.json))).applied
            assert started.next.cards.stage == 0


async def test_options_change_the_ruleset_and_its_hash() -> None:
    async with rules_channel() as channel:
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        usual = (await stub.GetRuleset(rules_pb2.GetRulesetRequest(name="bela"))).ruleset
        short = (await stub.GetRuleset(rules_pb2.GetRulesetRequest(name="bela", options={"target": "501"}))).ruleset
        assert usual.ref.hash != short.ref.hash
        assert (await stub.StartMatch(start_request(short.json))).applied.state.public.target == 501
