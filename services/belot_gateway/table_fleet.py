"""The table service as the gateway sees it: several addresses, each with an open stream for commands.

A table's calls go to the live address that rendezvous hashing picks. When that one goes away they go to the next; a
command keeps its request id, so that being executed twice is being executed once.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

from belot.table.v1 import table_pb2, table_pb2_grpc, view_pb2
from belot_events.envelope import Envelope
from belot_events.wire import from_message
from belot_gateway.rendezvous import ranked
from belot_kit.deadlines import call_timeout
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_kit.refusals import from_refusal
from belot_kit.stream_caller import StreamCaller
from belot_kit.tasks import background

EXECUTE_STREAM: Final = "/belot.table.v1.TableService/ExecuteStream"
IDEMPOTENT: Final = tuple(
    f"belot.table.v1.TableService/{method}" for method in ("GetTable", "ListTables", "ListEvents", "GetProofFile")
)
"""Methods the channel may retry; the others are retried here, with their request ids."""
EVENTS_PAGE: Final = 200
_RETRY_SECONDS: Final = 0.2
_SPREAD: Final = 64

TableStub: TypeAlias = "table_pb2_grpc.TableServiceAsyncStub"
CommandCaller = StreamCaller[table_pb2.ExecuteCall, table_pb2.ExecuteReply]
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class TablePeer:
    """One address of the table service: its unary calls and its command stream.

    `wait_ready(True)` waits until the address can be called, `wait_ready(False)` until it cannot.
    """

    address: str
    wait_ready: Callable[[bool], Awaitable[None]]
    stub: TableStub
    commands: CommandCaller


@dataclass(frozen=True, slots=True)
class EventPage:
    """Committed events after a sequence, in order; `head` is the last one there is, `seats` who sits where now."""

    events: tuple[Envelope, ...]
    head: int
    seats: tuple[view_pb2.Seat, ...]

    def seat_of(self, player_id: str) -> int | None:
        """The player's seat now; None for a spectator."""
        return next((seat.seat for seat in self.seats if seat.player_id == player_id), None)


class TableFleet:
    """All live addresses together; works while `running` is entered."""

    def __init__(self, peers: Sequence[TablePeer]) -> None:
        """One peer for each configured address."""
        self._peers: Mapping[str, TablePeer] = {peer.address: peer for peer in peers}
        self._addresses = tuple(self._peers)
        self._live: set[str] = set()
        self._changed = asyncio.Event()
        self._lists = 0

    @property
    def live(self) -> bool:
        """Whether any address can be called (for readiness)."""
        return bool(self._live)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Keep every address connected while the block runs."""
        async with AsyncExitStack() as stack:
            for peer in self._peers.values():
                await stack.enter_async_context(background(self._keep(peer)))
            yield

    async def _keep(self, peer: TablePeer) -> None:
        while True:
            await peer.wait_ready(True)
            try:
                # Ending the stream fails what waits on it, so that it goes to another address at once.
                async with background(peer.commands.run()):
                    self._live.add(peer.address)
                    self._changed.set()
                    await peer.wait_ready(False)
            finally:
                self._live.discard(peer.address)

    async def execute(self, command: table_pb2.Command) -> table_pb2.Ack:
        """Do one command; it is durable when this returns. Errors: DomainError, the table's own or UNAVAILABLE."""

        async def send(peer: TablePeer) -> table_pb2.Ack:
            timeout_ms = int(call_timeout() * 1000)
            reply = await peer.commands.call(table_pb2.ExecuteCall(command=command, timeout_ms=timeout_ms))
            if reply.WhichOneof("result") == "ack":
                return reply.ack
            raise from_refusal(reply.refusal)

        return await self._at(command.table_id, send)

    async def create_table(self, request: table_pb2.CreateTableRequest) -> view_pb2.TableView:
        """Make a table."""
        response = await self._at(request.request_id, lambda peer: call(peer.stub.CreateTable, request))
        return response.table

    async def get_table(self, table_id: str, player_id: str) -> view_pb2.TableView:
        """The table as the player sees it. TABLE_NOT_FOUND."""
        request = table_pb2.GetTableRequest(table_id=table_id, player_id=player_id)
        return (await self._at(table_id, lambda peer: call(peer.stub.GetTable, request))).table

    async def list_tables(self, request: table_pb2.ListTablesRequest) -> table_pb2.ListTablesResponse:
        """A page of tables."""
        self._lists += 1
        key = f"list {self._lists % _SPREAD}"  # no table's: any address will do, so all get their share
        return await self._at(key, lambda peer: call(peer.stub.ListTables, request))

    async def list_events(self, table_id: str, after: int) -> EventPage:
        """A page of the table's log after a sequence. TABLE_NOT_FOUND."""
        request = table_pb2.ListEventsRequest(table_id=table_id, after_sequence=after, page_size=EVENTS_PAGE)
        response = await self._at(table_id, lambda peer: call(peer.stub.ListEvents, request))
        events = tuple(from_message(each) for each in response.events)
        return EventPage(events, response.head_sequence, tuple(response.seats))

    async def get_proof_file(self, match_id: str) -> bytes:
        """The proof file of a finished match. MATCH_NOT_FOUND, MATCH_NOT_FINISHED."""
        request = table_pb2.GetProofFileRequest(match_id=match_id)
        return (await self._at(match_id, lambda peer: call(peer.stub.GetProofFile, request))).proof

    async def _at(self, key: str, ask: Callable[[TablePeer], Awaitable[Answer]]) -> Answer:
        """Ask the live address that `key` prefers, then each next one; UNAVAILABLE is final only at the deadline."""
        loop = asyncio.get_running_loop()
        until = loop.time() + call_timeout()
        tried: set[str] = set()
        refused = DomainError(Reason.UNAVAILABLE, "no table service can be reached now", retry_after_ms=500)
        while True:
            order = ranked(key, self._addresses)
            address = next((each for each in order if each in self._live and each not in tried), None)
            if address is None:
                if loop.time() >= until:
                    raise refused
                await self._wait_for_change(until)
                tried.clear()
                continue
            try:
                return await ask(self._peers[address])
            except DomainError as error:
                if error.reason is not Reason.UNAVAILABLE:
                    raise
                tried.add(address)
                refused = error

    async def _wait_for_change(self, until: float) -> None:
        """Wait until an address comes to life, or a moment for one that lives but cannot serve just now."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(min(until, asyncio.get_running_loop().time() + _RETRY_SECONDS)):
                await self._changed.wait()
