"""What the bot service refuses, and that nothing that arrives makes it stumble."""

import random
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path

import grpc
import pytest
from google.protobuf.message import DecodeError
from grpc_health.v1 import health_pb2, health_pb2_grpc

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot.rules.v1 import match_pb2
from belot_bot.convert import read_view
from belot_bot.main import BotConfig, app_options, serve
from belot_bot.policy import choose
from belot_bot.servicer import SERVICE
from belot_engine.errors import InputError
from belot_engine.ruleset import Ruleset, canonical_json
from belot_engine.rulesets import resolve
from belot_engine.state import Play
from belot_kit.app import running
from belot_kit.errors import DomainError, Reason, from_rpc_error
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_rules.convert.known import know
from belot_rules.convert.writing import write_state
from support.bot_client import bot_channel, turn_message, view_message
from support.playouts import every_form, steps

REQUESTS = {"Choose": bot_pb2.ChooseRequest, "ListBotLevels": bot_pb2.ListBotLevelsRequest}


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    async with bot_channel() as opened:
        yield opened


def views(rules: Ruleset, seed: str) -> list[match_pb2.SeatView]:
    known = know(rules)
    turns = [step.before for step in steps(rules, random.Random(seed)) if step.seat is not None]
    return [view_message(write_state(known, state), turn_message(state)) for state in turns]


async def raw_call(channel: grpc.aio.Channel, method: str, octets: bytes) -> DomainError | None:
    try:
        await channel.unary_unary(f"/{SERVICE}/{method}", None, None)(octets, timeout=5, wait_for_ready=True)
    except grpc.aio.AioRpcError as error:
        return from_rpc_error(error)
    return None


def parses(message: type, octets: bytes) -> bool:
    try:
        message.FromString(octets)
    except DecodeError:
        return False
    return True


@pytest.mark.parametrize("method", REQUESTS)
async def test_random_bytes_are_malformed_at_every_rpc(channel: grpc.aio.Channel, method: str) -> None:
    rng = random.Random(f"octets {method}")
    for _ in range(60):
        octets = rng.randbytes(rng.randint(1, 40))
        error = await raw_call(channel, method, octets)
        if not parses(REQUESTS[method], octets):
            assert error is not None
            assert error.reason is Reason.INVALID_ARGUMENT
        assert error is None or error.reason in {Reason.INVALID_ARGUMENT, Reason.BOT_LEVEL_UNKNOWN}


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
async def test_a_damaged_view_is_decided_or_malformed(channel: grpc.aio.Channel, rules: Ruleset) -> None:
    rng = random.Random(f"damage {rules.name} {rules.seats} {rules.pack}")
    for view in views(rules, "damage")[:80]:
        octets = bytearray(view.SerializeToString())
        for _ in range(rng.randint(1, 4)):
            octets[rng.randrange(len(octets))] = rng.randrange(256)
        if parses(match_pb2.SeatView, bytes(octets)):
            damaged = match_pb2.SeatView.FromString(bytes(octets))
            request = bot_pb2.ChooseRequest(view=damaged, level="normal")
            error = await raw_call(channel, "Choose", request.SerializeToString())
            assert error is None or (error.reason is Reason.INVALID_ARGUMENT and error.violations), error


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_a_bot_that_samples_decides_on_a_damaged_view_or_says_that_it_cannot_be(rules: Ruleset) -> None:
    rng = random.Random(f"sampled {rules.name} {rules.seats} {rules.pack}")
    outcomes = set()
    for view in views(rules, "sampled")[:150]:
        octets = bytearray(view.SerializeToString())
        octets[rng.randrange(len(octets))] = rng.randrange(40)
        if not parses(match_pb2.SeatView, bytes(octets)):
            continue
        try:
            read = read_view(match_pb2.SeatView.FromString(bytes(octets)))
        except DomainError:
            continue
        try:
            action = choose(read, "hard", b"")
            assert not isinstance(action, Play) or read.legal.cards >> action.card & 1
            outcomes.add("decided")
        except InputError:
            outcomes.add("refused")
    assert outcomes == {"decided", "refused"}


