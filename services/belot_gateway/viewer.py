"""One client's stream: what waits to be sent to it, and the one task that writes.

Batches are already encoded. The writer waits for one, takes all that are queued, joins them and writes once. A client
that does not read ends with STREAM_TOO_SLOW: when 64 batches wait behind a write that does not move, or when one write
takes 10 s. It resumes. A burst that meets a writer at work is no sign of a slow client, hence the moment's patience.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final

from belot_gateway.auth import Identity
from belot_kit.errors import DomainError, Reason

QUEUE_LENGTH: Final = 64
WRITE_SECONDS: Final = 10.0
BURST_LENGTH: Final = 1_024
BURST_SECONDS: Final = 0.25
_JOINED_BYTES: Final = 512 << 10


class Viewer:
    """A stream of one signed-in player. Used by one event loop; `run` is awaited by the rpc's own task."""

    def __init__(self, stream_id: str, identity: Identity, language: str) -> None:
        """`stream_id` is what UpdateSubscriptions names it by, `language` that of its refusals."""
        self.stream_id = stream_id
        self.identity = identity
        self.language = language
        self._queue: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._room = asyncio.Event()
        self._room.set()
        self._ended: DomainError | None = None
        self._finishing = False
        self._writing: asyncio.Task[object] | None = None
        self._writing_since = 0.0
        self._loop = asyncio.get_running_loop()

    @property
    def ended(self) -> bool:
        """Whether nothing more will be sent."""
        return self._ended is not None

    def offer(self, batch: bytes) -> None:
        """Queue a batch without waiting; a full queue ends the stream."""
        if self._ended is not None:
            return
        if len(self._queue) >= QUEUE_LENGTH and self._stuck():
            self.end(_too_slow("too many messages wait to be read"))
            return
        self._queue.append(batch)
        self._wake.set()

    def _stuck(self) -> bool:
        """Whether a full queue means that the client does not read."""
        blocked = self._writing is not None and self._loop.time() - self._writing_since > BURST_SECONDS
        return blocked or len(self._queue) >= BURST_LENGTH

    async def put(self, batch: bytes) -> None:
        """Queue a batch once less than half of the queue is taken, for what the client itself asked for in bulk."""
        while len(self._queue) >= QUEUE_LENGTH // 2 and self._ended is None:
            self._room.clear()
            await self._room.wait()
        self.offer(batch)

    def end(self, error: DomainError) -> None:
        """End the stream with this error once what is queued is written; a blocked write is given up."""
        if self._ended is not None:
            return
        self._ended = error
        self._wake.set()
        self._room.set()
        if self._writing is not None and error.reason is Reason.STREAM_TOO_SLOW:
            self._writing.cancel()

    def check(self) -> None:
        """End the stream if one write has been blocked for 10 s; called now and then, because a timer a write costs."""
        if self._writing is not None and self._loop.time() - self._writing_since > WRITE_SECONDS:
            self.end(_too_slow(f"a message was not read for {WRITE_SECONDS:.0f} s"))

    def finish(self) -> None:
        """End the stream in peace once what is queued is written."""
        self._finishing = True
        self._wake.set()

    async def run(self, write: Callable[[bytes], Awaitable[None]]) -> None:
        """Write until the stream ends. Errors: the DomainError it was ended with; whatever `write` raises."""
        task = asyncio.current_task()
        while True:
            if not self._queue:
                if self._ended is not None:
                    raise self._ended
                if self._finishing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            joined = self._take()
            self._writing, self._writing_since = task, self._loop.time()
            try:
                await write(joined)
            except asyncio.CancelledError:
                # Our own `end`, unless somebody else wants this task gone too.
                if self._ended is None or task is None or task.uncancel() > 0:
                    raise
                raise self._ended from None
            finally:
                self._writing = None

    def _take(self) -> bytes:
        taken = [self._queue.popleft()]
        size = len(taken[0])
        while self._queue and size + len(self._queue[0]) <= _JOINED_BYTES:
            size += len(self._queue[0])
            taken.append(self._queue.popleft())
        if len(self._queue) < QUEUE_LENGTH // 2:
            self._room.set()
        return taken[0] if len(taken) == 1 else b"".join(taken)


def _too_slow(message: str) -> DomainError:
    return DomainError(Reason.STREAM_TOO_SLOW, f"{message}: read faster, and resume after the last sequence")
