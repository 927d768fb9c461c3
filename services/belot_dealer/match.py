"""The life of a match at the dealer, pure: what its transcript says, and which step may come next.

OPENED -> SEEDS + ROUND_CHOSEN -> BEACON | FALLBACK -> HAND 0, 1, ... -> REVEALED. The state is a fold over the
transcript's events. Every `decide` function returns the events of its step, `Repeated` when the same step with the same
content stands in the transcript already, or raises `Refused`. Times are unix milliseconds and passed in.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from belot_fair.bodies import (
    OUT_OF_PLAY,
    SHOWN_TO_ALL,
    Beacon,
    Body,
    Fallback,
    Hand,
    Opened,
    Revealed,
    RoundChosen,
    Seat,
    SeatKind,
    SeatSeed,
    Seeds,
    SeedState,
)
from belot_fair.drand import FALLBACK_AFTER_MS, Chain, time_of
from belot_fair.keys import Secret
from belot_fair.recipe import NO_VALUE, RECIPE
from belot_fair.transcript import Event, close_seeds, first_event, next_event

ENDINGS = ("finished", "abandoned", "cancelled")


class Phase(Enum):
    """What a match waits for."""

    SEEDS = auto()
    BEACON = auto()
    CARDS = auto()
    NOTHING = auto()


class Why(Enum):
    """Why a step is refused; each name is one of the reasons in belot.common.v1."""

    WRONG_PHASE = auto()
    REQUEST_ID_REUSED = auto()
    SEED_INVALID = auto()
    SEED_ALREADY_SENT = auto()
    SEEDS_CLOSED = auto()
    HAND_NOT_ENTITLED = auto()
    INVALID_ARGUMENT = auto()


class Refused(Exception):  # noqa: N818 - the domain says refused
    """A step that may not be taken: why, and one sentence for a developer that holds no secret."""

    def __init__(self, why: Why, message: str) -> None:
        super().__init__(message)
        self.why = why
        self.message = message


@dataclass(frozen=True, slots=True)
class Opening:
    """What a caller binds: seats in table order with their sides, ruleset, pack, and the time for seeds (ms)."""

    match_id: str
    seats: tuple[Seat, ...]
    sides: tuple[int, ...]
    first_dealer: int
    ruleset_name: str
    ruleset_version: int
    ruleset_hash: bytes
    ruleset_json: bytes
    pack_size: int
    seed_timeout_ms: int


@dataclass(frozen=True, slots=True)
class Match:
    """A match as its transcript tells it; `last` is the newest event, whose hash the next one names.

    `seeds` and `chosen` are there once seeds closed, `answer` once the beacon is fixed, `given` are the cards that left
    the dealer in hand `hand` up to `stage` (-1 before the first).
    """

    opened: Opened
    opened_ms: int
    last: Event
    phase: Phase = Phase.SEEDS
    seeds: tuple[SeatSeed, ...] = field(default=(), repr=False)
    chosen: RoundChosen | None = None
    answer: Beacon | Fallback | None = None
    hand: int = -1
    stage: int = -1
    given: tuple[tuple[int, int], ...] = ()

    @property
    def match_id(self) -> str:
        """The match's id."""
        return self.last.match_id

    @property
    def version(self) -> int:
        """How many events the transcript has."""
        return self.last.sequence + 1

    @property
    def recipe_seeds(self) -> tuple[bytes, ...]:
        """The players' seeds in seat order as the recipe takes them, empty where none came."""
        return tuple(each.seed for each in self.seeds)

    @property
    def recipe_round(self) -> int:
        """The round that the recipe takes: 0 after a fallback."""
        return self.answer.round if isinstance(self.answer, Beacon) else 0

    @property
    def recipe_value(self) -> bytes:
        """The value that the recipe takes: zeros after a fallback."""
        return self.answer.value if isinstance(self.answer, Beacon) else NO_VALUE


@dataclass(frozen=True, slots=True)
class Repeated:
    """The step was taken before with this very content: its events begin at this sequence."""

    sequence: int


Decision = tuple[Event, ...] | Repeated


def replay(events: Sequence[Event]) -> Match:
    """The match that a transcript tells; `events` start with OPENED and follow each other."""
    first, *others = events
    if not isinstance(first.body, Opened):
        raise ValueError("a transcript starts with OPENED")
    match = Match(opened=first.body, opened_ms=first.time_ms, last=first)
    for event in others:
        match = follow(match, event)
    return match


