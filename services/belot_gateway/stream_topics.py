"""What one stream follows: himself, the lobby, tables; begun and ended one by one while it is open."""

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final, Protocol

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2
from belot_events.channels import player_channel
from belot_gateway.checks import MOST_SUBSCRIPTIONS
from belot_gateway.convert import ended_batch, me_batch
from belot_gateway.hub import Hub
from belot_gateway.late_feeds import LateFeeds
from belot_gateway.lobby_feed import LobbyFeed, TableList
from belot_gateway.table_topic import TableSource, TableTopic
from belot_gateway.viewer import Viewer
from belot_kit.bus import Bus, Subscription
from belot_kit.errors import DomainError, Reason

_MOST_SEATS: Final = 200
_LOBBY: Final = "lobby"
_ME: Final = "me"


class Tables(TableSource, TableList, Protocol):
    """Where tables are read and listed."""


class Topic(Protocol):
    """One thing that a stream follows."""

    async def start(self) -> None:
        """Send what there is, then what comes. Errors: DomainError."""

    def close(self) -> None:
        """Send nothing more of it."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where topics get their news."""

    bus: Bus
    hub: Hub
    lobby: LobbyFeed
    tables: Tables
    late: LateFeeds


class LobbyTopic:
    """The lobby on a stream."""

    def __init__(self, viewer: Viewer, lobby: LobbyFeed) -> None:
        """See LobbyFeed."""
        self._viewer = viewer
        self._lobby = lobby

    async def start(self) -> None:
        """Send the tables and every change."""
        await self._lobby.add(self._viewer)

    def close(self) -> None:
        """No more changes."""
        self._lobby.remove(self._viewer)


class MeTopic:
    """A player's own tables on his stream: the whole list again whenever one of them changes."""

    def __init__(self, viewer: Viewer, sources: Sources, group: asyncio.TaskGroup) -> None:
        """`group` runs the reading of the list."""
        self._viewer = viewer
        self._sources = sources
        self._group = group
        self._subscription: Subscription | None = None
        self._reading = False
        self._stale = False
        self._closed = False

    async def start(self) -> None:
        """Send the list, and again at every change."""
        channel = player_channel(self._viewer.identity.player_id)
        self._subscription = await self._sources.bus.subscribe(channel, lambda _payload: self._changed(), self._changed)
        await self._send()
        if self._closed:
            self.close()

    def close(self) -> None:
        """No more lists."""
        self._closed = True
        if self._subscription is not None:
            self._subscription.close()

    def _changed(self) -> None:
        self._stale = True
        if not self._reading and not self._closed:
            self._reading = True
            self._group.create_task(self._read_again())

    async def _read_again(self) -> None:
        try:
            while self._stale and not self._closed:
                self._stale = False
                await self._send()
        except DomainError as error:
            self._viewer.offer(ended_batch("", error, self._viewer.language))
            self.close()
        finally:
            self._reading = False

    async def _send(self) -> None:
        player_id = self._viewer.identity.player_id
        request = table_pb2.ListTablesRequest(page_size=_MOST_SEATS, seated_player_id=player_id)
        page = await self._sources.tables.list_tables(request)
        await self._viewer.put(me_batch(player_id, page.tables))


class StreamTopics:
    """The topics of one stream. `announce` is told of each table it begins to follow."""

    def __init__(
        self, viewer: Viewer, sources: Sources, group: asyncio.TaskGroup, announce: Callable[[str], None]
    ) -> None:
        """`group` belongs to the stream and ends with it."""
        self._viewer = viewer
        self._sources = sources
        self._group = group
        self._announce = announce
        self._topics: dict[str, Topic] = {}
        self._starting: dict[str, asyncio.Task[None]] = {}

    def change(self, add: Iterable[gateway_pb2.Subscription], remove: Iterable[gateway_pb2.Subscription] = ()) -> None:
        """Follow more and less from now on; both have passed `checks`. What is followed already begins anew."""
        for subscription in remove:
            self._close(_key(subscription))
        for subscription in add:
            self._begin(_key(subscription), subscription)

    def positions(self) -> list[tuple[str, int]]:
        """Every table that is followed live, with the last sequence sent."""
        found = (topic.position() for topic in self._topics.values() if isinstance(topic, TableTopic))
        return [position for position in found if position is not None]

    def seated_at(self) -> list[str]:
        """Every table that is followed live and at which the viewer sits."""
        return [topic.table_id for topic in self._topics.values() if isinstance(topic, TableTopic) and topic.seated]

    def end_table(self, table_id: str, error: DomainError) -> None:
        """End one table's topic and say why."""
        if self._close(f"table:{table_id}"):
            self._viewer.offer(ended_batch(table_id, error, self._viewer.language))

    def table_ids(self) -> list[str]:
        """Every table that is followed or about to be."""
        return [topic.table_id for topic in self._topics.values() if isinstance(topic, TableTopic)]

    def close(self) -> None:
        """Follow nothing more."""
        for key in tuple(self._topics):
            self._close(key)

    def _begin(self, key: str, subscription: gateway_pb2.Subscription) -> None:
        self._close(key)
        table_id = subscription.table.table_id
        if len(self._topics) >= MOST_SUBSCRIPTIONS:
            error = DomainError(Reason.RATE_LIMITED, f"a stream follows at most {MOST_SUBSCRIPTIONS} things")
            self._viewer.offer(ended_batch(table_id, error, self._viewer.language))
            return
        topic = self._topics[key] = self._made(key, subscription)
        if table_id:
            self._announce(table_id)
        self._starting[key] = self._group.create_task(self._start(key, topic, table_id))

    def _made(self, key: str, subscription: gateway_pb2.Subscription) -> Topic:
        sources = self._sources
        if key == _ME:
            return MeTopic(self._viewer, sources, self._group)
        if key == _LOBBY:
            return LobbyTopic(self._viewer, sources.lobby)
        return TableTopic(
            self._viewer, subscription.table, sources.hub, sources.late, sources.tables, lambda: self._restart(key)
        )

    def _restart(self, key: str) -> None:
        """A table is shown to the viewer on other terms from now on."""
        topic = self._topics.get(key)
        if isinstance(topic, TableTopic):
            self._starting[key] = self._group.create_task(self._start(key, topic, topic.table_id))

    async def _start(self, key: str, topic: Topic, table_id: str) -> None:
        try:
            await topic.start()
        except DomainError as error:
            if self._topics.get(key) is topic:
                self._close(key)
                self._viewer.offer(ended_batch(table_id, error, self._viewer.language))
        finally:
            if self._starting.get(key) is asyncio.current_task():
                del self._starting[key]

    def _close(self, key: str) -> bool:
        topic = self._topics.pop(key, None)
        starting = self._starting.pop(key, None)
        if topic is None:
            return False
        if starting is not None and starting is not asyncio.current_task():
            starting.cancel()
        topic.close()
        return True


def _key(subscription: gateway_pb2.Subscription) -> str:
    kind = subscription.WhichOneof("topic")
    return f"table:{subscription.table.table_id}" if kind == "table" else str(kind)
