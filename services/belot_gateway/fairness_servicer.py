"""FairnessService: what makes the fair deal checkable by everybody, passed on to the dealer; unpack, one call, pack."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TypeAlias, TypeVar

import grpc

from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import table_pb2
from belot_gateway import checks, commands
from belot_gateway.callers import caller
from belot_gateway.places import Asks
from belot_gateway.table_fleet import TableFleet
from belot_kit.errors import DomainError, Reason, invalid_field
from belot_kit.grpc_client import call
from belot_kit.replicas import Replicas, open_replicas

SERVICE = "belot.gateway.v1.FairnessService"
_Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"
Stub: TypeAlias = "dealer_pb2_grpc.DealerServiceAsyncStub"
Answer = TypeVar("Answer")


class FairnessServicer(gateway_pb2_grpc.FairnessServiceServicer):
    """The public side of the dealer."""

    def __init__(self, tables: TableFleet, dealers: Asks[Stub] | None) -> None:
        """`tables` are told what a client found wrong; without `dealers` the rest is UNAVAILABLE."""
        self._tables = tables
        self._dealers = dealers

    async def SubmitBeacon(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.SubmitBeaconRequest, context: _Context
    ) -> gateway_pb2.SubmitBeaconResponse:
        """Hands in a beacon."""
        caller()
        asked = dealer_pb2.SubmitBeaconRequest(
            match_id=request.match_id, round=request.round, signature=request.signature
        )
        taken = await self._ask(lambda dealer: call(dealer.SubmitBeacon, asked))
        return gateway_pb2.SubmitBeaconResponse(receipt=taken.receipt, fell_back=taken.fell_back)

    async def ReportFairnessFailure(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ReportFairnessFailureRequest, context: _Context
    ) -> gateway_pb2.ReportFairnessFailureResponse:
        """Tells the table, which has it counted."""
        if not request.finding or request.finding not in dealer_pb2.FairnessFinding.values():
            raise invalid_field("finding", "must be one of the findings")
        hand = request.hand_number if request.HasField("hand_number") else None
        report = table_pb2.ReportFairness(finding=request.finding, hand_number=hand)
        action = table_pb2.TableAction(report_fairness=report)
        ack = await commands.execute(self._tables, caller(), request.table_id, request.request_id, action)
        return gateway_pb2.ReportFairnessFailureResponse(ack=ack)

    async def ListCommitments(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ListCommitmentsRequest, context: _Context
    ) -> gateway_pb2.ListCommitmentsResponse:
        """A page of commitments."""
        if request.table_id:
            checks.identifier("table_id", request.table_id)
        asked = dealer_pb2.ListCommitmentsRequest(
            page_size=request.page_size, page_token=request.page_token, table_id=request.table_id
        )
        page = await self._ask(lambda dealer: call(dealer.ListCommitments, asked))
        return gateway_pb2.ListCommitmentsResponse(commitments=page.commitments, next_page_token=page.next_page_token)

    async def ListDailyRoots(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.ListDailyRootsRequest, context: _Context
    ) -> gateway_pb2.ListDailyRootsResponse:
        """A page of daily roots."""
        asked = dealer_pb2.ListDailyRootsRequest(page_size=request.page_size, page_token=request.page_token)
        page = await self._ask(lambda dealer: call(dealer.ListDailyRoots, asked))
        return gateway_pb2.ListDailyRootsResponse(roots=page.roots, next_page_token=page.next_page_token)

    async def GetInclusionProof(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetInclusionProofRequest, context: _Context
    ) -> gateway_pb2.GetInclusionProofResponse:
        """The inclusion file of a match."""
        asked = dealer_pb2.GetInclusionProofRequest(match_id=request.match_id)
        found = await self._ask(lambda dealer: call(dealer.GetInclusionProof, asked))
        return gateway_pb2.GetInclusionProofResponse(inclusion=found.inclusion)

    async def GetFairnessStats(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetFairnessStatsRequest, context: _Context
    ) -> gateway_pb2.GetFairnessStatsResponse:
        """The public figures."""
        if request.table_id:
            checks.identifier("table_id", request.table_id)
        asked = dealer_pb2.GetFairnessStatsRequest(table_id=request.table_id)
        return gateway_pb2.GetFairnessStatsResponse(
            stats=await self._ask(lambda dealer: call(dealer.GetFairnessStats, asked))
        )

    async def GetDealerKeys(  # noqa: N802 - the rpc's name
        self, request: gateway_pb2.GetDealerKeysRequest, context: _Context
    ) -> gateway_pb2.GetDealerKeysResponse:
        """The keys and the chain."""
        found = await self._ask(lambda dealer: call(dealer.GetDealerInfo, dealer_pb2.GetDealerInfoRequest()))
        return gateway_pb2.GetDealerKeysResponse(keys=found.keys, chain=found.chain)

    async def _ask(self, question: Callable[[Stub], Awaitable[Answer]]) -> Answer:
        """Ask a dealer; all of these may be asked twice."""
        if self._dealers is None:
            raise DomainError(Reason.UNAVAILABLE, "this gateway has no dealer", service="dealer")
        return await self._dealers.ask(question)


def open_dealers(addresses: tuple[str, ...]) -> AbstractAsyncContextManager[Replicas[Stub] | None]:
    """The dealers at these addresses while the block lasts, None where there is no address."""
    if not addresses:
        return nullcontext()
    return open_replicas("dealer", addresses, dealer_pb2_grpc.DealerServiceStub)


def register(servicer: FairnessServicer, server: grpc.aio.Server) -> None:
    """Add the service to a server."""
    gateway_pb2_grpc.add_FairnessServiceServicer_to_server(servicer, server)
