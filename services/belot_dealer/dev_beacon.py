"""The beacon of development: a loopback HTTP server with drand's API, real BLS, and faults by switch.

It signs rounds with a key of its own, so whoever runs it knows every value in advance: a deal made with it proves
nothing about the operator, and no production dealer takes its chain. Rounds that are not due are refused as real relays
refuse them. `GET/POST/DELETE /faults` shows, sets and clears the fault; `belot serve beacon` runs it as a process.
"""

import json
import os
import secrets
import time
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from aiohttp import web

from belot_dealer.faults import RESPONDERS, Answer, Fault, fault_of
from belot_dealer.relays import is_loopback
from belot_fair.drand import BeaconKey, Chain, chain_info, development_chain, round_at, time_of

DEVELOPMENT_PERIOD: Final = 1
_PAST_SECONDS: Final = 60
_SEED_LENGTH: Final = 32
_MOST_NOTED: Final = 1_000


class NotLoopback(ValueError):  # noqa: N818 - the domain says so
    """An address that other machines reach: a beacon whose values its operator knows stays on its own machine."""


@dataclass(frozen=True, slots=True)
class BeaconIdentity:
    """What makes a development chain: the seed of its key, its first second, and its period in seconds."""

    seed: bytes = field(repr=False)
    genesis: int
    period: int = DEVELOPMENT_PERIOD


def new_identity(now: float, period: int = DEVELOPMENT_PERIOD) -> BeaconIdentity:
    """A fresh chain that began a minute ago, so that it has rounds already."""
    return BeaconIdentity(secrets.token_bytes(_SEED_LENGTH), int(now) - _PAST_SECONDS, period)


def kept_identity(file: Path, now: float, period: int = DEVELOPMENT_PERIOD) -> BeaconIdentity:
    """The chain in a file, made at the first use: the chain outlives restarts, as matches are bound to it.

    Errors: ValueError for a file that holds none.
    """
    if file.exists():
        try:
            fields = json.loads(file.read_text(encoding="ascii"))
            return BeaconIdentity(bytes.fromhex(fields["seed"]), int(fields["genesis"]), int(fields["period"]))
        except (ValueError, KeyError, TypeError):
            raise ValueError(f"{file} does not hold a development chain") from None
    identity = new_identity(now, period)
    file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    fields = {"seed": identity.seed.hex(), "genesis": identity.genesis, "period": identity.period}
    draft = file.with_suffix(".draft")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as out:
        out.write(json.dumps(fields))
    draft.replace(file)
    return identity


class DevBeacon:
    """The beacon's answers.

    `chain` is its chain, `fault` what it does wrong now (nothing at first); `asked` and `asked_early` note the last
    rounds it was asked for, and those among them that were not due.
    """

    def __init__(
        self, identity: BeaconIdentity, fault: Fault | None = None, now: Callable[[], float] = time.time
    ) -> None:
        """Relays that share an identity serve the same chain, each with faults of its own."""
        self.identity = identity
        self.key = BeaconKey(identity.seed)
        self._now = now
        self.chain: Chain = development_chain(self.key, identity.genesis, identity.period)
        self.fault = fault or Fault()
        self.asked: deque[int] = deque(maxlen=_MOST_NOTED)
        self.asked_early: deque[int] = deque(maxlen=_MOST_NOTED)

    def app(self) -> web.Application:
        """The web application; `/info` is also served without a chain hash, as drand does for its default chain."""
        app = web.Application()
        chain = f"/{self.chain.chain_hash.hex()}"
        app.router.add_get("/info", self._info)
        app.router.add_get(f"{chain}/info", self._info)
        app.router.add_get(f"{chain}/public/latest", self._latest)
        app.router.add_get(f"{chain}/public/{{round:[0-9]{{1,20}}}}", self._round)
        app.router.add_get("/faults", self._show_fault)
        app.router.add_post("/faults", self._set_fault)
        app.router.add_delete("/faults", self._clear_fault)
        return app

    async def _info(self, _request: web.Request) -> web.StreamResponse:
        return web.json_response(chain_info(self.chain))

    async def _latest(self, request: web.Request) -> web.StreamResponse:
        return await self._answer(request, round_at(self.chain, self._now_ms()))

    async def _round(self, request: web.Request) -> web.StreamResponse:
        round = int(request.match_info["round"])
        self.asked.append(round)
        newest = round_at(self.chain, self._now_ms())
        if round > newest:
            self.asked_early.append(round)
        if round == newest + 1:
            return web.Response(status=425, text="too early")
        if not 1 <= round <= newest:
            return web.Response(status=404, text="no such round")
        return await self._answer(request, round)

    async def _answer(self, request: web.Request, round: int) -> web.StreamResponse:
        fault = self.fault
        answer = Answer(round, self.key.sign, request)
        return await RESPONDERS[fault.kind](answer, fault)

    async def _show_fault(self, _request: web.Request) -> web.StreamResponse:
        return web.json_response({"kind": self.fault.kind.value, "seconds": self.fault.seconds})

    async def _set_fault(self, request: web.Request) -> web.StreamResponse:
        try:
            self.fault = fault_of(await request.json())
        except ValueError as error:
            return web.Response(status=400, text=str(error))
        return await self._show_fault(request)

    async def _clear_fault(self, request: web.Request) -> web.StreamResponse:
        self.fault = Fault()
        return await self._show_fault(request)

    def due_ms(self, round: int) -> int:
        """When a round is due, unix milliseconds."""
        return time_of(self.chain, round)

    def _now_ms(self) -> int:
        return int(self._now() * 1000)


@asynccontextmanager
async def serving(beacon: DevBeacon, host: str = "127.0.0.1", port: int = 0) -> AsyncIterator[str]:
    """Serve a beacon while the block lasts; gives its address. Errors: NotLoopback, OSError for a taken port."""
    if not is_loopback(f"http://{host}:{port}"):
        raise NotLoopback(f"{host} is not a loopback address")
    runner = web.AppRunner(beacon.app(), access_log=None, shutdown_timeout=0.2)
    await runner.setup()
    try:
        site = web.TCPSite(runner, host, port)
        await site.start()
        bound: int = runner.addresses[0][1]
        yield f"http://{host}:{bound}"
    finally:
        await runner.cleanup()
