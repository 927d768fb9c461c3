"""What the dealer does, one function a use case: decide on what is stored, write under a guard, then answer.

Any replica may run any step at any time. A write that comes too late changes nothing, and the step is decided anew on
what was stored meanwhile. So a step asked for twice, or by two replicas at once, has one outcome and one answer.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import structlog

from belot_dealer import match as rules
from belot_dealer.beacons import Beacons
from belot_dealer.dealer import Dealer, Record, guarded
from belot_dealer.match import Decision, Opening, Phase, Repeated
from belot_dealer.metrics import LOST_RACES, STEPS
from belot_dealer.store import PRIVATE, Place, SentSeed
from belot_fair.bodies import OUT_OF_PLAY, SHOWN_TO_ALL, Beacon, Fallback, Hand, Kind
from belot_fair.drand import Chain, time_of
from belot_fair.keys import Secret
from belot_fair.receipts import HandReceipt, SeedReceipt, SignedReceipt, sign_receipt
from belot_fair.recipe import SERVER_SEED_LENGTH, bot_seed, commitment, shuffle
from belot_fair.transcript import Event, SignedEvent, sign
from belot_kit.errors import DomainError, Reason
from belot_kit.failpoints import failpoint

TRIES: Final = 5
WRITTEN: Final = "dealer_written"
"""The place in every step between the write and the answer; each step has two of its own as well, see `places_of`."""

_log = structlog.get_logger(__name__)


def places_of(step: str) -> tuple[str, str]:
    """The failpoints of a step: decided and not written yet, written and not answered yet.

    Steps are `open`, `seed`, `close`, and by what they write `beacon`, `fallback`, `hand`, `revealed`.
    """
    return f"dealer_{step}_decided", f"dealer_{step}_written"


def _decided(step: str) -> None:
    failpoint(places_of(step)[0])


def _written(step: str) -> None:
    failpoint(WRITTEN)
    failpoint(places_of(step)[1])


@dataclass(frozen=True, slots=True)
class Opened:
    """OPENED with what a client needs to check it: (key id, public key) of every key, the current one first."""

    event: SignedEvent
    commitment: bytes
    seed_deadline_ms: int
    chain: Chain
    keys: tuple[tuple[str, bytes], ...]


@dataclass(frozen=True, slots=True)
class SeedTaken:
    """The player's receipt, and whether every person has sent."""

    receipt: SignedReceipt
    complete: bool


@dataclass(frozen=True, slots=True)
class SeedsClosed:
    """SEEDS and ROUND_CHOSEN; seeds by seat, empty where none came; the round is due at `round_due_ms`."""

    events: tuple[SignedEvent, ...]
    seeds: tuple[bytes, ...] = field(repr=False)
    round: int
    round_due_ms: int


@dataclass(frozen=True, slots=True)
class BeaconFixed:
    """BEACON or FALLBACK; after a fallback round 0, no signature, and 32 zeros."""

    event: SignedEvent
    round: int
    signature: bytes
    value: bytes


