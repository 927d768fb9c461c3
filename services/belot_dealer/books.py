"""What the dealer does by itself, over all matches: daily roots, abandoned matches, counts of packs, sealing again.

Every job may run in any number of replicas at once, and may be killed anywhere: each write is conditional.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import structlog

from belot_dealer import commands
from belot_dealer.dealer import Dealer, Record
from belot_dealer.listing_store import LastRoot, ListingStore
from belot_fair.bodies import Hand
from belot_fair.distribution import Tally, count_match, empty_tally
from belot_fair.listing import DAY_MS, NO_RECORD, DailyRoot, SignedRoot, leaf_hashes, sign_root
from belot_fair.merkle import root_of
from belot_fair.playlog import PlayLog, play_log_hash
from belot_fair.recipe import shuffle
from belot_kit.errors import DomainError

ROOT_GRACE_MS: Final = 600_000
"""A day's root is made so long after the day: by then no opening of that day can still be on its way to the store."""
BATCH: Final = 100
_MOST_DAYS: Final = 1_000
ABANDONED: Final = "abandoned"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Books:
    """What the jobs work with. A match that nobody ended is revealed as abandoned after `abandon_after_ms`."""

    dealer: Dealer
    listing: ListingStore
    abandon_after_ms: int


async def keep_books(books: Books, every_s: float) -> None:
    """All jobs now and then, for ever; one that fails is tried again with the next turn."""
    while True:
        for job in (make_roots, abandon_forgotten, seal_again, count_packs):
            try:
                await job(books)
            except DomainError as error:
                _log.warning("books_failed", job=job.__name__, reason=error.reason)
            except Exception as error:  # a job that fails must not end the dealer
                _log.error("books_failed", job=job.__name__, error=type(error).__name__, exc_info=error)
        await asyncio.sleep(every_s)


async def make_roots(books: Books) -> None:
    """A signed root for every UTC day that is over, days without a match included, from the first match on."""
    now_ms = await books.dealer.store.now_ms()
    for _ in range(_MOST_DAYS):
        last = await books.listing.last_root()
        day = _next_day(last)
        if day is None or now_ms < (day + 1) * DAY_MS + ROOT_GRACE_MS:
            return
        leaves = await books.listing.leaves(day * DAY_MS, (day + 1) * DAY_MS)
        previous = SignedRoot(last.octets, "", b"").record_hash if last.day is not None else NO_RECORD
        root = DailyRoot(day, len(leaves), root_of(leaf_hashes(leaves)), previous, now_ms)
        await books.listing.keep_root(day, sign_root(root, books.dealer.key))
        _log.info("daily_root", day=day, commitments=len(leaves))


def _next_day(last: LastRoot) -> int | None:
    if last.day is not None:
        return last.day + 1
    return None if last.first_ms is None else last.first_ms // DAY_MS


async def abandon_forgotten(books: Books) -> None:
    """Reveal matches that nobody ended in time, with an empty play log: no commitment stays closed for ever."""
    before = await books.dealer.store.now_ms() - books.abandon_after_ms
    for match_id in await books.listing.unrevealed(before, BATCH):
        try:
            await commands.reveal_match(books.dealer, match_id, play_log_hash(PlayLog(match_id, ())), ABANDONED)
        except DomainError as error:  # its table was quicker after all
            _log.info("not_abandoned", match_id=match_id, reason=error.reason)
        else:
            _log.warning("abandoned", match_id=match_id)


async def seal_again(books: Books) -> None:
    """Put seeds of running matches under the sealing key in use, so that older keys can be dropped."""
    seal = books.dealer.seal
    for match_id, old in await books.listing.sealed_otherwise(seal.current_id, BATCH):
        await books.listing.seal_again(match_id, old, seal.seal(match_id, seal.open(match_id, old)))


async def count_packs(books: Books) -> None:
    """Count the packs of matches that were revealed since the last turn, until none is left."""
    while True:
        # Read before the matches: a match that another replica counts after this makes the write come too late.
        stored = {tally.pack_size: (version, tally) for version, tally in await books.listing.tallies()}
        match_ids = await books.listing.uncounted(BATCH)
        records = [await books.dealer.load(match_id) for match_id in match_ids]
        for size in {record.match.opened.pack_size for record in records}:
            version, tally = stored.get(size, (0, empty_tally(size)))
            own = [record for record in records if record.match.opened.pack_size == size]
            counted = await asyncio.to_thread(_with_all, tally, own)
            if not await books.listing.keep_tally(version, counted, [record.match.match_id for record in own]):
                return  # another replica counts
        if len(match_ids) < BATCH:
            return


def _with_all(tally: Tally, records: Sequence[Record]) -> Tally:
    for record in records:
        tally = _with(tally, record)
    return tally


def _with(tally: Tally, record: Record) -> Tally:
    """The tally with one revealed match: its packs, and what seats got of them before anybody bid."""
    match, seed = record.match, record.seed.reveal()
    seats = range(len(match.opened.seats))
    packs: dict[int, tuple[int, ...]] = {}
    hands = []
    for event in record.decoded:
        if not isinstance(event.body, Hand) or event.body.stage:
            continue
        hand = event.body.hand
        packs[hand] = pack = shuffle(
            seed, hand, match.recipe_seeds, match.recipe_round, match.recipe_value, match.opened.pack_size
        )
        own = [[pack[position] for position, to in event.body.positions if to == seat] for seat in seats]
        hands += [cards for cards in own if cards]
    return count_match(tally, packs.values(), hands)
