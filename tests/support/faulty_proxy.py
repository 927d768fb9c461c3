"""A bad line between clients and a gateway: a TCP proxy that delays, resets, forgets one side, or swallows all."""

import asyncio
import contextlib
import random
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

_RESET = struct.pack("ii", 1, 0)
"""SO_LINGER with no time: closing sends RST."""


@dataclass(eq=False, slots=True)
class _Line:
    """One connection, from the client (`near`) to the server (`far`). `swallowing`: what comes in leads nowhere."""

    near: asyncio.StreamWriter
    far: asyncio.StreamWriter
    swallowing: bool = False


@dataclass(slots=True)
class FaultyProxy:
    """Forwards to `host`:`port`; healthy until told otherwise. `address` is what clients dial."""

    host: str
    port: int
    rng: random.Random
    address: str = ""
    delay_s: tuple[float, float] = (0.0, 0.0)
    swallowing: bool = False
    _lines: set[_Line] = field(default_factory=set)

    def heal(self) -> None:
        """New connections and those that still live are sound again; swallowed ones are reset."""
        self.delay_s, self.swallowing = (0.0, 0.0), False
        for line in tuple(self._lines):
            if line.swallowing:
                _reset(line.near)
                _reset(line.far)

    def reset(self) -> None:
        """Reset every connection now, in the middle of whatever it carries."""
        for line in tuple(self._lines):
            _reset(line.near)
            _reset(line.far)

    def half_open(self) -> None:
        """The server's side of every connection is gone; clients hear nothing of it. New connections are sound."""
        for line in tuple(self._lines):
            line.swallowing = True
            _reset(line.far)

    def black_hole(self) -> None:
        """Both sides stay open and hear nothing any more, new connections too, until `heal`."""
        self.swallowing = True
        for line in self._lines:
            line.swallowing = True

    async def serve(self, reader: asyncio.StreamReader, near: asyncio.StreamWriter) -> None:
        """One client connection, to its end."""
        try:
            there, far = await asyncio.open_connection(self.host, self.port)
        except OSError:
            _reset(near)
            return
        line = _Line(near, far, self.swallowing)
        self._lines.add(line)
        try:
            await asyncio.gather(self._pump(reader, far, line), self._pump(there, near, line))
        finally:
            self._lines.discard(line)

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, line: _Line) -> None:
        with contextlib.suppress(OSError):
            while octets := await reader.read(65_536):
                if line.swallowing:
                    continue
                if self.delay_s[1]:
                    await asyncio.sleep(self.rng.uniform(*self.delay_s))
                writer.write(octets)
                await writer.drain()
        if not line.swallowing:
            writer.close()


def _reset(writer: asyncio.StreamWriter) -> None:
    raw = writer.get_extra_info("socket")
    if raw is not None:
        with contextlib.suppress(OSError):
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
    writer.transport.abort()


@asynccontextmanager
async def faulty_proxy(target: str, rng: random.Random) -> AsyncIterator[FaultyProxy]:
    """A proxy on a free port of loopback in front of the server at `target` ("host:port")."""
    host, _, port = target.rpartition(":")
    proxy = FaultyProxy(host, int(port), rng)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    proxy.address = f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        proxy.reset()
