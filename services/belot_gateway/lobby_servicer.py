"""LobbyService: unpack, one call, pack."""

from typing import TypeAlias

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import rules_pb2, rules_pb2_grpc
from belot_gateway import checks, commands
from belot_gateway.callers import caller, language
from belot_gateway.convert import seen_at_once
from belot_gateway.places import Asks
from belot_gateway.ruleset_texts import localized_ruleset
from belot_gateway.table_fleet import TableFleet
from belot_kit.grpc_client import call

SERVICE = "belot.gateway.v1.LobbyService"
_Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class LobbyServicer(gateway_pb2_grpc.LobbyServiceServicer):
    """Finding and making tables."""

    def __init__(self, tables: TableFleet, rules: "Asks[rules_pb2_grpc.RulesServiceAsyncStub]") -> None:
        """`tables` and `rules` are the services behind."""
        self._tables = tables
        self._rules = rules

    async def ListRulesets(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ListRulesetsRequest, context: _Context
    ) -> gateway_pb2.ListRulesetsResponse:
        """The published rulesets, in the caller's language."""
        found = await self._rules.ask(lambda rules: call(rules.ListRulesets, rules_pb2.ListRulesetsRequest()))
        said = [localized_ruleset(ruleset, language()) for ruleset in found.rulesets]
        return gateway_pb2.ListRulesetsResponse(rulesets=said)

    async def ListTables(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ListTablesRequest, context: _Context
    ) -> gateway_pb2.ListTablesResponse:
        """A page of tables."""
        return await commands.list_tables(self._tables, caller(), request)

    async def GetTable(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetTableRequest, context: _Context
    ) -> gateway_pb2.GetTableResponse:
        """A table as the caller sees it."""
        table_id = checks.identifier("table_id", request.table_id)
        code = checks.invitation_code("invitation_code", request.invitation_code)
        found = await self._tables.get_table(table_id, caller().player_id, code)
        return gateway_pb2.GetTableResponse(table=seen_at_once(found))

    async def CreateTable(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.CreateTableRequest, context: _Context
    ) -> gateway_pb2.CreateTableResponse:
        """A new table."""
        return gateway_pb2.CreateTableResponse(table=await commands.create_table(self._tables, caller(), request))

    async def FindInvitation(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.FindInvitationRequest, context: _Context
    ) -> gateway_pb2.FindInvitationResponse:
        """The private table that a code leads to."""
        code = checks.identifier("invitation_code", request.invitation_code)
        found = await self._tables.find_invitation(code, caller().player_id)
        return gateway_pb2.FindInvitationResponse(table=seen_at_once(found))

    async def OpenRematch(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.OpenRematchRequest, context: _Context
    ) -> gateway_pb2.OpenRematchResponse:
        """A table for the people of a finished match."""
        opened = await commands.open_rematch(self._tables, caller(), request)
        return gateway_pb2.OpenRematchResponse(table=seen_at_once(opened))


def register(servicer: LobbyServicer, server: grpc.aio.Server) -> None:
    """Add the service to a server."""
    gateway_pb2_grpc.add_LobbyServiceServicer_to_server(servicer, server)
