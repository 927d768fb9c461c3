"""One hostile run: requests in batches, every answer judged, and after each batch what must not have changed."""

import asyncio
import random
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from belot_kit.embedded.processes import process_alive
from hostile.arena import Arena, arena, playing_beside, token_of
from hostile.digest import ledger
from hostile.headers import Beside, Headers
from hostile.judging import Verdict, judge
from hostile.logs import log_findings
from hostile.messages import Maker
from hostile.octets import damaged, oversized, send_form
from hostile.places import Place
from hostile.rpcs import Rpc, every_rpc
from hostile.sending import Answer, send

BATCH: Final = 180
AT_ONCE: Final = 32
_LONGEST_STREAM: Final = 6
_SOON_SECONDS: Final = 15.0


@dataclass(frozen=True, slots=True)
class Shot:
    """A call to make."""

    rpc: Rpc
    octets: tuple[bytes, ...] = field(repr=False)
    beside: Beside
    pod: int

    @property
    def replay(self) -> str:
        """The arguments that send the same octets again."""
        return f"--replay {self.rpc.path} {','.join(each.hex() for each in self.octets)}"


@dataclass(slots=True)
class Outcome:
    """What a run came to."""

    requests: int = 0
    seconds: float = 0.0
    matches: int = 0
    batches: int = 0
    compared: int = 0
    counts: "Counter[tuple[str, str]]" = field(default_factory=Counter)
    _findings: dict[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)

    def find(self, text: str, *calls: str) -> None:
        """Something is wrong; of the same thing found again the shortest call is kept."""
        count, kept = self._findings.get(text, (0, calls))
        self._findings[text] = count + 1, min(kept, calls, key=lambda each: sum(map(len, each)))

    @property
    def findings(self) -> tuple[str, ...]:
        """What is wrong, each thing once, with how often and a call that shows it."""
        return tuple("\n    ".join((f"{count} x {text}", *calls)) for text, (count, calls) in self._findings.items())


class Gun:
    """Makes calls out of a seed and what is known."""

    def __init__(self, there: Arena, seed: int) -> None:
        """`seed` decides everything but ids."""
        self._rng = random.Random(f"{seed}/calls")
        self._headers: Headers = there.headers(self._rng)
        self._makers = {
            rpc.service: Maker(random.Random(f"{seed}/{rpc.service}"), there.known(rpc.service)) for rpc in every_rpc()
        }

    def shot(self, rpc: Rpc) -> Shot:
        """One call to an rpc: 4 in 5 are messages, the others octets."""
        rng, maker = self._rng, self._makers[rpc.service]
        if rng.random() < 0.0008:
            return Shot(rpc, (oversized(rng),), self._headers.beside(), rng.randrange(8))
        count = rng.randint(1, _LONGEST_STREAM) if rpc.streams_requests else 1
        octets = [send_form(maker.request(rpc.request)) for _ in range(count)]
        if rng.random() < 0.2:
            octets[-1] = damaged(octets[-1], rng)
        return Shot(rpc, tuple(octets), self._headers.beside(maker.player_id), rng.randrange(8))


async def run(folder: Path, requests: int, seed: int, say: Callable[[str], None]) -> Outcome:
    """Send so many requests to a fleet of its own with its state in `folder`."""
    outcome = Outcome()
    async with arena(folder, seed) as there:
        pids = there.fleet.pids
        async with playing_beside(there, seed) as company:
            begun = time.monotonic()
            await _shoot(there, requests, seed, outcome, say)
            outcome.seconds = time.monotonic() - begun
        outcome.matches = company.matches
        gone = [name for name, pid in pids.items() if there.fleet.pids[name] != pid or not process_alive(pid)]
        for text in (*company.findings, *(f"{name} died or was started again" for name in gone)):
            outcome.find(text)
    secrets = [token_of(each).encode() for each in (*there.strangers, *there.sitters)]
    secrets += there.inside.octets["seed"]
    for text in log_findings(there.fleet.logs, secrets):
        outcome.find(text)
    return outcome


