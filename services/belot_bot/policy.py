"""The levels on offer and the policy behind each: a table, and one function that looks into it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from belot_bot import easy, expert, hard, normal
from belot_bot.view import SeatView
from belot_engine.state import Action


@dataclass(frozen=True, slots=True)
class Policy:
    """How a level plays.

    ``version`` ("easy/1") is stored with every decision and is raised whenever any decision of the policy changes;
    ``choose`` is pure: the same view and seed give the same legal action. One that ``thinks`` takes milliseconds and
    is asked in a process of its own; it raises InputError for a view that no deal leads to. At tables of ``players`` it
    is on offer: where it is proven to be stronger than the level before it.
    """

    level: str
    version: str
    description: str
    choose: Callable[[SeatView, bytes], Action]
    thinks: bool = False
    players: tuple[int, ...] = (2, 3, 4)


#: Those on offer, weakest first.
POLICIES: Final[tuple[Policy, ...]] = (
    Policy("easy", "easy/1", "Plays its lowest legal card and never bids unless forced.", easy.choose),
    Policy(
        "normal",
        "normal/1",
        "Counts its hand before it bids, remembers what was played, helps its partner and saves its best cards.",
        normal.choose,
    ),
    Policy(
        "hard",
        "hard/1",
        "Remembers everything, deals the hidden cards out in many ways and plays each of them to its end.",
        hard.choose,
        thinks=True,
    ),
    Policy(
        "expert",
        "expert/1",
        "Deals out more than hard does, and believes most in what fits how the others bid and played.",
        expert.choose,
        thinks=True,
        players=(2, 4),
    ),
)

_BY_LEVEL: Final[Mapping[str, Policy]] = {policy.level: policy for policy in POLICIES}
_BY_VERSION: Final[Mapping[str, Policy]] = {policy.version: policy for policy in POLICIES}

#: What decides in place of a level that cannot answer.
FALLBACK: Final = _BY_LEVEL["normal"]


def policy_of(level: str) -> Policy | None:
    """The policy of a level, None where there is no such level."""
    return _BY_LEVEL.get(level)


def recorded_policy(level: str, version: str) -> Policy | None:
    """The policy that took a decision recorded so; an empty version is the present one of the level.

    A level that could not answer has its decision from another policy, so the version decides. None for one that this
    release does not have.
    """
    return _BY_VERSION.get(version) if version else _BY_LEVEL.get(level)


def choose(view: SeatView, level: str, seed: bytes) -> Action:
    """What a bot of a level does in a position; for replays and checks. Raises KeyError for an unknown level."""
    return _BY_LEVEL[level].choose(view, seed)
