"""The table service as the gateway sees it: several addresses, each with an open stream for commands.

A table's calls go to the live address that rendezvous hashing picks. When that one goes away they go to the next; a
command keeps its request id, so that being executed twice is being executed once.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import grpc

from belot.table.v1 import table_pb2, table_pb2_grpc, view_pb2
from belot_events.envelope import Envelope
from belot_events.wire import from_message
from belot_gateway.places import MOST_WAITING, MOST_WAITING_AT_TABLE, Places
from belot_gateway.rendezvous import ranked
from belot_kit.grpc_client import call
from belot_kit.refusals import from_refusal
from belot_kit.replicas import Replicas
from belot_kit.stream_caller import StreamCaller

EXECUTE_STREAM: Final = "/belot.table.v1.TableService/ExecuteStream"
EVENTS_PAGE: Final = 200

TableStub: TypeAlias = "table_pb2_grpc.TableServiceAsyncStub"
CommandCaller = StreamCaller[table_pb2.ExecuteCall, table_pb2.ExecuteReply]
Answer = TypeVar("Answer")


class TableClient:
    """The table service at one address: its unary calls and its command stream, open while `run` runs."""

    def __init__(self, channel: grpc.aio.Channel) -> None:
        """Nothing is called yet."""
        self.stub: TableStub = table_pb2_grpc.TableServiceStub(channel)
        self.commands: CommandCaller = StreamCaller(channel, EXECUTE_STREAM, table_pb2.ExecuteStreamResponse)

    async def run(self) -> None:
        """Keep the command stream open."""
        await self.commands.run()


@dataclass(frozen=True, slots=True)
class EventPage:
    """Committed events after a sequence, in order; `head` is the last one there is, `seats` who sits where now.

    `at_ms` is when the table service answered, by the clock that stamps events; 0: it did not say.
    """

    events: tuple[Envelope, ...]
    head: int
    seats: tuple[view_pb2.Seat, ...]
    at_ms: int = 0

    def seat_of(self, player_id: str) -> int | None:
        """The player's seat now; None for a spectator."""
        return next((seat.seat for seat in self.seats if seat.player_id == player_id), None)


