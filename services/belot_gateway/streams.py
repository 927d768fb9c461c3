"""The open streams of this process: opened, found again, superseded, kept alive, drained.

Two channels of the bus join the pods. Each stream listens on its own for UpdateSubscriptions. On the shared one every
pod says which player began to follow which table; since a channel has one order for all, the last to say so stays and
the others end, whichever pods they are on.
"""

import asyncio
import json
import secrets
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import Final

import structlog
from google.protobuf.message import DecodeError

from belot.gateway.v1 import gateway_pb2
from belot_gateway.auth import Identity
from belot_gateway.convert import draining_batch, heartbeat_batch, opened_batch
from belot_gateway.stream_topics import Sources, StreamTopics
from belot_gateway.viewer import Viewer
from belot_kit.bus import Bus
from belot_kit.errors import DomainError, Reason
from belot_kit.resp import Reply

_log = structlog.get_logger(__name__)

ANNOUNCEMENTS: Final = "belot:gateway"
HEARTBEAT_SECONDS: Final = 10
_TURNS_A_SECOND: Final = 10
"""Streams take turns at their heartbeats: what thousands are sent at once holds up everybody's moves."""
MOST_OPEN: Final = 20_000
MOST_OPEN_OF_PLAYER: Final = 16
DRAIN_SECONDS: Final = 1.0
_FOREVER: Final = float(2**31)


class ClientStream:
    """One open stream: its viewer and what it follows."""

    def __init__(self, viewer: Viewer, topics: StreamTopics, number: int) -> None:
        """Made by `Streams.opened`; streams take turns by their `number`."""
        self.viewer = viewer
        self.topics = topics
        self.number = number

    def update(self, payload: bytes) -> None:
        """A message of the stream's own channel: an encoded UpdateSubscriptionsRequest."""
        try:
            request = gateway_pb2.UpdateSubscriptionsRequest.FromString(payload)
        except DecodeError:
            _log.error("stream_message_unreadable", stream_id=self.viewer.stream_id)
            return
        self.topics.change(request.add, request.remove)


