"""What happens in a match, one frozen value for each thing that can happen, and the sheets and results they carry.

``seat`` of an event is its audience: None when everybody may see it, else the one seat that may. Where a public
event speaks of a seat, the field is called ``player``. Cards are numbers, sides and seats ascend from 0.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class BidKind(StrEnum):
    """What a player can say in the auction."""

    PASS = "pass"  # noqa: S105 - no secret, a bid
    ACCEPT = "accept"
    CHOOSE = "choose"


@dataclass(frozen=True, slots=True)
class Bid:
    """One word of the auction; ``suit`` is the trump suit of ACCEPT and CHOOSE, None for PASS."""

    player: int
    kind: BidKind
    suit: int | None = None


class MeldKind(StrEnum):
    """The two kinds of melds."""

    RUN = "run"
    FOUR = "four"


@dataclass(frozen=True, slots=True)
class Meld:
    """A run or four of a kind in one hand.

    ``rank`` is the top rank of a run and the rank of a four, ``suit`` None for a four, ``cards`` a mask.
    """

    player: int
    kind: MeldKind
    rank: int
    suit: int | None
    length: int
    points: int
    cards: int


class Contract(StrEnum):
    """What came of a deal for the declarer's side."""

    MADE = "made"
    FAILED = "failed"
    LEVEL = "level"
    CANCELLED = "cancelled"


class LineKind(StrEnum):
    """The lines of a score sheet. Points, except PENALTY, BOLT and HELD_* as said there."""

    CARDS = "cards"
    LAST_TRICK = "last_trick"
    LEFT_OUT = "left_out"
    MELDS = "melds"
    BELA = "bela"
    SWEEP = "sweep"
    HELD_WON = "held_won"
    HELD_BACK = "held_back"
    BOLT = "bolt"
    PENALTY = "penalty"


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of a sheet: a value per side.

    CARDS, LAST_TRICK, LEFT_OUT, MELDS, BELA and SWEEP are points as taken (void ones are left away); HELD_WON is
    what a side got of earlier level deals, HELD_BACK what is held from it now; BOLT counts failed contracts,
    PENALTY is in the unit of the score and negative.
    """

    kind: LineKind
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """How one deal was scored, readable line by line.

    ``scores`` and ``totals`` are in the ruleset's unit (bile or points), per side; ``held`` is what waits for the
    winner of the next deal, ``bolts`` the bolts of each side so far, ``target`` what the match is played to after
    this deal (0 with a number of deals) and ``extension`` what it grew by because of this deal. ``declarer`` is a side.
    """

    hand_number: int
    declarer: int
    trump: int
    contract: Contract
    lines: tuple[ScoreLine, ...]
    scores: tuple[int, ...]
    totals: tuple[int, ...]
    held: int
    bolts: tuple[int, ...]
    target: int
    extension: int


class Outcome(StrEnum):
    """How a match ended: by its target or last deal, level after the last deal, or by a run of eight."""

    WON = "won"
    DRAWN = "drawn"
    BELOT = "belot"


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The end of a match over its sides.

    ``ranks`` count from 1 and level sides share one (1, 1, 3); ``winner`` is a side, None when drawn;
    ``deals`` are the scored deals.
    """

    outcome: Outcome
    winner: int | None
    ranks: tuple[int, ...]
    totals: tuple[int, ...]
    deals: int


@dataclass(frozen=True, slots=True)
class DealStarted:
    """A deal begins; the dealer's own word comes before any card of it."""

    hand_number: int
    dealer: int
    seat: None = None


@dataclass(frozen=True, slots=True)
class HandDealt:
    """Cards for one seat alone, those of this stage only, in the order in which they were dealt."""

    seat: int
    cards: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class UpCardTurned:
    """The card that was turned up."""

    card: int
    seat: None = None


@dataclass(frozen=True, slots=True)
class BidMade:
    """A player spoke in the auction."""

    bid: Bid
    seat: None = None


@dataclass(frozen=True, slots=True)
class TrumpChosen:
    """The auction is over; ``up_card``, where there is one, joins the declarer's hand now."""

    declarer: int
    trump: int
    up_card: int | None
    seat: None = None


@dataclass(frozen=True, slots=True)
class HandPassedOut:
    """Nobody chose: no score, the next dealer deals anew."""

    hand_number: int
    seat: None = None


@dataclass(frozen=True, slots=True)
class MeldsShown:
    """The melds of the side that won the contest, and no other; ``points`` is their sum."""

    side: int
    melds: tuple[Meld, ...]
    points: int
    seat: None = None


@dataclass(frozen=True, slots=True)
class BelaAnnounced:
    """King and queen of trumps are in this player's hand."""

    player: int
    seat: None = None


@dataclass(frozen=True, slots=True)
class CardPlayed:
    """A card was played."""

    player: int
    card: int
    seat: None = None


@dataclass(frozen=True, slots=True)
class TrickWon:
    """A trick was taken; ``cards`` in the order of play, ``points`` with those for the last trick when it is."""

    player: int
    cards: tuple[int, ...]
    points: int
    last: bool
    seat: None = None


@dataclass(frozen=True, slots=True)
class TricksClaimed:
    """The remaining tricks, so many, went to the claimant's side without being played.

    ``hands`` is what each seat still held, a mask a seat, open to all from now on; ``points`` those of all these cards
    and for the last trick. Not ``agreed``: it was certain from what the claimant had seen.
    """

    player: int
    agreed: bool
    tricks: int
    points: int
    hands: tuple[int, ...]
    seat: None = None


@dataclass(frozen=True, slots=True)
class CardsLeftOut:
    """The cards that nobody got, shown when the deal ends, in the order of the pack."""

    cards: tuple[int, ...]
    seat: None = None


@dataclass(frozen=True, slots=True)
class DealScored:
    """A deal was scored."""

    sheet: ScoreSheet
    seat: None = None


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """The match is over."""

    result: MatchResult
    seat: None = None


Event = (
    DealStarted
    | HandDealt
    | UpCardTurned
    | BidMade
    | TrumpChosen
    | HandPassedOut
    | MeldsShown
    | BelaAnnounced
    | CardPlayed
    | TrickWon
    | TricksClaimed
    | CardsLeftOut
    | DealScored
    | MatchEnded
)
