"""Too many calls are refused with the time to come back, and nothing has happened; others notice nothing."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable, Coroutine

import grpc
import pytest
import pytest_asyncio

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2
from belot_gateway.limits import LimitOptions
from belot_kit.errors import DomainError, Reason, from_rpc_error
from support.raw_streams import RawGuest, guest, lobby, table
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

CAPACITY = 60
LIMITS = LimitOptions(
    player_capacity=CAPACITY, player_per_s=0.2, address_capacity=60, address_per_s=0.2, address_header="x-real-ip"
)


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def strict(fleet: SmallFleet) -> AsyncIterator[str]:
    """A gateway that grants each player sixty credits."""
    async with fleet.gateway(limits=LIMITS, most_streams_of_player=2) as (address, _):
        yield address


async def refused_in_the_end(call: Callable[[], Coroutine[object, object, object]]) -> DomainError:
    """Call until it is refused."""
    for _ in range(200):
        try:
            await call()
        except grpc.aio.AioRpcError as error:
            return from_rpc_error(error)
    raise AssertionError("nothing was refused")


async def test_a_player_who_calls_too_much_is_told_when_to_come_back_and_nothing_has_changed(
    strict: str, fleet: SmallFleet
) -> None:
    async with guest(strict) as ana, guest(fleet.gateways[0], "Bo") as bo:
        table_id = await ana.create()
        flips = iter(range(1_000))
        answered = 0

        async def flip() -> None:
            nonlocal answered
            answered = (await ana.ready(table_id, next(flips) % 2 == 0)).version

        error = await refused_in_the_end(flip)
        assert error.reason is Reason.RATE_LIMITED
        assert error.retry_after_ms
        request = gateway_pb2.GetTableRequest(table_id=table_id)
        seen = await bo.lobby.GetTable(request, metadata=bo.metadata)
        assert seen.table.summary.version == answered


async def test_other_players_go_on(strict: str) -> None:
    async with guest(strict) as ana, guest(strict, "Bo") as bo:
        table_id = await ana.create()
        await refused_in_the_end(lambda: ana.ready(table_id))
        await bo.sit(table_id)


async def test_dear_calls_are_soon_too_many(strict: str) -> None:
    async with guest(strict) as ana:
        for _ in range(3):
            await ana.create()
        assert (await refused_in_the_end(ana.create)).reason is Reason.RATE_LIMITED


async def test_commands_and_subscriptions_of_a_play_stream_cost_what_their_unary_twins_do(strict: str) -> None:
    async with guest(strict) as ana:
        table_id = await ana.create()
        ready = table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=False))
        items = [
            gateway_pb2.PlayItem(
                command=gateway_pb2.ClientCommand(
                    call_id=number, table_id=table_id, request_id=secrets.token_hex(8), action=ready
                )
            )
            for number in range(1, 61)
        ]
        items.append(gateway_pb2.PlayItem(subscribe=table(table_id)))
        call = ana.plays.Play(metadata=ana.metadata)
        await call.write(gateway_pb2.PlayRequest(items=items))
        replies: dict[int, int] = {}
        ended: list[int] = []
        async with asyncio.timeout(15):
            while len(replies) < 60 or not ended:
                response = await call.read()
                assert isinstance(response, gateway_pb2.PlayResponse)
                for item in response.items:
                    if item.HasField("reply"):
                        replies[item.reply.call_id] = item.reply.refusal.reason
                    elif item.HasField("ended"):
                        ended.append(item.ended.refusal.reason)
        call.cancel()
        limited = errors_pb2.ERROR_REASON_RATE_LIMITED
        refused = [number for number, reason in replies.items() if reason == limited]
        assert len(replies) - len(refused) in (CAPACITY - 20 - 3, CAPACITY - 20 - 3 + 1), "sixty, less table and stream"
        assert set(replies.values()) == {0, limited}
        assert ended == [limited]


async def test_many_subscriptions_at_once_cost_as_many_single_ones(strict: str) -> None:
    async with guest(strict) as ana:
        many = [lobby()] * 30
        call = ana.plays.Watch(gateway_pb2.WatchRequest(subscriptions=many), metadata=ana.metadata)
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await call.read()
        assert from_rpc_error(refused.value).reason is Reason.RATE_LIMITED


async def test_who_needs_no_token_pays_by_his_address(strict: str) -> None:
    async with grpc.aio.insecure_channel(strict) as channel:
        stranger = RawGuest(strict, "Stranger")

        async def sign_in(address: str) -> None:
            request = gateway_pb2.SignInAsGuestRequest(display_name="Ana")
            await stranger.auth.SignInAsGuest(request, metadata=(("x-real-ip", address),))

        error = await refused_in_the_end(lambda: sign_in("192.0.2.1"))
        assert error.reason is Reason.RATE_LIMITED
        assert error.retry_after_ms
        await sign_in("192.0.2.2")
        await stranger.channel.close()
        assert channel is not None


async def test_a_player_opens_so_many_streams(strict: str) -> None:
    async with guest(strict) as ana, ana.watching(lobby()) as first, ana.watching(lobby()) as second:
        await first.first("lobby_snapshot")
        await second.first("lobby_snapshot")
        async with ana.watching(lobby()) as third:
            await third.until_over()
            assert third.error is not None
            assert from_rpc_error(third.error).reason is Reason.RATE_LIMITED


async def test_a_request_of_megabytes_is_refused_before_it_is_read(fleet: SmallFleet) -> None:
    async with guest(fleet.gateways[0]) as ana:
        request = gateway_pb2.GetTableRequest(table_id="x" * (5 << 20))
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await ana.lobby.GetTable(request, metadata=ana.metadata)
        assert refused.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
