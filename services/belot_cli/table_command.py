"""`belot table end`: ends a match through a table service's own door, which only operators reach."""

import asyncio
import sys
import tomllib
import uuid
from pathlib import Path

from belot.table.v1 import table_pb2, table_pb2_grpc
from belot_cli.state_dir import shown
from belot_kit.errors import DomainError
from belot_kit.grpc_client import ChannelOptions, call, open_channel


class NoTableService(RuntimeError):  # noqa: N818 - it says what there is not
    """No table service is known; the text says what to do."""


def local_address(state: Path) -> str:
    """The first table service of the fleet over a state directory. Errors: NoTableService."""
    try:
        settings = tomllib.loads((state / "config" / "table-0.toml").read_text())
        return str(settings["listen"][0])
    except (OSError, tomllib.TOMLDecodeError, KeyError, IndexError):
        raise NoTableService(f"no fleet has run over {shown(state)}: name a table service with --address") from None


async def end_match(address: str, table_id: str, outcome: str, request_id: str) -> table_pb2.Ack:
    """End it. Errors: DomainError, the service's own or UNAVAILABLE."""
    async with open_channel(ChannelOptions(address)) as channel:
        request = table_pb2.EndMatchRequest(table_id=table_id, request_id=request_id, outcome_kind=outcome)
        return (await call(table_pb2_grpc.TableServiceStub(channel).EndMatch, request)).ack


def end_and_tell(table_id: str, outcome: str, address: str | None, state: Path, request_id: str | None) -> int:
    """The command: exit status 0, or 1 with the reason on standard error and the request id to ask again with."""
    request_id = request_id or str(uuid.uuid4())
    try:
        ack = asyncio.run(end_match(address or local_address(state), table_id, outcome, request_id))
    except NoTableService as error:
        print(f"belot table end: {error}", file=sys.stderr)
        return 1
    except DomainError as error:
        again = f"--request-id {request_id}"
        print(f"belot table end: {error.reason}: {error.message} (to ask again: {again})", file=sys.stderr)
        return 1
    print(f"ended as {outcome}: table {table_id}, version {ack.version}")
    return 0
