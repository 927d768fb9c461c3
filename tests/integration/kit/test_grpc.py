"""Server and client of the chassis over real gRPC: errors, malformed bytes, deadlines, peers, stopping."""

import asyncio
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import grpc
import pytest
import structlog
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]
from grpc_health.v1 import health_pb2, health_pb2_grpc  # type: ignore[import-untyped]

from belot.rules.v1 import rules_pb2
from belot_kit.deadlines import call_timeout, deadline_after, deadline_scope, remaining_seconds
from belot_kit.errors import (
    STATUS_KEY,
    DomainError,
    FieldViolation,
    LocalizedText,
    PreconditionViolation,
    Reason,
    from_rpc_error,
)
from belot_kit.grpc_client import ChannelOptions, call, open_channel, service_config
from belot_kit.grpc_interceptor import Localize
from belot_kit.grpc_server import GrpcServer, ListenError, ServerOptions
from belot_kit.peers import PeerPolicy
from support.eventually import eventually

SERVICE = "belot.kit.test.Echo"
Request = rules_pb2.ApplyReply
Context = grpc.aio.ServicerContext[object, object]
Unary = Callable[[rules_pb2.ApplyReply, Context], Awaitable[rules_pb2.ApplyReply]]


def echo_server(
    unary: Unary, *, listen: str = "127.0.0.1:0", peers: PeerPolicy | None = None, localize: Localize | None = None
) -> GrpcServer:
    """A server with one service: Unary is given, Stream echoes, Down sends until an error, Up counts."""

    async def down(request: rules_pb2.ApplyReply, _: Context) -> AsyncIterator[rules_pb2.ApplyReply]:
        for number in range(request.call_id):
            yield rules_pb2.ApplyReply(call_id=number)
        raise DomainError(Reason.STREAM_TOO_SLOW, "too slow")

    async def stream(requests: AsyncIterator[object], context: Context) -> None:
        async for request in requests:
            await context.write(request)

    async def broken(requests: AsyncIterator[object], context: Context) -> None:
        """Give up in the middle of the first write, as a stream does whose reader finds nonsense."""
        writing = asyncio.ensure_future(context.write(Request(call_id=1)))
        await asyncio.sleep(0)
        writing.cancel()
        raise DomainError(Reason.INVALID_ARGUMENT, "nonsense")

    async def up(requests: AsyncIterator[object], _: Context) -> rules_pb2.ApplyReply:
        return rules_pb2.ApplyReply(call_id=len([request async for request in requests]))

    def register(server: grpc.aio.Server) -> None:
        coders = (Request.FromString, Request.SerializeToString)
        handlers = {
            "Unary": grpc.unary_unary_rpc_method_handler(unary, *coders),
            "Down": grpc.unary_stream_rpc_method_handler(down, *coders),
            "Stream": grpc.stream_stream_rpc_method_handler(stream, *coders),
            "Broken": grpc.stream_stream_rpc_method_handler(broken, *coders),
            "Up": grpc.stream_unary_rpc_method_handler(up, *coders),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))

    options = ServerOptions(listen=(listen,), stop_grace_s=1.0)
    return GrpcServer(options, [register], [SERVICE], peers=peers, localize=localize)


@asynccontextmanager
async def serving(server: GrpcServer, *idempotent: str) -> AsyncIterator[grpc.aio.Channel]:
    """A running server and a channel to it."""
    await server.start()
    try:
        async with open_channel(ChannelOptions(server.addresses[0], idempotent)) as channel:
            yield channel
    finally:
        await server.stop()


def unary_of(
    channel: grpc.aio.Channel,
) -> "grpc.aio.UnaryUnaryMultiCallable[rules_pb2.ApplyReply, rules_pb2.ApplyReply]":
    """The client's side of Unary."""
    return channel.unary_unary(f"/{SERVICE}/Unary", Request.SerializeToString, Request.FromString)


def raw_calls(channel: grpc.aio.Channel, raw: bytes) -> list[Awaitable[object]]:
    """The bytes as the request of each kind of rpc."""
    unary: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(f"/{SERVICE}/Unary")
    down: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(f"/{SERVICE}/Down")
    up: grpc.aio.StreamUnaryMultiCallable[bytes, bytes] = channel.stream_unary(f"/{SERVICE}/Up")
    both: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(f"/{SERVICE}/Stream")
    return [unary(raw), down(raw).read(), up(iter([raw])), both(iter([raw])).read()]


