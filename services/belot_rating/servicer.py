"""The rating service over gRPC: unpack, one call, pack."""

from typing import Final, TypeAlias

import grpc

from belot.rating.v1 import rating_pb2, rating_pb2_grpc
from belot_kit.grpc_server import Register
from belot_kit.pages import page_of
from belot_rating import commands
from belot_rating.convert import page_message, recorded_message, result_of
from belot_rating.store import Inbox

#: Full name for health checks and reflection.
SERVICE: Final = rating_pb2.DESCRIPTOR.services_by_name["RatingService"].full_name

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class RatingServicer(rating_pb2_grpc.RatingServiceServicer):
    """Each method is one use case; errors are the chassis' business."""

    def __init__(self, inbox: Inbox) -> None:
        """`inbox` is where results are kept."""
        self._inbox = inbox

    async def RecordMatch(  # noqa: N802 - gRPC's name
        self, request: rating_pb2.RecordMatchRequest, context: Context
    ) -> rating_pb2.RecordMatchResponse:
        """Keeps a result."""
        match = request.match
        kept, already_known = await commands.record_match(self._inbox, result_of(match), match.SerializeToString())
        return recorded_message(kept, already_known)

    async def ListRecordedMatches(  # noqa: N802 - gRPC's name
        self, request: rating_pb2.ListRecordedMatchesRequest, context: Context
    ) -> rating_pb2.ListRecordedMatchesResponse:
        """A page of results."""
        page = page_of(request.page_size, request.page_token, key=(int, str), list="recorded")
        return page_message(*await commands.list_recorded(self._inbox, page))


def registering(inbox: Inbox) -> Register:
    """Serve the ratings on a server."""
    servicer = RatingServicer(inbox)
    return lambda server: rating_pb2_grpc.add_RatingServiceServicer_to_server(servicer, server)
