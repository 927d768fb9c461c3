"""Messages between services by Redis or Valkey pub/sub: fast, for eyes only, and lossy by nature.

Nothing that changes data may depend on it. Who needs every message (a stream of a table's events) subscribes, waits
for the confirmation, reads the state, and does so again whenever `on_gap` says that a connection was lost.
Two connections: one publishes (and takes other commands), pipelined; one is subscribed.
"""

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import structlog

from belot_kit.errors import DomainError, Reason
from belot_kit.resp import Connect, Link, Reply, open_link
from belot_kit.tasks import background

_log = structlog.get_logger(__name__)

_BACKOFF_SECONDS: Final = (0.05, 0.5)
_PING_SECONDS: Final = 5.0
_SILENCE_SECONDS: Final = 11.0
_MAX_PENDING: Final = 10_000

OnMessage = Callable[[bytes], None]
OnGap = Callable[[], None]


@dataclass(frozen=True, slots=True)
class BusOptions:
    """Where the server is (`url`, see belot_kit.resp.parse_url) and how we are called there."""

    url: str
    name: str = "belot"


@dataclass(eq=False, slots=True)
class Subscription:
    """One listener of a channel; `close` it when done."""

    channel: str
    on_message: OnMessage
    on_gap: OnGap
    _close: Callable[["Subscription"], None]

    def close(self) -> None:
        """Stop listening at once; the callbacks are not called again."""
        self._close(self)


class _Channel:
    """What we know of one channel: who listens here, and whether the server confirmed it on this connection."""

    __slots__ = ("confirmed", "listeners")

    def __init__(self) -> None:
        self.listeners: list[Subscription] = []
        self.confirmed = asyncio.Event()


