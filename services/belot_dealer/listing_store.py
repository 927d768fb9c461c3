"""What is public about all matches together, as it is kept: openings, roots, receipts for beacons, reports, counts."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from belot_dealer.keys import SealedSeed
from belot_dealer.store import PACKAGE, Row, rows_of
from belot_fair.bodies import Opened, Revealed
from belot_fair.distribution import HandTally, Tally, empty_tally
from belot_fair.listing import Leaf, SignedRoot
from belot_fair.receipts import SignedReceipt
from belot_fair.transcript import decode_event
from belot_kit.postgres import Pool
from belot_kit.queries import load_queries

_SQL = load_queries(PACKAGE, "listing.sql")
_LIST_COMMITMENTS = _SQL["list_commitments"]
_LIST_LEAVES = _SQL["list_leaves"]
_NEXT_ROOT_DAY = _SQL["next_root_day"]
_KEEP_ROOT = _SQL["keep_root"]
_LIST_ROOTS = _SQL["list_roots"]
_KEEP_BEACON_RECEIPT = _SQL["keep_beacon_receipt"]
_FIND_BEACON_RECEIPT = _SQL["find_beacon_receipt"]
_KEEP_REPORT = _SQL["keep_report"]
_FIND_REPORT = _SQL["find_report"]
_COUNT_BY_KEY = _SQL["count_by_key"]
_COUNT_BY_TABLE = _SQL["count_by_table"]
_LIST_UNREVEALED = _SQL["list_unrevealed"]
_LIST_SEALED_OTHERWISE = _SQL["list_sealed_otherwise"]
_SEAL_AGAIN = _SQL["seal_again"]
_LIST_UNCOUNTED = _SQL["list_uncounted"]
_LOAD_COUNTS = _SQL["load_counts"]
_BEGIN_COUNTS = _SQL["begin_counts"]
_KEEP_COUNTS = _SQL["keep_counts"]

_FALLBACK = 5


@dataclass(frozen=True, slots=True)
class Listed:
    """A commitment with its opening; `server_seed` and `ending` are empty until the reveal, `revealed_ms` is 0.

    `table_id` and `participants` are empty for a private match.
    """

    leaf: Leaf
    key_id: str
    private: bool
    table_id: str
    participants: tuple[bytes, ...]
    fallback: bool
    reports: int
    ending: str = ""
    revealed_ms: int = 0
    server_seed: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class LastRoot:
    """Where the roots stand: the latest day and its record (None: no root yet), when the first match was opened."""

    day: int | None
    octets: bytes
    first_ms: int | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a client found: as numbered in the proto, and in which hand if it is one."""

    request_id: str
    finding: int
    hand_number: int | None


@dataclass(frozen=True, slots=True)
class Counts:
    """How matches came out, of all that share a key or a table (`name`)."""

    name: str
    opened: int
    finished: int
    abandoned: int
    cancelled: int
    beacons: int
    fallbacks: int
    reports: int


