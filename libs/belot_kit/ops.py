"""The ops port, plain HTTP: ``/livez``, ``/readyz``, ``/metrics``; and the watch over event loop and garbage collector.

It is apart from gRPC, because probes cannot speak mutual TLS, and because what it tells is for operators only.
"""

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

from belot_kit.metrics import GC_PAUSE_SECONDS, LOOP_LAG_SECONDS
from belot_kit.tasks import background

_LAG_EVERY_SECONDS: Final = 0.25

# Young objects die young; what was wired at the start never does. At the defaults the full collections of a process
# with thousands of streams take 60 to 180 ms.
_GC_THRESHOLDS: Final = (20_000, 20, 100)


@dataclass(frozen=True, slots=True)
class OpsOptions:
    """Where the ops port listens: ``host:port``, ``unix:/path``, or empty for nowhere."""

    listen: str = ""


@asynccontextmanager
async def serve_ops(options: OpsOptions, ready: Callable[[], Mapping[str, bool]]) -> AsyncIterator[str]:
    """Serve while the block runs; the block gets the address. `ready()` names conditions; all true means ready."""
    with _gc_watched():
        async with background(_watch_loop()):
            if not options.listen:
                yield ""
                return
            runner = web.AppRunner(_application(ready), access_log=None)
            await runner.setup()
            try:
                yield await _listen(runner, options.listen)
            finally:
                await runner.cleanup()


async def _listen(runner: web.AppRunner, listen: str) -> str:
    if listen.startswith("unix:"):
        await web.UnixSite(runner, listen.removeprefix("unix:")).start()
        return listen
    host, _, port = listen.rpartition(":")
    await web.TCPSite(runner, host.strip("[]"), int(port)).start()
    bound: tuple[str, int] = runner.addresses[0]
    return f"{host}:{bound[1]}"


def _application(ready: Callable[[], Mapping[str, bool]]) -> web.Application:
    async def livez(_: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readyz(_: web.Request) -> web.Response:
        conditions = ready()
        text = "".join(f"{name}: {'ok' if holds else 'no'}\n" for name, holds in sorted(conditions.items()))
        return web.Response(text=text, status=200 if all(conditions.values()) else 503)

    async def metrics(_: web.Request) -> web.Response:
        return web.Response(body=generate_latest(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    application = web.Application()
    application.add_routes([web.get("/livez", livez), web.get("/readyz", readyz), web.get("/metrics", metrics)])
    return application


async def _watch_loop() -> None:
    loop = asyncio.get_running_loop()
    while True:
        due = loop.time() + _LAG_EVERY_SECONDS
        await asyncio.sleep(_LAG_EVERY_SECONDS)
        LOOP_LAG_SECONDS.observe(max(0.0, loop.time() - due))


class _gc_watched:  # noqa: N801 - reads as a block
    """Measure the collector's pauses while the block runs."""

    def __enter__(self) -> None:
        self._began = 0.0
        gc.callbacks.append(self._seen)

    def __exit__(self, *_: object) -> None:
        gc.callbacks.remove(self._seen)

    def _seen(self, phase: str, info: Mapping[str, int]) -> None:
        if phase == "start":
            self._began = time.perf_counter()
        else:
            GC_PAUSE_SECONDS.labels(str(info["generation"])).observe(time.perf_counter() - self._began)


def tune_gc() -> None:
    """Once wiring is done (and again when it is quiet): leave alone what lives, and look less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
