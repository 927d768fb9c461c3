"""A person with an app: one connection at a time, the next gateway when it fails, every request sent until answered."""

import asyncio
import random
import secrets
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.table.v1 import view_pb2
from belot_kit.errors import from_rpc_error
from robustness.log_checks import TRANSIENT

CHANNEL_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.http2.bdp_probe", 0),
    ("grpc.initial_reconnect_backoff_ms", 50),
    ("grpc.min_reconnect_backoff_ms", 50),
    ("grpc.max_reconnect_backoff_ms", 500),
)
CALL_SECONDS = 4.0
PATIENCE_SECONDS = 60.0
_AGAIN = (
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.ABORTED,
)

Answer = TypeVar("Answer")
Ask = Callable[["Person"], Awaitable[Answer]]


class Person:
    """Signed in as a guest; `gateways` are dialled in turn."""

    def __init__(self, name: str, gateways: Sequence[str], rng: random.Random) -> None:
        """Nothing is dialled yet."""
        self.name = name
        self.rng = rng
        self.player_id = ""
        self.metadata: tuple[tuple[str, str], ...] = ()
        self._gateways = gateways
        self._turn = 0
        self._channel = self._dial()

    @property
    def gateway(self) -> str:
        """The gateway in use."""
        return self._gateways[self._turn % len(self._gateways)]

    @property
    def plays(self) -> "gateway_pb2_grpc.PlayServiceAsyncStub":
        """The play service on the present connection."""
        return gateway_pb2_grpc.PlayServiceStub(self._channel)

    @property
    def lobby(self) -> "gateway_pb2_grpc.LobbyServiceAsyncStub":
        """The lobby service on the present connection."""
        return gateway_pb2_grpc.LobbyServiceStub(self._channel)

    def _dial(self) -> grpc.aio.Channel:
        return grpc.aio.insecure_channel(self.gateway, options=CHANNEL_OPTIONS)

    async def elsewhere(self) -> None:
        """Hang up and turn to the next gateway after a moment."""
        await self._channel.close()
        self._turn += 1
        self._channel = self._dial()
        await asyncio.sleep(self.rng.uniform(0.05, 0.3))

    async def close(self) -> None:
        """Hang up for good."""
        await self._channel.close()

    async def ask(self, question: Ask[Answer]) -> Answer:
        """Ask until there is an answer or a refusal that stays one; one minute at most. Errors: AioRpcError."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            while True:
                try:
                    return await question(self)
                except grpc.aio.AioRpcError as error:
                    if error.code() not in _AGAIN and from_rpc_error(error).reason not in TRANSIENT:
                        raise
                await self.elsewhere()

    async def sign_in(self) -> None:
        """Become a guest."""
        request = gateway_pb2.SignInAsGuestRequest(display_name=self.name)
        answer = await self.ask(
            lambda me: gateway_pb2_grpc.AuthServiceStub(me._channel).SignInAsGuest(request, timeout=CALL_SECONDS)
        )
        self.player_id = answer.player_id
        self.metadata = (("authorization", f"Bearer {answer.token}"),)

    async def create_table(self, options: view_pb2.TableOptions) -> str:
        """Make a table, sit at it, and give its id."""
        request = gateway_pb2.CreateTableRequest(request_id=secrets.token_hex(8), options=options)
        answer = await self.ask(lambda me: me.lobby.CreateTable(request, metadata=me.metadata, timeout=CALL_SECONDS))
        return answer.table.summary.table_id

    async def sit_down(self, table_id: str, seat: int) -> None:
        """Take a seat."""
        request = gateway_pb2.SitDownRequest(request_id=secrets.token_hex(8), table_id=table_id, seat=seat)
        await self.ask(lambda me: me.plays.SitDown(request, metadata=me.metadata, timeout=CALL_SECONDS))

    async def fill_with_bots(self, table_id: str) -> None:
        """Seat easy bots on what is free."""
        request = gateway_pb2.FillWithBotsRequest(request_id=secrets.token_hex(8), table_id=table_id, level="easy")
        await self.ask(lambda me: me.plays.FillWithBots(request, metadata=me.metadata, timeout=CALL_SECONDS))
