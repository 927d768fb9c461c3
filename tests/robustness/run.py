"""One run: a fleet of its own, tables at play, blows at it, and the verdict over what is left."""

import asyncio
import itertools
import random
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from belot_kit.embedded.processes import process_alive
from robustness.bookmarks import open_bookmarks
from robustness.faults import Arena, Fault
from robustness.harvest import all_told, harvest
from robustness.histories import Finding, TableHistory
from robustness.log_checks import acknowledged_once
from robustness.standing import standing
from robustness.stream_checks import gaps
from robustness.tables_at_play import Company, everybody_plays
from robustness.validate import findings
from support.eventually import eventually
from support.faulty_proxy import FaultyProxy, faulty_proxy
from support.fleet import Fleet, running_fleet

TABLES = 12
BOOKMARKS = 8
BEFORE_SECONDS = 3.0
PAUSE_SECONDS = (1.0, 3.0)
RECOVERY_LIMIT_SECONDS = 30.0
END_LIMIT_SECONDS = 60.0
TELL_LIMIT_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one run. `refused` moves came too late at tables whose clocks run out.

    `recoveries` are seconds, one a blow; None where tables did not come back in time."""

    faults: tuple[str, ...]
    blows: int
    matches: int
    moves: int
    acknowledged: int
    refused: int
    resent: int
    lost: int
    gaps: int
    recoveries: tuple[float | None, ...]
    findings: tuple[Finding, ...]


async def run(
    faults: Sequence[Fault], seconds: float, seed: int, say: Callable[[str], None], *, again: bool = True
) -> Outcome:
    """Play for `seconds`, strike with the faults in turn (`again` and again or once each), let matches end, judge."""
    rng = random.Random(seed)
    folder = Path(tempfile.mkdtemp(prefix="belot-robust-"))
    async with _arena(folder, any(fault.proxied for fault in faults), rng) as (fleet, proxies):
        gateways = [proxy.address for proxy in proxies] or list(fleet.gateways)
        company = Company(gateways, TABLES, seed)
        turns = itertools.cycle(faults) if again else iter(faults)
        blows, stuck = await _play(company, fleet, proxies, turns, seconds, rng, say)
        tapes = company.tapes + await open_bookmarks(fleet.gateways, company.seen, rng, BOOKMARKS)
        await _settled(fleet.servers.dsn)
        histories = await harvest(fleet.servers.dsn, tapes)
        stuck += _dead(fleet)
    outcome = _outcome(faults, blows, company, histories, stuck)
    if outcome.findings:
        say(f"  the services' logs are kept in {folder / 'logs'}")
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return outcome


@asynccontextmanager
async def _arena(
    folder: Path, proxied: bool, rng: random.Random
) -> AsyncIterator[tuple[Fleet, tuple[FaultyProxy, ...]]]:
    """A durable fleet of two gateways and two tables; with `proxied` a bad line in front of each gateway."""
    async with AsyncExitStack() as stack:
        fleet = await stack.enter_async_context(
            running_fleet(folder, tables=2, gateways=2, durable=True, log_level="WARNING")
        )
        lines = [await stack.enter_async_context(faulty_proxy(each, rng)) for each in fleet.gateways if proxied]
        yield fleet, tuple(lines)


async def _play(
    company: Company,
    fleet: Fleet,
    proxies: Sequence[FaultyProxy],
    turns: Iterator[Fault],
    seconds: float,
    rng: random.Random,
    say: Callable[[str], None],
) -> tuple[list[float | None], list[Finding]]:
    """Recoveries, and the tables whose matches did not end."""
    recoveries: list[float | None] = []
    playing = asyncio.create_task(company.play())
    end = time.monotonic() + seconds
    try:
        await asyncio.sleep(BEFORE_SECONDS)
        for fault in turns:
            if playing.done() or (recoveries and time.monotonic() + fault.lasts_s > end):
                break
            recoveries.append(await _strike(fault, company, fleet, proxies, rng, say))
            await asyncio.sleep(rng.uniform(*PAUSE_SECONDS))
        company.stop()
        await asyncio.wait([playing], timeout=END_LIMIT_SECONDS)
        return recoveries, await _stuck(company, playing, fleet.servers.dsn)
    finally:
        playing.cancel()
        await asyncio.wait([playing])


async def _strike(
    fault: Fault,
    company: Company,
    fleet: Fleet,
    proxies: Sequence[FaultyProxy],
    rng: random.Random,
    say: Callable[[str], None],
) -> float | None:
    """One blow; seconds until every table plays again."""
    recovering: list[asyncio.Task[float | None]] = []

    def struck() -> None:
        limit = fault.lasts_s + RECOVERY_LIMIT_SECONDS
        recovering.append(asyncio.create_task(everybody_plays(company.places, time.monotonic(), limit)))

    with suppress(TimeoutError):  # a blow at tables that all wait for cards would measure nothing
        await eventually(lambda: sum(each.playing for each in company.places) >= TABLES // 2, seconds=8)
    await fault.strike(Arena(fleet, proxies, rng, struck))
    took = await recovering[0]
    say(f"  {fault.name}: every table plays again after {'?' if took is None else f'{took:.2f} s'}")
    return took


async def _stuck(company: Company, playing: "asyncio.Task[None]", dsn: str) -> list[Finding]:
    if not playing.done():
        places = [each for each in company.places if each.doing]
        where = await standing(dsn, places)
        return [
            Finding("finished", each.table_id, f"{each.doing} did not end\n{where[each.table_id]}") for each in places
        ]
    error = playing.exception()
    return [] if error is None else [Finding("clients", "-", f"a client failed: {error!r}")]


def _dead(fleet: Fleet) -> list[Finding]:
    """Services that ended by themselves: whoever was killed has been started again."""
    return [
        Finding("alive", "-", f"{name} ended by itself") for name, pid in fleet.pids.items() if not process_alive(pid)
    ]


async def _settled(dsn: str) -> None:
    """Wait until what was published and delivered is marked so; if it never is, a validator says so."""
    with suppress(TimeoutError):
        async with asyncio.timeout(TELL_LIMIT_SECONDS):
            while not await all_told(dsn):  # noqa: ASYNC110 - the database tells nobody when it changes
                await asyncio.sleep(0.1)


def _outcome(
    faults: Sequence[Fault],
    recoveries: Sequence[float | None],
    company: Company,
    histories: Sequence[TableHistory],
    stuck: Sequence[Finding],
) -> Outcome:
    moves = [sent for tape in company.tapes for sent in tape.sent if sent.action.HasField("game")]
    slow = [
        Finding("recovered", "-", f"blow {n + 1} was not over in time")
        for n, took in enumerate(recoveries)
        if took is None
    ]
    return Outcome(
        faults=tuple(fault.name for fault in faults),
        blows=len(recoveries),
        matches=sum(_is_over(history) for history in histories),
        moves=len(moves),
        acknowledged=sum(bool(sent.acks) for sent in moves),
        refused=sum(not sent.acks and bool(sent.answers) for sent in moves),
        resent=sum(len(sent.times) - 1 for sent in moves),
        lost=sum(1 for history in histories for _ in acknowledged_once(history)),
        gaps=sum(len(gaps(tape)) for tape in company.tapes),
        recoveries=tuple(recoveries),
        findings=(*stuck, *slow, *findings(histories)),
    )


def _is_over(history: TableHistory) -> bool:
    return any(envelope.kind == "match_finished" for envelope in history.log)