async def echo(request: rules_pb2.ApplyReply, _: Context) -> rules_pb2.ApplyReply:
    """Answer with the request."""
    return request


async def test_an_error_arrives_with_everything_it_left_with() -> None:
    sent = DomainError(
        Reason.ILLEGAL_CARD,
        "you must trump",
        violations=[FieldViolation("card", "not legal")],
        preconditions=[PreconditionViolation("RULE", "P4", "a void player must trump")],
        retry_after_ms=1_250,
        version=17,
        mine=True,
    )

    async def refuse(_: rules_pb2.ApplyReply, __: Context) -> rules_pb2.ApplyReply:
        raise sent

    async with serving(echo_server(refuse)) as channel:
        with pytest.raises(DomainError) as caught:
            await call(unary_of(channel), Request(call_id=1))
    got = caught.value
    assert (got.reason, got.message, got.metadata) == (sent.reason, sent.message, {"version": "17", "mine": "true"})
    assert (got.violations, got.preconditions, got.retry_after_ms) == (sent.violations, sent.preconditions, 1_250)
    assert isinstance(got.__cause__, grpc.aio.AioRpcError)
    assert got.__cause__.code() is grpc.StatusCode.FAILED_PRECONDITION


async def test_an_unknown_exception_says_internal_and_nothing_of_its_text() -> None:
    async def break_down(_: rules_pb2.ApplyReply, __: Context) -> rules_pb2.ApplyReply:
        raise KeyError("hand AS KS QS")

    async with serving(echo_server(break_down)) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await unary_of(channel)(Request())
    assert caught.value.code() is grpc.StatusCode.INTERNAL
    assert "AS" not in f"{caught.value.details()}{caught.value.trailing_metadata()}"


async def test_an_answer_that_cannot_be_encoded_is_internal() -> None:
    async def wrong(_: rules_pb2.ApplyReply, __: Context) -> rules_pb2.ApplyReply:
        return cast("rules_pb2.ApplyReply", "no message")

    async with serving(echo_server(wrong)) as channel:
        with pytest.raises(DomainError) as caught:
            await call(unary_of(channel), Request())
    assert caught.value.reason is Reason.INTERNAL


def bytes_that_are_no_request(seed: int) -> bytes:
    """Random bytes that do not decode."""
    source = random.Random(seed)
    while True:
        raw = source.randbytes(source.randint(1, 64))
        try:
            Request.FromString(raw)
        except Exception:
            return raw


@pytest.mark.parametrize("seed", range(8))
async def test_random_bytes_are_an_invalid_argument_at_every_kind_of_rpc(seed: int) -> None:
    raw = bytes_that_are_no_request(seed)

    async with serving(echo_server(echo)) as channel:
        for each in raw_calls(channel, raw):
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await each
            assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
            assert from_rpc_error(caught.value).reason is Reason.INVALID_ARGUMENT


async def test_streams_carry_messages_and_then_the_error() -> None:
    async with serving(echo_server(echo)) as channel:
        down = channel.unary_stream(f"/{SERVICE}/Down", Request.SerializeToString, Request.FromString)
        running = down(Request(call_id=3))
        assert [cast("rules_pb2.ApplyReply", await running.read()).call_id for _ in range(3)] == [0, 1, 2]
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await running.read()
        assert from_rpc_error(caught.value).reason is Reason.STREAM_TOO_SLOW
        both = channel.stream_stream(f"/{SERVICE}/Stream", Request.SerializeToString, Request.FromString)()
        await both.write(Request(call_id=7))
        assert cast("rules_pb2.ApplyReply", await both.read()).call_id == 7
        await both.done_writing()
        assert await both.code() is grpc.StatusCode.OK


async def test_a_stream_that_gives_up_in_the_middle_of_its_first_write_still_says_why() -> None:
    async with serving(echo_server(echo)) as channel:
        for _ in range(10):
            stream = channel.stream_stream(f"/{SERVICE}/Broken", Request.SerializeToString, Request.FromString)
            running = stream(timeout=5)
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                _ = [each async for each in running]
            assert from_rpc_error(caught.value).reason is Reason.INVALID_ARGUMENT


