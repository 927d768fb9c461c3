"""The rules service over gRPC: unpack, one call, pack."""

from collections.abc import AsyncIterator
from typing import Final, TypeAlias

import grpc

from belot.rules.v1 import rules_pb2, rules_pb2_grpc
from belot_kit.errors import DomainError
from belot_kit.refusals import to_refusal
from belot_kit.stream_server import serve_batches_inline
from belot_rules import commands
from belot_rules.convert.known import know, read_ruleset
from belot_rules.convert.outcomes import fill_applied, fill_started, write_ruleset
from belot_rules.convert.reading import read_action, read_seat, read_state

#: Full name for health checks and reflection.
SERVICE: Final = rules_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class RulesServicer(rules_pb2_grpc.RulesServiceServicer):
    """Stateless: every call brings what it needs. Calls run to their end at once, each within about 100 µs."""

    async def ListRulesets(  # noqa: N802 - gRPC's name
        self, request: rules_pb2.ListRulesetsRequest, context: Context
    ) -> rules_pb2.ListRulesetsResponse:
        """Every published ruleset in every form."""
        rulesets = commands.published_rulesets()
        return rules_pb2.ListRulesetsResponse(rulesets=[write_ruleset(know(ruleset)) for ruleset in rulesets])

    async def GetRuleset(  # noqa: N802 - gRPC's name
        self, request: rules_pb2.GetRulesetRequest, context: Context
    ) -> rules_pb2.GetRulesetResponse:
        """The ruleset of a table's options."""
        ruleset = commands.ruleset_for_table(request.name, request.seats, request.pack_size, request.options)
        return rules_pb2.GetRulesetResponse(ruleset=write_ruleset(know(ruleset)))

    async def StartMatch(  # noqa: N802 - gRPC's name
        self, request: rules_pb2.StartMatchRequest, context: Context
    ) -> rules_pb2.StartMatchResponse:
        """The state before the first deal."""
        known = read_ruleset(request.ruleset_json, "ruleset_json")
        state = commands.start_match(known.ruleset, request.first_dealer)
        response = rules_pb2.StartMatchResponse()
        fill_started(response.applied, known, state)
        return response

    async def Apply(  # noqa: N802 - gRPC's name
        self, request: rules_pb2.ApplyRequest, context: Context
    ) -> rules_pb2.ApplyResponse:
        """One action on one state."""
        response = rules_pb2.ApplyResponse()
        _apply(request, response.applied)
        return response

    async def ApplyStream(  # type: ignore[override]  # noqa: N802 - it writes by itself; gRPC's name
        self, requests: AsyncIterator[rules_pb2.ApplyStreamRequest], context: Context
    ) -> None:
        """Apply for whatever comes, in pieces."""
        await serve_batches_inline(requests, context, _answer, _refuse, stream=f"{SERVICE}/ApplyStream")


def register(server: grpc.aio.Server) -> None:
    """Serve the rules on a server."""
    rules_pb2_grpc.add_RulesServiceServicer_to_server(RulesServicer(), server)


def _apply(request: rules_pb2.ApplyRequest, applied: rules_pb2.Applied) -> None:
    known, state = read_state(request.state)
    seat, action = read_seat(request, len(known.sides)), read_action(request.action)
    fill_applied(applied, known, state, commands.apply_action(state, seat, action))


def _answer(call: rules_pb2.ApplyCall) -> rules_pb2.ApplyReply:
    reply = rules_pb2.ApplyReply()
    _apply(call.request, reply.applied)
    return reply


def _refuse(error: DomainError) -> rules_pb2.ApplyReply:
    return rules_pb2.ApplyReply(refusal=to_refusal(error))
