"""Real dealers in this process, and a small client that takes matches through them over gRPC."""

import asyncio
import hashlib
import itertools
import json
import os
import sys
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import grpc

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2, dealer_pb2_grpc
from belot_dealer.main import BeaconChoice, DealerConfig, app_options, serve
from belot_fair.transcript import Event, SignedEvent, check_chain
from belot_kit.app import READY_FILE_VARIABLE, running
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from support.databases import Database
from support.eventually import eventually

RULESET_JSON = json.dumps({"name": "club", "version": 1}, separators=(",", ":"))
PLAY_LOG_HASH = hashlib.sha256(b"what was played").digest()
_numbers = itertools.count()

Request = TypeVar("Request")
Response = TypeVar("Response")


async def reach(
    method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]", request: Request, *, most_s: float = 5.0
) -> Response:
    """Call a dealer, which may have been started again a moment ago: gRPC remembers that its address was dead."""
    return await call(method, request, most_s=most_s, wait_for_ready=True)


@dataclass(frozen=True, slots=True)
class DealerClient:
    """Calls to one dealer, each with a deadline (seconds); errors come as DomainError."""

    stub: "dealer_pb2_grpc.DealerServiceAsyncStub" = field(repr=False)
    address: str

    async def open(self, request: dealer_pb2.OpenMatchRequest) -> dealer_pb2.OpenMatchResponse:
        """OpenMatch."""
        return await reach(self.stub.OpenMatch, request)

    async def seed(self, match_id: str, seat: int, seed: bytes) -> dealer_pb2.SubmitSeedResponse:
        """SubmitSeed."""
        request = dealer_pb2.SubmitSeedRequest(match_id=match_id, seat=seat, seed=seed)
        return await reach(self.stub.SubmitSeed, request)

    async def close(self, match_id: str) -> dealer_pb2.CloseSeedsResponse:
        """CloseSeeds."""
        return await reach(self.stub.CloseSeeds, dealer_pb2.CloseSeedsRequest(match_id=match_id))

    async def fix(self, match_id: str, most_s: float = 10.0) -> dealer_pb2.FixBeaconResponse:
        """FixBeacon."""
        return await reach(self.stub.FixBeacon, dealer_pb2.FixBeaconRequest(match_id=match_id), most_s=most_s)

    async def release(
        self, match_id: str, hand: int, stage: int, places: Sequence[tuple[int, int | str]]
    ) -> dealer_pb2.ReleaseCardsResponse:
        """ReleaseCards; a place is (position, seat), or (position, `up_card` or `left_out`)."""
        releases = [release(position, to) for position, to in places]
        request = dealer_pb2.ReleaseCardsRequest(match_id=match_id, hand_number=hand, stage=stage, releases=releases)
        return await reach(self.stub.ReleaseCards, request)

    async def reveal(
        self, match_id: str, play_log_hash: bytes = PLAY_LOG_HASH, ending: str = "finished"
    ) -> dealer_pb2.RevealMatchResponse:
        """RevealMatch."""
        request = dealer_pb2.RevealMatchRequest(match_id=match_id, play_log_hash=play_log_hash, ending=ending)
        return await reach(self.stub.RevealMatch, request)

    async def transcript(self, match_id: str) -> dealer_pb2.GetTranscriptResponse:
        """GetTranscript."""
        return await reach(self.stub.GetTranscript, dealer_pb2.GetTranscriptRequest(match_id=match_id))

    async def beacon(self, match_id: str, round: int, signature: bytes) -> dealer_pb2.SubmitBeaconResponse:
        """SubmitBeacon."""
        request = dealer_pb2.SubmitBeaconRequest(match_id=match_id, round=round, signature=signature)
        return await reach(self.stub.SubmitBeacon, request)

    async def report(
        self, match_id: str, seat: int, request_id: str = "r", finding: int = dealer_pb2.FAIRNESS_FINDING_HAND
    ) -> dealer_pb2.ReportFairnessFailureResponse:
        """ReportFairnessFailure."""
        request = dealer_pb2.ReportFairnessFailureRequest(match_id=match_id, seat=seat, request_id=request_id)
        request.finding = finding  # type: ignore[assignment]  # an open enum: tests send what is none, too
        return await reach(self.stub.ReportFairnessFailure, request)

    async def stats(self, table_id: str = "") -> dealer_pb2.GetFairnessStatsResponse:
        """GetFairnessStats; a table that was not asked for lately gets fresh figures."""
        return await reach(self.stub.GetFairnessStats, dealer_pb2.GetFairnessStatsRequest(table_id=table_id))

    async def info(self) -> dealer_pb2.GetDealerInfoResponse:
        """GetDealerInfo."""
        return await reach(self.stub.GetDealerInfo, dealer_pb2.GetDealerInfoRequest())


async def until(holds: Callable[[], Awaitable[bool]], *, seconds: float = 15.0) -> None:
    """Ask again and again until `holds()` is true of what a service says; TimeoutError after `seconds`."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - other processes tell nobody when they change
            await asyncio.sleep(0.02)


def release(position: int, to: int | str) -> dealer_pb2.Release:
    """A position and where its card goes: a seat's number, `up_card` or `left_out`."""
    if isinstance(to, int):
        return dealer_pb2.Release(position=position, seat=to)
    if to == "up_card":
        return dealer_pb2.Release(position=position, up_card=True)
    return dealer_pb2.Release(position=position, left_out=True)