@dataclass(frozen=True, slots=True)
class CardsReleased:
    """HAND with its cards.

    `cards` are (position, card number), `receipts` (seat, receipt) for seats that got cards, `bot_seeds` by seat.
    """

    event: SignedEvent
    cards: tuple[tuple[int, int], ...] = field(repr=False)
    receipts: tuple[tuple[int, SignedReceipt], ...] = field(repr=False)
    bot_seeds: tuple[bytes, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class MatchRevealed:
    """REVEALED with the server seed, public from now on."""

    event: SignedEvent
    server_seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Transcript:
    """A transcript so far, its chain, and the keys that signed it."""

    events: tuple[SignedEvent, ...]
    chain: Chain
    keys: tuple[tuple[str, bytes], ...]


async def open_match(dealer: Dealer, opening: Opening, place: Place = PRIVATE) -> Opened:
    """Bind the match and draw its server seed; the one stored first stands, with its commitment."""
    chain, now_ms = dealer.chain, await dealer.store.now_ms()
    seed = Secret(dealer.random(SERVER_SEED_LENGTH))
    event = sign(rules.decide_open(opening, commitment(seed.reveal()), chain, now_ms), dealer.key)
    sealed = dealer.seal.seal(opening.match_id, seed)
    _decided("open")
    if await dealer.store.create(opening.match_id, chain.chain_hash, sealed, len(opening.seats), event, place):
        _written("open")
        STEPS.labels("opened").inc()
    record = await dealer.load(opening.match_id)
    with guarded():
        rules.check_same_opening(record.match, opening)
    opened = record.match.opened
    keys = await dealer.public_keys()
    return Opened(record.events[0], opened.commitment, opened.seed_deadline_ms, record.chain, keys)


async def submit_seed(dealer: Dealer, match_id: str, seat: int, seed: bytes) -> SeedTaken:
    """Take a player's seed; the first of a seat stands, and the same again gives the same receipt.

    The deadline was set by the database's clock and is judged by it: one clock for all replicas.
    """
    for _ in range(TRIES):
        record = await dealer.load(match_id)
        sent = record.sent[seat] if seat < len(record.sent) else None
        with guarded():
            due = rules.check_seed(record.match, seat, sent.seed if sent else None, seed, record.now_ms)
        if sent is not None and not due:
            complete = rules.seeds_complete(record.match.opened, record.seeds)
            receipt = SeedReceipt(match_id, seat, seed, record.match.opened.commitment, sent.at_ms)
            return SeedTaken(sign_receipt(receipt, dealer.key_of(record)), complete)
        # Answered from what is stored, by the next turn: also when another write was quicker.
        _decided("seed")
        await dealer.store.take_seed(match_id, seat, SentSeed(seed, record.now_ms))
        _written("seed")
    raise _conflict()


async def close_seeds(dealer: Dealer, match_id: str) -> SeedsClosed:
    """Show all seeds together and choose the round, in one transaction, once all came or their time is over.

    Whether the deadline has passed is the database's to say. The close time is the later of its clock and ours: if one
    of them is slow, the other keeps the round from being one that is due already.
    """
    for _ in range(TRIES):
        record = await dealer.load(match_id)
        highest = record.highest_round
        if record.chain.chain_hash == dealer.chain.chain_hash:
            highest = max(highest, dealer.beacons.highest)
        with guarded():
            decision = rules.decide_close(
                record.match, record.seeds, record.chain, highest, record.now_ms, dealer.now_ms()
            )
        if isinstance(decision, Repeated):
            return _closed(dealer.beacons, record)
        events = tuple(sign(event, dealer.key_of(record)) for event in decision)
        _decided("close")
        if await dealer.store.close_seeds(match_id, record.sent, highest, events):
            _written("close")
            STEPS.labels("seeds").inc()
            return _closed(dealer.beacons, dealer.follow(record, decision, events))
        LOST_RACES.inc()
    raise _conflict()


def _closed(beacons: Beacons, record: Record) -> SeedsClosed:
    chosen = record.match.chosen
    round = chosen.round if chosen else 0
    if record.match.answer is None and record.match.phase is Phase.BEACON:
        beacons.prepare(record.chain, round)
    due = time_of(record.chain, round)
    return SeedsClosed(record.events[1:3], record.match.recipe_seeds, round, due)


async def fix_beacon(dealer: Dealer, match_id: str) -> BeaconFixed:
    """Wait for the round's beacon and fix it, or the fallback once its time is up; what is stored first stands.

    Errors: DomainError BEACON_NOT_READY when the caller's deadline comes before the decision.
    """
    record = await dealer.load(match_id)
    with guarded():
        round = rules.awaited_round(record.match)
    found = None
    if record.match.answer is None:
        found = await dealer.beacons.settle(record.chain, round)

    def decide(current: Record) -> Decision:
        signature, value = (None, b"") if found is None else (found.signature, found.value)
        return rules.decide_answer(current.match, current.chain, signature, value, dealer.now_ms())

    record, event, _ = await _step(dealer, match_id, decide, record)
    answer = record.match.answer
    signature = answer.signature if isinstance(answer, Beacon) else b""
    return BeaconFixed(event, record.match.recipe_round, signature, record.match.recipe_value)


async def release_cards(dealer: Dealer, match_id: str, asked: Hand) -> CardsReleased:
    """Give out the cards at these positions of this hand's pack, each to its one destination, and record it."""

    def decide(current: Record) -> Decision:
        return rules.decide_hand(current.match, asked, current.decoded, dealer.now_ms())

    record, event, time_ms = await _step(dealer, match_id, decide, dealer.recall(match_id))
    match, seed = record.match, record.seed.reveal()
    pack = shuffle(seed, asked.hand, match.recipe_seeds, match.recipe_round, match.recipe_value, match.opened.pack_size)
    cards = tuple((position, pack[position]) for position, _ in asked.positions)
    key = dealer.key_of(record)
    receipts = tuple(
        (seat, sign_receipt(HandReceipt(match_id, asked.hand, asked.stage, seat, own, time_ms), key))
        for seat, own in _by_seat(asked, pack)
    )
    seeds = tuple(bot_seed(seed, match_id, seat, asked.hand) for seat in range(len(match.opened.seats)))
    return CardsReleased(event, cards, receipts, seeds)


def _by_seat(asked: Hand, pack: tuple[int, ...]) -> list[tuple[int, tuple[tuple[int, int], ...]]]:
    own: dict[int, list[tuple[int, int]]] = {}
    for position, to in asked.positions:
        if to not in {SHOWN_TO_ALL, OUT_OF_PLAY}:
            own.setdefault(to, []).append((position, pack[position]))
    return [(seat, tuple(cards)) for seat, cards in sorted(own.items())]


async def reveal_match(dealer: Dealer, match_id: str, play_log_hash: bytes, ending: str) -> MatchRevealed:
    """End the match: the server seed becomes public, bound together with the hash of what was played."""

    def decide(current: Record) -> Decision:
        return rules.decide_reveal(current.match, current.seed, play_log_hash, ending, dealer.now_ms())

    record, event, _ = await _step(dealer, match_id, decide, dealer.recall(match_id))
    return MatchRevealed(event, record.seed.reveal())


async def get_transcript(dealer: Dealer, match_id: str) -> Transcript:
    """The transcript as stored."""
    record = await dealer.load(match_id)
    signed = {event.key_id for event in record.events}
    keys = tuple(key for key in await dealer.public_keys() if key[0] in signed)
    return Transcript(record.events, record.chain, keys)


async def _step(
    dealer: Dealer, match_id: str, decide: Callable[[Record], Decision], record: Record | None
) -> tuple[Record, SignedEvent, int]:
    """Take a step of one event: the match after it, the event as signed, and its time.

    `record` may be an old one: what it refuses, or what is not written on top of it, is decided anew on what is stored.
    """
    fresh = record is None
    record = record or await dealer.load(match_id)
    for _ in range(TRIES):
        try:
            decision = decide(record)
        except rules.Refused:
            if fresh:
                with guarded():
                    raise
        else:
            if isinstance(decision, Repeated):
                signed = record.events[decision.sequence]
                return record, signed, record.decoded[decision.sequence].time_ms
            (event,) = decision
            signed, step = sign(event, dealer.key_of(record)), Kind(event.kind).name.lower()
            _decided(step)
            if await dealer.store.append(match_id, record.match.version, (signed,)):
                _written(step)
                _count(event)
                return dealer.follow(record, decision, (signed,)), signed, event.time_ms
            LOST_RACES.inc()
        record, fresh = await dealer.load(match_id), True
    raise _conflict()


def _count(event: Event) -> None:
    STEPS.labels(Kind(event.kind).name.lower()).inc()
    if isinstance(event.body, Fallback):
        _log.warning("fallback", match_id=event.match_id, round=event.body.round)


def _conflict() -> DomainError:
    """After five lost races."""
    return DomainError(Reason.CONFLICT, "other writers were quicker too often")
