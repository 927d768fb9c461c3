"""Refusals: who has no token, what makes no sense, what is not allowed; each typed, each with a sentence for people."""

import random
import secrets
from collections.abc import AsyncIterator
from typing import TypeAlias

import grpc
import jwt
import pytest
import pytest_asyncio
from google.protobuf.descriptor import ServiceDescriptor
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import STATUS_KEY, DomainError, Reason, from_rpc_error
from support.raw_streams import RawGuest, guest, lobby, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

Service: TypeAlias = ServiceDescriptor
UNARY = [
    (service, method.name)
    for service in gateway_pb2.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    if not method.server_streaming
]
IDS = [name for _, name in UNARY]


@pytest_asyncio.fixture(loop_scope="session")
async def ana(fleet: SmallFleet) -> AsyncIterator[RawGuest]:
    async with guest(fleet.gateways[0]) as found:
        yield found


async def raw_call(player: RawGuest, service: str, method: str, octets: bytes, *more: tuple[str, str]) -> DomainError:
    call = player.channel.unary_unary(f"/{service}/{method}")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call(octets, metadata=(*player.metadata, *more))
    return typed(refused.value)


def typed(error: grpc.aio.AioRpcError) -> DomainError:
    """The refusal; it must carry exactly one ErrorInfo and one LocalizedMessage, and be no fault of ours."""
    found = from_rpc_error(error)
    assert error.code() not in (grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN), error.details()
    details = [value for key, value in error.trailing_metadata() or () if key == STATUS_KEY]
    kinds = [detail.type_url.rpartition(".")[2] for detail in status_pb2.Status.FromString(details[0]).details]
    assert kinds.count("ErrorInfo") == 1
    assert kinds.count("LocalizedMessage") == 1
    return found


def words(error: grpc.aio.AioRpcError) -> tuple[str, str]:
    """Language and sentence of a refusal."""
    details = [value for key, value in error.trailing_metadata() or () if key == STATUS_KEY]
    for detail in status_pb2.Status.FromString(details[0]).details:
        message = error_details_pb2.LocalizedMessage()
        if detail.Unpack(message):
            return message.locale, message.message
    raise AssertionError("no LocalizedMessage")


@pytest.mark.parametrize(("service", "method"), UNARY, ids=IDS)
async def test_octets_that_are_no_message_are_an_invalid_argument(ana: RawGuest, service: Service, method: str) -> None:
    error = await raw_call(ana, service.full_name, method, b"\xff\xff\xff\xff")
    assert error.reason is Reason.INVALID_ARGUMENT


@pytest.mark.parametrize(("service", "method"), UNARY, ids=IDS)
async def test_random_octets_never_are_a_fault_of_ours(ana: RawGuest, service: Service, method: str) -> None:
    draw = random.Random(method)
    call = ana.channel.unary_unary(f"/{service.full_name}/{method}")
    for _ in range(25):
        try:
            await call(draw.randbytes(draw.randint(0, 40)), metadata=ana.metadata)
        except grpc.aio.AioRpcError as error:
            typed(error)


@pytest.mark.parametrize("method", ["Watch", "Play"])
async def test_random_octets_end_a_stream_with_invalid_argument(ana: RawGuest, method: str) -> None:
    path = f"/belot.gateway.v1.PlayService/{method}"

    async def garbage() -> AsyncIterator[bytes]:
        yield b"\xff\xff\xff\xff"

    if method == "Watch":
        stream = ana.channel.unary_stream(path)(b"\xff\xff\xff\xff", metadata=ana.metadata)
    else:
        stream = ana.channel.stream_stream(path)(garbage(), metadata=ana.metadata)
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        async for _ in stream:
            pass
    assert typed(refused.value).reason is Reason.INVALID_ARGUMENT


PUBLIC = {"ListCommitments", "ListDailyRoots", "GetInclusionProof", "GetFairnessStats", "GetDealerKeys"}
"""What everybody may check of the deal, signed in or not."""
OF_GUESTS = [(service, method) for service, method in UNARY if method not in PUBLIC]


@pytest.mark.parametrize(("service", "method"), OF_GUESTS, ids=[name for _, name in OF_GUESTS])
async def test_without_a_token_only_signing_in_is_possible(fleet: SmallFleet, service: Service, method: str) -> None:
    stranger = RawGuest(fleet.gateways[0], "nobody")
    if method == "SignInAsGuest":
        await stranger.sign_in()
    else:
        error = await raw_call(stranger, service.full_name, method, b"")
        assert error.reason is Reason.UNAUTHENTICATED
        assert "SignInAsGuest" in error.message
    await stranger.channel.close()


