"""One connection to Redis or Valkey: commands out in one write per loop turn, replies in as they come.

Our own and not a pooled client's, because belot_kit.bus must know when a connection was lost: clients that reconnect
and subscribe again in silence lose messages in silence. The wire format is hiredis' work.
"""

import asyncio
import ssl
from dataclasses import dataclass, field
from typing import Final, Protocol
from urllib.parse import unquote, urlsplit

import hiredis

_READ_BYTES: Final = 1 << 16
_MAX_UNSENT_BYTES: Final = 16 << 20

Reply = bytes | int | str | None | list["Reply"] | Exception
"""What a server answers: bulk and simple strings as bytes, integers, nil, arrays; an error as an exception object."""


@dataclass(frozen=True, slots=True)
class ServerUrl:
    """A parsed server address; `path` is set for unix sockets, else `host` and `port`."""

    path: str | None = None
    host: str = "localhost"
    port: int = 6379
    tls: bool = False
    username: str | None = None
    password: str | None = field(default=None, repr=False)


def parse_url(url: str) -> ServerUrl:
    """``unix:///path``, ``redis://[user:password@]host[:port]`` or ``rediss://...`` (TLS). Errors: ValueError."""
    parts = urlsplit(url)
    username = unquote(parts.username) if parts.username else None
    password = unquote(parts.password) if parts.password else None
    if parts.scheme == "unix" and parts.path:
        return ServerUrl(path=unquote(parts.path), username=username, password=password)
    if parts.scheme in {"redis", "rediss"} and parts.hostname:
        tls = parts.scheme == "rediss"
        return ServerUrl(None, parts.hostname, parts.port or 6379, tls, username, password)
    raise ValueError("a server's URL is unix:///path, redis://host:port or rediss://host:port")


class Link(Protocol):
    """What the bus needs of a connection; see RespLink, which is one."""

    heard_at: float
    """When something was last received, in the loop's seconds."""

    @property
    def congested(self) -> bool:
        """Whether the server has stopped taking what we write."""

    def send(self, *parts: bytes | str) -> None:
        """Queue a command."""

    async def receive(self) -> list[Reply]:
        """Wait for replies. Errors: ConnectionError at the end."""

    def abort(self) -> None:
        """Cut the connection at once."""


class Connect(Protocol):
    """How a connection is opened; see open_link."""

    async def __call__(self, url: str, *, name: str) -> Link:
        """Connect and introduce ourselves as `name`. Errors: OSError."""


class RespLink:
    """An open connection. `send` never waits; `receive` gives all complete replies of what has arrived."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._parser = hiredis.Reader(notEnoughData=_NOTHING)
        self._unsent: list[bytes] = []
        self._loop = asyncio.get_running_loop()
        self.heard_at = self._loop.time()

    def send(self, *parts: bytes | str) -> None:
        """Queue a command; all that are queued in one turn of the loop leave in one write."""
        if not self._unsent:
            self._loop.call_soon(self._flush)
        self._unsent.append(hiredis.pack_command(parts))  # type: ignore[arg-type]  # its stub names a 1-tuple

    def _flush(self) -> None:
        unsent, self._unsent = self._unsent, []
        if not self._writer.is_closing():
            self._writer.write(b"".join(unsent))

    @property
    def congested(self) -> bool:
        """Whether the server has stopped taking what we write."""
        return self._writer.transport.get_write_buffer_size() > _MAX_UNSENT_BYTES

    async def receive(self) -> list[Reply]:
        """Wait for data and return the replies that are complete, maybe none. Errors: ConnectionError at the end."""
        data = await self._reader.read(_READ_BYTES)
        if not data:
            raise ConnectionError("the server closed the connection")
        self.heard_at = self._loop.time()
        self._parser.feed(data)
        replies: list[Reply] = []
        try:
            while (reply := self._parser.gets()) is not _NOTHING:
                replies.append(reply)
        except hiredis.ProtocolError as error:
            raise ConnectionError("the server does not speak the protocol") from error
        return replies

    def abort(self) -> None:
        """Cut the connection at once; a waiting `receive` ends with ConnectionError."""
        self._writer.transport.abort()

    async def close(self) -> None:
        """Send what is queued and close."""
        self._flush()
        self._writer.close()


_NOTHING: Final = object()


async def open_link(url: str, *, name: str, seconds: float = 5.0) -> RespLink:
    """Connect and introduce ourselves as `name`. Errors: OSError (ConnectionError when refused), TimeoutError."""
    target = parse_url(url)
    async with asyncio.timeout(seconds):
        if target.path is not None:
            streams = await asyncio.open_unix_connection(target.path)
        else:
            context = ssl.create_default_context() if target.tls else None
            streams = await asyncio.open_connection(target.host, target.port, ssl=context)
        link = RespLink(*streams)
        greetings: list[tuple[str, ...]] = [("CLIENT", "SETNAME", name)]
        if target.password is not None:
            who = (target.username,) if target.username else ()
            greetings.insert(0, ("AUTH", *who, target.password))
        try:
            await _greet(link, greetings)
        except BaseException:
            link.abort()
            raise
    return link


async def _greet(link: RespLink, greetings: list[tuple[str, ...]]) -> None:
    for greeting in greetings:
        link.send(*greeting)
    answers: list[Reply] = []
    while len(answers) < len(greetings):
        answers += await link.receive()
    if any(isinstance(answer, Exception) for answer in answers):
        raise ConnectionError("the server refused our name or password")