def follow(match: Match, event: Event) -> Match:
    """The match after one more event."""
    match = replace(match, last=event)
    body: Body = event.body
    if isinstance(body, Seeds):
        return replace(match, seeds=body.seats)
    if isinstance(body, RoundChosen):
        return replace(match, chosen=body, phase=Phase.BEACON)
    if isinstance(body, Beacon | Fallback):
        return replace(match, answer=body, phase=Phase.CARDS)
    if isinstance(body, Hand):
        before = match.given if body.hand == match.hand else ()
        return replace(match, hand=body.hand, stage=body.stage, given=before + body.positions)
    if isinstance(body, Revealed):
        return replace(match, phase=Phase.NOTHING)
    return match


def decide_open(opening: Opening, commitment: bytes, chain: Chain, now_ms: int) -> Event:
    """OPENED; the deadline for seeds counts from `now_ms`."""
    opened = Opened(
        recipe=RECIPE,
        commitment=commitment,
        seats=opening.seats,
        sides=opening.sides,
        first_dealer=opening.first_dealer,
        ruleset_name=opening.ruleset_name,
        ruleset_version=opening.ruleset_version,
        ruleset_hash=opening.ruleset_hash,
        ruleset_json=opening.ruleset_json,
        pack_size=opening.pack_size,
        chain_hash=chain.chain_hash,
        chain_name=chain.beacon_id,
        seed_deadline_ms=now_ms + opening.seed_timeout_ms,
    )
    return first_event(opening.match_id, opened, now_ms)


def check_same_opening(match: Match, opening: Opening) -> None:
    """Refuse an opening that binds other content than the one in force under its match id."""
    was = match.opened
    same = Opening(
        match_id=match.match_id,
        seats=was.seats,
        sides=was.sides,
        first_dealer=was.first_dealer,
        ruleset_name=was.ruleset_name,
        ruleset_version=was.ruleset_version,
        ruleset_hash=was.ruleset_hash,
        ruleset_json=was.ruleset_json,
        pack_size=was.pack_size,
        seed_timeout_ms=was.seed_deadline_ms - match.opened_ms,
    )
    if same != opening:
        raise Refused(Why.REQUEST_ID_REUSED, "this match was opened with other content")


def check_seed(match: Match, seat: int, sent: bytes | None, seed: bytes, now_ms: int) -> bool:
    """Whether the seed is to be stored now; False when this very seed of the seat is stored already.

    `sent` is what the seat sent before. A person's seat alone has a seed; after the deadline none is taken any more.
    """
    if seat >= len(match.opened.seats):
        raise Refused(Why.INVALID_ARGUMENT, "the match has no such seat")
    if match.opened.seats[seat].kind is SeatKind.BOT:
        raise Refused(Why.SEED_INVALID, "a bot's seat sends no seed")
    if sent == seed:
        return False
    if sent is not None:
        raise Refused(Why.SEED_ALREADY_SENT, "this seat has sent another seed; the first one stands")
    if match.phase is not Phase.SEEDS or now_ms > match.opened.seed_deadline_ms:
        raise Refused(Why.SEEDS_CLOSED, "the time for seeds is over")
    return True


def seeds_complete(opened: Opened, sent: Sequence[bytes | None]) -> bool:
    """Whether every person has sent a seed; true at once where only bots sit."""
    return all(seed is not None or seat.kind is SeatKind.BOT for seat, seed in zip(opened.seats, sent, strict=True))


def decide_close(
    match: Match, sent: Sequence[bytes | None], chain: Chain, highest: int, now_ms: int, other_clock_ms: int = 0
) -> Decision:
    """SEEDS and ROUND_CHOSEN once every person has sent or, by `now_ms`, the deadline has passed.

    The close time is the later of both clocks, so that one slow clock picks no round that is due already; `highest`,
    the highest round that was ever verified, sees to it when both are slow.
    """
    if match.chosen is not None:
        return Repeated(1)
    if match.phase is Phase.NOTHING:
        raise Refused(Why.WRONG_PHASE, "the match is over")
    if not seeds_complete(match.opened, sent) and now_ms < match.opened.seed_deadline_ms:
        raise Refused(Why.WRONG_PHASE, "seeds are still awaited")
    entries = tuple(_entry(seat, seed) for seat, seed in zip(match.opened.seats, sent, strict=True))
    return close_seeds(match.last, Seeds(entries), chain, highest, max(now_ms, other_clock_ms))