def dealer_config(database: Database, state: Path, relays: Sequence[str], **others: object) -> DealerConfig:
    """A development dealer's settings: its keys are in `state`, its beacon at `relays`."""
    settings: dict[str, object] = {
        "postgres_dsn": database.dsn_as("belot_dealer"),
        "listen": (f"unix:{state}/dealer-{next(_numbers)}.sock",),
        "signing_key_file": state / "signing.key",
        "seal_keys_file": state / "seal.keys",
        "development": True,
        "beacon": BeaconChoice.DEV,
        "dev_relays": tuple(relays),
    }
    return DealerConfig(**(settings | others))  # type: ignore[arg-type]


@asynccontextmanager
async def dealer_at(config: DealerConfig) -> AsyncIterator[DealerClient]:
    """A running dealer with the whole chassis, and a client of it."""
    async with running(app_options(config), lambda app: serve(config, app)):
        address = config.listen[0]
        async with open_channel(ChannelOptions(address)) as channel:
            yield DealerClient(dealer_pb2_grpc.DealerServiceStub(channel), address)


@asynccontextmanager
async def dealer_process(database: Database, state: Path, relays: Sequence[str]) -> AsyncIterator[DealerClient]:
    """A dealer as a process of its own, whose whole output goes to `state/output`; stopped with SIGTERM."""
    listen, ready = f"unix:{state}/process-{next(_numbers)}.sock", state / "ready"
    ready.unlink(missing_ok=True)
    settings = {
        "POSTGRES_DSN": database.dsn_as("belot_dealer"),
        "LISTEN": listen,
        "SIGNING_KEY_FILE": str(state / "signing.key"),
        "SEAL_KEYS_FILE": str(state / "seal.keys"),
        "DEVELOPMENT": "true",
        "BEACON": "dev",
        "DEV_RELAYS": ",".join(relays),
        "LOGS__LEVEL": "DEBUG",
    }
    environment = {f"BELOT_DEALER__{name}": value for name, value in settings.items()}
    with (state / "output").open("ab") as output:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", "from belot_dealer.main import run; raise SystemExit(run())"),
            env=os.environ | environment | {READY_FILE_VARIABLE: str(ready)},
            stdout=output,
            stderr=output,
        )
    try:
        await eventually(lambda: ready.exists() or process.returncode is not None)
        assert process.returncode is None, (state / "output").read_text()
        async with open_channel(ChannelOptions(listen)) as channel:
            yield DealerClient(dealer_pb2_grpc.DealerServiceStub(channel), listen)
        process.terminate()
        assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def opening(
    kinds: str = "PPPP", *, match_id: str | None = None, pack_size: int = 32, seed_timeout_ms: int = 10_000
) -> dealer_pb2.OpenMatchRequest:
    """An OpenMatch for seats `P` (person) and `B` (bot); a fresh match unless an id is given."""
    match_id = match_id or str(uuid.uuid4())
    seats = [_seat(match_id, at, kind) for at, kind in enumerate(kinds)]
    digest = hashlib.sha256(RULESET_JSON.encode()).hexdigest()
    return dealer_pb2.OpenMatchRequest(
        match_id=match_id,
        seats=seats,
        sides=[at % 2 for at in range(len(kinds))],
        first_dealer=0,
        ruleset=common_pb2.RulesetRef(name="club", version=1, hash=digest),
        ruleset_json=RULESET_JSON,
        pack_size=pack_size,
        seed_timeout_ms=seed_timeout_ms,
    )


def _seat(match_id: str, at: int, kind: str) -> dealer_pb2.MatchSeat:
    participant = hashlib.sha256(f"{match_id} {at}".encode()).digest()[:16]
    if kind == "P":
        return dealer_pb2.MatchSeat(participant_id=participant, kind=common_pb2.ACTOR_KIND_PERSON)
    return dealer_pb2.MatchSeat(
        participant_id=participant, kind=common_pb2.ACTOR_KIND_BOT, bot_level="normal", bot_policy="normal/1"
    )


def seed_of(match_id: str, seat: int) -> bytes:
    """The seed that a test's player at this seat draws."""
    return hashlib.sha256(f"seed {match_id} {seat}".encode()).digest()[:16]


async def seeded(dealer: DealerClient, request: dealer_pb2.OpenMatchRequest) -> dealer_pb2.CloseSeedsResponse:
    """Open a match, let every person send a seed, and close the seeds."""
    await dealer.open(request)
    for seat, who in enumerate(request.seats):
        if who.kind == common_pb2.ACTOR_KIND_PERSON:
            await dealer.seed(request.match_id, seat, seed_of(request.match_id, seat))
    return await dealer.close(request.match_id)


async def ready_to_deal(dealer: DealerClient, kinds: str = "BBBB", pack_size: int = 32) -> str:
    """The id of a match whose beacon is fixed."""
    request = opening(kinds, pack_size=pack_size)
    await seeded(dealer, request)
    await dealer.fix(request.match_id)
    return request.match_id


def signed_events(answers: Sequence[dealer_pb2.SignedEvent]) -> tuple[SignedEvent, ...]:
    """Messages as the fair deal's own values."""
    return tuple(SignedEvent(each.octets, each.key_id, each.signature) for each in answers)


def checked(transcript: dealer_pb2.GetTranscriptResponse) -> tuple[Event, ...]:
    """The events of a transcript whose octets, links, signatures and order hold."""
    return check_chain(signed_events(transcript.events), {key.key_id: key.public_key for key in transcript.keys})
