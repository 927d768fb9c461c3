"""A table as this client knows it: frozen values, made from a snapshot (snapshot.py) and kept up by events (fold.py).

Seats and sides count from 0, times are unix milliseconds, cards and suits are texts (cards.py).
"""

from dataclasses import dataclass, field
from enum import StrEnum

from belot_client.cards import Card, Suit
from belot_fair.receipts import SignedReceipt
from belot_fair.transcript import SignedEvent


class Status(StrEnum):
    """Where a table stands."""

    UNKNOWN = "unknown"
    WAITING = "waiting"
    OPENING = "opening"
    SEEDING = "seeding"
    DRAWING = "drawing"
    PLAYING = "playing"
    FINISHED = "finished"
    CLOSED = "closed"


class Actor(StrEnum):
    """Who decides at a seat."""

    NOBODY = "nobody"
    PERSON = "person"
    BOT = "bot"
    AUTOMATIC = "automatic"


class Phase(StrEnum):
    """Where a match stands."""

    UNKNOWN = "unknown"
    AWAITING_CARDS = "awaiting_cards"
    BIDDING = "bidding"
    PLAYING = "playing"
    FINISHED = "finished"


class ReportReason(StrEnum):
    """Why a message is reported."""

    ABUSE = "abuse"
    SPAM = "spam"
    CHEATING = "cheating"
    OTHER = "other"


class BidKind(StrEnum):
    """What a bid says."""

    UNKNOWN = "unknown"
    PASS = "pass"  # noqa: S105 - no secret, a bid
    ACCEPT = "accept"
    CHOOSE = "choose"


@dataclass(frozen=True, slots=True)
class Options:
    """How a table plays. Times in milliseconds; 0: the server's default, or none.

    `no_spectators` and `spectator_delay_ms` are about those who do not sit there; a match that is undecided at
    `ends_by_ms` (unix time) is lost by both sides.
    """

    ruleset: str
    seats: int = 4
    pack_size: int = 32
    ruleset_options: tuple[tuple[str, str], ...] = ()
    private: bool = False
    bid_ms: int = 0
    card_ms: int = 0
    reserve_ms: int = 0
    seed_ms: int = 0
    bot_delay_ms: int = 0
    rated: bool = False
    reserved_for: tuple[str, ...] = ()
    waiting_ms: int = 0
    no_spectators: bool = False
    spectator_delay_ms: int = 0
    ends_by_ms: int = 0


@dataclass(frozen=True, slots=True)
class Seat:
    """One seat; `participant` (hex) names it in the proof file.

    A bot with a `player_id` stands in for that person until he comes back. `disconnected`: his connection is away.
    """

    seat: int
    actor: Actor = Actor.NOBODY
    player_id: str = ""
    display_name: str = ""
    bot_level: str = ""
    ready: bool = False
    participant: str = ""
    disconnected: bool = False

    @property
    def stood_in(self) -> bool:
        """Whether a bot holds the seat for its person."""
        return self.actor is Actor.BOT and bool(self.player_id)


@dataclass(frozen=True, slots=True)
class Legal:
    """What this client's player may do now; exactly this is accepted."""

    cards: tuple[Card, ...] = ()
    may_pass: bool = False
    may_accept: bool = False
    suits: tuple[Suit, ...] = ()


@dataclass(frozen=True, slots=True)
class Turn:
    """Whose turn it is, when the reserve begins to run and when all time is over; `legal` when it is ours."""

    seat: int
    due_ms: int
    reserve_from_ms: int
    legal: Legal | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Bid:
    """A word of the auction."""

    seat: int
    kind: BidKind
    suit: Suit | None = None


@dataclass(frozen=True, slots=True)
class Trick:
    """A trick, complete once `winner` is set; `points` without those for the last trick."""

    leader: int
    cards: tuple[Card, ...]
    winner: int | None = None
    points: int = 0


@dataclass(frozen=True, slots=True)
class Meld:
    """Cards worth points: a ``run`` or a ``four``."""

    seat: int
    kind: str
    cards: tuple[Card, ...]
    points: int


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """How one deal came to its score; `lines` are (name, figures by side)."""

    hand_number: int
    declarer_side: int
    outcome: str
    lines: tuple[tuple[str, tuple[int, ...]], ...]
    score: tuple[int, ...]
    totals: tuple[int, ...]
    held: int
    bolts: tuple[int, ...]
    target: int


