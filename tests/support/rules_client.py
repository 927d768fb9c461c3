"""A real rules server in this process and a client that plays matches on it over gRPC alone."""

import random
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeAlias

import grpc

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from belot_engine.state import Accept, Action, Choose, Claim, Deal, Pass, Play
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_kit.grpc_server import GrpcServer, Register, ServerOptions
from belot_kit.stream_caller import StreamCaller
from belot_kit.tasks import background
from belot_rules.servicer import SERVICE, register
from support.playouts import shuffled

ApplyCall: TypeAlias = Callable[[rules_pb2.ApplyRequest], Awaitable[rules_pb2.Applied]]
Choice: TypeAlias = Callable[[match_pb2.MatchState, match_pb2.Turn], Awaitable[match_pb2.Action]]


@asynccontextmanager
async def served(register_service: Register, name: str) -> AsyncIterator[str]:
    """A server with the whole chassis on a unix socket; yields the address that clients dial."""
    with tempfile.TemporaryDirectory(prefix="belot-") as directory:
        options = ServerOptions(listen=(f"unix:{directory}/service.sock",), stop_grace_s=0.5)
        server = GrpcServer(options, [register_service], [name])
        await server.start()
        await server.set_serving(True)
        try:
            yield server.addresses[0]
        finally:
            await server.stop()


@asynccontextmanager
async def rules_channel() -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a fresh rules server."""
    async with served(register, SERVICE) as address, open_channel(ChannelOptions(address)) as channel:
        yield channel


def apply_unary(channel: grpc.aio.Channel) -> ApplyCall:
    """Apply by unary calls. Errors: DomainError as the server answered it."""
    stub = rules_pb2_grpc.RulesServiceStub(channel)

    async def apply(request: rules_pb2.ApplyRequest) -> rules_pb2.Applied:
        return (await call(stub.Apply, request)).applied

    return apply


@asynccontextmanager
async def apply_streamed(channel: grpc.aio.Channel) -> AsyncIterator[ApplyCall]:
    """Apply over one stream. A refusal comes as an AssertionError with its reason."""
    caller: StreamCaller[rules_pb2.ApplyCall, rules_pb2.ApplyReply] = StreamCaller(
        channel, f"/{SERVICE}/ApplyStream", rules_pb2.ApplyStreamResponse
    )

    async def apply(request: rules_pb2.ApplyRequest) -> rules_pb2.Applied:
        reply = await caller.call(rules_pb2.ApplyCall(request=request))
        if reply.WhichOneof("result") != "applied":
            raise AssertionError(f"refused: {reply.refusal.reason} {reply.refusal.message}")
        return reply.applied

    async with background(caller.run()):
        yield apply


def start_request(ruleset_json: str, first_dealer: int = 0) -> rules_pb2.StartMatchRequest:
    """What starts a match."""
    return rules_pb2.StartMatchRequest(ruleset_json=ruleset_json, first_dealer=first_dealer)


def request_for(state: match_pb2.MatchState, seat: int | None, action: match_pb2.Action) -> rules_pb2.ApplyRequest:
    """One action on one state; seat None is the dealer service."""
    return rules_pb2.ApplyRequest(state=state, seat=seat, action=action)


def deal_message(need: match_pb2.CardNeed, pack: Sequence[int]) -> match_pb2.Action:
    """The cards that are due, out of a pack (position -> card number)."""
    cards = [
        match_pb2.DealtCard(position=place.position, card=card_value(pack[place.position])) for place in need.positions
    ]
    return match_pb2.Action(deal=match_pb2.DealCards(cards=cards))


def card_value(card: int) -> "common_pb2.Card.ValueType":
    """A card number as the messages carry it."""
    return common_pb2.Card.values()[card + 1]


def action_message(action: Action) -> match_pb2.Action:
    """An action of the engine as a message."""
    match action:
        case Play(card):
            return match_pb2.Action(play=match_pb2.Play(card=card_value(card)))
        case Pass():
            return match_pb2.Action(pass_bid=match_pb2.Pass())
        case Accept():
            return match_pb2.Action(accept=match_pb2.Accept())
        case Choose(suit):
            return match_pb2.Action(choose=match_pb2.Choose(suit=common_pb2.Suit.values()[suit + 1]))
        case Claim(agreed):
            return match_pb2.Action(claim=match_pb2.Claim(agreed=agreed))
        case Deal(cards):
            dealt = [match_pb2.DealtCard(position=position, card=card_value(card)) for position, card in cards]
            return match_pb2.Action(deal=match_pb2.DealCards(cards=dealt))


def every_legal(legal: match_pb2.LegalActions) -> list[match_pb2.Action]:
    """Everything that may be done."""
    actions = [match_pb2.Action(play=match_pb2.Play(card=card)) for card in legal.cards]
    actions += [match_pb2.Action(choose=match_pb2.Choose(suit=suit)) for suit in legal.suits]
    if legal.may_accept:
        actions.append(match_pb2.Action(accept=match_pb2.Accept()))
    if legal.may_pass:
        actions.append(match_pb2.Action(pass_bid=match_pb2.Pass()))
    return actions


@dataclass(slots=True)
class Played:
    """A match that was played: everything applied, in order, and the events."""

    applied: list[rules_pb2.Applied] = field(default_factory=list)

    @property
    def events(self) -> list[match_pb2.AddressedEvent]:
        """Everything that happened."""
        return [event for applied in self.applied for event in applied.events]

    @property
    def sheets(self) -> list[match_pb2.ScoreSheet]:
        """The score sheets of all deals."""
        return [each.event.deal_scored for each in self.events if each.event.HasField("deal_scored")]


def at_random(rng: random.Random) -> Choice:
    """Whatever is legal, by chance."""

    async def choose(state: match_pb2.MatchState, turn: match_pb2.Turn) -> match_pb2.Action:
        return rng.choice(every_legal(turn.legal))

    return choose


async def play_match(started: rules_pb2.Applied, apply: ApplyCall, choose: Choice, rng: random.Random) -> Played:
    """Play a match to its end; packs come from ``rng``."""
    played = Played([started])
    pack: tuple[int, ...] = ()
    while True:
        now = played.applied[-1]
        match now.next.WhichOneof("kind"):
            case "cards":
                need = now.next.cards
                pack = shuffled(rng, now.state.public.pack_size) if need.stage == 0 else pack
                request = request_for(now.state, None, deal_message(need, pack))
            case "turn":
                turn = now.next.turn
                request = request_for(now.state, turn.seat, await choose(now.state, turn))
            case _:
                return played
        played.applied.append(await apply(request))
