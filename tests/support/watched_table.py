"""A table's log in memory, on virtual time, and viewers of it through the gateway's own topics.

What happens is written and published as the table service does it; who may look is decided as it decides it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.channels import table_channel
from belot_events.envelope import Envelope
from belot_events.wire import encode_batch
from belot_gateway.auth import Identity
from belot_gateway.convert import heartbeat_batch
from belot_gateway.hub import Hub
from belot_gateway.late_feeds import LateFeeds
from belot_gateway.lobby_feed import LobbyFeed
from belot_gateway.stream_topics import Sources, StreamTopics
from belot_gateway.table_fleet import EventPage
from belot_gateway.viewer import Viewer
from belot_kit.bus import Bus, BusOptions
from belot_kit.clock import Clock
from belot_kit.errors import DomainError, Reason
from belot_kit.tasks import background
from support.memory_valkey import MemoryValkey, SoundBusLines

TABLE = "t"
_PAGE = 50


class WatchedTable:
    """One table: its options, its log, who sits there."""

    def __init__(self, clock: Clock, options: view_pb2.TableOptions) -> None:
        """It waits."""
        self.log: list[Envelope] = []
        self.status = view_pb2.TABLE_STATUS_WAITING
        self.reads = 0
        self._clock = clock
        self._options = options
        self._seats: dict[int, str] = {}
        self.bus: Bus | None = None

    def happen(
        self, event: view_pb2.TableEvent, *, only_seat: int | None = None, private: view_pb2.TableEvent | None = None
    ) -> int:
        """Write an event, and publish it; `private` is what its seat sees in addition. Returns its sequence."""
        now_ms = self._clock.now_ms()
        event.at.FromMilliseconds(now_ms)
        kind = event.WhichOneof("kind") or ""
        if kind == "status_changed":
            self.status = event.status_changed.status
        elif kind == "seat_changed":
            self._seats[event.seat_changed.seat.seat] = event.seat_changed.seat.player_id
        elif kind == "seat_left":
            self._seats[event.seat_left.seat] = ""
        more = b"" if private is None else private.SerializeToString()
        sequence = len(self.log) + 1
        self.log.append(Envelope(TABLE, sequence, kind, now_ms, event.SerializeToString(), only_seat, more))
        if self.bus is not None:
            self.bus.publish(table_channel(TABLE), encode_batch(self.log[-1:]))
        return sequence

    def become(self, status: view_pb2.TableStatus.ValueType) -> int:
        """The table's status changes."""
        return self.happen(view_pb2.TableEvent(status_changed=view_pb2.StatusChanged(status=status)))

    def sit(self, seat: int, player_id: str) -> int:
        """Somebody sits down."""
        taken = view_pb2.Seat(seat=seat, player_id=player_id)
        return self.happen(view_pb2.TableEvent(seat_changed=view_pb2.SeatChanged(seat=taken)))

    def leave(self, seat: int) -> int:
        """He leaves."""
        left = view_pb2.SeatLeft(seat=seat, player_id=self._seats[seat])
        return self.happen(view_pb2.TableEvent(seat_left=left))

    def turn(self, seat: int) -> int:
        """A turn begins; its seat alone sees what it may do."""
        secret = view_pb2.TableEvent(turn_started=view_pb2.TurnClock())
        secret.turn_started.legal.may_pass = True
        started = view_pb2.TableEvent(turn_started=view_pb2.TurnClock(seat=seat))
        return self.happen(started, only_seat=seat, private=secret)

    async def get_table(self, table_id: str, player_id: str, code: str = "") -> view_pb2.TableView:
        """As the table service answers."""
        await asyncio.sleep(0.001)
        seat = next((seat for seat, sits in self._seats.items() if sits == player_id), None)
        running = view_pb2.TABLE_STATUS_OPENING <= self.status <= view_pb2.TABLE_STATUS_PLAYING
        if seat is None and running and self._options.no_spectators:
            raise DomainError(Reason.SPECTATORS_NOT_ALLOWED, "not shown")
        summary = view_pb2.TableSummary(table_id=TABLE, status=self.status, options=self._options)
        return view_pb2.TableView(summary=summary, sequence=len(self.log), viewer_seat=seat)

    async def list_events(self, table_id: str, after: int) -> EventPage:
        """As the table service answers."""
        await asyncio.sleep(0.001)
        self.reads += 1
        seats = [view_pb2.Seat(seat=seat, player_id=sits) for seat, sits in self._seats.items()]
        return EventPage(tuple(self.log[after : after + _PAGE]), len(self.log), tuple(seats), self._clock.now_ms())

    async def list_tables(self, request: table_pb2.ListTablesRequest) -> table_pb2.ListTablesResponse:
        """None."""
        return table_pb2.ListTablesResponse()