@pytest.mark.parametrize("kind", ["forged", "cut", "another scheme"])
async def test_a_token_that_is_not_ours_is_refused_on_streams_too(fleet: SmallFleet, ana: RawGuest, kind: str) -> None:
    token = dict(ana.metadata)["authorization"].removeprefix("Bearer ")
    claims = jwt.decode(token, options={"verify_signature": False})
    values = {
        "forged": "Bearer " + jwt.encode(claims, "a secret of thirty-two octets....", algorithm="HS256"),
        "cut": f"Bearer {token[:-4]}",
        "another scheme": f"Basic {token}",
    }
    call = ana.plays.Watch(
        gateway_pb2.WatchRequest(subscriptions=[lobby()]), metadata=(("authorization", values[kind]),)
    )
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await call.read()
    assert typed(refused.value).reason is Reason.UNAUTHENTICATED


@pytest.mark.parametrize("name", ["", "   ", "x" * 33, "a\nb", "a\u200eb"])
async def test_a_name_is_one_to_thirty_two_visible_characters(ana: RawGuest, name: str) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.auth.SignInAsGuest(gateway_pb2.SignInAsGuestRequest(display_name=name))
    error = typed(refused.value)
    assert error.reason is Reason.INVALID_ARGUMENT
    assert [violation.field for violation in error.violations] == ["display_name"]


@pytest.mark.parametrize(
    ("request_", "reason", "field"),
    [
        (gateway_pb2.PlayCardRequest(request_id="r", table_id="t"), Reason.INVALID_ARGUMENT, "card"),
        (gateway_pb2.PlayCardRequest(table_id="t", card=1), Reason.INVALID_ARGUMENT, "request_id"),  # type: ignore[arg-type]
        (gateway_pb2.PlayCardRequest(request_id="r", card=1), Reason.INVALID_ARGUMENT, "table_id"),  # type: ignore[arg-type]
        (gateway_pb2.PlayCardRequest(request_id="r", table_id="t", card=77), Reason.UNKNOWN_CARD, "card"),  # type: ignore[arg-type]
        (gateway_pb2.PlayCardRequest(request_id="r" * 65, table_id="t", card=1), Reason.INVALID_ARGUMENT, "request_id"),  # type: ignore[arg-type]
    ],
)
async def test_a_field_that_makes_no_sense_is_named(
    ana: RawGuest, request_: gateway_pb2.PlayCardRequest, reason: Reason, field: str
) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.plays.PlayCard(request_, metadata=ana.metadata)
    error = typed(refused.value)
    assert error.reason is reason
    assert [violation.field for violation in error.violations] == [field]


async def test_a_bid_names_its_kind_and_a_choice_its_suit(ana: RawGuest) -> None:
    for request, field in (
        (gateway_pb2.BidRequest(request_id="r", table_id="t"), "kind"),
        (gateway_pb2.BidRequest(request_id="r", table_id="t", kind=match_pb2.BID_KIND_CHOOSE), "suit"),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await ana.plays.Bid(request, metadata=ana.metadata)
        assert [violation.field for violation in typed(refused.value).violations] == [field]


@pytest.mark.parametrize("length", [0, 15, 17, 64])
async def test_a_seed_is_exactly_sixteen_octets(ana: RawGuest, length: int) -> None:
    request = gateway_pb2.SubmitSeedRequest(request_id="r", table_id="t", seed=bytes(length))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.plays.SubmitSeed(request, metadata=ana.metadata)
    assert typed(refused.value).reason is Reason.SEED_INVALID


async def test_a_table_that_does_not_exist_is_not_found(ana: RawGuest) -> None:
    request = gateway_pb2.GetTableRequest(table_id="00000000-0000-0000-0000-000000000000")
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.lobby.GetTable(request, metadata=ana.metadata)
    assert typed(refused.value).reason is Reason.TABLE_NOT_FOUND


@pytest.mark.parametrize("after", [None, 5])
async def test_a_subscription_to_no_table_ends_alone_and_the_stream_goes_on(ana: RawGuest, after: int | None) -> None:
    async with ana.watching(table("00000000-0000-0000-0000-000000000000", after), lobby()) as stream:
        refusal = (await stream.first("ended")).ended.refusal
        assert refusal.reason == errors_pb2.ERROR_REASON_TABLE_NOT_FOUND
        assert refusal.localized_message == "There is no such table."
        await stream.first("lobby_snapshot")


async def test_a_watch_of_nothing_is_malformed(ana: RawGuest) -> None:
    for request in (
        gateway_pb2.WatchRequest(),
        gateway_pb2.WatchRequest(subscriptions=[gateway_pb2.Subscription()]),
        gateway_pb2.WatchRequest(subscriptions=[table("")]),
    ):
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await ana.plays.Watch(request, metadata=ana.metadata).read()
        assert typed(refused.value).reason is Reason.INVALID_ARGUMENT


async def test_commands_on_a_stream_are_refused_one_by_one(ana: RawGuest) -> None:
    """Malformed ones, the dealer's own action, and one that the table refuses; the stream goes on."""
    table_id = await ana.create()
    deal = match_pb2.Action(deal=match_pb2.DealCards())
    actions = {
        1: table_pb2.TableAction(),
        2: table_pb2.TableAction(game=deal),
        3: table_pb2.TableAction(game=match_pb2.Action(play=match_pb2.Play())),
        4: table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=b"short")),
        5: table_pb2.TableAction(game=match_pb2.Action(pass_bid=match_pb2.Pass())),
        6: table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name="somebody else")),
        7: table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True)),
    }
    reasons = ["INVALID_ARGUMENT", "INVALID_ARGUMENT", "INVALID_ARGUMENT", "SEED_INVALID", "WRONG_PHASE"]
    items = [
        gateway_pb2.PlayItem(
            command=gateway_pb2.ClientCommand(
                call_id=number, table_id=table_id, request_id=secrets.token_hex(8), action=action
            )
        )
        for number, action in actions.items()
    ]
    stream = ana.plays.Play(metadata=ana.metadata)
    await stream.write(gateway_pb2.PlayRequest(items=items))
    await stream.done_writing()
    replies = {item.reply.call_id: item.reply async for batch in stream for item in batch.items if item.reply.call_id}
    found = [errors_pb2.ErrorReason.Name(replies[number].refusal.reason) for number in range(1, 7)]
    assert found == [f"ERROR_REASON_{reason}" for reason in (*reasons, "ALREADY_SEATED")]
    assert all(replies[number].refusal.localized_message for number in range(1, 7))
    assert replies[7].HasField("ack")