def _entry(seat: Seat, seed: bytes | None) -> SeatSeed:
    if seat.kind is SeatKind.BOT:
        return SeatSeed(SeedState.BOT)
    return SeatSeed(SeedState.MISSED) if seed is None else SeatSeed(SeedState.GIVEN, seed)


def awaited_round(match: Match) -> int:
    """The round of the match; refused before it was chosen, and when the match has ended without its value."""
    if match.chosen is None or (match.phase is Phase.NOTHING and match.answer is None):
        raise Refused(Why.WRONG_PHASE, "no round is awaited")
    return match.chosen.round


def decide_answer(match: Match, chain: Chain, signature: bytes | None, value: bytes, now_ms: int) -> Decision:
    """BEACON with a verified signature, or FALLBACK without one, whichever is decided first; it stands for ever.

    A verified signature proves that its round was due, whatever the clock says. The caller asks for a fallback only
    after the beacon's time is up.
    """
    round = awaited_round(match)
    if match.answer is not None:
        return Repeated(3)
    due = time_of(chain, round)
    if signature is not None:
        return (next_event(match.last, Beacon(round, signature, value), max(now_ms, due)),)
    if now_ms < due + FALLBACK_AFTER_MS:
        raise Refused(Why.WRONG_PHASE, "the beacon may still come")
    return (next_event(match.last, Fallback(round), now_ms),)


def decide_hand(match: Match, asked: Hand, events: Sequence[Event], now_ms: int) -> Decision:
    """HAND: positions that leave the dealer now, each to one destination and once in its hand.

    Hands count from 0 without gaps, and stages within a hand too. `events` is the whole transcript, to find a stage
    that was released before.
    """
    if match.phase is Phase.NOTHING:
        raise Refused(Why.HAND_NOT_ENTITLED, "the match is over")
    if match.answer is None:
        raise Refused(Why.WRONG_PHASE, "the beacon is not fixed yet")
    for event in events:
        if isinstance(event.body, Hand) and (event.body.hand, event.body.stage) == (asked.hand, asked.stage):
            if event.body != asked:
                raise Refused(Why.REQUEST_ID_REUSED, "other positions were released at this stage of this hand")
            return Repeated(event.sequence)
    _check_positions(match, asked)
    if (asked.hand, asked.stage) not in {(match.hand, match.stage + 1), (match.hand + 1, 0)} or asked.hand < 0:
        raise Refused(Why.HAND_NOT_ENTITLED, "hands and stages follow each other without gaps")
    given = {position for position, _ in match.given} if asked.hand == match.hand else set()
    if any(position in given for position, _ in asked.positions):
        raise Refused(Why.HAND_NOT_ENTITLED, "a position of this hand was released before")
    return (next_event(match.last, asked, now_ms),)


def _check_positions(match: Match, asked: Hand) -> None:
    positions = [position for position, _ in asked.positions]
    if not positions or positions != sorted(set(positions)):
        raise Refused(Why.INVALID_ARGUMENT, "positions are some, each once, in ascending order")
    if positions[-1] >= match.opened.pack_size:
        raise Refused(Why.INVALID_ARGUMENT, "the pack has no such position")
    seats = {*range(len(match.opened.seats)), SHOWN_TO_ALL, OUT_OF_PLAY}
    if any(to not in seats for _, to in asked.positions):
        raise Refused(Why.INVALID_ARGUMENT, "the match has no such seat")


def decide_reveal(match: Match, seed: Secret, play_log_hash: bytes, ending: str, now_ms: int) -> Decision:
    """REVEALED, possible at any time and only once: the server seed, and the hash of what was played."""
    revealed = Revealed(seed.reveal(), play_log_hash, ending)
    if isinstance(match.last.body, Revealed):
        if match.last.body != revealed:
            raise Refused(Why.REQUEST_ID_REUSED, "the match has ended with another play log or another ending")
        return Repeated(match.last.sequence)
    return (next_event(match.last, revealed, now_ms),)
