"""What is public about all matches together: the list of commitments, roots, inclusion proofs, reports, figures."""

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from belot_dealer import match as rules
from belot_dealer.dealer import Dealer, guarded
from belot_dealer.health import RelayHealth
from belot_dealer.listing_store import Counts, Listed, ListingStore, Report
from belot_dealer.metrics import REPORTS
from belot_fair.bodies import Fallback
from belot_fair.distribution import Tally
from belot_fair.drand import BeaconRefused
from belot_fair.listing import DAY_MS, Inclusion, Leaf, SignedRoot, leaf_hashes, write_inclusion
from belot_fair.merkle import audit_path
from belot_fair.receipts import BeaconReceipt, SignedReceipt, sign_receipt
from belot_kit.errors import DomainError, Reason
from belot_kit.pages import Page, next_token

FIGURES_MS: Final = 2_000
MOST_TABLES: Final = 20
_DAYS_REMEMBERED: Final = 4
_DAY_AFTER_ALL: Final = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Figures:
    """The public figures at one moment."""

    counted_ms: int
    keys: tuple[Counts, ...]
    tables: tuple[Counts, ...]
    tallies: tuple[Tally, ...]
    clock_offset_ms: int | None
    relays: tuple[RelayHealth, ...]


@dataclass(slots=True)
class Publisher:
    """The dependencies of what is published, and what is remembered so that the public cannot wear the database out."""

    dealer: Dealer
    listing: ListingStore
    _figures: "OrderedDict[str, Figures]" = field(default_factory=OrderedDict)
    _hashes: "OrderedDict[int, tuple[bytes, ...]]" = field(default_factory=OrderedDict)

    async def hashes_of(self, day: int) -> tuple[bytes, ...]:
        """The leaf hashes of a day whose root is made: they change no more."""
        if day not in self._hashes:
            leaves = await self.listing.leaves(day * DAY_MS, (day + 1) * DAY_MS)
            self._hashes[day] = leaf_hashes(leaves)
            while len(self._hashes) > _DAYS_REMEMBERED:
                self._hashes.popitem(last=False)
        return self._hashes[day]

    async def figures(self, table_id: str) -> Figures:
        """The figures, at most some seconds old."""
        now_ms = self.dealer.now_ms()
        known = self._figures.get(table_id)
        if known is not None and 0 <= now_ms - known.counted_ms < FIGURES_MS:
            return known
        beacons = self.dealer.beacons
        figures = Figures(
            counted_ms=now_ms,
            keys=await self.listing.counts_by_key(),
            tables=await self.listing.counts_by_table(table_id, MOST_TABLES),
            tallies=tuple(tally for _, tally in await self.listing.tallies()),
            clock_offset_ms=beacons.offset_ms,
            relays=beacons.client.health.of(beacons.client.relays),
        )
        self._figures[table_id] = figures
        self._figures.move_to_end(table_id)
        while len(self._figures) > MOST_TABLES:
            self._figures.popitem(last=False)
        return figures


async def submit_beacon(
    publisher: Publisher, match_id: str, round: int, signature: bytes
) -> tuple[SignedReceipt, bool]:
    """Take the beacon of a match's round from a client: the receipt for it, and whether the match has fallen back.

    Kept like one from a relay, so that a match which still waits is dealt with it. What stands never changes.
    Errors: DomainError BEACON_REFUSED, WRONG_PHASE.
    """
    dealer = publisher.dealer
    record = await dealer.load(match_id)
    with guarded():
        awaited = rules.awaited_round(record.match)
    if round != awaited:
        raise DomainError(Reason.BEACON_REFUSED, "the match has chosen another round", round=awaited)
    try:
        await dealer.beacons.take(record.chain, round, signature)
    except BeaconRefused as refused:
        raise DomainError(Reason.BEACON_REFUSED, f"the beacon does not hold: {refused.why}") from None
    receipt = sign_receipt(BeaconReceipt(match_id, round, signature, dealer.now_ms()), dealer.key_of(record))
    kept = await publisher.listing.keep_beacon_receipt(match_id, receipt)
    return kept, isinstance(record.match.answer, Fallback)


async def list_commitments(publisher: Publisher, page: Page, table_id: str) -> tuple[Sequence[Listed], str]:
    """A page of commitments with the token of the next one."""
    after = (-1, "") if page.after is None else (int(page.after[0]), str(page.after[1]))
    found = await publisher.listing.commitments(after, table_id, page.size + 1)
    return found[: page.size], next_token(page, [(each.leaf.opened_ms, each.leaf.match_id) for each in found])


async def list_roots(publisher: Publisher, page: Page) -> tuple[Sequence[SignedRoot], str]:
    """A page of daily roots with the token of the next one."""
    before = _DAY_AFTER_ALL if page.after is None else int(page.after[0])
    found = await publisher.listing.roots(before, page.size + 1)
    return found[: page.size], next_token(page, [(each.root.day,) for each in found])


async def inclusion_of(publisher: Publisher, match_id: str) -> bytes:
    """The inclusion file of a match. Errors: DomainError MATCH_NOT_FOUND, WRONG_PHASE before its day's root."""
    record = await publisher.dealer.load(match_id)
    leaf = Leaf(match_id, record.match.opened.commitment, record.match.opened_ms)
    signed = next(iter(await publisher.listing.roots(leaf.day + 1, 1)), None)
    if signed is None or signed.root.day != leaf.day:
        raise DomainError(Reason.WRONG_PHASE, "the root of this match's day is made after the day", day=leaf.day)
    hashes = await publisher.hashes_of(leaf.day)
    index = hashes.index(leaf_hashes((leaf,))[0])
    keys = dict(await publisher.dealer.public_keys())
    return write_inclusion(Inclusion(match_id, index, audit_path(hashes, index), signed, keys[signed.key_id]))


async def report_failure(publisher: Publisher, match_id: str, seat: int, report: Report) -> None:
    """Count what a client found wrong; sent again, it is counted once.

    Errors: DomainError RATE_LIMITED when its seat has reported before, REQUEST_ID_REUSED when it said something else.
    """
    record = await publisher.dealer.load(match_id)
    if seat >= len(record.match.opened.seats):
        raise DomainError(Reason.INVALID_ARGUMENT, "the match has no such seat")
    kept = await publisher.listing.keep_report(match_id, seat, report)
    if kept != report and kept.request_id == report.request_id:
        raise DomainError(Reason.REQUEST_ID_REUSED, "this request id was used for something else")
    if kept != report:
        raise DomainError(Reason.RATE_LIMITED, "one report for a player and match is counted")
    REPORTS.inc()