class TableFleet:
    """All addresses of the table service together."""

    def __init__(self, replicas: Replicas[TableClient]) -> None:
        """`replicas` are running for as long as this is used."""
        self._replicas = replicas
        self._places = Places("table", MOST_WAITING)
        self._commands = Places("table", MOST_WAITING, MOST_WAITING_AT_TABLE)

    @property
    def live(self) -> bool:
        """Whether any address can be called (for readiness)."""
        return bool(self._replicas.live)

    def when_lost(self, told: Callable[[Callable[[str], bool]], None]) -> None:
        """`told` hears of each address that goes away, by a test for the ids of the tables that it served first."""
        addresses = self._replicas.addresses
        self._replicas.when_lost(lambda lost: told(lambda table_id: ranked(table_id, addresses)[0] == lost))

    async def execute(self, command: table_pb2.Command) -> table_pb2.Ack:
        """Do one command; it is durable when this returns. Errors: DomainError, the table's own or UNAVAILABLE."""

        async def send(table: TableClient) -> table_pb2.Ack:
            reply = await table.commands.call(table_pb2.ExecuteCall(command=command))
            if reply.WhichOneof("result") == "ack":
                return reply.ack
            raise from_refusal(reply.refusal)

        with self._commands.one(command.table_id):
            return await self._at(command.table_id, send)

    async def create_table(self, request: table_pb2.CreateTableRequest) -> view_pb2.TableView:
        """Make a table."""
        response = await self._at(request.request_id, lambda table: call(table.stub.CreateTable, request))
        return response.table

    async def get_table(self, table_id: str, player_id: str, code: str = "") -> view_pb2.TableView:
        """The table as the player sees it; `code` opens a private one. TABLE_NOT_FOUND, SPECTATORS_NOT_ALLOWED."""
        request = table_pb2.GetTableRequest(table_id=table_id, player_id=player_id, invitation_code=code)
        return (await self._at(table_id, lambda table: call(table.stub.GetTable, request))).table

    async def list_tables(self, request: table_pb2.ListTablesRequest) -> table_pb2.ListTablesResponse:
        """A page of tables."""
        # No table's: any address will do, so all get their share.
        return await self._ask(lambda table: call(table.stub.ListTables, request))

    async def list_events(self, table_id: str, after: int) -> EventPage:
        """A page of the table's log after a sequence. TABLE_NOT_FOUND."""
        request = table_pb2.ListEventsRequest(table_id=table_id, after_sequence=after, page_size=EVENTS_PAGE)
        response = await self._at(table_id, lambda table: call(table.stub.ListEvents, request))
        events = tuple(from_message(each) for each in response.events)
        return EventPage(events, response.head_sequence, tuple(response.seats), response.at.ToMilliseconds())

    async def find_invitation(self, code: str, player_id: str) -> view_pb2.TableView:
        """The private table that a code leads to. TABLE_NOT_FOUND."""
        request = table_pb2.FindInvitationRequest(invitation_code=code, player_id=player_id)
        return (await self._ask(lambda table: call(table.stub.FindInvitation, request))).table

    async def open_rematch(self, request: table_pb2.OpenRematchRequest) -> view_pb2.TableView:
        """The table of a rematch. NOT_SEATED, MATCH_NOT_FINISHED."""
        return (await self._at(request.table_id, lambda table: call(table.stub.OpenRematch, request))).table

    async def report_presence(self, present: Sequence[tuple[str, str]]) -> None:
        """Name at most 1,000 players who are connected, each with the table at which he sits."""
        named = [table_pb2.PresentPlayer(table_id=table_id, player_id=player_id) for table_id, player_id in present]
        request = table_pb2.ReportPresenceRequest(present=named)
        await self._ask(lambda table: call(table.stub.ReportPresence, request))

    async def list_matches(self, request: table_pb2.ListMatchesRequest) -> table_pb2.ListMatchesResponse:
        """A page of a player's matches."""
        return await self._ask(lambda table: call(table.stub.ListMatches, request))

    async def get_match_record(self, match_id: str, viewer_id: str) -> table_pb2.MatchRecord:
        """Everything of a finished match. MATCH_NOT_FOUND, MATCH_NOT_FINISHED."""
        request = table_pb2.GetMatchRecordRequest(match_id=match_id, viewer_id=viewer_id)
        return (await self._at(match_id, lambda table: call(table.stub.GetMatchRecord, request))).record

    async def replay_match(self, match_id: str, viewer_id: str, decisions: int) -> table_pb2.ReplayMatchResponse:
        """A finished match after so many of its decisions. MATCH_NOT_FOUND, MATCH_NOT_FINISHED."""
        request = table_pb2.ReplayMatchRequest(match_id=match_id, viewer_id=viewer_id, decisions=decisions)
        return await self._at(match_id, lambda table: call(table.stub.ReplayMatch, request))

    async def get_proof_file(self, match_id: str) -> bytes:
        """The proof file of a finished match. MATCH_NOT_FOUND, MATCH_NOT_FINISHED."""
        request = table_pb2.GetProofFileRequest(match_id=match_id)
        return (await self._at(match_id, lambda table: call(table.stub.GetProofFile, request))).proof

    async def _at(self, key: str, question: Callable[[TableClient], Awaitable[Answer]]) -> Answer:
        """Ask the live address that `key` prefers, then each next one."""
        return await self._ask(question, ranked(key, self._replicas.addresses))

    async def _ask(
        self, question: Callable[[TableClient], Awaitable[Answer]], order: Sequence[str] | None = None
    ) -> Answer:
        with self._places.one():
            return await self._replicas.ask(question, order=order)
