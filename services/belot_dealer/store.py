"""What the dealer keeps in PostgreSQL, and the conditional writes that decide every race between replicas."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol, TypeAlias

import asyncpg
import structlog

from belot_dealer.keys import SealedSeed
from belot_fair.drand import Chain
from belot_fair.listing import DAY_MS
from belot_fair.transcript import SignedEvent
from belot_kit.errors import DomainError, Reason
from belot_kit.postgres import Pool
from belot_kit.queries import load_queries

PACKAGE = "belot_dealer"
Row: TypeAlias = asyncpg.Record
_TIME_LENGTH = 8
"""An event's octets end with its time."""
_SQL = load_queries(PACKAGE)
_KEEP_CHAIN = _SQL["keep_chain"]
_KEEP_SIGNING_KEY = _SQL["keep_signing_key"]
_LIST_SIGNING_KEYS = _SQL["list_signing_keys"]
_READ_CLOCK = _SQL["read_clock"]
_CREATE_MATCH = _SQL["create_match"]
_LOAD_MATCH = _SQL["load_match"]
_TAKE_SEED = _SQL["take_seed"]
_APPEND_EVENTS = _SQL["append_events"]
_CLOSE_SEEDS = _SQL["close_seeds"]
_KEEP_BEACON = _SQL["keep_beacon"]
_FIND_BEACON = _SQL["find_beacon"]
_FORGET_BEACONS = _SQL["forget_beacons"]

_AWAY = (
    OSError,
    TimeoutError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,  # a session that the server ends between two messages of ours
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
    asyncpg.InsufficientResourcesError,
)
"""How asyncpg says that the server is not there, is starting or stopping, or is too busy."""

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class SentSeed:
    """A player's seed as it came, and when (unix ms)."""

    seed: bytes = field(repr=False)
    at_ms: int


@dataclass(frozen=True, slots=True)
class Place:
    """Where a match is played: its table (may be empty), and whether the public list may name it."""

    table_id: str = ""
    public: bool = False


PRIVATE = Place()


@dataclass(frozen=True, slots=True)
class StoredMatch:
    """One snapshot of a match.

    `sent` by seat, None until a seed came; `highest_round` the highest verified round of the match's chain (0: none);
    `now_ms` the database's clock at the snapshot.
    """

    sealed: SealedSeed
    chain: Chain
    sent: tuple[SentSeed | None, ...]
    events: tuple[SignedEvent, ...]
    highest_round: int
    now_ms: int


async def rows_of(pool: Pool, sql: str, *values: object) -> list[asyncpg.Record]:
    """The rows of a statement. Errors: DomainError UNAVAILABLE."""
    try:
        return await pool.fetch(sql, *values)
    except _AWAY as error:
        _log.warning("database_away", error=type(error).__name__)
        raise DomainError(Reason.UNAVAILABLE, "the database does not answer") from None


class Store(Protocol):
    """The port to what the dealer keeps. A write that answers False changed nothing, because it came too late."""

    async def keep_chain(self, chain: Chain) -> None:
        """Remember a chain that matches may be bound to."""

    async def keep_signing_key(self, key_id: str, public_key: bytes) -> None:
        """Publish a key before it signs."""

    async def signing_keys(self) -> tuple[tuple[str, bytes], ...]:
        """Every key that ever signed, newest first: (key id, public key)."""

    async def now_ms(self) -> int:
        """The database's clock, the one that all replicas share."""

    async def create(
        self,
        match_id: str,
        chain_hash: bytes,
        sealed: SealedSeed,
        seats: int,
        event: SignedEvent,
        place: Place = PRIVATE,
    ) -> bool:
        """A match with its first event, unless it exists, or the root of the event's day has been made."""

    async def load(self, match_id: str) -> StoredMatch | None:
        """The match, or None."""

    async def take_seed(self, match_id: str, seat: int, sent: SentSeed) -> bool:
        """The seat's seed, if it has none and seeds are not closed."""

    async def close_seeds(
        self, match_id: str, sent: Sequence[SentSeed | None], highest_round: int, events: Sequence[SignedEvent]
    ) -> bool:
        """SEEDS and ROUND_CHOSEN, if exactly these seeds came and no higher round was verified meanwhile."""

    async def append(self, match_id: str, version: int, events: Sequence[SignedEvent]) -> bool:
        """The next events, if the transcript still has `version` events."""

    async def keep_beacon(self, chain_hash: bytes, round: int, signature: bytes) -> None:
        """Remember a verified beacon."""

    async def beacon(self, chain_hash: bytes, round: int) -> bytes | None:
        """The signature of a verified round, or None."""

    async def forget_beacons(self, chain_hash: bytes) -> None:
        """Drop verified beacons older than a day, never the highest."""


