"""One at a time for each key, so that who works on the same thing does not get in each other's way.

For order alone, not for safety: who has waited long enough goes ahead anyway, so that one that hangs holds up nobody
for longer than that.
"""

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary


class Queues:
    """A queue for each key, there while somebody stands in it. Used by one event loop."""

    def __init__(self, patience_s: float) -> None:
        """Nobody waits longer than `patience_s` seconds."""
        self._patience_s = patience_s
        self._locks: WeakValueDictionary[Hashable, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def turn(self, key: Hashable) -> AsyncIterator[None]:
        """Wait for those who came before, then have the key for the block."""
        lock = self._locks.get(key)
        if lock is None:
            lock = self._locks[key] = asyncio.Lock()
        held = await self._acquired(lock)
        try:
            yield
        finally:
            if held:
                lock.release()

    async def _acquired(self, lock: asyncio.Lock) -> bool:
        if not lock.locked():
            return await lock.acquire()
        try:
            async with asyncio.timeout(self._patience_s):
                return await lock.acquire()
        except TimeoutError:
            return False
