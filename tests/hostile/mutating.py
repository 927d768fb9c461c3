"""Which rpcs change something, out of the descriptors, and how each is safe to send twice.

Those whose request has a `request_id` are safe by it; the others are listed here with the reason why they need none.
"""

import re
from collections.abc import Mapping
from typing import Final

from google.protobuf.message import Message

from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2
from hostile.rpcs import Rpc, every_rpc

BY_CONTENT: Final[Mapping[str, str]] = {
    "/belot.dealer.v1.DealerService/OpenMatch": "the match's id is the request's",
    "/belot.dealer.v1.DealerService/SubmitSeed": "one seed for each match and seat",
    "/belot.dealer.v1.DealerService/CloseSeeds": "once for each match",
    "/belot.dealer.v1.DealerService/FixBeacon": "once for each match",
    "/belot.dealer.v1.DealerService/ReleaseCards": "once for each match, hand and stage",
    "/belot.dealer.v1.DealerService/RevealMatch": "once for each match",
    "/belot.dealer.v1.DealerService/SubmitBeacon": "a round has one valid signature",
    "/belot.gateway.v1.FairnessService/SubmitBeacon": "a round has one valid signature",
    "/belot.rating.v1.RatingService/RecordMatch": "the match's id is the request's",
}
"""Sent again with the same content they answer the same; another content under the same identity is refused."""

WITHOUT: Final[Mapping[str, str]] = {
    "/belot.gateway.v1.AuthService/SignInAsGuest": "nothing is stored; an id would give a guest to whoever guesses it",
    "/belot.gateway.v1.PlayService/Watch": "a stream: it shows, and changes nothing but who is there",
    "/belot.gateway.v1.PlayService/UpdateSubscriptions": "says what a stream follows from now on",
    "/belot.gateway.v1.PlayService/Play": "a stream of commands, each with a request id of its own",
    "/belot.table.v1.TableService/ExecuteStream": "a stream of commands, each with a request id of its own",
    "/belot.table.v1.TableService/ReportPresence": "who is there now; said again every few seconds",
}
"""Neither: why a second one does no harm."""

_KINDS: Final[Mapping[str, str]] = {"LeaveTable": "leave", "Bid": "game", "PlayCard": "game",
                                    "ReportFairnessFailure": "report_fairness"}  # fmt: skip
"""Public rpcs that are not called like their action."""


def mutating() -> tuple[Rpc, ...]:
    """Every rpc that changes something."""
    return tuple(rpc for rpc in every_rpc() if not rpc.reads)


def has_request_id(rpc: Rpc) -> bool:
    """Whether a request, or the command in it, carries a request id."""
    fields = rpc.request.DESCRIPTOR.fields_by_name
    inner = fields["command"].message_type if "command" in fields else None
    return "request_id" in fields or (inner is not None and "request_id" in inner.fields_by_name)


def actions() -> tuple[str, ...]:
    """Every kind of action there is, by its name."""
    return tuple(each.name for each in table_pb2.TableAction.DESCRIPTOR.oneofs_by_name["kind"].fields)


def table_rpcs() -> Mapping[str, str]:
    """The public rpcs that do one action at a table, and which kind: those that answer with an Ack."""
    return {
        rpc.path: _KINDS.get(rpc.name) or re.sub(r"(?<!^)(?=[A-Z])", "_", rpc.name).lower()
        for rpc in mutating()
        if rpc.service == "gateway" and "ack" in rpc.response.DESCRIPTOR.fields_by_name
    }


def unary_request(rpc: Rpc, table_id: str, request_id: str, action: table_pb2.TableAction) -> Message:
    """The request of a public rpc that does this action."""
    request = rpc.request(table_id=table_id, request_id=request_id)
    if action.HasField("game"):
        _put_game(request, action.game)
        return request
    done = getattr(action, str(action.WhichOneof("kind")))
    for field in rpc.request.DESCRIPTOR.fields:
        if field.message_type is not None and field.message_type.full_name == done.DESCRIPTOR.full_name:
            getattr(request, field.name).CopyFrom(done)
        elif field.name in done.DESCRIPTOR.fields_by_name and (not field.has_presence or done.HasField(field.name)):
            setattr(request, field.name, getattr(done, field.name))
    return request


def _put_game(request: Message, game: match_pb2.Action) -> None:
    if isinstance(request, gateway_pb2.PlayCardRequest):
        request.card = game.play.card
    elif isinstance(request, gateway_pb2.BidRequest):
        kinds = {"pass_bid": match_pb2.BID_KIND_PASS, "accept": match_pb2.BID_KIND_ACCEPT}
        request.kind = kinds.get(str(game.WhichOneof("kind")), match_pb2.BID_KIND_CHOOSE)
        request.suit = game.choose.suit
