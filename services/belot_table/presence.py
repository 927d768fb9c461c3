"""Who is connected: gateways name every few seconds the players who follow a table at which they sit.

Sitting down counts as being named. Who has not been named for the grace is told to be away, each seat by itself; who
is named again is back at once. Rows say who was seen when, so that a gateway that dies, or all of them, leaves nobody
shown as connected for long; a table is told by the ordinary conditional command, so that two services that notice the
same tell it once. Nothing else depends on it: clocks run as they do, and nobody loses a seat.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import structlog

from belot_kit.errors import DomainError, Reason
from belot_kit.postgres import Pool
from belot_kit.queries import load_queries
from belot_table import seating
from belot_table.committing import unavailable
from belot_table.ports import Ports, write
from belot_table.store import PACKAGE
from belot_table.table import Refused

_log = structlog.get_logger(__name__)
_SQL = load_queries(PACKAGE)
_SCAN_SECONDS: Final = 0.5
_CLAIM: Final = 100
_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Player:
    """A player at a table."""

    table_id: str
    player_id: str


@dataclass(frozen=True, slots=True)
class Unseen:
    """A player who has not been seen since `seen_ms`."""

    player: Player
    seen_ms: int


class PresenceStore(Protocol):
    """Who was seen when. Errors: DomainError UNAVAILABLE."""

    async def see(self, players: Sequence[Player]) -> Sequence[Player]:
        """Players are connected; comes back who of them had counted as away."""

    async def claim_unseen(self, grace_ms: int, limit: int) -> Sequence[Unseen]:
        """Players not seen for the grace who do not count as away yet, with SKIP LOCKED."""

    async def mark(self, player: Player, *, away: bool, seen_ms: int | None = None) -> bool:
        """Count a player as away or not; False when he was seen since `seen_ms`."""

    async def forget(self, player: Player) -> None:
        """Nothing of him is of interest any more."""


class PostgresPresence:
    """The store in schema `belot_table`."""

    def __init__(self, pool: Pool) -> None:
        """The pool's search path is the schema."""
        self._pool = pool

    async def see(self, players: Sequence[Player]) -> Sequence[Player]:
        """See PresenceStore."""
        tables, names = [each.table_id for each in players], [each.player_id for each in players]
        with unavailable():
            rows = await self._pool.fetch(_SQL["see_players"], tables, names)
        return [Player(*row) for row in rows]

    async def claim_unseen(self, grace_ms: int, limit: int) -> Sequence[Unseen]:
        """See PresenceStore."""
        with unavailable():
            rows = await self._pool.fetch(_SQL["claim_unseen"], grace_ms, limit)
        return [Unseen(Player(row["table_id"], row["player_id"]), row["seen_ms"]) for row in rows]

    async def mark(self, player: Player, *, away: bool, seen_ms: int | None = None) -> bool:
        """See PresenceStore."""
        with unavailable():
            found = await self._pool.fetchval(_SQL["mark_away"], player.table_id, player.player_id, away, seen_ms)
        return found is not None

    async def forget(self, player: Player) -> None:
        """See PresenceStore."""
        with unavailable():
            await self._pool.execute(_SQL["forget_presence"], player.table_id, player.player_id)


async def report(ports: Ports, store: PresenceStore, players: Sequence[Player]) -> None:
    """Players are connected; who had counted as away is told to be back."""
    for player in await store.see(players):
        await _tell(ports, store, player, connected=True)
        await store.mark(player, away=False)


async def keep_watching(ports: Ports, store: PresenceStore, grace_ms: int) -> None:
    """Tell tables who has gone away, for ever."""
    while True:
        await asyncio.sleep(_SCAN_SECONDS)
        try:
            for unseen in await store.claim_unseen(grace_ms, _CLAIM):
                await _gone(ports, store, unseen)
        except DomainError as error:
            _log.warning("presence_not_watched", reason=error.reason)


async def _gone(ports: Ports, store: PresenceStore, unseen: Unseen) -> None:
    """One player is away; when he was seen meanwhile he is told to be back: nobody else would."""
    if not await _tell(ports, store, unseen.player, connected=False):
        return
    if not await store.mark(unseen.player, away=True, seen_ms=unseen.seen_ms):
        await _tell(ports, store, unseen.player, connected=True)


async def _tell(ports: Ports, store: PresenceStore, player: Player, *, connected: bool) -> bool:
    """Tell the table; False when it does not care, because the match is over or he sits there no more."""
    try:
        table = await ports.tables.fresh(player.table_id)
        for _ in range(_ATTEMPTS):
            if not seating.is_open(table):
                break
            step = seating.set_connected(table, player.player_id, connected)
            if not step.events or await write(ports, step, ports.clock.now_ms()):
                return True
            table = await ports.tables.fresh(player.table_id)
        else:
            raise DomainError(Reason.CONFLICT, "others were faster; it is tried again")
    except Refused:
        pass
    await store.forget(player)
    return False
