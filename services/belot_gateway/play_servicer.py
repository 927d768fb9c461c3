"""PlayService: unpack, one call, pack; and the two streams, which are one thing but for what the client says."""

import asyncio
from collections.abc import AsyncIterator
from typing import Final, TypeAlias

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2
from belot_gateway import checks, commands
from belot_gateway.callers import caller, language
from belot_gateway.convert import ended_batch, refused_batch
from belot_gateway.credits import SUBSCRIBE, rpc_of
from belot_gateway.limits import UNLIMITED, Limits
from belot_gateway.streams import ClientStream, Streams, send_update
from belot_gateway.table_fleet import TableFleet
from belot_kit.bus import Bus
from belot_kit.errors import DomainError, invalid_field

SERVICE = "belot.gateway.v1.PlayService"
MOST_UNANSWERED: Final = 64
"""Commands of a Play stream; while so many wait, the stream is not read."""
MOST_ITEMS: Final = 256
"""In one message of a Play stream."""
_Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class PlayServicer(gateway_pb2_grpc.PlayServiceServicer):
    """Playing and watching."""

    def __init__(self, tables: TableFleet, streams: Streams, bus: Bus, limits: Limits | None = None) -> None:
        """`tables` do what is asked, `streams` show what happens, `bus` reaches streams on other pods.

        `limits` are what a player pays for what he asks on an open stream; None: nothing.
        """
        self._tables = tables
        self._streams = streams
        self._bus = bus
        self._limits = limits or Limits(UNLIMITED)

    async def SitDown(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.SitDownRequest, context: _Context
    ) -> gateway_pb2.SitDownResponse:
        """Takes a seat."""
        seat = request.seat if request.HasField("seat") else None
        wish = table_pb2.SitDown(seat=seat, invitation_code=request.invitation_code)
        action = table_pb2.TableAction(sit_down=wish)
        return gateway_pb2.SitDownResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def LeaveTable(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.LeaveTableRequest, context: _Context
    ) -> gateway_pb2.LeaveTableResponse:
        """Leaves it."""
        action = table_pb2.TableAction(leave=table_pb2.Leave())
        return gateway_pb2.LeaveTableResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def SetReady(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.SetReadyRequest, context: _Context
    ) -> gateway_pb2.SetReadyResponse:
        """Ready or not."""
        action = table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=request.ready))
        return gateway_pb2.SetReadyResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def FillWithBots(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.FillWithBotsRequest, context: _Context
    ) -> gateway_pb2.FillWithBotsResponse:
        """Bots for the free seats."""
        action = table_pb2.TableAction(fill_with_bots=table_pb2.FillWithBots(level=request.level))
        return gateway_pb2.FillWithBotsResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def SubmitSeed(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.SubmitSeedRequest, context: _Context
    ) -> gateway_pb2.SubmitSeedResponse:
        """The caller's part of the shuffle."""
        checks.seed("seed", request.seed)
        action = table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=request.seed))
        return gateway_pb2.SubmitSeedResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def Bid(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.BidRequest, context: _Context
    ) -> gateway_pb2.BidResponse:
        """A bid."""
        version = request.expected_version if request.HasField("expected_version") else None
        action = commands.bid_action(request.kind, request.suit)
        return gateway_pb2.BidResponse(ack=await self._do(request.table_id, request.request_id, action, version))

    async def PlayCard(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.PlayCardRequest, context: _Context
    ) -> gateway_pb2.PlayCardResponse:
        """A card."""
        checks.card("card", request.card)
        version = request.expected_version if request.HasField("expected_version") else None
        action = table_pb2.TableAction(game=match_pb2.Action(play=match_pb2.Play(card=request.card)))
        return gateway_pb2.PlayCardResponse(ack=await self._do(request.table_id, request.request_id, action, version))

    async def Resume(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ResumeRequest, context: _Context
    ) -> gateway_pb2.ResumeResponse:
        """Takes the seat back from a bot."""
        action = table_pb2.TableAction(resume=table_pb2.Resume())
        return gateway_pb2.ResumeResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def Resign(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ResignRequest, context: _Context
    ) -> gateway_pb2.ResignResponse:
        """Gives up."""
        action = table_pb2.TableAction(resign=table_pb2.Resign())
        return gateway_pb2.ResignResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def ProposeDraw(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ProposeDrawRequest, context: _Context
    ) -> gateway_pb2.ProposeDrawResponse:
        """Proposes a draw."""
        action = table_pb2.TableAction(propose_draw=table_pb2.ProposeDraw())
        return gateway_pb2.ProposeDrawResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def AnswerDraw(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.AnswerDrawRequest, context: _Context
    ) -> gateway_pb2.AnswerDrawResponse:
        """Answers one."""
        action = table_pb2.TableAction(answer_draw=table_pb2.AnswerDraw(agree=request.agree))
        return gateway_pb2.AnswerDrawResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def ClaimTricks(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ClaimTricksRequest, context: _Context
    ) -> gateway_pb2.ClaimTricksResponse:
        """Claims the remaining tricks."""
        action = table_pb2.TableAction(claim_tricks=request.claim)
        return gateway_pb2.ClaimTricksResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def AnswerClaim(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.AnswerClaimRequest, context: _Context
    ) -> gateway_pb2.AnswerClaimResponse:
        """Answers a claim."""
        action = table_pb2.TableAction(answer_claim=table_pb2.AnswerClaim(agree=request.agree))
        return gateway_pb2.AnswerClaimResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def Say(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.SayRequest, context: _Context
    ) -> gateway_pb2.SayResponse:
        """Says something to the table."""
        action = table_pb2.TableAction(say=request.say)
        return gateway_pb2.SayResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def MutePlayer(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.MutePlayerRequest, context: _Context
    ) -> gateway_pb2.MutePlayerResponse:
        """Hears a player no longer, or again."""
        checks.mute("mute", request.mute)
        action = table_pb2.TableAction(mute_player=request.mute)
        return gateway_pb2.MutePlayerResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def ReportMessage(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ReportMessageRequest, context: _Context
    ) -> gateway_pb2.ReportMessageResponse:
        """Reports what a player said."""
        checks.report("report", request.report)
        action = table_pb2.TableAction(report_message=request.report)
        return gateway_pb2.ReportMessageResponse(ack=await self._do(request.table_id, request.request_id, action))

    async def GetProofFile(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetProofFileRequest, context: _Context
    ) -> gateway_pb2.GetProofFileResponse:
        """The proof file of a finished match."""
        match_id = checks.identifier("match_id", request.match_id)
        return gateway_pb2.GetProofFileResponse(proof=await self._tables.get_proof_file(match_id))

    async def UpdateSubscriptions(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.UpdateSubscriptionsRequest, context: _Context
    ) -> gateway_pb2.UpdateSubscriptionsResponse:
        """Changes an open stream of the caller's, whichever pod it is on."""
        checks.identifier("stream_id", request.stream_id)
        checks.subscriptions("add", request.add)
        checks.subscriptions("remove", request.remove)
        self._limits.spend(caller().player_id, SUBSCRIBE, len(request.add) - 1)
        await send_update(self._bus, caller().player_id, request)
        return gateway_pb2.UpdateSubscriptionsResponse()

    async def Watch(  # type: ignore[override]  # noqa: N802 - written to the context, in joined batches
        self, request: gateway_pb2.WatchRequest, context: _Context
    ) -> None:
        """One stream for everything the caller follows."""
        checks.subscriptions("subscriptions", request.subscriptions, least=1)
        self._limits.spend(caller().player_id, SUBSCRIBE, len(request.subscriptions) - 1)
        async with asyncio.TaskGroup() as group, self._streams.opened(caller(), language(), group) as stream:
            stream.topics.change(request.subscriptions)
            await stream.viewer.run(context.write)

    async def Play(  # type: ignore[override]  # noqa: N802 - written to the context, in joined batches
        self, request_iterator: AsyncIterator[gateway_pb2.PlayRequest], context: _Context
    ) -> None:
        """The same, with commands."""
        async with asyncio.TaskGroup() as group, self._streams.opened(caller(), language(), group) as stream:
            reader = group.create_task(self._hear(request_iterator, stream))
            await stream.viewer.run(context.write)
            reader.cancel()

    async def _hear(self, requests: AsyncIterator[gateway_pb2.PlayRequest], stream: ClientStream) -> None:
        """Take what the client says until it says no more; then answer what is open and end the stream."""
        places = asyncio.Semaphore(MOST_UNANSWERED)
        async with asyncio.TaskGroup() as group:
            async for request in requests:
                if len(request.items) > MOST_ITEMS:
                    raise invalid_field("items", f"must be at most {MOST_ITEMS} in one message")
                for item in request.items:
                    await self._take(item, stream, group, places)
        stream.viewer.finish()

    async def _take(
        self,
        item: gateway_pb2.PlayItem,
        stream: ClientStream,
        group: asyncio.TaskGroup,
        places: asyncio.Semaphore,
    ) -> None:
        kind = item.WhichOneof("kind")
        if kind == "command":
            await self._command(item.command, stream, group, places)
        elif kind == "subscribe":
            await self._subscribe(item.subscribe, stream)
        elif kind == "unsubscribe":
            checks.subscriptions("items.unsubscribe", [item.unsubscribe])
            stream.topics.change((), [item.unsubscribe])
        else:
            raise invalid_field("items.kind", "must be subscribe, unsubscribe or command")

    async def _command(
        self,
        command: gateway_pb2.ClientCommand,
        stream: ClientStream,
        group: asyncio.TaskGroup,
        places: asyncio.Semaphore,
    ) -> None:
        """Do a command beside; while no place is free the stream is not read: what is said waits with the client."""
        viewer = stream.viewer
        try:
            self._limits.spend(viewer.identity.player_id, rpc_of(command.action.WhichOneof("kind")))
        except DomainError as error:
            await viewer.put(refused_batch(command.call_id, error, viewer.language))
            return
        await places.acquire()

        async def answer() -> None:
            try:
                await commands.execute_on_stream(self._tables, viewer, command)
            finally:
                places.release()

        group.create_task(answer())

    async def _subscribe(self, subscription: gateway_pb2.Subscription, stream: ClientStream) -> None:
        """Follow one more thing; what cannot be followed ends alone, not the stream."""
        viewer = stream.viewer
        try:
            checks.subscriptions("items.subscribe", [subscription])
            self._limits.spend(viewer.identity.player_id, SUBSCRIBE)
        except DomainError as error:
            await viewer.put(ended_batch(subscription.table.table_id, error, viewer.language))
            return
        stream.topics.change([subscription])

    async def _do(
        self, table_id: str, request_id: str, action: table_pb2.TableAction, version: int | None = None
    ) -> table_pb2.Ack:
        return await commands.execute(self._tables, caller(), table_id, request_id, action, version)


def register(servicer: PlayServicer, server: grpc.aio.Server) -> None:
    """Add the service to a server."""
    gateway_pb2_grpc.add_PlayServiceServicer_to_server(servicer, server)