@dataclass(frozen=True, slots=True)
class Result:
    """How the match ended; rank 1 is best."""

    outcome: str
    ranks: tuple[int, ...]
    totals: tuple[int, ...]
    deals_played: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What goes on from deal to deal, by side; `target` is what is played to now, `held` waits for a winner."""

    totals: tuple[int, ...]
    bolts: tuple[int, ...]
    held: int = 0
    target: int = 0
    deals_played: int = 0


@dataclass(frozen=True, slots=True)
class Claim:
    """The remaining tricks of a hand as they were claimed: by whom, how many, their points, the cards by seat.

    `agreed` by the opponents; otherwise it was certain from what the claimant had seen.
    """

    seat: int
    agreed: bool
    tricks: int
    points: int
    hands: tuple[tuple[Card, ...], ...]


@dataclass(frozen=True, slots=True)
class Hand:
    """One hand (deal), from its first card to its score; `own` are the cards of this client's player."""

    number: int
    dealer: int
    phase: Phase = Phase.AWAITING_CARDS
    up_card: Card | None = None
    bids: tuple[Bid, ...] = ()
    declarer: int | None = None
    trump: Suit | None = None
    tricks: tuple[Trick, ...] = ()
    trick: Trick | None = None
    melds: tuple[Meld, ...] = ()
    bela: int | None = None
    claim: Claim | None = None
    sizes: tuple[int, ...] = ()
    own: tuple[Card, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Match:
    """The match since its first card was due. `last_hand` is the one before this, when it was seen."""

    first_dealer: int
    sides: tuple[int, ...]
    pack_size: int
    hand: Hand
    standing: Standing
    result: Result | None = None
    last_hand: Hand | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Proposal:
    """What players are asked to agree on, ``draw``, ``resignation`` or ``claim``; `agreed` are the seats that do."""

    kind: str
    seat: int
    agreed: tuple[int, ...]


MOST_SAID = 100
"""Messages that a state keeps; older ones go."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a player said: his own words, or one of the canned phrases. `sequence` is what a report names."""

    sequence: int
    at_ms: int
    seat: int
    player_id: str
    text: str = ""
    phrase: str = ""


@dataclass(frozen=True, slots=True)
class BeaconChain:
    """The beacon's parameters as the table gives them; belot_fair.drand checks that they give the hash."""

    name: str
    chain_hash: bytes
    public_key: bytes
    period: int
    genesis: int
    group_hash: bytes
    scheme: str


@dataclass(frozen=True, slots=True)
class Fairness:
    """What is known of the deal's fairness; `keys` are (key id, Ed25519 public key)."""

    commitment: bytes = b""
    seed_deadline_ms: int = 0
    seeded: tuple[int, ...] = ()
    transcript: tuple[SignedEvent, ...] = ()
    chain: BeaconChain | None = None
    keys: tuple[tuple[str, bytes], ...] = ()
    server_seed: bytes = field(default=b"", repr=False)


@dataclass(frozen=True, slots=True)
class TableState:
    """A table after event number `sequence`, as one viewer sees it. `viewer_seat` is None for a spectator.

    `muted` are players whom this one does not hear, `said` the latest messages that this client has heard. `halted`:
    the table was stopped because of a fault of the server's; nothing is lost. `outcome` is how the match ended, ``won``
    or ``resigned`` for one, empty before. `rematch` is the id of the table that was opened for the same people, when
    this client heard of it. `bot_decides` says that the next decision is a bot's, which spends no reserve; it is no
    part of what is compared.
    """

    table_id: str
    sequence: int
    status: Status
    options: Options
    ruleset: tuple[str, int, str]
    seats: tuple[Seat, ...]
    created_ms: int
    player_id: str
    match_id: str = ""
    viewer_seat: int | None = None
    match: Match | None = None
    turn: Turn | None = None
    fairness: Fairness | None = None
    sheets: tuple[ScoreSheet, ...] = ()
    reserves_ms: tuple[int, ...] = ()
    proposal: Proposal | None = None
    outcome: str = ""
    muted: tuple[str, ...] = ()
    halted: bool = False
    said: tuple[Said, ...] = field(default=(), compare=False, repr=False)
    invitation_code: str = field(default="", compare=False, repr=False)
    rematch: str = field(default="", compare=False)
    bot_decides: bool = field(default=False, compare=False, repr=False)

    @property
    def hand(self) -> tuple[Card, ...]:
        """The cards of this client's player now."""
        return self.match.hand.own if self.match else ()

    @property
    def legal(self) -> Legal | None:
        """What this client's player may do now; None when it is not his turn."""
        return self.turn.legal if self.turn else None

    @property
    def my_turn(self) -> bool:
        """Whether this client's player is to act."""
        return self.turn is not None and self.viewer_seat == self.turn.seat


Receipt = SignedReceipt
"""A receipt signed for this client's player alone (belot_fair.receipts)."""
