"""What tells two rulesets apart, knob by knob, in words; and what a single knob says in words."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import groupby

from belot_engine.cards import RANKS
from belot_engine.ruleset import ABOUT, KNOBS, OUT, UP_CARD, Place, Ruleset

#: What names a ruleset and says nothing about the game.
_NAMES = ("name", "version")


@dataclass(frozen=True, slots=True)
class Difference:
    """A knob that two rulesets set otherwise: its name, what it is about, and both values in words."""

    knob: str
    about: str
    first: str
    second: str

    @property
    def words(self) -> str:
        """The difference as a line: what it is about, then both values."""
        return f"{self.about} {self.first} against {self.second}"


def compare(first: Ruleset, second: Ruleset) -> tuple[Difference, ...]:
    """What differs between two rulesets, in the order of the knobs; empty for equal ones.

    A knob that the version of one of them does not name has its default there.
    """
    named = {*KNOBS[first.version], *KNOBS[second.version]}
    return tuple(
        Difference(knob, about, knob_words(first, knob), knob_words(second, knob))
        for knob, about in ABOUT.items()
        if knob in named and knob not in _NAMES and getattr(first, knob) != getattr(second, knob)
    )


def knob_words(ruleset: Ruleset, knob: str) -> str:
    """The value of a knob in words: what ABOUT's line on it asks for."""
    value = getattr(ruleset, knob)
    if knob in _WORDS:
        return _WORDS[knob](value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")


def deal_words(deal_map: tuple[tuple[Place, ...], ...]) -> str:
    """How the cards are dealt, as in ``3+2, card turned up, then 5 (declarer 4), 2 left out``."""
    seats = len(deal_map)
    first = [place for place in deal_map[0] if place[2] == 0 and place[1] >= 0]
    packets = "+".join(str(size) for size in _packets(first)[::seats])
    shown = ", card turned up" if any(seat == UP_CARD for _, seat, _ in deal_map[0]) else ""
    last = [sum(seat == who and stage == 1 for _, seat, stage in deal_map[1 % seats]) for who in range(seats)]
    declarer, others = last[1 % seats], last[0]
    then = f"{others}" if declarer == others else f"{others} (declarer {declarer})"
    out = sum(seat == OUT for _, seat, _ in deal_map[0])
    return f"{packets}{shown}, then {then}" + (f", {out} left out" if out else "")


def _packets(places: list[Place]) -> list[int]:
    return [len(list(run)) for _, run in groupby(places, key=lambda place: place[1])]


def _runs(points: tuple[int, ...]) -> str:
    return ", ".join(f"{length} cards {value}" for length, value in enumerate(points) if value)


def _fours(points: tuple[int, ...]) -> str:
    return ", ".join(f"{RANKS[rank]} {value}" for rank, value in enumerate(points) if value)


#: Knobs whose value needs more than its own text.
_WORDS: dict[str, Callable[..., str]] = {
    "deal_map": deal_words,
    "run_points": _runs,
    "four_points": _fours,
    "meld_order": lambda order: ", then ".join(order),
    "target": lambda target: str(target) if target else "none, a number of deals is played",
    "deals": lambda deals: str(deals) if deals else "none, a target is played for",
    "bolts_per_penalty": lambda bolts: str(bolts) if bolts else "bolts are not counted",
    "level_extension": lambda extension: str(extension) if extension else "play on",
}
