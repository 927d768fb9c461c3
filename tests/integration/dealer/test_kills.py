"""SIGKILL of a dealer process at every named place between steps: the match comes out as if nothing had happened.

Two replicas, real processes. One is killed at the next place each time and starts again; the other one and the one that
comes back both take the step again. Two matches walk at the same time, so that it takes half as long: one dies before
every write, one after every write.
"""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import pytest
import pytest_asyncio

from belot.dealer.v1 import dealer_pb2_grpc
from belot_dealer.commands import places_of
from belot_fair.bodies import Beacon, Hand, Kind, RoundChosen
from belot_fair.transcript import Event
from belot_kit.app import READY_FILE_VARIABLE
from belot_kit.errors import DomainError
from belot_kit.failpoints import VARIABLE
from belot_kit.grpc_client import ChannelOptions, open_channel
from support.beacons import Beaconry
from support.databases import Database
from support.dealers import DealerClient, checked, opening, seed_of
from support.eventually import eventually

pytestmark = pytest.mark.asyncio(loop_scope="module")

STEPS = ("open", "seed", "close", "beacon", "hand", "revealed")
WALKS = {"before": 0, "after": 1}
KILLED = -9

Step = Callable[[DealerClient], Awaitable[object]]


@dataclass(frozen=True, slots=True)
class Home:
    """What the dealer processes of a walk share."""

    database: Database
    state: Path
    relays: Sequence[str]

    def environment(self, name: str, failpoint: str) -> Mapping[str, str]:
        """Settings of the process `name`."""
        settings = {
            "POSTGRES_DSN": self.database.dsn_as("belot_dealer"),
            "LISTEN": f"unix:{self.state}/{name}.sock",
            "SIGNING_KEY_FILE": str(self.state / "signing.key"),
            "SEAL_KEYS_FILE": str(self.state / "seal.keys"),
            "DEVELOPMENT": "true",
            "BEACON": "dev",
            "DEV_RELAYS": ",".join(self.relays),
        }
        mine = {f"BELOT_DEALER__{key}": value for key, value in settings.items()}
        return os.environ | mine | {READY_FILE_VARIABLE: str(self.state / f"{name}.ready"), VARIABLE: failpoint}


@dataclass(slots=True)
class Replica:
    """A dealer process and a client of it."""

    process: asyncio.subprocess.Process
    client: DealerClient


@asynccontextmanager
async def replica(home: Home, name: str, failpoint: str = "") -> AsyncIterator[Replica]:
    """A dealer process, ready; dead after the block, if it was not before."""
    ready = home.state / f"{name}.ready"
    ready.unlink(missing_ok=True)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from belot_dealer.main import run; raise SystemExit(run())"),
        env=home.environment(name, f"{failpoint}=kill" if failpoint else ""),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        await eventually(lambda: ready.exists() or process.returncode is not None, seconds=30)
        async with open_channel(ChannelOptions(f"unix:{home.state}/{name}.sock")) as channel:
            stub = dealer_pb2_grpc.DealerServiceStub(channel)
            yield Replica(process, DealerClient(stub, name))
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()


@dataclass(slots=True)
class Walk:
    """A match on its way: what each step answered, and how the processes ended that were to be killed."""

    match_id: str
    answers: dict[str, list[object]] = field(default_factory=dict)
    codes: list[int | None] = field(default_factory=list)
    events: tuple[Event, ...] = ()


def steps_of(walk: Walk, kinds: str = "PB") -> Mapping[str, Step]:
    """The steps of a match, each with one content however often it is taken."""
    match_id = walk.match_id
    request = opening(kinds, match_id=match_id)
    return {
        "open": lambda dealer: dealer.open(request),
        "seed": lambda dealer: dealer.seed(match_id, 0, seed_of(match_id, 0)),
        "close": lambda dealer: dealer.close(match_id),
        "beacon": lambda dealer: dealer.fix(match_id),
        "hand": lambda dealer: dealer.release(match_id, 0, 0, [(0, 0), (1, 1), (2, 0)]),
        "revealed": lambda dealer: dealer.reveal(match_id),
    }


async def killed_at_each(home: Home, which: int) -> Walk:
    """A match whose dealer dies once in every step, at its place number `which`."""
    walk = Walk(opening("PB").match_id)
    async with replica(home, "steady") as steady:
        for name, step in steps_of(walk).items():
            async with replica(home, "mortal", places_of(name)[which]) as mortal:
                for before in walk.answers:
                    # What was answered before the death is answered by the one that came back, too.
                    walk.answers[before].append(await steps_of(walk)[before](mortal.client))
                with pytest.raises((DomainError, grpc.aio.AioRpcError)):
                    await step(mortal.client)
                walk.codes.append(await mortal.process.wait())
            walk.answers[name] = [await step(steady.client)]
        async with replica(home, "mortal") as back:
            for name, step in steps_of(walk).items():
                if name != "hand":  # a match that is over gives out no card, not even again
                    walk.answers[name].append(await step(back.client))
            walk.events = checked(await back.client.transcript(walk.match_id))
    return walk


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def walks(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory, sound_relays: Beaconry
) -> Mapping[str, Walk]:
    """Both walks."""
    runs = [
        killed_at_each(Home(module_database, tmp_path_factory.mktemp(name), sound_relays.urls), which)
        for name, which in WALKS.items()
    ]
    return dict(zip(WALKS, await asyncio.gather(*runs), strict=True))


@pytest.mark.parametrize("name", WALKS)
async def test_the_process_was_killed_in_every_step(walks: Mapping[str, Walk], name: str) -> None:
    assert walks[name].codes == [KILLED] * len(STEPS)
    assert tuple(walks[name].answers) == STEPS


@pytest.mark.parametrize("name", WALKS)
async def test_both_replicas_answer_alike_before_and_after_every_death(walks: Mapping[str, Walk], name: str) -> None:
    for step, answers in walks[name].answers.items():
        assert len(answers) >= 2, step
        assert all(answer == answers[0] for answer in answers), step


@pytest.mark.parametrize("name", WALKS)
async def test_there_is_one_commitment_one_round_one_value_and_one_reveal(walks: Mapping[str, Walk], name: str) -> None:
    events = walks[name].events
    assert [event.kind for event in events] == [
        *(Kind.OPENED, Kind.SEEDS, Kind.ROUND_CHOSEN, Kind.BEACON, Kind.HAND, Kind.REVEALED)
    ]
    chosen, beacon, hand = events[2].body, events[3].body, events[4].body
    assert isinstance(chosen, RoundChosen)
    assert isinstance(beacon, Beacon)
    assert isinstance(hand, Hand)
    assert chosen.round == beacon.round