DAMAGES: dict[str, Callable[[match_pb2.SeatView], object]] = {
    "view.seat": lambda view: view.ClearField("seat"),
    "view.legal": lambda view: view.ClearField("legal"),
    "view.legal.cards": lambda view: view.legal.cards.append(next(c for c in range(1, 33) if c not in view.hand)),  # type: ignore[arg-type]
    "view.public": lambda view: setattr(view.public.ruleset, "name", "whist"),
    "view.public.trump": lambda view: view.public.ClearField("trump"),
    "view.public.tricks.cards": lambda view: view.public.tricks[0].cards.pop(),
    "view.hand": lambda view: view.hand.append(99),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("field", DAMAGES)
async def test_a_field_that_cannot_be_is_named(channel: grpc.aio.Channel, field: str) -> None:
    view = next(view for view in views(resolve("club", 4, 32, {}), "named") if len(view.public.tricks) == 2)
    DAMAGES[field](view)
    with pytest.raises(DomainError) as caught:
        await call(bot_pb2_grpc.BotServiceStub(channel).Choose, bot_pb2.ChooseRequest(view=view, level="easy"))
    assert caught.value.reason is Reason.INVALID_ARGUMENT
    assert [each.field for each in caught.value.violations] == [field]


async def test_an_unknown_level_a_short_seed_and_another_ruleset_are_refused(channel: grpc.aio.Channel) -> None:
    stub = bot_pb2_grpc.BotServiceStub(channel)
    view = views(resolve("bela", 4, 32, {}), "level")[0]
    with pytest.raises(DomainError) as caught:
        await call(stub.Choose, bot_pb2.ChooseRequest(view=view, level="divine"))
    assert (caught.value.reason, caught.value.code) == (Reason.BOT_LEVEL_UNKNOWN, grpc.StatusCode.INVALID_ARGUMENT)
    with pytest.raises(DomainError) as caught:
        await call(stub.Choose, bot_pb2.ChooseRequest(view=view, level="easy", seed=b"short"))
    assert caught.value.violations[0].field == "seed"
    for text in ("{}", "[" * 5000, canonical_json(replace(resolve("bela", 4, 32, {}), last_trick=11))):
        with pytest.raises(DomainError) as caught:
            await call(stub.Choose, bot_pb2.ChooseRequest(view=view, level="easy", ruleset_json=text))
        assert caught.value.violations[0].field == "ruleset_json"
    other = canonical_json(resolve("classic", 4, 32, {}))
    with pytest.raises(DomainError) as caught:
        await call(stub.Choose, bot_pb2.ChooseRequest(view=view, level="easy", ruleset_json=other))
    assert caught.value.violations[0].field == "ruleset_json"


async def test_levels_are_listed_weakest_first_and_each_decides(channel: grpc.aio.Channel) -> None:
    stub = bot_pb2_grpc.BotServiceStub(channel)
    levels = (await stub.ListBotLevels(bot_pb2.ListBotLevelsRequest())).levels
    assert [level.name for level in levels] == ["easy", "normal", "hard", "expert"]
    view = views(resolve("classic", 4, 32, {}), "levels")[-1]
    for level in levels:
        answer = await stub.Choose(bot_pb2.ChooseRequest(view=view, level=level.name))
        assert answer.policy == level.policy


async def test_the_wired_service_is_healthy_and_answers(tmp_path: Path) -> None:
    config = BotConfig(listen=(f"unix:{tmp_path}/bot-0.sock",))
    async with (
        running(app_options(config), lambda app: serve(config, app)) as app,
        open_channel(ChannelOptions(app.addresses["grpc"])) as opened,
    ):
        health = await health_pb2_grpc.HealthStub(opened).Check(health_pb2.HealthCheckRequest(service=SERVICE))
        assert health.status == health_pb2.HealthCheckResponse.SERVING


async def test_a_suit_to_accept_without_a_card_turned_up_is_malformed(channel: grpc.aio.Channel) -> None:
    legal = match_pb2.LegalActions(may_accept=True)
    view = next(each for each in views(resolve("club", 4, 32, {}), "accept") if each.legal.may_accept)
    view.legal.CopyFrom(legal)
    view.public.ClearField("up_card")
    request = bot_pb2.ChooseRequest(view=view, level="normal")
    with pytest.raises(DomainError) as refused:
        await call(bot_pb2_grpc.BotServiceStub(channel).Choose, request)
    assert refused.value.reason is Reason.INVALID_ARGUMENT
