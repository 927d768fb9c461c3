"""The rating service as the outbox delivers to it."""

from typing import TYPE_CHECKING, Final

from belot.rating.v1 import rating_pb2
from belot.table.v1 import view_pb2
from belot_kit.grpc_client import call
from belot_kit.replicas import Replicas
from belot_table.delivering import ASK_SECONDS
from belot_table.delivery_store import Parcel

if TYPE_CHECKING:
    from belot.rating.v1.rating_pb2_grpc import RatingServiceAsyncStub

CONSUMER: Final = "rating"
"""Its name in outbox rows."""


class GrpcRating:
    """Ratings over gRPC. They know a match by its id, so that telling them twice is telling them once."""

    def __init__(self, replicas: "Replicas[RatingServiceAsyncStub]") -> None:
        """`replicas` is kept running by whoever opened it."""
        self._replicas = replicas

    async def deliver(self, parcel: Parcel) -> None:
        """Hand a result over. Errors: DomainError, the service's own; DecodeError for a row that is none."""
        request = rating_pb2.RecordMatchRequest(match=view_pb2.MatchFinished.FromString(parcel.payload))
        await self._replicas.ask(lambda stub: call(stub.RecordMatch, request, most_s=ASK_SECONDS), most_s=ASK_SECONDS)
