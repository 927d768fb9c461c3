"""A table as a value: who sits where, where its match stands, and the words in which changes are told.

Pure: the time, random octets and everything other services answered are arguments of the functions that decide
(seating.py, course.py, clock.py). Times are unix milliseconds. What belongs to other services stays encoded here
(`bytes`), so that this service knows no rule of the game; hands are in it, hence the fields without a repr.
"""

from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum
from typing import Final

from belot_table.complaints import Reported
from belot_table.endings import Ending, Proposal, ProposalState

FIRST_DEALER: Final = 0


class Status(IntEnum):
    """Where a table stands; numbered as belot.table.v1.TableStatus."""

    WAITING = 1
    OPENING = 2
    SEEDING = 3
    DRAWING = 4
    PLAYING = 5
    FINISHED = 6
    CLOSED = 7


BEFORE_PLAY: Final = frozenset({Status.OPENING, Status.SEEDING, Status.DRAWING})


class Actor(IntEnum):
    """Who decides at a seat; numbered as belot.common.v1.ActorKind."""

    NOBODY = 0
    PERSON = 1
    BOT = 2
    AUTOMATIC = 3


class Refused(Exception):  # noqa: N818 - a refusal is an answer, not an accident
    """The table refuses: `reason` is a belot.common.v1.ErrorReason without prefix, `facts` become its metadata."""

    def __init__(self, reason: str, message: str, **facts: str | int) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.facts = facts


@dataclass(frozen=True, slots=True)
class RulesetRef:
    """Names one ruleset value; `hash` is lower-case hex SHA-256 of its canonical JSON."""

    name: str
    version: int
    hash: str


@dataclass(frozen=True, slots=True)
class Options:
    """How a table plays; `ruleset_options` are (name, value) in the order of names.

    `reserved_for` says by seat who alone may sit there; without an entry, or with an empty one, anybody may. A match is
    undecided no longer than `ends_by_ms`; 0: there is no limit.
    """

    ruleset: str
    seats: int = 4
    pack_size: int = 32
    ruleset_options: tuple[tuple[str, str], ...] = ()
    private: bool = False
    bid_ms: int = 15_000
    card_ms: int = 20_000
    reserve_ms: int = 60_000
    seed_ms: int = 10_000
    bot_delay_ms: int = 0
    rated: bool = False
    reserved_for: tuple[str, ...] = ()
    waiting_ms: int = 30 * 60_000
    no_spectators: bool = False
    spectator_delay_ms: int = 0
    ends_by_ms: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat. `participant` is 16 octets from OPENING on: the proof knows the seat by them alone.

    A BOT with a `player_id` stands in for that person, who may come back at any time. `disconnected` says that the
    person's connection has been away for longer than the grace.
    """

    seat: int
    kind: Actor = Actor.NOBODY
    player_id: str = ""
    display_name: str = ""
    bot_level: str = ""
    ready: bool = False
    participant: bytes = b""
    disconnected: bool = False

    @property
    def stood_in(self) -> bool:
        """Whether a bot holds the seat for its person."""
        return self.kind is Actor.BOT and bool(self.player_id)


class Fallback(IntEnum):
    """Why normal decided in a bot's place; numbered as belot.bot.v1.Fallback."""

    DEADLINE = 1
    PROCESS = 2


@dataclass(frozen=True, slots=True)
class Stint:
    """From a hand and trick on, who decides at a seat; `late` and `lost` count what normal decided in a bot's place."""

    seat: int
    actor: Actor
    bot_level: str
    from_hand: int = 0
    from_trick: int = 0
    late: int = 0
    lost: int = 0


class Await(Enum):
    """What a match waits for."""

    NOTHING = "nothing"
    TURN = "turn"
    CARDS = "cards"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Next:
    """What a match waits for now.

    `body` is encoded: LegalActions for TURN (then `seat` is to act, and `bidding` says which clock runs), CardNeed for
    CARDS, MatchResult for FINISHED.
    """

    kind: Await = Await.NOTHING
    seat: int = 0
    bidding: bool = False
    body: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Clock:
    """The present turn: when it began, when the reserve begins to run, when both are over. `reserves_ms` by seat."""

    started_ms: int = 0
    reserve_from_ms: int = 0
    due_ms: int = 0
    reserves_ms: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Fairness:
    """What the table itself needs of the fair deal; signed events and receipts are in the log."""

    commitment: bytes = b""
    seed_deadline_ms: int = 0
    seeded: tuple[int, ...] = ()
    round_due_ms: int = 0
    server_seed: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class Match:
    """The match of a table, from OPENING on.

    `state` is an encoded MatchState, empty before play; `hand` and `trick` count within it from 0. `stints` begin with
    one for every seat: who sat there when the match was opened. `bot_seeds` are by seat, for `bot_seeds_hand`.
    `passed_out` counts the hands in a row that nobody took. `missed` are the turns in a row that each seat's person
    missed (empty: none), `asked` and `asked_claim` the seats that proposed a draw and a claim in this hand, `decided`
    those whose person has bid or played for himself. `ended_early` is set when something else than the rules ended
    the match.
    """

    match_id: str
    stints: tuple[Stint, ...]
    fairness: Fairness = Fairness()
    state: bytes = field(default=b"", repr=False)
    next: Next = Next()
    hand: int = 0
    trick: int = 0
    clock: Clock = Clock()
    bot_seeds: tuple[tuple[int, bytes], ...] = field(default=(), repr=False)
    bot_seeds_hand: int = 0
    card_points: tuple[int, ...] = ()
    leavers: tuple[str, ...] = ()
    passed_out: int = 0
    missed: tuple[int, ...] = ()
    proposal: Proposal | None = None
    asked: tuple[int, ...] = ()
    asked_claim: tuple[int, ...] = ()
    decided: tuple[int, ...] = ()
    ended_early: Ending | None = None
    started_ms: int = 0
    ended_ms: int = 0


