"""For each rpc that changes something other than a table's game: a call, and another under the same identity."""

import random
import secrets
import uuid
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import grpc
from google.protobuf.message import Message

from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot.gateway.v1 import gateway_pb2
from belot.rating.v1 import rating_pb2
from belot.rules.v1 import rulings_pb2
from belot.table.v1 import table_pb2, view_pb2
from hostile.examples import position_examples
from hostile.places import make_place, view_of
from hostile.scenes import playing
from support.dealers import DealerClient, opening, ready_to_deal, release, seed_of, seeded
from support.raw_streams import RawGuest

Call: TypeAlias = tuple[str, Message]


@dataclass(frozen=True, slots=True)
class Stage:
    """Where calls go, and who plays."""

    channels: Mapping[str, Sequence[grpc.aio.Channel]]
    four: Sequence[RawGuest] = field(repr=False)

    @property
    def dealer(self) -> DealerClient:
        """The dealer as tables see it."""
        return DealerClient(dealer_pb2_grpc.DealerServiceStub(self.channels["dealer"][0]), "")


@dataclass(frozen=True, slots=True)
class Deed:
    """`request` may be sent now. `adds`: the database table that gets one row more; `other` calls, and why not."""

    request: Message
    adds: str
    other: Callable[[Message], Call] | None = None
    refusal: str = "REQUEST_ID_REUSED"


def _new() -> str:
    return secrets.token_hex(8)


def _with(path: str, request: Message, **changes: object) -> Callable[[Message], Call]:
    """The same request with other content."""
    changed = type(request)()
    changed.CopyFrom(request)
    for name, value in changes.items():
        setattr(changed, name, value)
    return lambda _answer: (path, changed)


async def _gateway_create(stage: Stage) -> Deed:
    options = view_pb2.TableOptions(ruleset="bela", private=True)
    request = gateway_pb2.CreateTableRequest(request_id=_new(), options=options)
    other = gateway_pb2.CreateTableRequest(request_id=request.request_id, options=view_pb2.TableOptions(ruleset="club"))
    return Deed(request, "belot_table.tables", lambda _: ("/belot.gateway.v1.LobbyService/CreateTable", other))


async def _table_create(stage: Stage) -> Deed:
    options = view_pb2.TableOptions(ruleset="bela")
    request = table_pb2.CreateTableRequest(player_id="maker", request_id=_new(), options=options, sit_as="Maker")
    return Deed(request, "belot_table.tables", _with("/belot.table.v1.TableService/CreateTable", request, sit_as="He"))


async def _gateway_rematch(stage: Stage) -> Deed:
    """What else the id could say is said at the new table: the old table's id is the rest of the content."""
    place = await make_place("finished", stage.four[0])
    request = gateway_pb2.OpenRematchRequest(request_id=_new(), table_id=place.table_id)

    def other(answer: Message) -> Call:
        assert isinstance(answer, gateway_pb2.OpenRematchResponse)
        sit = gateway_pb2.SetReadyRequest(
            request_id=request.request_id, table_id=answer.table.summary.table_id, ready=True
        )
        return "/belot.gateway.v1.PlayService/SetReady", sit

    return Deed(request, "belot_table.tables", other)


async def _table_rematch(stage: Stage) -> Deed:
    place = await make_place("finished", stage.four[0])
    request = table_pb2.OpenRematchRequest(
        table_id=place.table_id, player_id=place.player_id, request_id=_new(), display_name="Ana"
    )

    def other(answer: Message) -> Call:
        assert isinstance(answer, table_pb2.OpenRematchResponse)
        command = table_pb2.Command(
            table_id=answer.table.summary.table_id, player_id=place.player_id, request_id=request.request_id
        )
        command.action.set_ready.ready = True
        return "/belot.table.v1.TableService/Execute", table_pb2.ExecuteRequest(command=command)

    return Deed(request, "belot_table.tables", other)


async def _end_match(stage: Stage) -> Deed:
    request = table_pb2.EndMatchRequest(
        table_id=await playing(stage.four), request_id=_new(), outcome_kind="server_fault"
    )
    other = _with("/belot.table.v1.TableService/EndMatch", request, outcome_kind="cancelled")
    return Deed(request, "belot_table.outbox", other)


def _report() -> rulings_pb2.DisputeReport:
    found = (each for each in position_examples(random.Random(1)))
    return next(each.report for each in found if isinstance(each, rulings_pb2.DisputeRequest))


async def _gateway_dispute(stage: Stage) -> Deed:
    request = gateway_pb2.DisputeRequest(request_id=_new(), report=_report())
    other = gateway_pb2.DisputeRequest(request_id=request.request_id, report=_report())
    other.report.comment = "something else"
    return Deed(request, "belot_rules.disputes", lambda _: ("/belot.gateway.v1.RulingService/Dispute", other))


async def _rules_dispute(stage: Stage) -> Deed:
    request = rulings_pb2.DisputeRequest(request_id=_new(), player_id="player", report=_report())
    other = rulings_pb2.DisputeRequest(request_id=request.request_id, player_id="player", report=_report())
    other.report.comment = "something else"
    return Deed(request, "belot_rules.disputes", lambda _: ("/belot.rules.v1.RulesService/Dispute", other))


async def _report_failure(stage: Stage) -> Deed:
    request = dealer_pb2.ReportFairnessFailureRequest(
        match_id=await ready_to_deal(stage.dealer),
        seat=1,
        request_id=_new(),
        finding=dealer_pb2.FAIRNESS_FINDING_HAND,
    )
    path = "/belot.dealer.v1.DealerService/ReportFairnessFailure"
    other = _with(path, request, finding=dealer_pb2.FAIRNESS_FINDING_SEED)
    return Deed(request, "belot_dealer.fairness_reports", other)


