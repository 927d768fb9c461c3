"""The rules service over gRPC: unpack, one call, pack."""

from collections.abc import AsyncIterator
from typing import Final, TypeAlias

import grpc

from belot.rules.v1 import rules_pb2, rules_pb2_grpc, rulings_pb2
from belot_kit.clock import Clock, SystemClock
from belot_kit.errors import DomainError, invalid_field
from belot_kit.grpc_server import Register
from belot_kit.refusals import to_refusal
from belot_kit.stream_server import serve_batches_inline
from belot_rules import commands
from belot_rules.convert import rulings
from belot_rules.convert.events import write_sheet
from belot_rules.convert.known import know, read_ruleset
from belot_rules.convert.outcomes import fill_applied, fill_started, write_ruleset
from belot_rules.convert.reading import read_action, read_seat, read_state
from belot_rules.store import Disputes, NoDisputes

#: Full name for health checks and reflection.
SERVICE: Final = rules_pb2.DESCRIPTOR.services_by_name["RulesService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class RulesServicer(rules_pb2_grpc.RulesServiceServicer):
    """Every call brings what it needs and runs to its end at once, within about 100 µs (a claim within 20 ms).

    Disputes alone are kept.
    """

    def __init__(self, disputes: Disputes, clock: Clock) -> None:
        """`disputes` keeps verdicts, or says that nothing is kept."""
        self._disputes = disputes
        self._clock = clock

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

    async def DescribePosition(  # noqa: N802 - gRPC's name
        self, request: rules_pb2.DescribePositionRequest, context: Context
    ) -> rules_pb2.DescribePositionResponse:
        """A state as one line."""
        _, state = read_state(request.state)
        return rules_pb2.DescribePositionResponse(notation=commands.describe_position(state))

    async def CompareRulesets(  # noqa: N802 - gRPC's name
        self, request: rulings_pb2.CompareRulesetsRequest, context: Context
    ) -> rulings_pb2.CompareRulesetsResponse:
        """What two rulesets do differently."""
        first, second = rulings.read_choice(request.first, "first"), rulings.read_choice(request.second, "second")
        return rulings.write_comparison(first, second, commands.compare_rulesets(first, second))

    async def Explain(  # noqa: N802 - gRPC's name
        self, request: rulings_pb2.ExplainRequest, context: Context
    ) -> rulings_pb2.ExplainResponse:
        """A position judged."""
        ruleset, position, card = rulings.read_question(request)
        return rulings.write_explanation(ruleset, position, commands.explain_position(ruleset, position, card))

    async def Dispute(  # noqa: N802 - gRPC's name
        self, request: rulings_pb2.DisputeRequest, context: Context
    ) -> rulings_pb2.DisputeResponse:
        """A reported move ruled on, and the verdict kept."""
        kept = await commands.file_dispute(self._disputes, self._clock, rulings.read_filed(request))
        return rulings_pb2.DisputeResponse(dispute=rulings.write_dispute(kept))

    async def GetDispute(  # noqa: N802 - gRPC's name
        self, request: rulings_pb2.GetDisputeRequest, context: Context
    ) -> rulings_pb2.GetDisputeResponse:
        """A verdict as it was kept."""
        dispute_id = rulings.read_identifier("dispute_id", request.dispute_id)
        kept = await commands.find_dispute(self._disputes, dispute_id, request.player_id)
        return rulings_pb2.GetDisputeResponse(dispute=rulings.write_dispute(kept))

    async def ScoreDeal(  # noqa: N802 - gRPC's name
        self, request: rulings_pb2.ScoreDealRequest, context: Context
    ) -> rulings_pb2.ScoreDealResponse:
        """The score sheet of a deal."""
        ruleset = rulings.read_choice(request.ruleset, "ruleset")
        if request.WhichOneof("deal") is None:
            raise invalid_field("deal", "must be figures or played")
        if request.HasField("figures"):
            sheet = commands.score_figures(ruleset, rulings.read_figures(request))
        else:
            before = rulings.read_before(ruleset, request.before)
            sheet = commands.score_played(ruleset, rulings.read_played(request), before)
        return rulings_pb2.ScoreDealResponse(ruleset=know(ruleset).ref, sheet=write_sheet(sheet, ruleset.scoring))


def register(server: grpc.aio.Server) -> None:
    """Serve the rules on a server, without a place for disputes."""
    registering(NoDisputes())(server)


def registering(disputes: Disputes, clock: Clock | None = None) -> Register:
    """Serve the rules on a server, with disputes kept there."""
    servicer = RulesServicer(disputes, clock or SystemClock())
    return lambda server: rules_pb2_grpc.add_RulesServiceServicer_to_server(servicer, server)


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
