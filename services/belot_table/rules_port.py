"""The rules of the game, asked over gRPC: actions over one open stream, the rest by single calls."""

from dataclasses import dataclass, field
from typing import Final, Protocol

import grpc

from belot.rules.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from belot_kit.grpc_client import call
from belot_kit.refusals import from_refusal
from belot_kit.replicas import Replicas
from belot_kit.stream_caller import StreamCaller
from belot_table.asking import ask
from belot_table.course import Applied
from belot_table.fields import message_field, number_field
from belot_table.table import Options, RulesetRef
from belot_table.told import applied_of

APPLY: Final = "/belot.rules.v1.RulesService/ApplyStream"


@dataclass(frozen=True, slots=True)
class Ruleset:
    """A ruleset resolved for a table."""

    ref: RulesetRef
    seats: int
    pack_size: int
    sides: tuple[int, ...]
    json: str = field(repr=False)


class Rules(Protocol):
    """What the table asks the rules. Errors: DomainError, the rules' own refusals among them."""

    async def ruleset(self, options: Options) -> Ruleset:
        """The ruleset of a table's options. RULESET_NOT_FOUND, OPTION_INVALID."""

    async def start(self, ruleset_json: str, first_dealer: int) -> Applied:
        """The match before its first deal."""

    async def apply(self, state: bytes, ruleset_json: str, seat: int | None, action: bytes) -> Applied:
        """An encoded Action of a seat (None: the dealer's) on a state without its ruleset's JSON."""

    async def describe(self, state: bytes, ruleset_json: str) -> str:
        """A state without its ruleset's JSON as one line of deal notation, all hands open."""


class ApplyCall:
    """A belot.rules.v1.ApplyCall put together from encoded parts, so that a state is not read only to be sent."""

    __slots__ = ("_request", "call_id")

    def __init__(self, state: bytes, ruleset_json: str, seat: int | None, action: bytes) -> None:
        """`state` without its ruleset's JSON, which is appended here."""
        whole = state + message_field(match_pb2.MatchState.RULESET_JSON_FIELD_NUMBER, ruleset_json.encode())
        actor = b"" if seat is None else number_field(rules_pb2.ApplyRequest.SEAT_FIELD_NUMBER, seat)
        self.call_id = 0
        self._request = (
            message_field(rules_pb2.ApplyRequest.STATE_FIELD_NUMBER, whole)
            + actor
            + message_field(rules_pb2.ApplyRequest.ACTION_FIELD_NUMBER, action)
        )

    def SerializeToString(self) -> bytes:  # noqa: N802 - protobuf's name
        """The encoded call."""
        numbered = number_field(rules_pb2.ApplyCall.CALL_ID_FIELD_NUMBER, self.call_id)
        return numbered + message_field(rules_pb2.ApplyCall.REQUEST_FIELD_NUMBER, self._request)


class RulesClient:
    """The rules service at one address: its unary calls, and its stream for actions, open while `run` runs."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        """Nothing is called yet."""
        self.stub: rules_pb2_grpc.RulesServiceAsyncStub = rules_pb2_grpc.RulesServiceStub(channel)
        self.actions: StreamCaller[ApplyCall, rules_pb2.ApplyReply] = StreamCaller(
            channel, APPLY, rules_pb2.ApplyStreamResponse
        )

    async def run(self) -> None:
        """Keep the stream open."""
        await self.actions.run()


class GrpcRules:
    """The rules service at its addresses, in turn."""

    def __init__(self, replicas: Replicas[RulesClient]) -> None:
        """`replicas` are running for as long as this is used."""
        self._replicas = replicas

    async def ruleset(self, options: Options) -> Ruleset:
        """See Rules."""
        request = rules_pb2.GetRulesetRequest(
            name=options.ruleset,
            seats=options.seats,
            pack_size=options.pack_size,
            options=dict(options.ruleset_options),
        )
        answer = await ask(self._replicas, lambda rules: call(rules.stub.GetRuleset, request))
        found = answer.ruleset
        ref = RulesetRef(found.ref.name, found.ref.version, found.ref.hash)
        return Ruleset(ref, found.seats, found.pack_size, tuple(found.sides), found.json)

    async def start(self, ruleset_json: str, first_dealer: int) -> Applied:
        """See Rules."""
        request = rules_pb2.StartMatchRequest(ruleset_json=ruleset_json, first_dealer=first_dealer)
        answer = await ask(self._replicas, lambda rules: call(rules.stub.StartMatch, request))
        return applied_of(answer.applied)

    async def apply(self, state: bytes, ruleset_json: str, seat: int | None, action: bytes) -> Applied:
        """See Rules."""
        item = ApplyCall(state, ruleset_json, seat, action)
        reply = await ask(self._replicas, lambda rules: rules.actions.call(item))
        if reply.HasField("refusal"):
            raise from_refusal(reply.refusal)
        return applied_of(reply.applied)

    async def describe(self, state: bytes, ruleset_json: str) -> str:
        """See Rules."""
        request = rules_pb2.DescribePositionRequest(state=match_pb2.MatchState.FromString(state))
        request.state.ruleset_json = ruleset_json
        answer = await ask(self._replicas, lambda rules: call(rules.stub.DescribePosition, request))
        return answer.notation