class Streams:
    """All streams of the process. `run` runs as long as it does."""

    def __init__(
        self,
        sources: Sources,
        now: Callable[[], float] = time.time,
        *,
        most: int = MOST_OPEN,
        most_of_player: int = MOST_OPEN_OF_PLAYER,
    ) -> None:
        """`now` gives unix seconds; so many streams may be open at once, in all and of one player."""
        self._sources = sources
        self._now = now
        self._most = most
        self._most_of_player = most_of_player
        self._of_player: Counter[str] = Counter()
        self._open: dict[str, ClientStream] = {}
        self._latest: dict[tuple[str, str], _Claim] = {}
        self._draining = False
        self._none_open = asyncio.Event()
        self._count = 0

    @property
    def open(self) -> int:
        """How many streams are open."""
        return len(self._open)

    def present(self) -> Iterator[tuple[str, str]]:
        """Who is connected here, by the tables at which they sit and which they follow: table id, player id."""
        for stream in self._open.values():
            for table_id in stream.topics.seated_at():
                yield table_id, stream.viewer.identity.player_id

    async def run(self) -> None:
        """Hear the other pods, send heartbeats, end streams whose client has stopped reading."""
        bus = self._sources.bus
        subscription = await bus.subscribe(ANNOUNCEMENTS, self._announced, _ignore, timeout_s=_FOREVER)
        try:
            turn = 0
            while True:
                await asyncio.sleep(1 / _TURNS_A_SECOND)
                turn += 1
                for stream in [each for each in self._open.values() if (turn - each.number) % _TURNS_A_SECOND == 0]:
                    stream.viewer.check()
                    if beats(turn, stream.number):
                        self._beat(stream)
        finally:
            subscription.close()

    def _beat(self, stream: ClientStream) -> None:
        if stream.viewer.identity.expires_at <= self._now():
            stream.viewer.end(DomainError(Reason.UNAUTHENTICATED, "the token has expired: sign in again"))
            return
        stream.viewer.offer(heartbeat_batch(stream.topics.positions(), int(self._now() * 1000)))

    @asynccontextmanager
    async def opened(self, identity: Identity, language: str, group: asyncio.TaskGroup) -> AsyncIterator[ClientStream]:
        """A stream for as long as the block runs; `group` is the rpc's own. RATE_LIMITED, UNAVAILABLE, DRAINING."""
        if self._draining:
            raise _draining()
        with self._place_of(identity.player_id):
            async with self._follows(identity, language, group) as stream:
                yield stream

    @contextmanager
    def _place_of(self, player_id: str) -> Iterator[None]:
        """One of the places there are. UNAVAILABLE when all are taken; RATE_LIMITED when all of the player's are."""
        if self._of_player.total() >= self._most:
            raise DomainError(Reason.UNAVAILABLE, "no more streams here: try another gateway", retry_after_ms=1_000)
        if self._of_player[player_id] >= self._most_of_player:
            message = f"a player has at most {self._most_of_player} streams: close one"
            raise DomainError(Reason.RATE_LIMITED, message, retry_after_ms=1_000)
        self._of_player[player_id] += 1
        try:
            yield
        finally:
            self._of_player[player_id] -= 1
            if not self._of_player[player_id]:
                del self._of_player[player_id]

    @asynccontextmanager
    async def _follows(
        self, identity: Identity, language: str, group: asyncio.TaskGroup
    ) -> AsyncIterator[ClientStream]:
        viewer = Viewer(secrets.token_hex(12), identity, language)
        topics = StreamTopics(viewer, self._sources, group, lambda table_id: self._claim(stream, table_id))
        self._count += 1
        stream = ClientStream(viewer, topics, self._count)
        channel = stream_channel(identity.player_id, viewer.stream_id)
        subscription = await self._sources.bus.subscribe(channel, stream.update, _ignore)
        self._open[viewer.stream_id] = stream
        viewer.offer(opened_batch(viewer.stream_id))
        try:
            yield stream
        finally:
            subscription.close()
            del self._open[viewer.stream_id]
            if not self._open:
                self._none_open.set()
            for table_id in topics.table_ids():
                self._forget(stream, table_id)
            topics.close()

    async def drain(self) -> None:
        """Tell every stream that we are going away, give clients a moment to leave, then end what is left."""
        self._draining = True
        for stream in tuple(self._open.values()):
            stream.viewer.offer(draining_batch())
        self._none_open.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS if self._open else 0):
                await self._none_open.wait()
        for stream in tuple(self._open.values()):
            stream.viewer.end(_draining())

    # -- one stream for each player and table

    def _claim(self, stream: ClientStream, table_id: str) -> None:
        player_id, stream_id = stream.viewer.identity.player_id, stream.viewer.stream_id
        before = self._latest.get((player_id, table_id))
        self._latest[player_id, table_id] = claim = _Claim(stream)
        if before is not None and before.stream is not stream:
            before.stream.topics.end_table(table_id, _superseded())
        said = json.dumps([player_id, table_id, stream_id]).encode()
        self._sources.bus.publish(ANNOUNCEMENTS, said).add_done_callback(claim.published)

    def _announced(self, payload: bytes) -> None:
        player_id, table_id, stream_id = json.loads(payload)
        claim = self._latest.get((player_id, table_id))
        if claim is None:
            return
        if claim.stream.viewer.stream_id == stream_id:
            claim.announced = True
        elif claim.announced:
            # Said after our own announcement, so it is the newer one; before it, ours is.
            del self._latest[player_id, table_id]
            claim.stream.topics.end_table(table_id, _superseded())

    def _forget(self, stream: ClientStream, table_id: str) -> None:
        key = (stream.viewer.identity.player_id, table_id)
        claim = self._latest.get(key)
        if claim is not None and claim.stream is stream:
            del self._latest[key]


class _Claim:
    """The newest stream here of one player at one table, and whether all pods have heard of it."""

    __slots__ = ("announced", "stream")

    def __init__(self, stream: ClientStream) -> None:
        self.stream = stream
        self.announced = False

    def published(self, answer: "asyncio.Future[Reply]") -> None:
        """What could not be said counts as said, so that a later stream elsewhere still supersedes this one."""
        if answer.cancelled() or answer.exception() is not None:
            self.announced = True


def beats(turn: int, number: int) -> bool:
    """Whether the heartbeat of the stream with this number is due in this turn, one of ten a second."""
    return (turn - number) % (HEARTBEAT_SECONDS * _TURNS_A_SECOND) == 0


def _ignore() -> None:
    """A lost connection of the bus: an announcement that is lost leaves two streams open, which harms nobody, and a
    client whose update brings nothing asks again."""


def stream_channel(player_id: str, stream_id: str) -> str:
    """Where a stream hears of changed subscriptions: with the player in its name, nobody else can reach it."""
    return f"belot:stream:{player_id}:{stream_id}"


async def send_update(bus: Bus, player_id: str, request: gateway_pb2.UpdateSubscriptionsRequest) -> None:
    """Hand an update to whichever pod has the stream. STREAM_NOT_FOUND when none has, UNAVAILABLE without a bus."""
    heard = await bus.publish(stream_channel(player_id, request.stream_id), request.SerializeToString())
    if heard == 0:
        raise DomainError(Reason.STREAM_NOT_FOUND, "no open stream of yours has this id: open one with Watch")


def _superseded() -> DomainError:
    return DomainError(Reason.STREAM_SUPERSEDED, "a newer stream of yours follows this table: do not connect again")


def _draining() -> DomainError:
    return DomainError(Reason.DRAINING, "this gateway is shutting down: connect again and resume", retry_after_ms=50)
