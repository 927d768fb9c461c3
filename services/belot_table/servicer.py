"""The table service over gRPC: unpack, one call, pack."""

from collections.abc import AsyncIterator
from typing import Final, TypeAlias

import grpc

from belot.table.v1 import table_pb2, table_pb2_grpc
from belot_events.wire import to_message
from belot_kit.deadlines import deadline_after, set_deadline
from belot_kit.errors import DomainError
from belot_kit.grpc_server import Register
from belot_kit.pages import page_of
from belot_kit.refusals import to_refusal
from belot_kit.stream_server import serve_batches
from belot_table import commands, history, making, presence, reading
from belot_table.convert import report_of, seat_message, summary_of, timestamp
from belot_table.ports import Ports
from belot_table.presence import PresenceStore
from belot_table.requests import (
    identifier,
    invitation_code,
    read_command,
    read_ending,
    read_new_table,
    read_present,
    read_rematch,
    read_statuses,
)
from belot_table.store import Listing

#: Full name for health checks and reflection.
SERVICE: Final = table_pb2.DESCRIPTOR.services_by_name["TableService"].full_name

_EVENTS: Final = 200
_MOST_EVENTS: Final = 1_000

Context: TypeAlias = "grpc.aio.ServicerContext[object, object]"


class TableServicer(table_pb2_grpc.TableServiceServicer):
    """Each method is one use case; errors are the chassis' business."""

    def __init__(self, ports: Ports, seen: PresenceStore) -> None:
        """`ports` is what every use case works with, `seen` who was connected when."""
        self._ports = ports
        self._seen = seen

    async def CreateTable(  # noqa: N802 - gRPC's name
        self, request: table_pb2.CreateTableRequest, context: Context
    ) -> table_pb2.CreateTableResponse:
        """Makes a table."""
        table = await making.create_table(self._ports, read_new_table(request))
        view = await reading.view_of(self._ports, table, request.player_id)
        view.invitation_code = table.invitation_code
        return table_pb2.CreateTableResponse(table=view)

    async def GetTable(  # noqa: N802 - gRPC's name
        self, request: table_pb2.GetTableRequest, context: Context
    ) -> table_pb2.GetTableResponse:
        """A table as a viewer sees it."""
        table_id = identifier("table_id", request.table_id)
        code = invitation_code("invitation_code", request.invitation_code)
        view = await reading.view_table(self._ports, table_id, request.player_id, code)
        return table_pb2.GetTableResponse(table=view)

    async def ListTables(  # noqa: N802 - gRPC's name
        self, request: table_pb2.ListTablesRequest, context: Context
    ) -> table_pb2.ListTablesResponse:
        """A page of tables."""
        seated = identifier("seated_player_id", request.seated_player_id) if request.seated_player_id else ""
        listing = Listing(read_statuses(request), seated)
        bound = ",".join(each.name for each in listing.statuses)
        page = page_of(request.page_size, request.page_token, key=(int, str), seated=seated, statuses=bound)
        tables, token = await reading.list_tables(self._ports, listing, page)
        return table_pb2.ListTablesResponse(tables=[summary_of(each) for each in tables], next_page_token=token)

    async def Execute(  # noqa: N802 - gRPC's name
        self, request: table_pb2.ExecuteRequest, context: Context
    ) -> table_pb2.ExecuteResponse:
        """One command."""
        ack = await commands.execute(self._ports, read_command(request.command))
        return table_pb2.ExecuteResponse(ack=table_pb2.Ack.FromString(ack))

    async def ExecuteStream(  # type: ignore[override]  # noqa: N802 - it writes by itself; gRPC's name
        self, requests: AsyncIterator[table_pb2.ExecuteStreamRequest], context: Context
    ) -> None:
        """Commands of many players."""
        await serve_batches(requests, context, self._answer, _refuse, stream=f"{SERVICE}/ExecuteStream")

    async def ListEvents(  # noqa: N802 - gRPC's name
        self, request: table_pb2.ListEventsRequest, context: Context
    ) -> table_pb2.ListEventsResponse:
        """Committed events after a sequence."""
        table_id, most = identifier("table_id", request.table_id), min(request.page_size or _EVENTS, _MOST_EVENTS)
        after = min(request.after_sequence, 2**62)
        tail = await reading.list_events(self._ports, table_id, after, most)
        return table_pb2.ListEventsResponse(
            events=[to_message(each) for each in tail.envelopes],
            head_sequence=tail.table.sequence,
            seats=[seat_message(each) for each in tail.table.seats],
            at=timestamp(self._ports.clock.now_ms()),
        )

    async def GetProofFile(  # noqa: N802 - gRPC's name
        self, request: table_pb2.GetProofFileRequest, context: Context
    ) -> table_pb2.GetProofFileResponse:
        """The proof file of a finished match."""
        match_id = identifier("match_id", request.match_id)
        return table_pb2.GetProofFileResponse(proof=await reading.get_proof(self._ports, match_id))

    async def FindInvitation(  # noqa: N802 - gRPC's name
        self, request: table_pb2.FindInvitationRequest, context: Context
    ) -> table_pb2.FindInvitationResponse:
        """The table that a code leads to."""
        code = identifier("invitation_code", "".join(request.invitation_code.split()))
        table = await making.find_invitation(self._ports, code)
        return table_pb2.FindInvitationResponse(table=await reading.shown_to(self._ports, table, request.player_id))

    async def OpenRematch(  # noqa: N802 - gRPC's name
        self, request: table_pb2.OpenRematchRequest, context: Context
    ) -> table_pb2.OpenRematchResponse:
        """A table for the same people."""
        table = await making.open_rematch(self._ports, read_rematch(request))
        return table_pb2.OpenRematchResponse(table=await reading.view_of(self._ports, table, request.player_id))

    async def ReportPresence(  # noqa: N802 - gRPC's name
        self, request: table_pb2.ReportPresenceRequest, context: Context
    ) -> table_pb2.ReportPresenceResponse:
        """Who is connected."""
        await presence.report(self._ports, self._seen, read_present(request))
        return table_pb2.ReportPresenceResponse()

    async def ListMatches(  # noqa: N802 - gRPC's name
        self, request: table_pb2.ListMatchesRequest, context: Context
    ) -> table_pb2.ListMatchesResponse:
        """A page of a player's matches."""
        player, viewer = identifier("player_id", request.player_id), request.viewer_id
        page = page_of(request.page_size, request.page_token, key=(int, str), player=player, viewer=viewer)
        matches, token = await history.list_matches(self._ports, player, viewer, page)
        return table_pb2.ListMatchesResponse(matches=matches, next_page_token=token)

    async def GetMatchRecord(  # noqa: N802 - gRPC's name
        self, request: table_pb2.GetMatchRecordRequest, context: Context
    ) -> table_pb2.GetMatchRecordResponse:
        """The record of a match."""
        match_id = identifier("match_id", request.match_id)
        record = await history.match_record(self._ports, match_id, request.viewer_id)
        return table_pb2.GetMatchRecordResponse(record=record)

    async def ReplayMatch(  # noqa: N802 - gRPC's name
        self, request: table_pb2.ReplayMatchRequest, context: Context
    ) -> table_pb2.ReplayMatchResponse:
        """A position of a match."""
        match_id = identifier("match_id", request.match_id)
        return await history.replay(self._ports, match_id, request.viewer_id, request.decisions)

    async def EndMatch(  # noqa: N802 - gRPC's name
        self, request: table_pb2.EndMatchRequest, context: Context
    ) -> table_pb2.EndMatchResponse:
        """An operator ends a match."""
        ack = await commands.execute(self._ports, read_ending(request))
        return table_pb2.EndMatchResponse(ack=table_pb2.Ack.FromString(ack))

    async def ListMessageReports(  # noqa: N802 - gRPC's name
        self, request: table_pb2.ListMessageReportsRequest, context: Context
    ) -> table_pb2.ListMessageReportsResponse:
        """A page of reported messages."""
        speaker = identifier("speaker_id", request.speaker_id) if request.speaker_id else ""
        page = page_of(request.page_size, request.page_token, key=(int, str, int, str), speaker=speaker)
        reports, token = await reading.list_reports(self._ports, speaker, page)
        return table_pb2.ListMessageReportsResponse(
            reports=[report_of(each) for each in reports], next_page_token=token
        )

    async def _answer(self, call: table_pb2.ExecuteCall) -> table_pb2.ExecuteReply:
        if call.timeout_ms:
            set_deadline(deadline_after(call.timeout_ms / 1000))
        ack = await commands.execute(self._ports, read_command(call.command))
        return table_pb2.ExecuteReply(ack=table_pb2.Ack.FromString(ack))


def register(ports: Ports, seen: PresenceStore) -> Register:
    """Serve tables on a server."""
    return lambda server: table_pb2_grpc.add_TableServiceServicer_to_server(TableServicer(ports, seen), server)


def _refuse(error: DomainError) -> table_pb2.ExecuteReply:
    return table_pb2.ExecuteReply(refusal=to_refusal(error))
