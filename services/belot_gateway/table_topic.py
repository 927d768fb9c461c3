"""A table on a stream: a snapshot or the tail after a sequence first, then what happens, without a seam between.

Subscribe and buffer first, then read: the feed is confirmed before anything is read, and what it passed meanwhile is
sent before the viewer hears it live.
"""

from typing import Protocol

from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_events.sequence import Resumption, resume
from belot_gateway.convert import seat_move, snapshot_batch
from belot_gateway.hub import Follower, Hub, TableFeed, TableLog
from belot_gateway.sequencing import Sent, seat_before
from belot_gateway.viewer import Viewer

LONGEST_TAIL = 2_000
"""Events; who missed more gets a snapshot. A match of ten deals has about a thousand."""


class TableSource(TableLog, Protocol):
    """Where tables are read."""

    async def get_table(self, table_id: str, player_id: str) -> view_pb2.TableView:
        """The table as the player sees it."""


class TableTopic:
    """One table followed by one stream."""

    def __init__(self, viewer: Viewer, table_id: str, after: int | None, hub: Hub, tables: TableSource) -> None:
        """`after` is the last sequence the client has; None: it has nothing."""
        self.table_id = table_id
        self._viewer = viewer
        self._after = after
        self._hub = hub
        self._tables = tables
        self._feed: TableFeed | None = None
        self._follower: Follower | None = None
        self._closed = False

    def position(self) -> tuple[str, int] | None:
        """The table and the last sequence sent, once the viewer hears it live."""
        return None if self._follower is None else (self.table_id, self._follower.sent.head)

    @property
    def seated(self) -> bool:
        """Whether the viewer hears it live and sits there."""
        return self._follower is not None and self._follower.sent.seat is not None

    async def start(self) -> None:
        """Bring the viewer up to date and attach him. Errors: DomainError; TABLE_NOT_FOUND for one."""
        feed = await self._hub.acquire(self.table_id)
        if self._closed:
            self._hub.release(feed)
            return
        self._feed = feed
        follower = Follower(self._viewer, await self._begin(feed))
        while not self._closed and not feed.attach(follower):
            passed = feed.recent_after(follower.sent.head) or await self._read(follower.sent.head)
            await self._viewer.put(follower.take(feed, passed))
        if self._closed:
            feed.detach(follower)
        else:
            self._follower = follower

    def close(self) -> None:
        """Hear nothing more of it."""
        self._closed = True
        feed, self._feed = self._feed, None
        if feed is None:
            return
        if self._follower is not None:
            feed.detach(self._follower)
            self._follower = None
        self._hub.release(feed)

    async def _begin(self, feed: TableFeed) -> Sent:
        """Send the snapshot, or the tail page by page, and say what the viewer has then."""
        after = self._after
        player_id = self._viewer.identity.player_id
        page = None if after is None else await self._tables.list_events(self.table_id, after)
        if after is None or page is None or resume(after, page.head, LONGEST_TAIL) is Resumption.SNAPSHOT:
            view = await self._tables.get_table(self.table_id, player_id)
            await self._viewer.put(snapshot_batch(view))
            return Sent(view.sequence, view.viewer_seat if view.HasField("viewer_seat") else None)
        events, seat, head = page.events, page.seat_of(player_id), page.head
        while events and events[-1].sequence < head:
            page = await self._tables.list_events(self.table_id, events[-1].sequence)
            if not page.events:
                break
            events, seat, head = events + page.events, page.seat_of(player_id), page.head
        moves = [move for move in map(seat_move, events) if move is not None]
        follower = Follower(self._viewer, Sent(after, seat_before(seat, player_id, moves)))
        if events:
            await self._viewer.put(follower.take(feed, events))
        return follower.sent

    async def _read(self, after: int) -> tuple[Envelope, ...]:
        return (await self._tables.list_events(self.table_id, after)).events