@dataclass(eq=False, slots=True)
class Eyes:
    """One viewer: everything that came, each item with the moment at which it came (unix milliseconds)."""

    viewer: Viewer
    topics: StreamTopics
    items: list[tuple[int, gateway_pb2.StreamItem]] = field(default_factory=list)

    def follow(self, after: int | None = None) -> None:
        """Follow the table, from a snapshot or after a sequence."""
        topic = gateway_pb2.TableTopic(table_id=TABLE, after_sequence=after)
        self.topics.change([gateway_pb2.Subscription(table=topic)])

    @property
    def head(self) -> int:
        """The last sequence that came, 0 before the first."""
        return max((item.sequence for _, item in self.of("snapshot", "event", "hidden")), default=0)

    def beat(self) -> None:
        """A heartbeat, now."""
        if positions := self.topics.positions():
            self.viewer.offer(heartbeat_batch(positions, 0))

    def of(self, *kinds: str) -> list[tuple[int, gateway_pb2.StreamItem]]:
        """The items of these kinds."""
        return [each for each in self.items if each[1].WhichOneof("kind") in kinds]


class Gateway:
    """What shows the table to viewers."""

    def __init__(self, clock: Clock, sources: Sources, group: asyncio.TaskGroup) -> None:
        """Made by `gateway`."""
        self.sources = sources
        self._clock = clock
        self._group = group

    @asynccontextmanager
    async def eyes(self, player_id: str) -> AsyncIterator[Eyes]:
        """A stream of a player's while the block runs."""
        viewer = Viewer(f"stream-of-{player_id}", Identity(player_id, player_id, 2**40), "en")
        eyes = Eyes(viewer, StreamTopics(viewer, self.sources, self._group, lambda _table_id: None))

        async def write(batch: bytes) -> None:
            now_ms = self._clock.now_ms()
            eyes.items.extend((now_ms, item) for item in gateway_pb2.WatchResponse.FromString(batch).items)

        async with background(viewer.run(write)):
            try:
                yield eyes
            finally:
                eyes.topics.close()


@dataclass(frozen=True, slots=True)
class WrongClock:
    """A clock that is ahead of another by so many milliseconds."""

    right: Clock
    ahead_ms: int

    def now_ms(self) -> int:
        """What it shows."""
        return self.right.now_ms() + self.ahead_ms

    def monotonic(self) -> float:
        """As the other."""
        return self.right.monotonic()


@asynccontextmanager
async def gateway(clock: Clock, table: WatchedTable, ahead_ms: int = 0) -> AsyncIterator[Gateway]:
    """A gateway before the table, on a bus in memory; its own clock may be wrong."""
    bus = Bus(BusOptions("memory", "gateway"), MemoryValkey(SoundBusLines()).connect)
    hub, late = Hub(bus, table), LateFeeds(table, WrongClock(clock, ahead_ms))
    async with background(bus.run()):
        await bus.wait_connected()
        table.bus = bus
        async with hub.running(), late.running(), asyncio.TaskGroup() as group:
            yield Gateway(clock, Sources(bus, hub, LobbyFeed(bus, table), table, late), group)