class Bus:
    """Publish and subscribe. Works while `run` runs; cancelling `run` closes both connections."""

    def __init__(self, options: BusOptions, connect: Connect = open_link) -> None:
        """Nothing is connected before `run`; `connect` opens a connection."""
        self._options = options
        self._connect = connect
        self._publisher: Link | None = None
        self._subscriber: Link | None = None
        self._pending: deque[asyncio.Future[Reply]] = deque()
        self._channels: dict[bytes, _Channel] = {}
        self._unconfirmed: deque[_Channel] = deque()
        self._connected = (asyncio.Event(), asyncio.Event())

    async def run(self) -> None:
        """Keep both connections, for ever: lost ones are opened again after 50–500 ms."""
        try:
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(self._keep("publisher", self._run_publisher))
                tasks.create_task(self._keep("subscriber", self._run_subscriber))
        finally:
            self._fail_pending("the bus is closed")

    async def wait_connected(self) -> None:
        """Wait until both connections were open at least once since they were lost."""
        for connected in self._connected:
            await connected.wait()

    @property
    def connected(self) -> bool:
        """Whether both connections are open now (for readiness)."""
        return all(connected.is_set() for connected in self._connected)

    # -- publishing

    def publish(self, channel: str, payload: bytes) -> asyncio.Future[Reply]:
        """Send `payload` to whoever listens; the future gives the number of listeners the server knew.

        It may be left unawaited. It fails with DomainError UNAVAILABLE when the connection is, or goes, away: then
        the message may or may not have arrived.
        """
        return self.execute("PUBLISH", channel, payload)

    def execute(self, *command: bytes | str) -> asyncio.Future[Reply]:
        """Send any other command on the publishing connection; the future gives the server's reply."""
        future: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()
        link = self._publisher
        if link is None or link.congested or len(self._pending) >= _MAX_PENDING:
            _refuse(future, "the bus cannot take messages now")
            return future
        self._pending.append(future)
        link.send(*command)
        return future

    async def _run_publisher(self, link: Link) -> None:
        self._publisher = link
        self._connected[0].set()
        try:
            while True:
                for reply in await link.receive():
                    _answer(self._pending.popleft(), reply)
        finally:
            self._publisher = None
            self._connected[0].clear()
            self._fail_pending("the connection to the bus was lost")

    def _fail_pending(self, message: str) -> None:
        while self._pending:
            _refuse(self._pending.popleft(), message)

    # -- subscribing

    async def subscribe(
        self, channel: str, on_message: OnMessage, on_gap: OnGap, *, timeout_s: float = 5.0
    ) -> Subscription:
        """Listen to a channel; returns once the server confirmed, so that what is read afterwards misses nothing.

        `on_message(payload)` and `on_gap()` are called in the loop and must be quick. `on_gap` comes after a lost
        connection was replaced and the channel subscribed again: messages in between are gone, so read the state anew.
        Errors: DomainError UNAVAILABLE when there is no confirmation within `timeout_s`.
        """
        key = channel.encode()
        known = self._channels.get(key)
        if known is None:
            known = self._channels[key] = _Channel()
            self._ask(key, known)
        subscription = Subscription(channel, on_message, on_gap, self._unsubscribe)
        known.listeners.append(subscription)
        try:
            async with asyncio.timeout(timeout_s):
                await known.confirmed.wait()
        except TimeoutError:
            self._unsubscribe(subscription)
            raise DomainError(Reason.UNAVAILABLE, "the bus did not confirm a subscription in time") from None
        except asyncio.CancelledError:
            self._unsubscribe(subscription)
            raise
        return subscription

    def _ask(self, key: bytes, channel: _Channel) -> None:
        if self._subscriber is not None:
            self._unconfirmed.append(channel)
            self._subscriber.send("SUBSCRIBE", key)

    def _unsubscribe(self, subscription: Subscription) -> None:
        key = subscription.channel.encode()
        known = self._channels.get(key)
        if known is None or subscription not in known.listeners:
            return
        # A new list, because the reader may be going through the old one right now.
        known.listeners = [each for each in known.listeners if each is not subscription]
        if not known.listeners:
            del self._channels[key]
            if self._subscriber is not None:
                self._subscriber.send("UNSUBSCRIBE", key)

    async def _run_subscriber(self, link: Link) -> None:
        self._subscriber = link
        self._unconfirmed.clear()
        again = [channel for channel in self._channels.values() if channel.confirmed.is_set()]
        for key, channel in self._channels.items():
            channel.confirmed.clear()
            self._ask(key, channel)
        self._connected[1].set()
        try:
            async with background(self._tell_gaps(again)):
                while True:
                    for reply in await link.receive():
                        self._take(reply)
        finally:
            self._subscriber = None
            self._connected[1].clear()

    async def _tell_gaps(self, channels: list[_Channel]) -> None:
        for channel in channels:
            waited_for = channel.listeners
            await channel.confirmed.wait()
            for listener in channel.listeners:
                if listener in waited_for:
                    listener.on_gap()

    def _take(self, reply: Reply) -> None:
        match reply:
            case [b"message", bytes(key), bytes(payload)]:
                channel = self._channels.get(key)
                for listener in channel.listeners if channel is not None else ():
                    listener.on_message(payload)
            case [b"subscribe", *_]:
                # Confirmations come in the order asked, so the first one waiting is the one meant.
                self._unconfirmed.popleft().confirmed.set()
            case _:
                pass  # confirmed unsubscriptions and pongs

    # -- connections

    async def _keep(self, role: str, use: Callable[[Link], Awaitable[None]]) -> None:
        delay = _BACKOFF_SECONDS[0]
        while True:
            try:
                link = await self._connect(self._options.url, name=f"{self._options.name}-{role}")
            except OSError as error:
                _log.warning("bus_unreachable", role=role, error=type(error).__name__)
            else:
                delay = _BACKOFF_SECONDS[0]
                try:
                    async with background(self._watch_silence(link)):
                        await use(link)
                except OSError:
                    _log.warning("bus_connection_lost", role=role)
                finally:
                    link.abort()
            await asyncio.sleep(delay * random.uniform(0.5, 1.0))  # noqa: S311 - jitter
            delay = min(delay * 2, _BACKOFF_SECONDS[1])

    async def _watch_silence(self, link: Link) -> None:
        """Cut a connection whose other end is gone without a word."""
        loop = asyncio.get_running_loop()
        while True:
            await asyncio.sleep(_PING_SECONDS)
            if loop.time() - link.heard_at > _SILENCE_SECONDS:
                link.abort()
            if link is self._publisher:
                self._pending.append(loop.create_future())
            link.send("PING")


def _answer(future: asyncio.Future[Reply], reply: Reply) -> None:
    if future.done():
        return
    if isinstance(reply, Exception):
        _refuse(future, "the bus refused a command")
    else:
        future.set_result(reply)


def _refuse(future: asyncio.Future[Reply], message: str) -> None:
    if not future.done():
        future.set_exception(DomainError(Reason.UNAVAILABLE, message))
        future.exception()  # whoever publishes may not care
