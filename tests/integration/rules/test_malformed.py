"""Whatever arrives, the rules service never answers INTERNAL: it names what is wrong."""

import random
from collections.abc import AsyncIterator, Callable

import grpc
import pytest
from google.protobuf.message import DecodeError

from belot.rules.v1 import match_pb2, rules_pb2
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_kit.errors import DomainError, Reason, from_rpc_error
from belot_rules.convert.known import know
from belot_rules.convert.outcomes import fill_applied
from belot_rules.convert.reading import read_state
from belot_rules.convert.writing import write_state
from belot_rules.servicer import SERVICE
from support.playouts import every_form, steps
from support.rules_client import action_message, apply_unary, request_for, rules_channel

REQUESTS = {
    "ListRulesets": rules_pb2.ListRulesetsRequest,
    "GetRuleset": rules_pb2.GetRulesetRequest,
    "StartMatch": rules_pb2.StartMatchRequest,
    "Apply": rules_pb2.ApplyRequest,
}
EXPECTED = {Reason.INVALID_ARGUMENT, Reason.RULESET_NOT_FOUND, Reason.OPTION_INVALID}
PLAYER_FAULTS = {
    Reason.WRONG_PHASE,
    Reason.NOT_YOUR_TURN,
    Reason.CARD_NOT_HELD,
    Reason.UNKNOWN_CARD,
    Reason.ILLEGAL_CARD,
    Reason.ILLEGAL_BID,
}


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    async with rules_channel() as opened:
        yield opened


async def raw_call(channel: grpc.aio.Channel, method: str, octets: bytes) -> DomainError | None:
    try:
        await channel.unary_unary(f"/{SERVICE}/{method}", None, None)(octets, timeout=5)
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
async def test_random_bytes_are_malformed_at_every_unary_rpc(channel: grpc.aio.Channel, method: str) -> None:
    rng = random.Random(f"octets {method}")
    for _ in range(60):
        octets = rng.randbytes(rng.randint(1, 40))
        error = await raw_call(channel, method, octets)
        if not parses(REQUESTS[method], octets):
            assert error is not None
            assert error.reason is Reason.INVALID_ARGUMENT
        assert error is None or error.reason in EXPECTED


async def test_random_bytes_end_a_stream_as_malformed(channel: grpc.aio.Channel) -> None:
    stream = channel.stream_stream(f"/{SERVICE}/ApplyStream", None, None)()
    await stream.write(b"\x0a\xff")
    with pytest.raises(grpc.aio.AioRpcError) as caught:
        await stream.read()
    assert from_rpc_error(caught.value).reason is Reason.INVALID_ARGUMENT


async def test_a_call_without_a_request_is_refused_and_the_stream_goes_on(channel: grpc.aio.Channel) -> None:
    stream = channel.stream_stream(f"/{SERVICE}/ApplyStream", None, rules_pb2.ApplyStreamResponse.FromString)()
    empty = rules_pb2.ApplyStreamRequest(calls=[rules_pb2.ApplyCall(call_id=7), rules_pb2.ApplyCall(call_id=8)])
    await stream.write(empty.SerializeToString())
    await stream.done_writing()
    replies = [reply async for batch in stream for reply in batch.replies]
    assert [reply.call_id for reply in replies] == [7, 8]
    assert all(reply.refusal.message.startswith("state.schema") for reply in replies)


def damaged(message: match_pb2.MatchState, rng: random.Random) -> bytes:
    octets = bytearray(message.SerializeToString())
    for _ in range(rng.randint(1, 4)):
        place = rng.randrange(len(octets))
        match rng.randrange(3):
            case 0:
                octets[place] = rng.randrange(256)
            case 1:
                del octets[place : place + rng.randint(1, 6)]
            case _:
                octets[place:place] = rng.randbytes(rng.randint(1, 6))
    return bytes(octets)


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
async def test_a_damaged_state_is_never_our_fault(channel: grpc.aio.Channel, rules: Ruleset) -> None:
    rng = random.Random(f"damage {rules.name} {rules.seats} {rules.pack}")
    known = know(rules)
    for step in list(steps(rules, rng))[:90]:
        octets = damaged(write_state(known, step.before), rng)
        if parses(match_pb2.MatchState, octets):
            state = match_pb2.MatchState.FromString(octets)
            request = request_for(state, step.seat, action_message(step.action))
            error = await raw_call(channel, "Apply", request.SerializeToString())
            assert error is None or error.reason in EXPECTED | PLAYER_FAULTS, error
            assert error is None or error.reason is not Reason.INVALID_ARGUMENT or error.violations, error


