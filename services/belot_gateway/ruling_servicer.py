"""RulingService: questions about the rules, passed on to the rules service; what people read is in their language."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TypeAlias

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import rules_pb2, rules_pb2_grpc, rulings_pb2
from belot_gateway import checks
from belot_gateway.callers import caller, language
from belot_gateway.localize import Kind, text
from belot_gateway.places import Asks
from belot_gateway.ruleset_texts import knob_text, localized_ruleset
from belot_kit.errors import DomainError
from belot_kit.grpc_client import call

SERVICE = "belot.gateway.v1.RulingService"
_Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class RulingServicer(gateway_pb2_grpc.RulingServiceServicer):
    """What the rules say, of any position in any ruleset."""

    def __init__(self, rules: "Asks[rules_pb2_grpc.RulesServiceAsyncStub]") -> None:
        """`rules` is the service behind."""
        self._rules = rules

    async def GetRuleset(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetRulesetRequest, context: _Context
    ) -> gateway_pb2.GetRulesetResponse:
        """The ruleset of a table's options."""
        choice = request.ruleset
        asked = rules_pb2.GetRulesetRequest(
            name=choice.name, seats=choice.seats, pack_size=choice.pack_size, options=choice.options
        )
        with _inside("ruleset"):
            found = await self._rules.ask(lambda rules: call(rules.GetRuleset, asked))
        return gateway_pb2.GetRulesetResponse(ruleset=localized_ruleset(found.ruleset, language()))

    async def CompareRulesets(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.CompareRulesetsRequest, context: _Context
    ) -> gateway_pb2.CompareRulesetsResponse:
        """What two rulesets do differently."""
        asked = rulings_pb2.CompareRulesetsRequest(first=request.first, second=request.second)
        found = await self._rules.ask(lambda rules: call(rules.CompareRulesets, asked))
        for each in found.differences:
            said = knob_text(language(), each.name)
            each.description = each.description if said == each.name else said
        return gateway_pb2.CompareRulesetsResponse(comparison=found)

    async def Explain(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ExplainRequest, context: _Context
    ) -> gateway_pb2.ExplainResponse:
        """A position judged."""
        with _inside("question"):
            found = await self._rules.ask(lambda rules: call(rules.Explain, request.question))
        _say((*found.refused, found.asked) if found.HasField("asked") else found.refused)
        return gateway_pb2.ExplainResponse(explanation=found)

    async def Dispute(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.DisputeRequest, context: _Context
    ) -> gateway_pb2.DisputeResponse:
        """A reported move ruled on, and the verdict kept."""
        asked = rulings_pb2.DisputeRequest(
            request_id=checks.identifier("request_id", request.request_id),
            player_id=caller().player_id,
            report=request.report,
        )
        found = await self._rules.ask(lambda rules: call(rules.Dispute, asked))
        return gateway_pb2.DisputeResponse(dispute=_said(found.dispute))

    async def GetDispute(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetDisputeRequest, context: _Context
    ) -> gateway_pb2.GetDisputeResponse:
        """A verdict of the caller's, as it was kept."""
        dispute_id = checks.identifier("dispute_id", request.dispute_id)
        asked = rulings_pb2.GetDisputeRequest(dispute_id=dispute_id, player_id=caller().player_id)
        found = await self._rules.ask(lambda rules: call(rules.GetDispute, asked))
        return gateway_pb2.GetDisputeResponse(dispute=_said(found.dispute))

    async def ScoreDeal(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ScoreDealRequest, context: _Context
    ) -> gateway_pb2.ScoreDealResponse:
        """The score sheet of a deal."""
        with _inside("deal"):
            found = await self._rules.ask(lambda rules: call(rules.ScoreDeal, request.deal))
        return gateway_pb2.ScoreDealResponse(score=found)


def _say(verdicts: Iterable[rulings_pb2.CardVerdict]) -> None:
    """Put the reasons of verdicts into the caller's language; a clause that is not known here stays as it was said."""
    for verdict in verdicts:
        said = text(language(), Kind.CLAUSE, verdict.clause) if verdict.clause else ""
        verdict.reason = verdict.reason if said == verdict.clause else said


def _said(dispute: rulings_pb2.Dispute) -> rulings_pb2.Dispute:
    _say([dispute.verdict])
    return dispute


@contextmanager
def _inside(place: str) -> Iterator[None]:
    """Fields that the rules service refuses are in the message `place` of our own request."""
    try:
        yield
    except DomainError as error:
        error.violations = tuple(replace(each, field=f"{place}.{each.field}") for each in error.violations)
        raise


def register(servicer: RulingServicer, server: grpc.aio.Server) -> None:
    """Add the service to a server."""
    gateway_pb2_grpc.add_RulingServiceServicer_to_server(servicer, server)