class PostgresStore:
    """The store in schema `belot_dealer`."""

    def __init__(self, pool: Pool) -> None:
        """The pool's search path is the schema."""
        self._pool = pool

    async def _rows(self, sql: str, *values: object) -> list[asyncpg.Record]:
        return await rows_of(self._pool, sql, *values)

    async def keep_chain(self, chain: Chain) -> None:
        """See Store."""
        await self._rows(
            _KEEP_CHAIN,
            chain.chain_hash,
            chain.beacon_id,
            chain.public_key,
            chain.period,
            chain.genesis,
            chain.group_hash,
            chain.scheme,
        )

    async def keep_signing_key(self, key_id: str, public_key: bytes) -> None:
        """See Store."""
        await self._rows(_KEEP_SIGNING_KEY, key_id, public_key)

    async def signing_keys(self) -> tuple[tuple[str, bytes], ...]:
        """See Store."""
        rows = await self._rows(_LIST_SIGNING_KEYS)
        return tuple((row["key_id"], row["public_key"]) for row in rows)

    async def now_ms(self) -> int:
        """See Store."""
        rows = await self._rows(_READ_CLOCK)
        return int(rows[0]["now_ms"])

    async def create(
        self,
        match_id: str,
        chain_hash: bytes,
        sealed: SealedSeed,
        seats: int,
        event: SignedEvent,
        place: Place = PRIVATE,
    ) -> bool:
        """See Store."""
        written = await self._rows(
            _CREATE_MATCH,
            match_id,
            chain_hash,
            sealed.octets,
            sealed.key_id,
            seats,
            event.octets,
            event.signature,
            event.key_id,
            place.table_id,
            place.public,
            int.from_bytes(event.octets[-_TIME_LENGTH:], "big") // DAY_MS,
        )
        return bool(written)

    async def load(self, match_id: str) -> StoredMatch | None:
        """See Store."""
        rows = await self._rows(_LOAD_MATCH, match_id)
        return _stored(rows[0]) if rows else None

    async def take_seed(self, match_id: str, seat: int, sent: SentSeed) -> bool:
        """See Store."""
        return bool(await self._rows(_TAKE_SEED, match_id, seat, sent.seed, sent.at_ms))

    async def close_seeds(
        self, match_id: str, sent: Sequence[SentSeed | None], highest_round: int, events: Sequence[SignedEvent]
    ) -> bool:
        """See Store."""
        seeds = [None if each is None else each.seed for each in sent]
        written = await self._rows(_CLOSE_SEEDS, match_id, seeds, highest_round, *_columns(events))
        return bool(written)

    async def append(self, match_id: str, version: int, events: Sequence[SignedEvent]) -> bool:
        """See Store."""
        written = await self._rows(_APPEND_EVENTS, match_id, version, *_columns(events))
        return bool(written)

    async def keep_beacon(self, chain_hash: bytes, round: int, signature: bytes) -> None:
        """See Store."""
        await self._rows(_KEEP_BEACON, chain_hash, round, signature)

    async def beacon(self, chain_hash: bytes, round: int) -> bytes | None:
        """See Store."""
        rows = await self._rows(_FIND_BEACON, chain_hash, round)
        return bytes(rows[0]["signature"]) if rows else None

    async def forget_beacons(self, chain_hash: bytes) -> None:
        """See Store."""
        await self._rows(_FORGET_BEACONS, chain_hash)


def _columns(events: Sequence[SignedEvent]) -> tuple[list[bytes], list[bytes], list[str]]:
    octets = [event.octets for event in events]
    return octets, [event.signature for event in events], [event.key_id for event in events]


@lru_cache(maxsize=16)
def _chain(
    public_key: bytes, period: int, genesis: int, group_hash: bytes, scheme: str, beacon_id: str, chain_hash: bytes
) -> Chain:
    # A chain checks its own parameters, points included, which is too dear for every load.
    return Chain(public_key, period, genesis, group_hash, scheme, beacon_id, chain_hash)


def _stored(row: asyncpg.Record) -> StoredMatch:
    chain = _chain(
        row["public_key"],
        row["period_seconds"],
        row["genesis_time"],
        row["group_hash"],
        row["scheme"],
        row["beacon_id"],
        row["chain_hash"],
    )
    seeds = zip(row["seeds"], row["seed_times_ms"], strict=True)
    events = zip(row["octets"], row["key_ids"], row["signatures"], strict=True)
    return StoredMatch(
        sealed=SealedSeed(row["sealed_seed"], row["seal_key_id"]),
        chain=chain,
        sent=tuple(None if seed is None else SentSeed(seed, at_ms) for seed, at_ms in seeds),
        events=tuple(SignedEvent(*event) for event in events),
        highest_round=row["highest_round"],
        now_ms=row["now_ms"],
    )