Damage = Callable[[match_pb2.MatchState], object]

DAMAGES: dict[str, Damage] = {
    "state.schema": lambda state: setattr(state, "schema", 2),
    "state.ruleset_json": lambda state: setattr(state, "ruleset_json", state.ruleset_json + " "),
    "state.stage": lambda state: setattr(state, "stage", 1),
    "state.hands": lambda state: state.hands.__setitem__(0, state.hands[1]),
    "state.public.turn": lambda state: state.public.ClearField("turn"),
    "state.public.declarer": lambda state: setattr(state.public, "declarer", 4),
    "state.public.trump": lambda state: state.public.ClearField("trump"),
    "state.public.tricks": lambda state: state.public.tricks[0].cards.pop(),
    "state.public.tricks.cards": lambda state: state.public.tricks[0].cards.__setitem__(0, 77),
    "state.public.totals": lambda state: state.public.totals.pop(),
    "state.public.held": lambda state: setattr(state.public, "held", 7),
    "state.public.up_card": lambda state: state.public.ClearField("up_card"),
    "state.public.first_dealer": lambda state: setattr(state.public, "first_dealer", 9),
}


@pytest.mark.parametrize("field", DAMAGES)
async def test_a_field_that_cannot_be_is_named(channel: grpc.aio.Channel, field: str) -> None:
    rules = resolve("club", 4, 32, {})
    step = next(step for step in steps(rules, random.Random("named")) if len(step.before.tricks) == 3)
    state = write_state(know(rules), step.before)
    DAMAGES[field](state)
    with pytest.raises(DomainError) as caught:
        await apply_unary(channel)(request_for(state, step.seat, action_message(step.action)))
    assert caught.value.reason is Reason.INVALID_ARGUMENT
    assert [each.field for each in caught.value.violations] == [field]


@pytest.mark.parametrize(
    ("action", "field"),
    [
        (match_pb2.Action(), "action.kind"),
        (match_pb2.Action(choose=match_pb2.Choose()), "action.choose.suit"),
        (match_pb2.Action(play=match_pb2.Play()), "action.play.card"),
        (match_pb2.Action(deal=match_pb2.DealCards(cards=[match_pb2.DealtCard()])), "action.deal.cards.card"),
    ],
)
async def test_an_action_that_says_nothing_is_named(
    channel: grpc.aio.Channel, action: match_pb2.Action, field: str
) -> None:
    rules = resolve("club", 4, 32, {})
    step = next(step for step in steps(rules, random.Random("nothing")) if step.seat is not None)
    with pytest.raises(DomainError) as caught:
        await apply_unary(channel)(request_for(write_state(know(rules), step.before), step.seat, action))
    assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
    assert [each.field for each in caught.value.violations] == [field]


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_a_state_read_and_written_again_is_the_same_octets(rules: Ruleset) -> None:
    known = know(rules)
    for step in steps(rules, random.Random(f"octets {rules.name} {rules.seats} {rules.pack}")):
        written = write_state(known, step.before).SerializeToString(deterministic=True)
        again, state = read_state(match_pb2.MatchState.FromString(written))
        assert write_state(again, state).SerializeToString(deterministic=True) == written


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_what_was_shown_in_events_stands_in_the_state(rules: Ruleset) -> None:
    known = know(rules)
    melds: list[match_pb2.Meld] = []
    bela: int | None = None
    rngs = [random.Random(f"shown {rules.name} {rules.seats} {rules.pack} {match}") for match in range(4)]
    for step in (step for rng in rngs for step in steps(rules, rng)):
        applied = rules_pb2.Applied()
        fill_applied(applied, known, step.before, step.applied)
        for each in applied.events:
            match each.event.WhichOneof("kind"):
                case "deal_started":
                    melds, bela = [], None
                case "melds_shown":
                    melds = list(each.event.melds_shown.melds)
                case "bela_announced":
                    bela = each.event.bela_announced.seat
        public = applied.state.public
        if public.trump:
            assert list(public.melds) == melds
            assert (public.bela if public.HasField("bela") else None) == bela