async def _open_match(stage: Stage) -> Deed:
    request = opening("PBBB")
    path = "/belot.dealer.v1.DealerService/OpenMatch"
    return Deed(request, "belot_dealer.matches", _with(path, request, pack_size=24))


async def _submit_seed(stage: Stage) -> Deed:
    opened = opening("PPBB")
    await stage.dealer.open(opened)
    seed = seed_of(opened.match_id, 0)
    request = dealer_pb2.SubmitSeedRequest(match_id=opened.match_id, seat=0, seed=seed)
    path = "/belot.dealer.v1.DealerService/SubmitSeed"
    return Deed(request, "", _with(path, request, seed=b"x" * 16), "SEED_ALREADY_SENT")


async def _close_seeds(stage: Stage) -> Deed:
    opened = opening("PBBB")
    await stage.dealer.open(opened)
    await stage.dealer.seed(opened.match_id, 0, seed_of(opened.match_id, 0))
    return Deed(dealer_pb2.CloseSeedsRequest(match_id=opened.match_id), "")


async def _fix_beacon(stage: Stage) -> Deed:
    opened = opening("PBBB")
    await seeded(stage.dealer, opened)
    return Deed(dealer_pb2.FixBeaconRequest(match_id=opened.match_id), "")


async def _release_cards(stage: Stage) -> Deed:
    match_id = await ready_to_deal(stage.dealer)
    request = dealer_pb2.ReleaseCardsRequest(match_id=match_id, releases=[release(0, 0), release(1, 1)])
    other = dealer_pb2.ReleaseCardsRequest(match_id=match_id, releases=[release(0, 1), release(1, 0)])
    path = "/belot.dealer.v1.DealerService/ReleaseCards"
    return Deed(request, "belot_dealer.transcript_events", lambda _: (path, other))


async def _reveal_match(stage: Stage) -> Deed:
    match_id = await ready_to_deal(stage.dealer)
    request = dealer_pb2.RevealMatchRequest(match_id=match_id, play_log_hash=b"h" * 32, ending="finished")
    path = "/belot.dealer.v1.DealerService/RevealMatch"
    return Deed(request, "belot_dealer.transcript_events", _with(path, request, play_log_hash=b"g" * 32))


async def _submitted(stage: Stage) -> tuple[str, int, bytes]:
    opened = opening("PBBB")
    await seeded(stage.dealer, opened)
    fixed = await stage.dealer.fix(opened.match_id)
    return opened.match_id, fixed.round, fixed.signature


async def _dealer_beacon(stage: Stage) -> Deed:
    match_id, round, signature = await _submitted(stage)
    request = dealer_pb2.SubmitBeaconRequest(match_id=match_id, round=round, signature=signature)
    path = "/belot.dealer.v1.DealerService/SubmitBeacon"
    other = _with(path, request, signature=signature[::-1])
    return Deed(request, "belot_dealer.beacon_receipts", other, "BEACON_REFUSED")


async def _gateway_beacon(stage: Stage) -> Deed:
    match_id, round, signature = await _submitted(stage)
    request = gateway_pb2.SubmitBeaconRequest(match_id=match_id, round=round, signature=signature)
    path = "/belot.gateway.v1.FairnessService/SubmitBeacon"
    other = _with(path, request, signature=signature[::-1])
    return Deed(request, "belot_dealer.beacon_receipts", other, "BEACON_REFUSED")


async def _record_match(stage: Stage) -> Deed:
    place = await make_place("finished", stage.four[0])
    finished = (await view_of(stage.four[0], place.table_id)).finished
    finished.match_id = str(uuid.uuid4())
    request, other = rating_pb2.RecordMatchRequest(match=finished), rating_pb2.RecordMatchRequest(match=finished)
    other.match.leavers.append("somebody")
    path = "/belot.rating.v1.RatingService/RecordMatch"
    return Deed(request, "belot_rating.inbox", lambda _: (path, other), "MATCH_RESULT_DIFFERS")


DEEDS: Final[Mapping[str, Callable[[Stage], Awaitable[Deed]]]] = {
    "/belot.gateway.v1.LobbyService/CreateTable": _gateway_create,
    "/belot.gateway.v1.LobbyService/OpenRematch": _gateway_rematch,
    "/belot.gateway.v1.RulingService/Dispute": _gateway_dispute,
    "/belot.gateway.v1.FairnessService/SubmitBeacon": _gateway_beacon,
    "/belot.table.v1.TableService/CreateTable": _table_create,
    "/belot.table.v1.TableService/OpenRematch": _table_rematch,
    "/belot.table.v1.TableService/EndMatch": _end_match,
    "/belot.rules.v1.RulesService/Dispute": _rules_dispute,
    "/belot.dealer.v1.DealerService/OpenMatch": _open_match,
    "/belot.dealer.v1.DealerService/SubmitSeed": _submit_seed,
    "/belot.dealer.v1.DealerService/CloseSeeds": _close_seeds,
    "/belot.dealer.v1.DealerService/FixBeacon": _fix_beacon,
    "/belot.dealer.v1.DealerService/ReleaseCards": _release_cards,
    "/belot.dealer.v1.DealerService/RevealMatch": _reveal_match,
    "/belot.dealer.v1.DealerService/SubmitBeacon": _dealer_beacon,
    "/belot.dealer.v1.DealerService/ReportFairnessFailure": _report_failure,
    "/belot.rating.v1.RatingService/RecordMatch": _record_match,
}