async def test_a_client_that_gives_up_while_it_is_refused_is_no_error(caplog: pytest.LogCaptureFixture) -> None:
    rng = random.Random(5)
    async with serving(echo_server(echo)) as channel:
        for _ in range(100):
            calls = [unary_of(channel)(Request(), timeout=rng.uniform(0.0005, 0.004)) for _ in range(20)]
            await asyncio.gather(*calls, return_exceptions=True)
    assert [each.getMessage() for each in caplog.records if each.levelname == "ERROR"] == []


async def test_a_refusal_that_quotes_what_was_sent_is_short_enough_to_arrive() -> None:
    quoted = "\U0001f0a1" * 5_000

    async def quote(_: rules_pb2.ApplyReply, __: Context) -> rules_pb2.ApplyReply:
        violations = [FieldViolation(quoted, quoted) for _ in range(100)]
        raise DomainError(Reason.OPTION_INVALID, f"no option is called {quoted}", violations=violations, name=quoted)

    async with serving(echo_server(quote)) as channel:
        with pytest.raises(DomainError) as caught:
            await call(unary_of(channel), Request())
    got = caught.value
    assert got.reason is Reason.OPTION_INVALID
    assert got.message.startswith("no option is called \U0001f0a1")
    assert got.message.endswith("…")
    assert got.metadata["name"].startswith("\U0001f0a1")
    assert got.violations[0].description.startswith("\U0001f0a1")


async def test_a_call_has_a_deadline_that_shrinks_from_hop_to_hop() -> None:
    seen: list[float] = []

    async def look(request: rules_pb2.ApplyReply, _: Context) -> rules_pb2.ApplyReply:
        seen.append(remaining_seconds() or 0.0)
        seen.append(call_timeout())
        return request

    async with serving(echo_server(look)) as channel:
        with deadline_scope(deadline_after(1.0)):
            await call(unary_of(channel), Request())
        assert 0.2 < seen[0] < 0.99  # 0.98 s, which the header rounds up to milliseconds
        assert seen[1] <= seen[0] - 0.02
        seen.clear()
        await unary_of(channel)(Request())  # a caller without a deadline gets the default
        assert 4.0 < seen[0] <= 5.0


async def test_too_little_time_is_refused_on_both_sides() -> None:
    async with serving(echo_server(echo)) as channel:
        with deadline_scope(deadline_after(0.06)), pytest.raises(DomainError) as caught:
            await call(unary_of(channel), Request())
        assert caught.value.reason is Reason.DEADLINE_TOO_SHORT
        with pytest.raises(grpc.aio.AioRpcError) as refused:
            await unary_of(channel)(Request(), timeout=0.045)
        assert refused.value.code() is grpc.StatusCode.DEADLINE_EXCEEDED


async def test_a_caller_without_a_deadline_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("belot_kit.deadlines.DEFAULT_SECONDS", 0.1)
    never = asyncio.Event()

    async def hang(request: rules_pb2.ApplyReply, _: Context) -> rules_pb2.ApplyReply:
        await never.wait()
        return request

    async with serving(echo_server(hang)) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await unary_of(channel)(Request())
    assert from_rpc_error(caught.value).reason is Reason.DEADLINE_TOO_SHORT


async def test_a_refusal_carries_a_sentence_for_people_where_the_server_has_one() -> None:
    async def refuse(_: rules_pb2.ApplyReply, __: Context) -> rules_pb2.ApplyReply:
        raise DomainError(Reason.SEAT_TAKEN, "taken")

    def localize(error: DomainError) -> LocalizedText:
        return LocalizedText("hr", f"Zauzeto ({error.reason})")

    async with serving(echo_server(refuse, localize=localize)) as channel:
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await unary_of(channel)(Request())
    status = status_pb2.Status.FromString(dict(caught.value.trailing_metadata())[STATUS_KEY])
    text = error_details_pb2.LocalizedMessage()
    status.details[-1].Unpack(text)
    assert (text.locale, text.message) == ("hr", "Zauzeto (SEAT_TAKEN)")


