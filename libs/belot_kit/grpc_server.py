"""A grpc.aio server as every service runs it: the chassis' interceptor, health, reflection, options, graceful stop.

A streaming handler may write bytes (messages already encoded) in place of messages.
"""

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc  # type: ignore[import-untyped]
from grpc_reflection.v1alpha import reflection  # type: ignore[import-untyped]

from belot_kit.grpc_interceptor import ChassisInterceptor, Guard, Localize
from belot_kit.peers import PeerPolicy

Register: TypeAlias = Callable[[grpc.aio.Server], None]
"""Adds one servicer: ``lambda server: add_TableServiceServicer_to_server(servicer, server)``."""


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """How a server listens: `listen` has ``host:port`` (port 0: any free one) or ``unix:/path``.

    `stop_grace_s` is how long running rpcs may go on after `stop`; `max_connection_age_s` makes clients connect anew
    now and then, so that a larger fleet gets its share (None: never).
    """

    listen: tuple[str, ...] = ("127.0.0.1:0",)
    stop_grace_s: float = 5.0
    max_message_bytes: int = 4 << 20
    max_connection_age_s: float | None = None
    rpc_log_sample: float = 1.0


class ListenError(RuntimeError):
    """An address that cannot be listened on."""

    safe_to_log = True


class GrpcServer:
    """One server: `start`, then `set_serving(True)` when ready, finally `stop`."""

    def __init__(
        self,
        options: ServerOptions,
        registers: Sequence[Register],
        service_names: Sequence[str],
        *,
        peers: PeerPolicy | None = None,
        guards: Sequence[Guard] = (),
        localize: Localize | None = None,
        credentials: grpc.ServerCredentials | None = None,
    ) -> None:
        """`service_names` are the full names for health and reflection (``belot.table.v1.TableService``).

        `peers` says which services may call which; `guards` run after that check. `localize` adds a sentence for
        people to each refusal. `credentials` switches TLS on for TCP addresses; unix sockets never need it.
        """
        self._options = options
        self._names = tuple(service_names)
        self._credentials = credentials
        policy = peers or PeerPolicy()
        self._interceptor = ChassisInterceptor(
            [_peer_guard(policy), *guards], rpc_sample=options.rpc_log_sample, localize=localize
        )
        self._server = grpc.aio.server(interceptors=[self._interceptor], options=_channel_options(options))
        for register in registers:
            register(self._server)
        self._health = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(self._health, self._server)
        reflection.enable_server_reflection([*self._names, health.SERVICE_NAME, reflection.SERVICE_NAME], self._server)
        self.addresses: tuple[str, ...] = ()

    async def start(self) -> None:
        """Listen and serve; `addresses` then holds what clients dial. Errors: ListenError."""
        await self.set_serving(False)
        self.addresses = tuple(self._bind(address) for address in self._options.listen)
        await self._server.start()

    def _bind(self, address: str) -> str:
        path = _unix_path(address)
        if path is not None:
            path.unlink(missing_ok=True)  # a killed process leaves its socket behind
        try:
            if self._credentials is not None and path is None:
                port = self._server.add_secure_port(address, self._credentials)
            else:
                port = self._server.add_insecure_port(address)
        except RuntimeError as error:
            raise ListenError(f"cannot listen on {address}") from error
        return address if path is not None else f"{address.rpartition(':')[0]}:{port}"

    async def set_serving(self, serving: bool) -> None:
        """Answer health checks with SERVING or NOT_SERVING, for the server and each of its services."""
        status = health_pb2.HealthCheckResponse.SERVING if serving else health_pb2.HealthCheckResponse.NOT_SERVING
        for name in ("", *self._names):
            await self._health.set(name, status)

    async def stop(self) -> None:
        """Take no new rpcs, let the running ones end within the grace, cut what is left."""
        self._interceptor.draining.set()
        await self._health.enter_graceful_shutdown()
        await self._server.stop(self._options.stop_grace_s)
        for address in self._options.listen:
            path = _unix_path(address)
            if path is not None:
                with contextlib.suppress(FileNotFoundError):
                    path.unlink()


def _peer_guard(policy: PeerPolicy) -> Guard:
    def check(method: str, context: "grpc.aio.ServicerContext[object, object]") -> None:
        policy.check(method[1:].rpartition("/")[0], context)

    return check


def _unix_path(address: str) -> Path | None:
    return Path(address.removeprefix("unix:")) if address.startswith("unix:") else None


def _channel_options(options: ServerOptions) -> list[tuple[str, int]]:
    age = options.max_connection_age_s
    ages = [] if age is None else [("grpc.max_connection_age_ms", int(age * 1000))]
    return [
        *ages,
        ("grpc.max_receive_message_length", options.max_message_bytes),
        ("grpc.max_send_message_length", options.max_message_bytes),
        ("grpc.so_reuseport", 0),  # a taken port is an error, not a shared one
        ("grpc.http2.bdp_probe", 0),
        # At gRPC's defaults a storm of reconnecting clients is refused without a word.
        ("grpc.server.max_pending_requests", 100_000),
        ("grpc.server.max_pending_requests_hard_limit", 100_000),
        ("grpc.keepalive_time_ms", 30_000),
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.keepalive_permit_without_calls", 1),
        ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
        ("grpc.http2.min_recv_ping_interval_without_data_ms", 5_000),
    ]
