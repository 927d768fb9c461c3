"""A way to a server that a test can cut: bytes go through a unix socket until every connection is dropped."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class CuttingProxy:
    """Forwards connections to a unix socket; `cut` drops all that are open, new ones are taken again at once."""

    def __init__(self, target: str) -> None:
        """`target` is the path of the server's socket."""
        self._target = target
        self._writers: set[asyncio.StreamWriter] = set()
        self.cuts = 0

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One client connection, to its end."""
        there, back = await asyncio.open_unix_connection(self._target)
        self._writers |= {writer, back}
        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(_pump(reader, back))
                group.create_task(_pump(there, writer))
        finally:
            self._writers -= {writer, back}

    def cut(self) -> None:
        """Drop every connection now, in the middle of whatever it carries."""
        self.cuts += 1
        for writer in tuple(self._writers):
            writer.transport.abort()


async def _pump(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError):
        while octets := await reader.read(65_536):
            writer.write(octets)
            await writer.drain()
    writer.close()


@asynccontextmanager
async def cutting_proxy(path: str, address: str) -> AsyncIterator[CuttingProxy]:
    """A proxy at the socket `path` in front of the server at `address` (``unix:/...``)."""
    proxy = CuttingProxy(address.removeprefix("unix:"))
    server = await asyncio.start_unix_server(proxy.serve, path)
    try:
        yield proxy
    finally:
        proxy.cut()
        server.close()
