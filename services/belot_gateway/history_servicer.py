"""HistoryService: matches that are over; unpack, one call, pack."""

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Final, TypeAlias

import grpc

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import table_pb2
from belot_gateway import checks
from belot_gateway.callers import caller
from belot_gateway.places import Asks
from belot_gateway.table_fleet import TableFleet
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_kit.replicas import Replicas, open_replicas

SERVICE = "belot.gateway.v1.HistoryService"
#: What an analysis may take of a caller's deadline.
ANALYSIS_SECONDS: Final = 60.0
Bots: TypeAlias = "bot_pb2_grpc.BotServiceAsyncStub"
_Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class HistoryServicer(gateway_pb2_grpc.HistoryServiceServicer):
    """Lists, records, replays and analyses."""

    def __init__(self, tables: TableFleet, bots: Asks[Bots] | None) -> None:
        """`tables` keep the matches; without `bots` nothing is analysed."""
        self._tables = tables
        self._bots = bots

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

    async def AnalyseMatch(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.AnalyseMatchRequest, context: _Context
    ) -> gateway_pb2.AnalyseMatchResponse:
        """A match with all cards open."""
        caller()
        match_id = checks.identifier("match_id", request.match_id)
        if self._bots is None:
            raise DomainError(Reason.UNAVAILABLE, "this gateway has no bots", service="bot")
        asked = bot_pb2.AnalyseMatchRequest(proof=await self._tables.get_proof_file(match_id))
        found = await self._bots.ask(
            lambda bot: call(bot.AnalyseMatch, asked, most_s=ANALYSIS_SECONDS), most_s=ANALYSIS_SECONDS
        )
        return gateway_pb2.AnalyseMatchResponse(analysis=found.analysis)


def open_bots(addresses: tuple[str, ...]) -> AbstractAsyncContextManager[Replicas[Bots] | None]:
    """The bots at these addresses while the block lasts, None where there is no address."""
    if not addresses:
        return nullcontext()
    return open_replicas("bot", addresses, bot_pb2_grpc.BotServiceStub)


def register(servicer: HistoryServicer, server: grpc.aio.Server) -> None:
    """Add the service to a server."""
    gateway_pb2_grpc.add_HistoryServiceServicer_to_server(servicer, server)
