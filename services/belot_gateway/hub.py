"""Fan-out: one subscription for each table watched in this process, and everybody who watches it.

A feed has one contiguous sequence. What arrives beyond a gap waits until the log has filled it; a replaced bus
connection makes every feed look into the log, for a message may have been lost without a trace.
"""

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

import structlog
from google.protobuf.message import DecodeError

from belot_events.channels import table_channel
from belot_events.envelope import Envelope
from belot_events.visibility import visible_to
from belot_events.wire import decode_batch
from belot_gateway.convert import opens_match, seat_change
from belot_gateway.sequencing import Sent, merge, show
from belot_gateway.spectating import allowed
from belot_gateway.table_fleet import EventPage
from belot_gateway.viewer import Viewer
from belot_gateway.wire import event_batch
from belot_kit.bus import Bus, Subscription
from belot_kit.errors import DomainError, Reason

_log = structlog.get_logger(__name__)

RECENT: Final = 64
"""Events kept of each watched table, for who comes back after a short while; older ones are read from the log."""
_LONGEST_WAIT: Final = 4_096
_REPAIRS_AT_ONCE: Final = 16
_RETRY_SECONDS: Final = 0.2
_DEAF_SECONDS: Final = 0.3
"""How often the logs of watched tables are read while the bus is away."""
_LOOKS_SECONDS: Final = (0.05, 0.3)
_SEAT_KINDS: Final = frozenset({"seat_changed", "seat_left"})
_STATUS_KIND: Final = "status_changed"


Result = TypeVar("Result")


class TableLog(Protocol):
    """Where the committed events of a table are read."""

    async def list_events(self, table_id: str, after: int) -> EventPage:
        """A page after a sequence."""


@dataclass(eq=False, slots=True)
class Follower:
    """One viewer of one table: what he was sent, and his seat.

    A `guarded` spectator hears nothing live of the match. Once `over`, he has lost his seat or the match has begun
    without him: he is sent no more before `anew` has asked on which terms. Who is `late` anyway hears everything.
    """

    viewer: Viewer
    sent: Sent
    guarded: bool = False
    late: bool = False
    over: bool = False
    anew: Callable[[], None] | None = None

    def take(self, feed: "TableFeed", envelopes: Sequence[Envelope]) -> bytes:
        """The items of envelopes that follow on for him; he counts as having been sent them."""
        player_id = self.viewer.identity.player_id
        if not self.late:
            live = allowed(self.sent, player_id, envelopes, seat_change, opens_match, guarded=self.guarded)
            envelopes, self.over = live.envelopes, live.over
        self.sent, batch = show(self.sent, player_id, envelopes, seat_change, feed.encode)
        return batch


class TableFeed:
    """One watched table of this process."""

    def __init__(self, table_id: str, repair: Callable[["TableFeed"], None]) -> None:
        """`repair` is called when the log must be read."""
        self.table_id = table_id
        self.head: int | None = None
        self.interested = 0
        self.repairing = False
        self.suspect = False
        self.subscription: asyncio.Task[Subscription | DomainError] | None = None
        self._repair = repair
        self._encoded_id = table_id.encode()
        self._followers: dict[Follower, None] = {}  # in the order in which they came
        self._waiting: tuple[Envelope, ...] = ()
        self._recent: deque[Envelope] = deque(maxlen=RECENT)

    def encode(self, sequence: int, event: bytes | None) -> bytes:
        """An event of this table as an encoded batch."""
        return event_batch(self._encoded_id, sequence, event)

    @property
    def missing(self) -> bool:
        """Whether something lies beyond a gap."""
        return bool(self._waiting)

    def receive(self, payload: bytes) -> None:
        """A message of the bus."""
        try:
            self.take(decode_batch(payload))
        except DecodeError:
            _log.error("table_message_unreadable", table_id=self.table_id)
            self.suspect = True
            self._repair(self)

    def gap(self) -> None:
        """The bus lost a connection: messages may be missing."""
        self.suspect = True
        self._repair(self)

    def take(self, envelopes: Iterable[Envelope]) -> None:
        """Envelopes from the bus or the log, in any order, some of them maybe known."""
        if self.head is None:
            self._waiting = (*self._waiting, *envelopes)[-_LONGEST_WAIT:]
            return
        merged = merge(self.head, self._waiting, envelopes)
        self._waiting = merged.waiting[:_LONGEST_WAIT]
        if merged.fresh:
            self.head = merged.fresh[-1].sequence
            self._recent.extend(merged.fresh)
            self._deliver(merged.fresh)
        if self._waiting:
            self._repair(self)

    def recent_after(self, sequence: int) -> tuple[Envelope, ...]:
        """The envelopes after a sequence up to the head, if they are still at hand; else none."""
        if not self._recent or self._recent[0].sequence > sequence + 1:
            return ()
        return tuple(each for each in self._recent if each.sequence > sequence)

    def attach(self, follower: Follower) -> bool:
        """Let a follower hear what comes from now on; False when he must first be sent what this feed has passed."""
        if self.head is not None and follower.sent.head < self.head:
            return False
        self._followers[follower] = None
        if self.head is None:
            self.head = follower.sent.head
            self.take(())
        return True

    def detach(self, follower: Follower) -> None:
        """He hears no more."""
        self._followers.pop(follower, None)

    def _deliver(self, fresh: Sequence[Envelope]) -> None:
        """Encode once for all who see the same: a seat that nothing is meant for or hidden from sees what all see."""
        kinds = {each.kind for each in fresh}
        plain, opening = kinds.isdisjoint(_SEAT_KINDS), _STATUS_KIND in kinds
        private = {each.only_seat for each in fresh if each.only_seat is not None}
        private.update(seat for each in fresh for seat in each.hidden_from)
        encoded: dict[int | None, bytes] = {}
        before, head = fresh[0].sequence - 1, fresh[-1].sequence
        for follower in tuple(self._followers):
            sent = follower.sent
            if not plain or sent.head != before or (opening and follower.guarded):
                batch = follower.take(self, fresh)
            else:
                eyes = sent.seat if sent.seat in private else None
                if eyes not in encoded:
                    parts = [self.encode(each.sequence, visible_to(each, eyes)) for each in fresh]
                    encoded[eyes] = b"".join(parts)
                batch = encoded[eyes]
                follower.sent = Sent(head, sent.seat)
            if batch:
                follower.viewer.offer(batch)
            if follower.over:
                self.detach(follower)
                if follower.anew is not None:
                    follower.anew()