class ListingStore:
    """The second port into schema `belot_dealer`; errors: DomainError UNAVAILABLE everywhere."""

    def __init__(self, pool: Pool) -> None:
        """The pool's search path is the schema."""
        self._pool = pool

    async def _rows(self, sql: str, *values: object) -> list[Row]:
        return await rows_of(self._pool, sql, *values)

    async def commitments(self, after: tuple[int, str], table_id: str, most: int) -> tuple[Listed, ...]:
        """Commitments after a key (time, match id), of one public table unless `table_id` is empty."""
        return tuple(_listed(row) for row in await self._rows(_LIST_COMMITMENTS, *after, table_id, most))

    async def leaves(self, from_ms: int, to_ms: int) -> tuple[Leaf, ...]:
        """The commitments of a span of time, in order."""
        rows = await self._rows(_LIST_LEAVES, from_ms, to_ms)
        return tuple(Leaf(row["match_id"], row["commitment"], row["time_ms"]) for row in rows)

    async def last_root(self) -> LastRoot:
        """Where the roots stand."""
        (row,) = await self._rows(_NEXT_ROOT_DAY)
        return LastRoot(row["day"], row["octets"] or b"", row["first_ms"])

    async def keep_root(self, day: int, root: SignedRoot) -> None:
        """A day's root, unless it has one."""
        await self._rows(_KEEP_ROOT, day, root.octets, root.signature, root.key_id)

    async def roots(self, before_day: int, most: int) -> tuple[SignedRoot, ...]:
        """Roots of days before that one, latest first."""
        rows = await self._rows(_LIST_ROOTS, before_day, most)
        return tuple(SignedRoot(row["octets"], row["key_id"], row["signature"]) for row in rows)

    async def keep_beacon_receipt(self, match_id: str, receipt: SignedReceipt) -> SignedReceipt:
        """The match's receipt for its beacon: this one, or the one that stands."""
        await self._rows(_KEEP_BEACON_RECEIPT, match_id, receipt.octets, receipt.signature, receipt.key_id)
        (row,) = await self._rows(_FIND_BEACON_RECEIPT, match_id)
        return SignedReceipt(row["octets"], row["key_id"], row["signature"])

    async def keep_report(self, match_id: str, seat: int, report: Report) -> Report:
        """The seat's report: this one, or the one that stands."""
        await self._rows(_KEEP_REPORT, match_id, seat, report.request_id, report.finding, report.hand_number)
        (row,) = await self._rows(_FIND_REPORT, match_id, seat)
        return Report(row["request_id"], row["finding"], row["hand_number"])

    async def counts_by_key(self) -> tuple[Counts, ...]:
        """Counts of every signing key's matches."""
        return tuple(Counts(**dict(row)) for row in await self._rows(_COUNT_BY_KEY))

    async def counts_by_table(self, table_id: str, most: int) -> tuple[Counts, ...]:
        """Counts of the public tables with the most matches that were not finished, that table's first."""
        return tuple(Counts(**dict(row)) for row in await self._rows(_COUNT_BY_TABLE, table_id, most))

    async def unrevealed(self, before_ms: int, most: int) -> tuple[str, ...]:
        """Matches opened before a time that nobody ended."""
        return tuple(row["match_id"] for row in await self._rows(_LIST_UNREVEALED, before_ms, most))

    async def sealed_otherwise(self, key_id: str, most: int) -> tuple[tuple[str, SealedSeed], ...]:
        """Seeds of running matches under other sealing keys."""
        rows = await self._rows(_LIST_SEALED_OTHERWISE, key_id, most)
        return tuple((row["match_id"], SealedSeed(row["sealed_seed"], row["seal_key_id"])) for row in rows)

    async def seal_again(self, match_id: str, old: SealedSeed, new: SealedSeed) -> None:
        """Put a newly sealed seed in place of the old one, if that still stands."""
        await self._rows(_SEAL_AGAIN, match_id, old.octets, new.octets, new.key_id)

    async def uncounted(self, most: int) -> tuple[str, ...]:
        """Revealed matches whose packs are not in the counts."""
        return tuple(row["match_id"] for row in await self._rows(_LIST_UNCOUNTED, most))

    async def tallies(self) -> tuple[tuple[int, Tally], ...]:
        """The counts of every pack size that was dealt, each with its version."""
        return tuple((row["version"], _tally(row)) for row in await self._rows(_LOAD_COUNTS))

    async def keep_tally(self, version: int, tally: Tally, match_ids: Sequence[str]) -> bool:
        """Counts that include these matches in place of that version (0: the first); False: it was not the version."""
        empty = empty_tally(tally.pack_size)
        await self._rows(_BEGIN_COUNTS, tally.pack_size, empty.cells)
        sizes = sorted(tally.hands)
        hands = [tally.hands[size] for size in sizes]
        rows = await self._rows(
            _KEEP_COUNTS,
            *(tally.pack_size, version, tally.matches, tally.packs, tally.cells, sizes),
            *([each.hands for each in hands], [each.voids for each in hands], list(match_ids)),
        )
        return bool(rows[0]["kept"])


def _listed(row: Row) -> Listed:
    opened = decode_event(row["opened"])
    body = opened.body
    if not isinstance(body, Opened):
        raise ValueError("a transcript starts with OPENED")
    public = row["public_table"]
    revealed = decode_event(row["revealed"]) if row["revealed"] is not None else None
    end = revealed.body if revealed is not None and isinstance(revealed.body, Revealed) else None
    return Listed(
        leaf=Leaf(opened.match_id, body.commitment, opened.time_ms),
        key_id=row["key_id"],
        private=not public,
        table_id=row["table_id"] if public else "",
        participants=tuple(seat.participant for seat in body.seats) if public else (),
        fallback=row["answer"] == _FALLBACK,
        reports=row["reports"],
        ending=end.ending if end else "",
        revealed_ms=revealed.time_ms if revealed else 0,
        server_seed=end.server_seed if end else b"",
    )


def _tally(row: Row) -> Tally:
    hands = zip(row["hand_sizes"], row["hands"], row["voids"], strict=True)
    return Tally(
        pack_size=row["pack_size"],
        matches=row["matches"],
        packs=row["packs"],
        cells=tuple(row["cells"]),
        hands={size: HandTally(count, voids) for size, count, voids in hands},
    )
