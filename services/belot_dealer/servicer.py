"""The dealer service over gRPC: unpack, one call, pack."""

from typing import Final, TypeAlias

import grpc

from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot_dealer import commands, convert, public_convert, publishing
from belot_dealer.publishing import Publisher
from belot_kit.grpc_server import Register
from belot_kit.pages import page_of

#: Full name for health checks and reflection.
SERVICE: Final = dealer_pb2.DESCRIPTOR.services_by_name["DealerService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class DealerServicer(dealer_pb2_grpc.DealerServiceServicer):
    """Each method is one command; errors are the chassis' business."""

    def __init__(self, publisher: Publisher) -> None:
        """`publisher` is what is public about all matches; its dealer is what every command works with."""
        self._publisher = publisher
        self._dealer = publisher.dealer

    async def OpenMatch(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.OpenMatchRequest, context: Context
    ) -> dealer_pb2.OpenMatchResponse:
        """Binds a match and commits to its server seed."""
        opening, place = convert.read_opening(request), public_convert.read_place(request)
        return convert.write_opened(await commands.open_match(self._dealer, opening, place))

    async def SubmitSeed(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.SubmitSeedRequest, context: Context
    ) -> dealer_pb2.SubmitSeedResponse:
        """Takes a player's seed."""
        match_id, seat = convert.read_match_id(request.match_id), convert.read_seat_number(request.seat)
        seed = convert.read_seed(request.seed)
        return convert.write_seed_taken(await commands.submit_seed(self._dealer, match_id, seat, seed))

    async def CloseSeeds(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.CloseSeedsRequest, context: Context
    ) -> dealer_pb2.CloseSeedsResponse:
        """Closes the seeds and chooses the round."""
        match_id = convert.read_match_id(request.match_id)
        return convert.write_seeds_closed(await commands.close_seeds(self._dealer, match_id))

    async def FixBeacon(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.FixBeaconRequest, context: Context
    ) -> dealer_pb2.FixBeaconResponse:
        """Fixes the beacon or the fallback."""
        match_id = convert.read_match_id(request.match_id)
        return convert.write_beacon_fixed(await commands.fix_beacon(self._dealer, match_id))

    async def ReleaseCards(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.ReleaseCardsRequest, context: Context
    ) -> dealer_pb2.ReleaseCardsResponse:
        """Gives cards out by position."""
        match_id, asked = convert.read_match_id(request.match_id), convert.read_hand(request)
        return convert.write_cards_released(await commands.release_cards(self._dealer, match_id, asked))

    async def RevealMatch(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.RevealMatchRequest, context: Context
    ) -> dealer_pb2.RevealMatchResponse:
        """Ends a match and opens its server seed."""
        match_id, ending = convert.read_match_id(request.match_id), convert.read_ending(request.ending)
        play_log_hash = convert.read_play_log_hash(request.play_log_hash)
        revealed = await commands.reveal_match(self._dealer, match_id, play_log_hash, ending)
        return convert.write_revealed(revealed)

    async def GetTranscript(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.GetTranscriptRequest, context: Context
    ) -> dealer_pb2.GetTranscriptResponse:
        """The transcript so far."""
        match_id = convert.read_match_id(request.match_id)
        return convert.write_transcript(await commands.get_transcript(self._dealer, match_id))

    async def GetDealerInfo(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.GetDealerInfoRequest, context: Context
    ) -> dealer_pb2.GetDealerInfoResponse:
        """The chain in use and the keys that sign."""
        return convert.write_info(self._dealer.chain, await self._dealer.public_keys())

    async def SubmitBeacon(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.SubmitBeaconRequest, context: Context
    ) -> dealer_pb2.SubmitBeaconResponse:
        """Takes a beacon from a client."""
        match_id = convert.read_match_id(request.match_id)
        signature = public_convert.read_beacon_signature(request.signature)
        taken = await publishing.submit_beacon(self._publisher, match_id, request.round, signature)
        return public_convert.write_beacon_taken(*taken)

    async def ListCommitments(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.ListCommitmentsRequest, context: Context
    ) -> dealer_pb2.ListCommitmentsResponse:
        """A page of commitments."""
        table_id = public_convert.read_table_filter(request.table_id)
        page = page_of(request.page_size, request.page_token, key=(int, str), table=table_id)
        found, token = await publishing.list_commitments(self._publisher, page, table_id)
        return public_convert.write_commitments(found, token)

    async def ListDailyRoots(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.ListDailyRootsRequest, context: Context
    ) -> dealer_pb2.ListDailyRootsResponse:
        """A page of daily roots."""
        page = page_of(request.page_size, request.page_token, key=(int,), list="roots")
        found, token = await publishing.list_roots(self._publisher, page)
        return public_convert.write_roots(found, token)

    async def GetInclusionProof(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.GetInclusionProofRequest, context: Context
    ) -> dealer_pb2.GetInclusionProofResponse:
        """The inclusion file of a match."""
        match_id = convert.read_match_id(request.match_id)
        inclusion = await publishing.inclusion_of(self._publisher, match_id)
        return dealer_pb2.GetInclusionProofResponse(inclusion=inclusion)

    async def ReportFairnessFailure(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.ReportFairnessFailureRequest, context: Context
    ) -> dealer_pb2.ReportFairnessFailureResponse:
        """Counts what a client found wrong."""
        match_id, seat = convert.read_match_id(request.match_id), convert.read_seat_number(request.seat)
        report = public_convert.read_report(request)
        await publishing.report_failure(self._publisher, match_id, seat, report)
        return dealer_pb2.ReportFairnessFailureResponse()

    async def GetFairnessStats(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.GetFairnessStatsRequest, context: Context
    ) -> dealer_pb2.GetFairnessStatsResponse:
        """The public figures."""
        table_id = public_convert.read_table_filter(request.table_id)
        return public_convert.write_figures(await self._publisher.figures(table_id))


def register(publisher: Publisher) -> Register:
    """Serve this dealer on a server."""

    def add(server: grpc.aio.Server) -> None:
        dealer_pb2_grpc.add_DealerServiceServicer_to_server(DealerServicer(publisher), server)

    return add
