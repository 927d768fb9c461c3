"""The dealer's database in memory, with the guards of its SQL, and a relay of a development beacon without HTTP."""

import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from belot_dealer.keys import SealedSeed
from belot_dealer.store import PRIVATE, Place, SentSeed, StoredMatch
from belot_fair.drand import BeaconKey, Chain, development_chain, round_at
from belot_fair.transcript import SignedEvent
from support.memory_stores import Line, straight

_KEY: Final = BeaconKey(b"a beacon in memory, for simulations")


@dataclass(slots=True)
class _MatchRow:
    chain_hash: bytes
    sealed: SealedSeed
    sent: list[SentSeed | None]
    events: list[SignedEvent] = field(repr=False)


class DealerRows:
    """The database; `now_ms` is its clock."""

    def __init__(self, now_ms: Callable[[], int]) -> None:
        self.now_ms = now_ms
        self.chains: dict[bytes, Chain] = {}
        self.keys: dict[str, bytes] = {}
        self.matches: dict[str, _MatchRow] = {}
        self.beacons: dict[tuple[bytes, int], bytes] = {}

    def highest(self, chain_hash: bytes) -> int:
        """The highest verified round of a chain; 0: none."""
        return max((round for chain, round in self.beacons if chain == chain_hash), default=0)

    def create(self, match_id: str, chain_hash: bytes, sealed: SealedSeed, seats: int, event: SignedEvent) -> bool:
        """create_match; no day's root is ever made here."""
        if match_id in self.matches:
            return False
        self.matches[match_id] = _MatchRow(chain_hash, sealed, [None] * seats, [event])
        return True

    def load(self, match_id: str) -> StoredMatch | None:
        """load_match."""
        row = self.matches.get(match_id)
        if row is None:
            return None
        chain, highest = self.chains[row.chain_hash], self.highest(row.chain_hash)
        return StoredMatch(row.sealed, chain, tuple(row.sent), tuple(row.events), highest, self.now_ms())

    def take_seed(self, match_id: str, seat: int, sent: SentSeed) -> bool:
        """take_seed."""
        row = self.matches.get(match_id)
        if row is None or len(row.events) != 1 or row.sent[seat] is not None:
            return False
        row.sent[seat] = sent
        return True

    def close_seeds(
        self, match_id: str, sent: Sequence[SentSeed | None], highest_round: int, events: Sequence[SignedEvent]
    ) -> bool:
        """close_seeds."""
        row = self.matches.get(match_id)
        if row is None or [each and each.seed for each in row.sent] != [each and each.seed for each in sent]:
            return False
        return self.highest(row.chain_hash) <= highest_round and self.append(match_id, 1, events)

    def append(self, match_id: str, version: int, events: Sequence[SignedEvent]) -> bool:
        """append_events."""
        row = self.matches.get(match_id)
        if row is None or len(row.events) != version:
            return False
        row.events += events
        return True


class MemoryDealerStore:
    """The dealer's Store."""

    def __init__(self, rows: DealerRows, line: Line = straight) -> None:
        self._rows = rows
        self._line = line

    async def keep_chain(self, chain: Chain) -> None:
        """See Store."""
        await self._line("keep_chain", lambda: self._rows.chains.setdefault(chain.chain_hash, chain))

    async def keep_signing_key(self, key_id: str, public_key: bytes) -> None:
        """See Store."""
        await self._line("keep_signing_key", lambda: self._rows.keys.setdefault(key_id, public_key))

    async def signing_keys(self) -> tuple[tuple[str, bytes], ...]:
        """See Store."""
        return await self._line("signing_keys", lambda: tuple(reversed(self._rows.keys.items())))

    async def now_ms(self) -> int:
        """See Store."""
        return await self._line("now_ms", self._rows.now_ms)

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
        return await self._line("create", lambda: self._rows.create(match_id, chain_hash, sealed, seats, event))

    async def load(self, match_id: str) -> StoredMatch | None:
        """See Store."""
        return await self._line("load", lambda: self._rows.load(match_id))

    async def take_seed(self, match_id: str, seat: int, sent: SentSeed) -> bool:
        """See Store."""
        return await self._line("take_seed", lambda: self._rows.take_seed(match_id, seat, sent))

    async def close_seeds(
        self, match_id: str, sent: Sequence[SentSeed | None], highest_round: int, events: Sequence[SignedEvent]
    ) -> bool:
        """See Store."""
        return await self._line("close_seeds", lambda: self._rows.close_seeds(match_id, sent, highest_round, events))

    async def append(self, match_id: str, version: int, events: Sequence[SignedEvent]) -> bool:
        """See Store."""
        return await self._line("append", lambda: self._rows.append(match_id, version, events))

    async def keep_beacon(self, chain_hash: bytes, round: int, signature: bytes) -> None:
        """See Store."""
        await self._line("keep_beacon", lambda: self._rows.beacons.setdefault((chain_hash, round), signature))

    async def beacon(self, chain_hash: bytes, round: int) -> bytes | None:
        """See Store."""
        return await self._line("beacon", lambda: self._rows.beacons.get((chain_hash, round)))

    async def forget_beacons(self, chain_hash: bytes) -> None:
        """Here they are kept: a run is shorter than a day."""


class MemoryRelay:
    """Answers what a drand client asks by HTTP; a round is never there before its time."""

    def __init__(self, genesis: int, now_ms: Callable[[], int]) -> None:
        """`genesis` in unix seconds; rounds of one second."""
        self.chain = chain_from(genesis)
        self._now_ms = now_ms

    @asynccontextmanager
    async def get(self, url: str, **_: object) -> "AsyncIterator[_Answer]":
        """One request."""
        which, newest = url.rpartition("/")[2], round_at(self.chain, self._now_ms())
        round = newest if which == "latest" else int(which)
        body = {"round": round, "signature": _signature(round).hex()} if round <= newest else {}
        yield _Answer(200 if body else 425, json.dumps(body).encode())


class _Answer:
    def __init__(self, status: int, body: bytes) -> None:
        self.status = status
        self.content = self
        self._body = body

    async def iter_chunked(self, size: int) -> AsyncIterator[bytes]:
        """The whole body."""
        yield self._body


@lru_cache
def chain_from(genesis: int) -> Chain:
    """The chain of this beacon that begins at a unix second."""
    return development_chain(_KEY, genesis)


@lru_cache(maxsize=4096)
def _signature(round: int) -> bytes:
    return _KEY.sign(round)
