"""Channels to other services and unary calls over them.

Retries happen in the channel, for UNAVAILABLE and for the methods listed as idempotent only, and in no other layer.
There is no `timeout` in the service config (gRPC fires it early); each call brings its own.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

import grpc

from belot_kit.deadlines import DEFAULT_SECONDS, call_timeout
from belot_kit.errors import from_rpc_error

Request = TypeVar("Request")
Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class ChannelOptions:
    """Where a service is: `target` is ``host:port``, ``dns:///host:port`` (all its addresses) or ``unix:/path``.

    `idempotent` lists methods that may be retried, as ``package.Service/Method``, or ``package.Service`` for all.
    """

    target: str
    idempotent: tuple[str, ...] = ()
    max_message_bytes: int = 4 << 20


def open_channel(options: ChannelOptions, credentials: grpc.ChannelCredentials | None = None) -> grpc.aio.Channel:
    """A channel with our options; close it (``async with``) when done. It connects at the first call."""
    arguments: list[tuple[str, str | int]] = [
        ("grpc.service_config", service_config(options.idempotent)),
        ("grpc.enable_retries", 1),
        ("grpc.http2.bdp_probe", 0),
        ("grpc.max_receive_message_length", options.max_message_bytes),
        ("grpc.max_send_message_length", options.max_message_bytes),
        # gRPC adds the jitter. At its defaults (1 s to 120 s) a restarted service would be missed for too long.
        ("grpc.initial_reconnect_backoff_ms", 50),
        ("grpc.min_reconnect_backoff_ms", 50),
        ("grpc.max_reconnect_backoff_ms", 500),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
    ]
    if credentials is None:
        return grpc.aio.insecure_channel(options.target, arguments)
    return grpc.aio.secure_channel(options.target, credentials, arguments)


def service_config(idempotent: Sequence[str]) -> str:
    """gRPC's service config: round robin, and up to three attempts for the idempotent methods."""
    names = [
        {"service": service} | ({"method": method} if method else {})
        for service, _, method in (each.partition("/") for each in idempotent)
    ]
    retry = {
        "maxAttempts": 3,
        "initialBackoff": "0.05s",
        "maxBackoff": "0.5s",
        "backoffMultiplier": 2,
        "retryableStatusCodes": ["UNAVAILABLE"],
    }
    methods = [{"name": names, "retryPolicy": retry}] if names else []
    return json.dumps({"loadBalancingConfig": [{"round_robin": {}}], "methodConfig": methods})


async def call(
    method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]",
    request: Request,
    *,
    most_s: float = DEFAULT_SECONDS,
    wait_for_ready: bool | None = None,
    metadata: Sequence[tuple[str, str | bytes]] = (),
) -> Response:
    """Call another service within the deadline in force (minus a hop's shave) and at most `most_s` seconds.

    Errors: DomainError, the other service's own or one that its gRPC code stands for.
    """
    timeout = call_timeout(most_s)
    try:
        return await method(request, timeout=timeout, metadata=tuple(metadata), wait_for_ready=wait_for_ready)
    except grpc.aio.AioRpcError as error:
        raise from_rpc_error(error) from error
