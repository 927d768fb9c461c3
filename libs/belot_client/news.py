"""What a session knows and who waits for it: the state, everybody who wants the next one, and how it all ended."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Final

from belot.table.v1 import view_pb2
from belot_client.errors import SessionOver
from belot_client.view import Status, TableState

_ENDED: Final = frozenset({Status.FINISHED, Status.CLOSED})


@dataclass(frozen=True, slots=True)
class Update:
    """One piece of news: ``snapshot``, ``hidden``, or an event's kind (``card_played``), and the state after it."""

    sequence: int
    kind: str
    event: view_pb2.TableEvent | None = field(repr=False)
    state: TableState = field(repr=False)


class News:
    """The state of one table as it becomes known."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self.state: TableState | None = None
        self.over: Exception | None = None
        self._turn_at = 0
        self._changed = asyncio.Event()
        self._listeners: list[asyncio.Queue[Update | None]] = []

    def known(self, state: TableState, kind: str, event: view_pb2.TableEvent | None) -> None:
        """A new state, by a snapshot, an event, or the number of a hidden one."""
        self.state = state
        if kind in ("snapshot", "turn_started"):
            self._turn_at = state.sequence
        update = Update(state.sequence, kind, event, state)
        for listener in self._listeners:
            listener.put_nowait(update)
        self._wake()

    def end(self, error: Exception) -> None:
        """There will be no more; everybody who waits gets the error, and the first one stands."""
        if self.over is not None:
            return
        self.over = error
        for listener in self._listeners:
            listener.put_nowait(None)
        self._wake()

    def _wake(self) -> None:
        woken, self._changed = self._changed, asyncio.Event()
        woken.set()

    async def until(self, holds: Callable[[TableState], bool]) -> TableState:
        """Wait until the state is as wanted. Errors: what it ended with."""
        while True:
            if self.state is not None and holds(self.state):
                return self.state
            if self.over is not None:
                raise self.over
            await self._changed.wait()

    def updates(self) -> AsyncIterator[Update]:
        """Every piece of news from this call on. Errors: what it ended with, but for SessionOver."""
        queue: asyncio.Queue[Update | None] = asyncio.Queue()
        self._listeners.append(queue)
        return self._heard(queue)

    async def _heard(self, queue: "asyncio.Queue[Update | None]") -> AsyncIterator[Update]:
        try:
            while (update := await queue.get()) is not None:
                yield update
            if self.over is not None and not isinstance(self.over, SessionOver):
                raise self.over
        finally:
            self._listeners.remove(queue)

    async def turns(self) -> AsyncIterator[TableState]:
        """The state at each turn of this client's player, until the match is over and the server seed is public."""
        seen = 0

        def due(state: TableState) -> bool:
            return _done(state) or (state.legal is not None and self._turn_at != seen)

        while not _done(state := await self.until(due)):
            seen = self._turn_at
            yield state


def _done(state: TableState) -> bool:
    revealed = state.fairness is not None and bool(state.fairness.server_seed)
    return state.status in _ENDED and (revealed or state.match is None)