async def test_nobody_can_act_for_another_player(fleet: SmallFleet, ana: RawGuest) -> None:
    table_id = await ana.create()
    async with guest(fleet.gateways[1], "Bo") as bo:
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await bo.ready(table_id)
        assert refused.value.code() is grpc.StatusCode.PERMISSION_DENIED
        assert typed(refused.value).reason is Reason.NOT_SEATED


async def test_refusals_speak_english_where_nothing_better_is_asked_for(ana: RawGuest) -> None:
    request = gateway_pb2.GetTableRequest(table_id="nowhere")
    metadata = (*ana.metadata, ("accept-language", "xx, en;q=0.5"))
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.lobby.GetTable(request, metadata=metadata)
    assert words(refused.value) == ("en", "There is no such table.")


async def test_a_page_token_that_was_made_up_is_malformed(ana: RawGuest) -> None:
    with pytest.raises(grpc.aio.AioRpcError) as refused:
        await ana.lobby.ListTables(gateway_pb2.ListTablesRequest(page_token="made up"), metadata=ana.metadata)
    assert typed(refused.value).reason is Reason.INVALID_ARGUMENT


async def test_a_table_needs_a_ruleset_that_is_published(ana: RawGuest) -> None:
    for ruleset, reason in (("", Reason.INVALID_ARGUMENT), ("poker", Reason.RULESET_NOT_FOUND)):
        options = view_pb2.TableOptions(ruleset=ruleset)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await ana.lobby.CreateTable(
                gateway_pb2.CreateTableRequest(request_id="r" + ruleset, options=options), metadata=ana.metadata
            )
        assert typed(refused.value).reason is reason


async def test_the_published_rulesets_are_listed(ana: RawGuest) -> None:
    answer = await ana.lobby.ListRulesets(gateway_pb2.ListRulesetsRequest(), metadata=ana.metadata)
    assert {ruleset.ref.name for ruleset in answer.rulesets} >= {"club", "bela", "classic"}


async def test_the_same_request_twice_is_one_deed(ana: RawGuest) -> None:
    """Of every mutating rpc: the same id and content give the same answer."""
    options = view_pb2.TableOptions(ruleset="bela")
    create = gateway_pb2.CreateTableRequest(request_id="once", options=options, stay_standing=True)
    made = [(await ana.lobby.CreateTable(create, metadata=ana.metadata)).table.summary.table_id for _ in range(2)]
    assert made[0] == made[1]
    sit = gateway_pb2.SitDownRequest(request_id="sit", table_id=made[0])
    ready = gateway_pb2.SetReadyRequest(request_id="ready", table_id=made[0], ready=True)
    leave = gateway_pb2.LeaveTableRequest(request_id="leave", table_id=made[0])
    for method, request in ((ana.plays.SitDown, sit), (ana.plays.SetReady, ready), (ana.plays.LeaveTable, leave)):
        first, second = [(await method(request, metadata=ana.metadata)).ack for _ in range(2)]
        assert first == second
