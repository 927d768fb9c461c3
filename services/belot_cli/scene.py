"""A table as one person sees it, in plain values: what the terminal draws, and nothing that needs a server.

Cards and suits are numbers (cards.py), seats and sides count from 0.
"""

from dataclasses import dataclass, field
from enum import StrEnum


class Stage(StrEnum):
    """Where the table stands."""

    WAITING = "waiting for players"
    SHUFFLING = "the deal is being drawn"
    BIDDING = "bidding"
    PLAYING = "playing"
    FINISHED = "finished"
    CLOSED = "closed"


class BidWord(StrEnum):
    """What somebody said in the auction."""

    PASS = "passes"  # noqa: S105 - what a player says, no secret
    ACCEPT = "takes"
    CHOOSE = "names"


@dataclass(frozen=True, slots=True)
class SeatScene:
    """One seat: who sits there, on which side, how many cards he holds. `bot` is a level, empty for a person."""

    name: str
    side: int
    cards: int = 0
    bot: str = ""


@dataclass(frozen=True, slots=True)
class BidScene:
    """A spoken bid; `suit` is None for a pass."""

    seat: int
    word: BidWord
    suit: int | None = None


@dataclass(frozen=True, slots=True)
class TrickScene:
    """A trick: who led, the cards in order of play, and who took it once it is complete."""

    leader: int
    cards: tuple[int, ...]
    winner: int | None = None
    points: int = 0


@dataclass(frozen=True, slots=True)
class Choices:
    """What the person may do now."""

    cards: tuple[int, ...] = ()
    may_pass: bool = False
    may_accept: bool = False
    suits: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """How one deal came to its score; `lines` are named figures, one a side."""

    hand_number: int
    declarer_side: int
    outcome: str
    lines: tuple[tuple[str, tuple[int, ...]], ...]
    score: tuple[int, ...]
    totals: tuple[int, ...]
    held: int = 0


@dataclass(frozen=True, slots=True)
class Scene:
    """The whole picture. `me` is the person's seat (None: he watches), `target` 0 when deals are counted instead."""

    seats: tuple[SeatScene, ...]
    me: int | None = None
    stage: Stage = Stage.WAITING
    ruleset: str = ""
    target: int = 0
    hand_number: int = 0
    dealer: int | None = None
    totals: tuple[int, ...] = ()
    held: int = 0
    up_card: int | None = None
    bids: tuple[BidScene, ...] = ()
    trump: int | None = None
    declarer: int | None = None
    trick: TrickScene | None = None
    last_trick: TrickScene | None = None
    hand: tuple[int, ...] = field(default=(), repr=False)
    turn: int | None = None
    choices: Choices | None = None

    @property
    def sides(self) -> int:
        """How many sides play."""
        return len({seat.side for seat in self.seats})

    @property
    def my_turn(self) -> bool:
        """Whether the person is to act."""
        return self.me is not None and self.turn == self.me


def side_names(scene: Scene) -> tuple[str, ...]:
    """What to call each side: "us" and "them" for partners at a table of one's own, else the names of its seats."""
    members = [[seat.name for seat in scene.seats if seat.side == side] for side in range(scene.sides)]
    mine = None if scene.me is None else scene.seats[scene.me].side
    if mine is not None and scene.sides == 2 and len(scene.seats) == 4:
        return tuple("us" if side == mine else "them" for side in range(2))
    return tuple("you" if side == mine else " + ".join(names) for side, names in enumerate(members))


def seat_name(scene: Scene, seat: int) -> str:
    """What to call a seat's holder in a sentence."""
    return "you" if seat == scene.me else scene.seats[seat].name
