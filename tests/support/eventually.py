"""Waiting in tests for something to become true, with a limit and without a guess at how long it takes."""

import asyncio
from collections.abc import Callable


async def eventually(true: Callable[[], bool], *, seconds: float = 15.0) -> None:
    """Return as soon as `true()` is; TimeoutError after `seconds`."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - files, sockets and processes of others tell nobody when they change
            await asyncio.sleep(0.02)
