"""One Play stream: what the client says goes out joined, what comes in is given item by item."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from typing import Final, Protocol

import grpc

from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc

SILENCE_SECONDS: Final = 25.0
"""After so long without anything, heartbeats included, the stream counts as broken."""


class Connection(Protocol):
    """What a session needs of a client."""

    @property
    def channel(self) -> grpc.aio.Channel:
        """The connection in use."""

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What goes with every call."""

    def go_elsewhere(self, failed: grpc.aio.Channel) -> None:
        """Use another gateway, if there is one."""


class PlayLink:
    """A stream from its opening to its end; it does not heal itself."""

    def __init__(self, channel: grpc.aio.Channel, metadata: tuple[tuple[str, str], ...]) -> None:
        """`metadata` carries the token and the language."""
        self._channel = channel
        self._metadata = metadata
        self._outbox: asyncio.Queue[gateway_pb2.PlayItem] = asyncio.Queue()

    def send(self, item: gateway_pb2.PlayItem) -> None:
        """Say something as soon as the stream can carry it."""
        self._outbox.put_nowait(item)

    async def items(self) -> AsyncGenerator[gateway_pb2.StreamItem, None]:
        """Everything the server says. Errors: AioRpcError when the stream breaks, TimeoutError when it is silent."""
        stub: gateway_pb2_grpc.PlayServiceAsyncStub = gateway_pb2_grpc.PlayServiceStub(self._channel)
        stream = stub.Play(self._requests(), metadata=self._metadata)
        try:
            while True:
                async with asyncio.timeout(SILENCE_SECONDS):
                    response = await stream.read()
                if not isinstance(response, gateway_pb2.PlayResponse):
                    return
                for item in response.items:
                    yield item
        finally:
            stream.cancel()

    async def _requests(self) -> AsyncIterator[gateway_pb2.PlayRequest]:
        while True:
            items = [await self._outbox.get()]
            while not self._outbox.empty():
                items.append(self._outbox.get_nowait())
            yield gateway_pb2.PlayRequest(items=items)
