"""The dealer service over gRPC: unpack, one call, pack."""

from typing import Final, TypeAlias

import grpc

from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot_dealer import commands, convert
from belot_dealer.dealer import Dealer
from belot_kit.grpc_server import Register

#: Full name for health checks and reflection.
SERVICE: Final = dealer_pb2.DESCRIPTOR.services_by_name["DealerService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class DealerServicer(dealer_pb2_grpc.DealerServiceServicer):
    """Each method is one command; errors are the chassis' business."""

    def __init__(self, dealer: Dealer) -> None:
        """`dealer` is what every command works with."""
        self._dealer = dealer

    async def OpenMatch(  # noqa: N802 - gRPC's name
        self, request: dealer_pb2.OpenMatchRequest, context: Context
    ) -> dealer_pb2.OpenMatchResponse:
        """Binds a match and commits to its server seed."""
        opening = convert.read_opening(request)
        return convert.write_opened(await commands.open_match(self._dealer, opening))

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


def register(dealer: Dealer) -> Register:
    """Serve this dealer on a server."""

    def add(server: grpc.aio.Server) -> None:
        dealer_pb2_grpc.add_DealerServiceServicer_to_server(DealerServicer(dealer), server)

    return add
