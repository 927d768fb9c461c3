"""Valkey's pub/sub in memory: the kit's bus opens its connections here and notices no difference.

Commands and answers keep their order on a connection. What is pushed to subscribers may be lost, late or doubled, as
the lines say; a connection that is cut loses what was on its way.
"""

import asyncio
from collections import deque
from enum import Enum, auto
from typing import Final, Protocol

from belot_kit.resp import Reply

_APART: Final = 1e-6


class Push(Enum):
    """What becomes of a message on its way to one subscriber."""

    SOUND = auto()
    LOST = auto()
    LATE = auto()
    TWICE = auto()


class BusLines(Protocol):
    """How connections to the server behave."""

    def delay(self) -> float:
        """Seconds that a command or an answer takes."""

    def push(self) -> Push:
        """What becomes of a message."""

    def late(self) -> float:
        """Seconds by which a late message is late."""


class SoundBusLines:
    """Nothing is lost, and nothing takes time."""

    def delay(self) -> float:
        """No time."""
        return 0.0

    def push(self) -> Push:
        """All is well."""
        return Push.SOUND

    def late(self) -> float:
        """Never."""
        return 0.0


class MemoryValkey:
    """The server. While it is `away` it takes no connections."""

    def __init__(self, lines: BusLines) -> None:
        self.lines = lines
        self.away = False
        self.links: dict[MemoryLink, None] = {}
        self._listeners: dict[bytes, dict[MemoryLink, None]] = {}

    async def connect(self, url: str, *, name: str) -> "MemoryLink":
        """See belot_kit.resp.open_link. Errors: ConnectionRefusedError while it is away."""
        await asyncio.sleep(self.lines.delay())
        if self.away:
            raise ConnectionRefusedError
        link = MemoryLink(self, name)
        self.links[link] = None
        return link

    def cut(self, *names: str) -> None:
        """Cut all connections, or those whose name begins with one of these."""
        for link in tuple(self.links):
            if not names or link.name.startswith(names):
                link.abort()

    def leave(self, link: "MemoryLink") -> None:
        """A connection is gone."""
        self.links.pop(link, None)
        for listeners in self._listeners.values():
            listeners.pop(link, None)

    def execute(self, link: "MemoryLink", parts: tuple[bytes, ...]) -> None:
        """Do a command and answer it."""
        name, *arguments = parts
        match name.upper():
            case b"PUBLISH":
                link.answer(self._publish(*arguments))
            case b"SUBSCRIBE":
                self._listeners.setdefault(arguments[0], {})[link] = None
                link.answer([b"subscribe", arguments[0], 1])
            case b"UNSUBSCRIBE":
                self._listeners.get(arguments[0], {}).pop(link, None)
                link.answer([b"unsubscribe", arguments[0], 0])
            case b"PING":
                link.answer(b"PONG")
            case _:
                link.answer(ValueError("ERR unknown command"))

    def _publish(self, channel: bytes, payload: bytes) -> int:
        listeners = tuple(self._listeners.get(channel, ()))
        for listener in listeners:
            message: Reply = [b"message", channel, payload]
            fate = self.lines.push()
            if fate is not Push.LOST:
                listener.answer(message, late=self.lines.late() if fate is Push.LATE else 0.0)
            if fate is Push.TWICE:
                listener.answer(message, late=self.lines.late())
        return len(listeners)


class MemoryLink:
    """One connection; see belot_kit.resp.RespLink."""

    def __init__(self, server: MemoryValkey, name: str) -> None:
        self.name = name
        self._server = server
        self._loop = asyncio.get_running_loop()
        self._last_sent = self._last_answer = 0.0
        self._inbox: deque[Reply] = deque()
        self._arrived = asyncio.Event()
        self._cut = False
        self.heard_at = self._loop.time()

    @property
    def congested(self) -> bool:
        """Never."""
        return False

    def send(self, *parts: bytes | str) -> None:
        """Queue a command."""
        if not self._cut:
            self._last_sent = max(self._last_sent + _APART, self._loop.time() + self._server.lines.delay())
            encoded = tuple(part.encode() if isinstance(part, str) else part for part in parts)
            self._loop.call_at(self._last_sent, self._execute, encoded)

    async def receive(self) -> list[Reply]:
        """Wait for replies. Errors: ConnectionError once it is cut."""
        while not self._inbox:
            if self._cut:
                raise ConnectionError("the connection was cut")
            self._arrived.clear()
            await self._arrived.wait()
        self.heard_at = self._loop.time()
        replies = list(self._inbox)
        self._inbox.clear()
        return replies

    def abort(self) -> None:
        """Cut it."""
        self._cut = True
        self._server.leave(self)
        self._arrived.set()

    def answer(self, reply: Reply, late: float = 0.0) -> None:
        """Send an answer behind those before it, or late and out of order."""
        if late:
            self._loop.call_later(self._server.lines.delay() + late, self._arrive, reply)
        else:
            self._last_answer = max(self._last_answer + _APART, self._loop.time() + self._server.lines.delay())
            self._loop.call_at(self._last_answer, self._arrive, reply)

    def _execute(self, parts: tuple[bytes, ...]) -> None:
        if not self._cut:
            self._server.execute(self, parts)

    def _arrive(self, reply: Reply) -> None:
        if not self._cut:
            self._inbox.append(reply)
            self._arrived.set()
