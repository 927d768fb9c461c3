"""How a long stream learns that its server is stopping, so that it ends by itself instead of being cut."""

import asyncio
from collections.abc import Coroutine
from contextvars import ContextVar

_draining: ContextVar[asyncio.Event | None] = ContextVar("belot_draining", default=None)


def set_draining(event: asyncio.Event) -> None:
    """Say which event stops the rpc that runs in this context; the server's interceptor does."""
    _draining.set(event)


def draining() -> asyncio.Event:
    """The event that is set when the server of this rpc begins to stop; outside of rpcs, one that never is."""
    return _draining.get() or asyncio.Event()


async def until_draining(work: Coroutine[object, object, None]) -> None:
    """Run `work` to its end, or cancel it when the server begins to stop."""
    doing = asyncio.ensure_future(work)
    stop = asyncio.ensure_future(draining().wait())
    try:
        await asyncio.wait({doing, stop}, return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            await doing
    finally:
        for each in (doing, stop):
            each.cancel()
        await asyncio.wait({doing, stop})