async def _shoot(
    there: Arena,
    requests: int,
    seed: int,
    outcome: Outcome,
    say: Callable[[str], None],
) -> None:
    gun, rpcs, turn = Gun(there, seed), every_rpc(), 0
    first = (await ledger(there.pool, ())).counts
    while outcome.requests < requests:
        shots: list[Shot] = []
        while sum(len(each.octets) for each in shots) < min(BATCH, requests - outcome.requests):
            shots.append(gun.shot(rpcs[turn % len(rpcs)]))
            turn += 1
        await _batch(there, shots, outcome)
        there.refill()
        if outcome.batches % 50 == 0:
            say(f"  {outcome.requests} requests, {len(outcome.findings)} findings")
    for text in _grown(there, first, (await ledger(there.pool, ())).counts, outcome):
        outcome.find(text)


async def _batch(there: Arena, shots: Sequence[Shot], outcome: Outcome) -> None:
    """Send a batch; what it named in no call that may have been done must be as it was."""
    before = await ledger(there.pool, [key for place in there.places for key in place.keys])
    places = asyncio.Semaphore(AT_ONCE)

    async def one(shot: Shot) -> None:
        async with places:
            answer, verdict = await _shot(there, shot)
        outcome.counts[shot.rpc.short, verdict.name] += 1
        for text in verdict.wrong:
            outcome.find(f"{shot.rpc.path} {text}", shot.replay)
        if not shot.rpc.reads and (verdict.done or verdict.lasting):
            _touch(there, shot.octets, verdict)
        _hear(there, shot, answer)

    await asyncio.gather(*map(one, shots))
    outcome.requests += sum(len(each.octets) for each in shots)
    outcome.batches += 1
    after = await ledger(there.pool, [key for place in there.places for key in place.keys])
    for place in there.places:
        changed = before.changed(after, place.keys)
        if changed and not place.touched:
            calls = [each.replay for each in shots if _names(each.octets, _keys(place))]
            outcome.find(f"{place.kind}: {', '.join(changed)} changed though no call that named it was done", *calls)
        outcome.compared += not place.touched
        place.spoiled |= bool(changed)
        place.touched = False


async def _shot(there: Arena, shot: Shot) -> tuple[Answer, Verdict]:
    pods = there.channels[shot.rpc.service]
    begun = time.monotonic()
    answer = await send(pods[shot.pod % len(pods)], shot.rpc, shot.octets, shot.beside)
    verdict = judge(shot.rpc, shot.octets, shot.beside, answer)
    if time.monotonic() - begun > _SOON_SECONDS:
        verdict = Verdict((*verdict.wrong, "the answer took too long"), verdict.name, verdict.done)
    return answer, verdict


def _hear(there: Arena, shot: Shot, answer: Answer) -> None:
    """Page tokens and ids of disputes are known once they were answered."""
    for octets in answer.messages if shot.rpc.reads and not shot.rpc.streams_responses else ():
        token = getattr(shot.rpc.response.FromString(octets), "next_page_token", "")
        if token:
            texts = there.known(shot.rpc.service).texts["page_token"]
            texts[:] = [*texts[-50:], token]


def _names(octets: Sequence[bytes], keys: Sequence[str]) -> bool:
    return any(key.encode() in each for each in octets for key in keys)


def _keys(place: Place) -> tuple[str, ...]:
    return (*place.keys, place.invitation_code or place.table_id)


def _touch(there: Arena, octets: Sequence[bytes], verdict: Verdict) -> None:
    """What a call named that may have been done may have changed; what it still may change is compared no more."""
    for place in there.places:
        if _names(octets, _keys(place)):
            place.touched = True
            place.spoiled |= verdict.lasting


def _grown(there: Arena, first: Mapping[str, int], last: Mapping[str, int], outcome: Outcome) -> list[str]:
    """Tables of the database that grew by more rows than calls were done that add one."""
    may = {
        "belot_table.tables": ("CreateTable", "OpenRematch"),
        "belot_rules.disputes": ("Dispute",),
    }
    made = {"belot_table.tables": there.made}
    found: list[str] = []
    for name, rpcs in may.items():
        grown = last[name] - first[name]
        done = sum(
            count
            for (rpc, verdict), count in outcome.counts.items()
            if rpc.rpartition(".")[2] in rpcs and not verdict.startswith(("INVALID", "NOT_FOUND", "UNAUTH", "FAILED"))
        )
        if grown > done + made.get(name, 0):
            found.append(f"{name} has {grown} new rows, {done} calls added one")
    return found