class Hub:
    """All feeds of the process; works while `running` is entered."""

    def __init__(self, bus: Bus, log: TableLog) -> None:
        """`bus` brings events, `log` fills gaps."""
        self._bus = bus
        self._log = log
        self._feeds: dict[str, TableFeed] = {}
        self._group: asyncio.TaskGroup | None = None
        self._running: set[asyncio.Task[object]] = set()
        self._repairs = asyncio.Semaphore(_REPAIRS_AT_ONCE)

    @property
    def watched(self) -> int:
        """How many tables are watched here."""
        return len(self._feeds)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Mend feeds while the block runs."""
        async with asyncio.TaskGroup() as self._group:
            self._start(self._look_while_deaf())
            yield
            for task in tuple(self._running):
                task.cancel()

    async def acquire(self, table_id: str) -> TableFeed:
        """The feed of a table, subscribed and confirmed; `release` it when done. UNAVAILABLE."""
        feed = self._feeds.get(table_id)
        if feed is None:
            feed = self._feeds[table_id] = TableFeed(table_id, self._repair)
        feed.interested += 1
        try:
            await self._subscribed(feed)
        except BaseException:
            self.release(feed)
            raise
        return feed

    def release(self, feed: TableFeed) -> None:
        """Give a feed back; the last one to do so ends it."""
        feed.interested -= 1
        if feed.interested == 0:
            self._drop(feed)

    def look_again(self, concerned: Callable[[str], bool]) -> None:
        """Whoever served these tables went away, and may have committed what he did not publish any more.

        The log is read a moment later, and again for what the database was slow to end. The relay would come later.
        """
        for seconds in _LOOKS_SECONDS:
            asyncio.get_running_loop().call_later(seconds, self._suspect, concerned)

    async def _look_while_deaf(self) -> None:
        """While the bus is away nothing comes by itself: the logs are read again and again, so that matches go on."""
        while True:
            await asyncio.sleep(_DEAF_SECONDS)
            if not self._bus.connected:
                self._suspect(lambda _table_id: True)

    def _suspect(self, concerned: Callable[[str], bool]) -> None:
        for feed in tuple(self._feeds.values()):
            if concerned(feed.table_id):
                feed.gap()

    async def _subscribed(self, feed: TableFeed) -> None:
        if feed.subscription is None or (feed.subscription.done() and _open(feed.subscription) is None):
            feed.subscription = self._start(self._subscribe(feed))
        # Shared by all who open this feed, so one of them going away must not end it.
        answer = await asyncio.shield(feed.subscription)
        if isinstance(answer, DomainError):
            raise answer

    async def _subscribe(self, feed: TableFeed) -> Subscription | DomainError:
        try:
            return await self._bus.subscribe(table_channel(feed.table_id), feed.receive, feed.gap)
        except DomainError as error:
            return error

    def _drop(self, feed: TableFeed) -> None:
        if self._feeds.get(feed.table_id) is feed:
            del self._feeds[feed.table_id]
        if feed.subscription is not None and not feed.subscription.done():
            feed.subscription.cancel()
        elif feed.subscription is not None and (subscription := _open(feed.subscription)) is not None:
            subscription.close()

    def _start(self, work: Coroutine[object, object, Result]) -> asyncio.Task[Result]:
        if self._group is None:
            raise AssertionError("the hub is used outside `running`")
        task = self._group.create_task(work)
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        return task

    def _repair(self, feed: TableFeed) -> None:
        if not feed.repairing and feed.head is not None:
            feed.repairing = True
            self._start(self._mend(feed))

    async def _mend(self, feed: TableFeed) -> None:
        """Read the log after the feed's head until nothing is missing."""
        try:
            while feed.interested and (feed.suspect or feed.missing):
                feed.suspect = False
                try:
                    async with self._repairs:
                        page = await self._log.list_events(feed.table_id, feed.head or 0)
                except DomainError as error:
                    _log.warning("table_log_unread", table_id=feed.table_id, reason=error.reason)
                    feed.suspect = error.reason is not Reason.TABLE_NOT_FOUND
                    await asyncio.sleep(_RETRY_SECONDS)
                    continue
                before = feed.head
                feed.take(page.events)
                feed.suspect = feed.suspect or (feed.head or 0) < page.head
                if feed.head == before and (feed.suspect or feed.missing):
                    await asyncio.sleep(_RETRY_SECONDS)
        finally:
            feed.repairing = False


def _open(task: asyncio.Task[Subscription | DomainError]) -> Subscription | None:
    if task.cancelled():
        return None
    answer = task.result()
    return None if isinstance(answer, DomainError) else answer
