"""A table on a stream: a snapshot or the tail after a sequence first, then what happens, without a seam between.

Subscribe and buffer first, then read: the feed is confirmed before anything is read, and what it passed meanwhile is
sent before the viewer hears it live. Who has no seat must be let in by the table, and at a table that is shown late he
hears its late feed. Whoever loses his seat, or sees the match begin without him, begins anew on a spectator's terms.
"""

from collections.abc import Callable
from typing import Protocol

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_events.sequence import Resumption, resume
from belot_gateway.convert import seat_move, snapshot_batch, terms_of
from belot_gateway.hub import Follower, Hub, TableFeed, TableLog
from belot_gateway.late_feeds import LateFeeds
from belot_gateway.sequencing import Sent, seat_before
from belot_gateway.spectating import SEATED, Terms
from belot_gateway.table_fleet import EventPage
from belot_gateway.viewer import Viewer

LONGEST_TAIL = 2_000
"""Events; who missed more gets a snapshot. A match of ten deals has about a thousand."""


class TableSource(TableLog, Protocol):
    """Where tables are read."""

    async def get_table(self, table_id: str, player_id: str, code: str = "") -> view_pb2.TableView:
        """The table as the player sees it, `code` opening a private one. TABLE_NOT_FOUND, SPECTATORS_NOT_ALLOWED."""


class TableTopic:
    """One table followed by one stream."""

    def __init__(
        self,
        viewer: Viewer,
        wanted: gateway_pb2.TableTopic,
        hub: Hub,
        late: LateFeeds,
        tables: TableSource,
        restart: Callable[[], None],
    ) -> None:
        """`restart` has `start` run again: this viewer's terms have changed."""
        self.table_id = wanted.table_id
        self._viewer = viewer
        self._after = wanted.after_sequence if wanted.HasField("after_sequence") else None
        self._code = wanted.invitation_code
        self._hub = hub
        self._late = late
        self._tables = tables
        self._restart = restart
        self._feed: TableFeed | None = None
        self._give_back: Callable[[TableFeed], None] = hub.release
        self._follower: Follower | None = None
        self._held_at: int | None = None
        self._closed = False

    def position(self) -> tuple[str, int] | None:
        """The table and the last sequence sent, once the viewer hears it, or is held back (0: nothing was sent)."""
        if self._follower is not None:
            return self.table_id, self._follower.sent.head
        return None if self._held_at is None else (self.table_id, self._held_at)

    @property
    def seated(self) -> bool:
        """Whether the viewer hears it live and sits there."""
        follower = self._follower
        return follower is not None and not follower.late and follower.sent.seat is not None

    async def start(self) -> None:
        """Bring the viewer up to date and attach him. Errors: DomainError; TABLE_NOT_FOUND for one."""
        while not self._closed and not await self._begun():
            self._drop_feed()

    def close(self) -> None:
        """Hear nothing more of it."""
        self._closed = True
        self._drop_feed()

    async def _begun(self) -> bool:
        """Whether he hears it now; False when his terms have changed before he did."""
        feed = await self._hub.acquire(self.table_id)
        self._feed, self._give_back = feed, self._hub.release
        if self._closed:
            self._drop_feed()
            return True
        page = None if self._after is None else await self._tables.list_events(self.table_id, self._after)
        view = await self._looked_at(page)
        terms = SEATED if view is None else terms_of(view)
        if terms.delay_ms:
            self._drop_feed()
            return await self._begun_late(page, view, terms)
        return await self._attached(feed, await self._first(feed, page, view, terms))

    async def _looked_at(self, page: EventPage | None) -> view_pb2.TableView | None:
        """The table, where a snapshot is due or the viewer has no seat and must be let in."""
        player_id = self._viewer.identity.player_id
        if page is not None and page.seat_of(player_id) is not None and not self._needs_snapshot(page):
            return None
        return await self._tables.get_table(self.table_id, player_id, self._code)

    def _needs_snapshot(self, page: EventPage | None) -> bool:
        return page is None or resume(self._after, page.head, LONGEST_TAIL) is Resumption.SNAPSHOT

    async def _first(
        self, feed: TableFeed, page: EventPage | None, view: view_pb2.TableView | None, terms: Terms
    ) -> Follower:
        """Send the snapshot, or the tail page by page, and say what the viewer has then."""
        if view is not None and self._needs_snapshot(page):
            await self._viewer.put(snapshot_batch(view))
            seat = view.viewer_seat if view.HasField("viewer_seat") else None
            return Follower(self._viewer, Sent(view.sequence, seat), terms.guarded)
        if page is None or self._after is None:
            raise AssertionError("without a page there is a view")
        events, player_id = page.events, self._viewer.identity.player_id
        while events and events[-1].sequence < page.head:
            page = await self._tables.list_events(self.table_id, events[-1].sequence)
            if not page.events:
                break
            events += page.events
        moves = [move for move in map(seat_move, events) if move is not None]
        seat = seat_before(page.seat_of(player_id), player_id, moves)
        follower = Follower(self._viewer, Sent(self._after, seat), terms.guarded)
        # What happened to his seat in the past changes nothing; only a match that begins meanwhile does.
        follower.late = not terms.guarded
        if events:
            await self._viewer.put(follower.take(feed, events))
        follower.late = False
        return follower

    async def _begun_late(self, page: EventPage | None, view: view_pb2.TableView | None, terms: Terms) -> bool:
        """Hold back the snapshot until it is old enough; after a sequence the late feed brings what is due."""
        self._held_at, sent = self._after or 0, Sent(self._after or 0, None)
        if view is not None and self._needs_snapshot(page):
            batch, sent = snapshot_batch(view), Sent(view.sequence, None)
            await self._late.until_due(self.table_id, view.sequence, terms.delay_ms)
            await self._viewer.put(batch)
        feed = self._late.acquire(self.table_id, terms.delay_ms, sent.head)
        self._feed, self._give_back = feed, self._late.release
        return await self._attached(feed, Follower(self._viewer, sent, late=True))

    async def _attached(self, feed: TableFeed, follower: Follower) -> bool:
        """Send what the feed has passed meanwhile, then let the viewer hear it; False when his terms have changed."""
        while not self._closed and not follower.over and not feed.attach(follower):
            passed = feed.recent_after(follower.sent.head) or await self._passed(feed, follower.sent.head)
            await self._viewer.put(follower.take(feed, passed))
        if self._closed:
            feed.detach(follower)
            return True
        self._after = follower.sent.head
        if follower.over:
            return False
        self._follower, self._held_at = follower, None
        follower.anew = self._begin_anew
        return True

    async def _passed(self, feed: TableFeed, after: int) -> tuple[Envelope, ...]:
        """What the log has after a sequence, up to the feed's head."""
        events = (await self._tables.list_events(self.table_id, after)).events
        return tuple(each for each in events if each.sequence <= (feed.head or 0))

    def _begin_anew(self) -> None:
        if self._follower is not None:
            self._after = self._follower.sent.head
        self._drop_feed()
        self._restart()

    def _drop_feed(self) -> None:
        feed, follower = self._feed, self._follower
        self._feed = self._follower = self._held_at = None
        if feed is None:
            return
        if follower is not None:
            feed.detach(follower)
        self._give_back(feed)
