"""The state of a match and the words that move it, plain values that a service can store and send.

Ints, tuples, None, enums and the frozen values of this package are all that occurs; card sets are masks. What a
seat alone may know is left out of every repr.
"""

from dataclasses import dataclass, field
from enum import StrEnum

from belot_engine.events import Bid, Event, MatchResult, ScoreSheet, TricksClaimed
from belot_engine.ruleset import Ruleset


class Phase(StrEnum):
    """What the match waits for: the dealer service, a bid, a card, or nothing any more."""

    AWAITING_CARDS = "awaiting_cards"
    BIDDING = "bidding"
    PLAYING = "playing"
    FINISHED = "finished"


@dataclass(frozen=True, slots=True)
class Trick:
    """A finished trick: who led, the cards in the order of play, who took it."""

    leader: int
    cards: tuple[int, ...]
    winner: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What goes on from deal to deal.

    ``totals`` per side in the ruleset's unit; ``bolts`` failed contracts per side; ``held`` points that wait for
    the winner of the next deal; ``target`` what is played to now, extensions included (0 with a number of
    deals); ``deals`` the scored deals so far; ``sheets`` their score sheets, cancelled deals included.
    """

    totals: tuple[int, ...]
    bolts: tuple[int, ...]
    held: int
    target: int
    deals: int
    sheets: tuple[ScoreSheet, ...]


@dataclass(frozen=True, slots=True)
class MatchState:
    """A match between two actions, whole: nothing else is needed to go on with it.

    ruleset       the rules, seats and pack included
    first_dealer  seat that dealt hand 0
    hand_number   number of the deal from 0, one more for every deal, redeals included
    phase         what is waited for
    deal_stage    how many stages of the deal map were dealt in this hand
    turn          seat to bid or play; None in AWAITING_CARDS and FINISHED
    hands         a mask per seat: the cards it holds now
    up_card       the card turned up in this hand, None before it is dealt and where there is none
    bids          the auction so far, in order
    declarer      seat that chose trumps, None before
    trump         trump suit, None before
    tricks        finished tricks of this deal, in order
    trick         cards on the table, in order; the leader is len(trick) seats before ``turn``
    standing      totals and the like
    result        set when FINISHED
    claim         the claim that ended the play of this hand; the cards it tells of are in no hand any more
    """

    ruleset: Ruleset
    first_dealer: int
    hand_number: int
    phase: Phase
    deal_stage: int
    turn: int | None
    hands: tuple[int, ...] = field(repr=False)
    up_card: int | None
    bids: tuple[Bid, ...]
    declarer: int | None
    trump: int | None
    tricks: tuple[Trick, ...]
    trick: tuple[int, ...]
    standing: Standing
    result: MatchResult | None
    claim: TricksClaimed | None = None

    @property
    def seats(self) -> int:
        """Number of seats."""
        return self.ruleset.seats

    @property
    def dealer(self) -> int:
        """Seat that deals this hand."""
        return (self.first_dealer + self.hand_number) % self.ruleset.seats


@dataclass(frozen=True, slots=True)
class Deal:
    """Cards from the dealer service: (position in the pack, card) for exactly the places that were needed."""

    cards: tuple[tuple[int, int], ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Pass:
    """Let the next player speak."""


@dataclass(frozen=True, slots=True)
class Accept:
    """Take the suit of the card turned up, in the first round."""


@dataclass(frozen=True, slots=True)
class Choose:
    """Name the trump suit."""

    suit: int


@dataclass(frozen=True, slots=True)
class Play:
    """Play a card."""

    card: int


@dataclass(frozen=True, slots=True)
class Claim:
    """Claim the remaining tricks, in turn and before a card is led.

    ``agreed``: all opponents agreed, which the caller vouches for; otherwise it has to be certain (claims.py).
    """

    agreed: bool = False


Action = Deal | Pass | Accept | Choose | Play | Claim


@dataclass(frozen=True, slots=True)
class Applied:
    """What an action led to: the new state and everything that happened, in order."""

    state: MatchState
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class CardNeed:
    """What must be asked of the dealer service now: (position, seat) in the order of dealing.

    A seat of UP_CARD (-1) is the card turned up, OUT (-2) a card left out that everybody is shown.
    """

    hand_number: int
    stage: int
    places: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class LegalActions:
    """What the seat to act may do: play one of ``cards`` (a mask), or pass, accept, choose one of ``suits``."""

    seat: int
    cards: int = field(default=0, repr=False)
    may_pass: bool = False
    may_accept: bool = False
    suits: tuple[int, ...] = ()