async def test_health_follows_what_the_service_says() -> None:
    server = echo_server(echo)
    async with serving(server) as channel:
        health = health_pb2_grpc.HealthStub(channel)
        for serving_now, status in ((False, "NOT_SERVING"), (True, "SERVING")):
            await server.set_serving(serving_now)
            answer = await health.Check(health_pb2.HealthCheckRequest(service=SERVICE))
            assert health_pb2.HealthCheckResponse.ServingStatus.Name(answer.status) == status


async def test_a_unix_socket_works_and_is_gone_after_the_stop(tmp_path: Path) -> None:
    path = tmp_path / "echo.sock"
    path.touch()  # left by a killed process
    async with serving(echo_server(echo, listen=f"unix:{path}")) as channel:
        assert (await call(unary_of(channel), Request(call_id=5))).call_id == 5
    assert not path.exists()


async def test_a_taken_port_is_an_error() -> None:
    first = echo_server(echo)
    async with serving(first):
        with pytest.raises(ListenError):
            await echo_server(echo, listen=first.addresses[0]).start()


async def test_a_tcp_peer_without_a_certificate_is_refused_where_tls_is_required(tmp_path: Path) -> None:
    policy = PeerPolicy({SERVICE: frozenset({"gateway.belot"})}, require_tls=True)
    async with serving(echo_server(echo, peers=policy)) as channel:
        with pytest.raises(DomainError) as caught:
            await call(unary_of(channel), Request())
        assert caught.value.reason is Reason.PERMISSION_DENIED
    async with serving(echo_server(echo, peers=policy, listen=f"unix:{tmp_path}/a")) as channel:
        await call(unary_of(channel), Request())


async def test_a_running_call_may_finish_after_the_stop_began() -> None:
    began, go_on = asyncio.Event(), asyncio.Event()

    async def slow(request: rules_pb2.ApplyReply, _: Context) -> rules_pb2.ApplyReply:
        began.set()
        await go_on.wait()
        return request

    server = echo_server(slow)
    async with serving(server) as channel:
        running = asyncio.ensure_future(unary_of(channel)(Request(call_id=3)))
        await began.wait()
        stopping = asyncio.ensure_future(server.stop())
        go_on.set()
        assert (await running).call_id == 3
        await stopping


async def test_only_idempotent_methods_are_tried_again() -> None:
    calls = 0

    async def flaky(request: rules_pb2.ApplyReply, _: Context) -> rules_pb2.ApplyReply:
        nonlocal calls
        calls += 1
        if calls < 3:
            raise DomainError(Reason.UNAVAILABLE, "not now")
        return request

    async with serving(echo_server(flaky)) as channel:
        with pytest.raises(DomainError):
            await call(unary_of(channel), Request())
        assert calls == 1
    calls = 0
    async with serving(echo_server(flaky), f"{SERVICE}/Unary") as channel:
        await call(unary_of(channel), Request())
        assert calls == 3


def test_the_service_config_has_no_timeout() -> None:
    config = json.loads(service_config(["a.B/C", "a.D"]))
    assert config["methodConfig"][0]["name"] == [{"service": "a.B", "method": "C"}, {"service": "a.D"}]
    assert "timeout" not in json.dumps(config)


async def test_each_call_is_logged_once_and_reasons_are_named() -> None:
    async def refuse(request: rules_pb2.ApplyReply, _: Context) -> rules_pb2.ApplyReply:
        if request.call_id:
            raise DomainError(Reason.SEAT_TAKEN, "taken")
        return request

    async with serving(echo_server(refuse)) as channel:
        with structlog.testing.capture_logs(processors=[structlog.contextvars.merge_contextvars]) as lines:
            await call(unary_of(channel), Request())
            with pytest.raises(DomainError):
                await call(unary_of(channel), Request(call_id=1))
            await eventually(lambda: len(lines) == 2)  # the answer is out before the line is
    rpcs = [line for line in lines if line["event"] == "rpc"]
    assert [(line["method"], line["code"], line.get("reason")) for line in rpcs] == [
        (f"/{SERVICE}/Unary", "OK", None),
        (f"/{SERVICE}/Unary", "FAILED_PRECONDITION", "SEAT_TAKEN"),
    ]
