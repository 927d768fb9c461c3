"""The levels on offer and the policy behind each: a table, and one function that looks into it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from belot_bot import easy, normal
from belot_bot.view import SeatView
from belot_engine.state import Action


@dataclass(frozen=True, slots=True)
class Policy:
    """How a level plays.

    ``version`` ("easy/1") is stored with every decision and is raised whenever any decision of the policy changes;
    ``choose`` is pure: the same view and seed give the same legal action.
    """

    level: str
    version: str
    description: str
    choose: Callable[[SeatView, bytes], Action]


#: Weakest first.
POLICIES: Final[tuple[Policy, ...]] = (
    Policy("easy", "easy/1", "Plays its lowest legal card and never bids unless forced.", easy.choose),
    Policy(
        "normal",
        "normal/1",
        "Counts its hand before it bids, remembers what was played, helps its partner and saves its best cards.",
        normal.choose,
    ),
)

_BY_LEVEL: Final[Mapping[str, Policy]] = {policy.level: policy for policy in POLICIES}


def policy_of(level: str) -> Policy | None:
    """The policy of a level, None where there is no such level."""
    return _BY_LEVEL.get(level)


def choose(view: SeatView, level: str, seed: bytes) -> Action:
    """What a bot of a level does in a position; for replays and checks. Raises KeyError for an unknown level."""
    return _BY_LEVEL[level].choose(view, seed)