@dataclass(frozen=True, slots=True)
class Table:
    """The whole current state. `version` counts commits from 1, `sequence` events; `sides` is the side of each seat.

    `invitation_code` leads to a private table. `mutes` are players with those whom they do not hear. A table is
    `halted` while a deal of it does not add up. Since `still_since_ms` no seat and no readiness of a waiting table has
    changed, or nothing was tried at a halted one.
    """

    table_id: str
    version: int
    sequence: int
    status: Status
    options: Options
    ruleset: RulesetRef
    ruleset_json: str = field(repr=False)
    sides: tuple[int, ...]
    seats: tuple[Seat, ...]
    created_ms: int
    match: Match | None = None
    invitation_code: str = field(default="", repr=False)
    maker: str = ""
    mutes: tuple[tuple[str, str], ...] = ()
    halted: bool = False
    still_since_ms: int = 0

    @property
    def running(self) -> Match:
        """The match. Errors: Refused WRONG_PHASE when there is none yet."""
        if self.match is None:
            raise Refused("WRONG_PHASE", "the match has not begun")
        return self.match


@dataclass(frozen=True, slots=True)
class SeatChanged:
    """A seat was taken, or its readiness changed."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatLeft:
    """A person left a seat."""

    seat: int
    player_id: str


@dataclass(frozen=True, slots=True)
class StatusChanged:
    """The table's status changed."""

    status: Status


@dataclass(frozen=True, slots=True)
class TurnStarted:
    """A seat is to act; `legal` is an encoded LegalActions for its eyes, empty when nobody there looks."""

    seat: int
    due_ms: int
    reserve_from_ms: int
    legal: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class DecisionTaken:
    """Somebody other than the person of the seat took the decision that follows; `policy` names a bot's."""

    seat: int
    actor: Actor
    policy: str = ""


@dataclass(frozen=True, slots=True)
class SeatTakenOver:
    """A bot goes on for the person of a seat, which stays his."""

    seat: Seat
    missed: int


@dataclass(frozen=True, slots=True)
class SeatReturned:
    """The person of a seat decides again."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class SeatPresence:
    """A person's connection is away for longer than the grace, or back."""

    seat: int
    connected: bool


@dataclass(frozen=True, slots=True)
class ProposalChanged:
    """A proposal was made, answered or has lapsed."""

    proposal: Proposal
    state: ProposalState


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """A table for the same people is there."""

    table_id: str
    player_id: str


@dataclass(frozen=True, slots=True)
class MatchOver:
    """The match has its result and its record is complete."""


@dataclass(frozen=True, slots=True)
class Told:
    """An event in words: encoded TableEvent fields for all but the seats `hidden_from`, more of them for one seat."""

    kind: str
    body: bytes = field(repr=False)
    only_seat: int | None = None
    seat_body: bytes = field(default=b"", repr=False)
    hidden_from: tuple[int, ...] = ()


Happening = (
    SeatChanged
    | SeatLeft
    | SeatTakenOver
    | SeatReturned
    | SeatPresence
    | StatusChanged
    | TurnStarted
    | DecisionTaken
    | ProposalChanged
    | RematchOpened
    | MatchOver
    | Reported
    | Told
)


@dataclass(frozen=True, slots=True)
class Step:
    """A decision: the table after it (version and sequence counted on) and what happened. No events: nothing to do."""

    table: Table
    events: tuple[Happening, ...]


def step(before: Table, after: Table, *events: Happening) -> Step:
    """The step from `before` to `after`, with version and sequence counted on."""
    numbered = replace(after, version=before.version + 1, sequence=before.sequence + len(events))
    return Step(numbered, events)


def unchanged(table: Table) -> Step:
    """Nothing is to be done."""
    return Step(table, ())


def bound_stints(table: Table) -> tuple[Stint, ...]:
    """Who sat at each seat when the match was opened, in seat order."""
    return table.running.stints[: len(table.seats)]


def seat_of(table: Table, player_id: str) -> Seat | None:
    """The seat of a player, also while a bot stands in for him; None for a spectator."""
    return next((each for each in table.seats if player_id and each.player_id == player_id), None)


def own_seat(table: Table, player_id: str) -> Seat:
    """The seat of a player. Errors: Refused NOT_SEATED."""
    seat = seat_of(table, player_id)
    if seat is None:
        raise Refused("NOT_SEATED", "you have no seat at this table")
    return seat


def with_seat(table: Table, seat: Seat) -> Table:
    """The table with one seat replaced."""
    return replace(table, seats=(*table.seats[: seat.seat], seat, *table.seats[seat.seat + 1 :]))


def persons(table: Table) -> tuple[str, ...]:
    """The players who sit there, in seat order; those for whom a bot stands in are among them."""
    return tuple(each.player_id for each in table.seats if each.player_id)
