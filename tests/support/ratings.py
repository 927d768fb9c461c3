"""A rating service for tests: in this process, or as a process of its own that can be killed."""

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

from belot.rating.v1 import rating_pb2, rating_pb2_grpc
from belot.table.v1 import view_pb2
from belot_kit.app import READY_FILE_VARIABLE, running
from belot_kit.failpoints import VARIABLE
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_rating.main import RatingConfig, app_options, serve
from support.databases import Database
from support.eventually import eventually

RUN = "from belot_rating.main import run; raise SystemExit(run())"


@dataclass(frozen=True, slots=True)
class RatingClient:
    """Calls to one rating service; errors come as DomainError."""

    stub: "rating_pb2_grpc.RatingServiceAsyncStub" = field(repr=False)
    address: str

    async def record(self, match: view_pb2.MatchFinished) -> rating_pb2.RecordMatchResponse:
        """RecordMatch."""
        return await call(self.stub.RecordMatch, rating_pb2.RecordMatchRequest(match=match))

    async def page(self, size: int = 0, token: str = "") -> rating_pb2.ListRecordedMatchesResponse:
        """ListRecordedMatches."""
        request = rating_pb2.ListRecordedMatchesRequest(page_size=size, page_token=token)
        return await call(self.stub.ListRecordedMatches, request)

    async def recorded(self) -> Sequence[view_pb2.MatchFinished]:
        """The 200 latest results."""
        return [each.match for each in (await self.page(200)).matches]


@asynccontextmanager
async def rating_at(database: Database, address: str) -> AsyncIterator[RatingClient]:
    """A running rating service with the whole chassis, and a client of it."""
    config = RatingConfig(postgres_dsn=database.dsn_as("belot_rating"), listen=(address,))
    async with (
        running(app_options(config), lambda app: serve(config, app)),
        open_channel(ChannelOptions(address)) as channel,
    ):
        yield RatingClient(rating_pb2_grpc.RatingServiceStub(channel), address)


@asynccontextmanager
async def rating_process(
    database: Database, folder: Path, address: str, failpoints: str = ""
) -> AsyncIterator[tuple[asyncio.subprocess.Process, RatingClient]]:
    """A rating service as a process, ready; dead after the block, if it was not before."""
    ready = folder / "rating.ready"
    ready.unlink(missing_ok=True)
    settings = {"LISTEN": address, "POSTGRES_DSN": database.dsn_as("belot_rating")}
    environment = os.environ | {f"BELOT_RATING__{name}": value for name, value in settings.items()}
    environment |= {VARIABLE: failpoints, READY_FILE_VARIABLE: str(ready)}
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", RUN, env=environment, stdout=asyncio.subprocess.DEVNULL
    )
    try:
        await eventually(ready.exists)
        async with open_channel(ChannelOptions(address)) as channel:
            yield process, RatingClient(rating_pb2_grpc.RatingServiceStub(channel), address)
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
