"""The gateway's use cases: one function each, its dependencies its parameters.

The player is always the one the token names; nothing in a request says who acts.
"""

from typing import Protocol

from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_gateway import checks
from belot_gateway.auth import Identity, SignedIn, Tokens
from belot_gateway.convert import ack_batch, refused_batch
from belot_gateway.viewer import Viewer
from belot_kit.deadlines import deadline_after, set_deadline
from belot_kit.errors import DomainError, invalid_field


class Commands(Protocol):
    """Where commands are done."""

    async def execute(self, command: table_pb2.Command) -> table_pb2.Ack:
        """Do one, durably."""


class Maker(Protocol):
    """Where tables are made."""

    async def create_table(self, request: table_pb2.CreateTableRequest) -> view_pb2.TableView:
        """Make one."""


class RematchMaker(Protocol):
    """Where rematches are opened."""

    async def open_rematch(self, request: table_pb2.OpenRematchRequest) -> view_pb2.TableView:
        """Open one, or find it."""


class Lister(Protocol):
    """Where tables are listed."""

    async def list_tables(self, request: table_pb2.ListTablesRequest) -> table_pb2.ListTablesResponse:
        """A page of them."""


def sign_in_guest(tokens: Tokens, display_name: str) -> SignedIn:
    """A new guest with his token."""
    return tokens.sign_in_guest(checks.display_name(display_name))


async def create_table(maker: Maker, caller: Identity, request: gateway_pb2.CreateTableRequest) -> view_pb2.TableView:
    """Make a table; the caller sits at seat 0 unless he asks not to."""
    checks.identifier("request_id", request.request_id)
    if not request.HasField("options") or not request.options.ruleset:
        raise invalid_field("options.ruleset", "must name a ruleset: see ListRulesets")
    return await maker.create_table(
        table_pb2.CreateTableRequest(
            player_id=caller.player_id,
            request_id=request.request_id,
            options=request.options,
            sit_as="" if request.stay_standing else caller.display_name,
        )
    )


async def open_rematch(
    maker: RematchMaker, caller: Identity, request: gateway_pb2.OpenRematchRequest
) -> view_pb2.TableView:
    """The table of a rematch, the caller on his seat."""
    return await maker.open_rematch(
        table_pb2.OpenRematchRequest(
            table_id=checks.identifier("table_id", request.table_id),
            player_id=caller.player_id,
            request_id=checks.identifier("request_id", request.request_id),
            display_name=caller.display_name,
        )
    )


async def list_tables(
    lister: Lister, caller: Identity, request: gateway_pb2.ListTablesRequest
) -> gateway_pb2.ListTablesResponse:
    """Public tables, newest first, or the caller's own."""
    page = await lister.list_tables(
        table_pb2.ListTablesRequest(
            page_size=request.page_size,
            page_token=request.page_token,
            seated_player_id=caller.player_id if request.mine else "",
        )
    )
    return gateway_pb2.ListTablesResponse(tables=page.tables, next_page_token=page.next_page_token)


def bid_action(kind: int, suit: int) -> table_pb2.TableAction:
    """A bid as an action. INVALID_ARGUMENT for an unknown kind, or a choice without a suit."""
    checks.bid(kind, suit)
    if kind == match_pb2.BID_KIND_PASS:
        return table_pb2.TableAction(game=match_pb2.Action(pass_bid=match_pb2.Pass()))
    if kind == match_pb2.BID_KIND_ACCEPT:
        return table_pb2.TableAction(game=match_pb2.Action(accept=match_pb2.Accept()))
    choose = match_pb2.Choose()
    choose.suit = suit  # type: ignore[assignment]  # an open enum: checked to be one of its values
    return table_pb2.TableAction(game=match_pb2.Action(choose=choose))


async def execute(
    commands: Commands,
    caller: Identity,
    table_id: str,
    request_id: str,
    action: table_pb2.TableAction,
    expected_version: int | None = None,
) -> table_pb2.Ack:
    """Do one command of the caller's; it is durable when this returns."""
    checks.identifier("table_id", table_id)
    checks.identifier("request_id", request_id)
    checks.action(action)
    if action.HasField("sit_down"):
        action.sit_down.display_name = caller.display_name
    command = table_pb2.Command(
        table_id=table_id,
        player_id=caller.player_id,
        request_id=request_id,
        expected_version=expected_version,
        action=action,
    )
    return await commands.execute(command)


async def execute_on_stream(commands: Commands, viewer: Viewer, asked: gateway_pb2.ClientCommand) -> None:
    """Do one command of a Play stream, within the default deadline; the answer goes to the stream."""
    set_deadline(deadline_after(None))
    version = asked.expected_version if asked.HasField("expected_version") else None
    try:
        ack = await execute(commands, viewer.identity, asked.table_id, asked.request_id, asked.action, version)
    except DomainError as error:
        viewer.offer(refused_batch(asked.call_id, error, viewer.language))
    else:
        viewer.offer(ack_batch(asked.call_id, ack))
