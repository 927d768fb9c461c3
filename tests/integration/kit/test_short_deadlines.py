"""Whoever leaves a public rpc less than 50 ms is told so, at every rpc there is, before anything is done."""

from collections.abc import AsyncIterator
from pathlib import Path

import grpc
import pytest
import pytest_asyncio
from google.protobuf.descriptor import MethodDescriptor

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot_gateway import main as gateway
from belot_kit.app import running
from belot_kit.errors import DomainError, Reason, from_rpc_error
from belot_kit.grpc_client import ChannelOptions, open_channel

METHODS = [method for service in gateway_pb2.DESCRIPTOR.services_by_name.values() for method in service.methods]
SHORT_SECONDS = 0.048
TRIES = 100

Metadata = tuple[tuple[str, str], ...]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def dialled(valkey: str, tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[grpc.aio.Channel]:
    """A channel to a gateway that has nobody behind it."""
    folder: Path = tmp_path_factory.mktemp("gateway")
    config = gateway.GatewayConfig(
        valkey_url=valkey,
        table_addresses=(f"unix:{folder}/table.sock",),
        rules_addresses=(f"unix:{folder}/rules.sock",),
        token_key_file=folder / "tokens.pem",
        create_token_key=True,
        listen=(f"unix:{folder}/gateway.sock",),
    )
    async with (
        running(gateway.app_options(config), lambda app: gateway.serve(config, app)),
        open_channel(ChannelOptions(config.listen[0])) as channel,
    ):
        yield channel


async def call_empty(channel: grpc.aio.Channel, method: MethodDescriptor, metadata: Metadata) -> None:
    """Call the rpc with an empty request and too short a deadline."""
    path = f"/{method.containing_service.full_name}/{method.name}"
    if method.client_streaming:
        both: grpc.aio.StreamStreamMultiCallable[bytes, bytes] = channel.stream_stream(path)
        await both(iter([b""]), timeout=SHORT_SECONDS, metadata=metadata).read()
    elif method.server_streaming:
        down: grpc.aio.UnaryStreamMultiCallable[bytes, bytes] = channel.unary_stream(path)
        await down(b"", timeout=SHORT_SECONDS, metadata=metadata).read()
    else:
        unary: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
        await unary(b"", timeout=SHORT_SECONDS, metadata=metadata)


async def refusal_of(channel: grpc.aio.Channel, method: MethodDescriptor, metadata: Metadata) -> DomainError:
    """What the server says to that: tried again whenever our own clock was the quicker one and says it itself."""
    for _ in range(TRIES):
        with pytest.raises(grpc.aio.AioRpcError) as caught:
            await call_empty(channel, method, metadata)
        refusal = from_rpc_error(caught.value)
        if "50 ms" in refusal.message or refusal.reason is not Reason.DEADLINE_TOO_SHORT:
            return refusal
    raise AssertionError("the server's word never came in time")


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("method", METHODS, ids=[method.name for method in METHODS])
async def test_too_short_a_deadline_is_refused_at_every_public_rpc(
    dialled: grpc.aio.Channel, method: MethodDescriptor
) -> None:
    signed_in = await gateway_pb2_grpc.AuthServiceStub(dialled).SignInAsGuest(
        gateway_pb2.SignInAsGuestRequest(display_name="Anna")
    )
    refusal = await refusal_of(dialled, method, (("authorization", f"Bearer {signed_in.token}"),))
    assert (refusal.reason, refusal.code) == (Reason.DEADLINE_TOO_SHORT, grpc.StatusCode.DEADLINE_EXCEEDED)
    assert "50 ms" in refusal.message
