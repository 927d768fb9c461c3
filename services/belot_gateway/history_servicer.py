"""HistoryService: matches that are over; unpack, one call, pack."""

from typing import TypeAlias

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import table_pb2
from belot_gateway import checks
from belot_gateway.callers import caller
from belot_gateway.table_fleet import TableFleet

SERVICE = "belot.gateway.v1.HistoryService"
_Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class HistoryServicer(gateway_pb2_grpc.HistoryServiceServicer):
    """Lists, records and replays."""

    def __init__(self, tables: TableFleet) -> None:
        """`tables` keep the matches."""
        self._tables = tables

    async def ListMatches(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ListMatchesRequest, context: _Context
    ) -> gateway_pb2.ListMatchesResponse:
        """A page of a player's matches."""
        player_id = checks.identifier("player_id", request.player_id) if request.player_id else caller().player_id
        asked = table_pb2.ListMatchesRequest(
            player_id=player_id,
            viewer_id=caller().player_id,
            page_size=request.page_size,
            page_token=request.page_token,
        )
        page = await self._tables.list_matches(asked)
        return gateway_pb2.ListMatchesResponse(matches=page.matches, next_page_token=page.next_page_token)

    async def GetMatchRecord(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetMatchRecordRequest, context: _Context
    ) -> gateway_pb2.GetMatchRecordResponse:
        """The record of a match."""
        match_id = checks.identifier("match_id", request.match_id)
        record = await self._tables.get_match_record(match_id, caller().player_id)
        return gateway_pb2.GetMatchRecordResponse(record=record)

    async def ReplayMatch(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ReplayMatchRequest, context: _Context
    ) -> gateway_pb2.ReplayMatchResponse:
        """A position of a match."""
        match_id = checks.identifier("match_id", request.match_id)
        position = await self._tables.replay_match(match_id, caller().player_id, request.decisions)
        return gateway_pb2.ReplayMatchResponse(position=position)


def register(servicer: HistoryServicer, server: grpc.aio.Server) -> None:
    """Add the service to a server."""
    gateway_pb2_grpc.add_HistoryServiceServicer_to_server(servicer, server)
