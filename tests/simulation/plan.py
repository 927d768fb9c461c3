"""What one seed stands for: the table, its people, and the faults of the run. Pure.

Each fault is on in some of the seeds only, in some of them often: a run with everything at once seldom gets far enough
to show how two of them meet.
"""

import random
from dataclasses import dataclass
from typing import Final

_FORMS: Final = (
    ("classic", 4, 32),
    ("bela", 4, 32),
    ("club", 4, 32),
    ("club", 4, 24),
    ("club", 3, 32),
    ("club", 2, 24),
)
_NEVER_MS: Final = 300_000


@dataclass(frozen=True, slots=True)
class Game:
    """The table. `people` sit there, bots of `level` take the other seats; `move_ms` is the time for a bid or card.

    The log of two deals is longer than a page of it, and than what a gateway remembers.
    """

    ruleset: str
    seats: int
    pack: int
    deals: int
    people: int
    level: str
    move_ms: int
    reserve_ms: int
    bot_delay_ms: int
    spectator: bool

    @property
    def hasty(self) -> bool:
        """Whether clocks may run out."""
        return self.move_ms < _NEVER_MS


@dataclass(frozen=True, slots=True)
class Habits:
    """How people play: seconds of thought, and how often (0 to 1) a turn is slept through, a move clicked twice, an
    answered request sent again, its id used for something else, something said."""

    thought: tuple[float, float]
    sleeps: float
    clicks_twice: float
    sends_again: float
    reuses: float
    talks: float


@dataclass(frozen=True, slots=True)
class Faults:
    """How often what happens, 0 to 1: for each message, statement, or step of a process.

    `line_*` are calls and streams, `push_*` messages of the bus to one subscriber, `base_*` statements (done without an
    answer, or not done). `dies` is for each message that reaches a process, `dies_at_places` for each failpoint that it
    passes. `cut_every_s` are seconds between broken bus connections (0: none).
    """

    line_lost: float
    line_twice: float
    line_silent: float
    line_breaks: float
    slow: float
    push_lost: float
    push_late: float
    push_twice: float
    base_refuses: float
    base_silent: float
    dies: float
    dies_at_places: float
    cut_every_s: float


@dataclass(frozen=True, slots=True)
class Plan:
    """One run. Faults happen for the first `storm_s` seconds of play, then everything is sound."""

    seed: int
    game: Game
    habits: Habits
    faults: Faults
    storm_s: float


def plan_of(seed: int) -> Plan:
    """The plan of a seed."""
    rng = random.Random(f"plan {seed}")
    faults = _faults(rng)
    game = _game(rng, patient=not faults.push_lost)
    return Plan(seed, game, _habits(rng, game), faults, rng.uniform(2.0, 25.0))


def _game(rng: random.Random, *, patient: bool) -> Game:
    """Where the bus loses messages without a word, a turn may be over before its player hears of it."""
    ruleset, seats, pack = rng.choice(_FORMS)
    hasty = not patient or rng.random() < 0.4
    return Game(
        ruleset=ruleset,
        seats=seats,
        pack=pack,
        deals=rng.choice((1, 1, 1, 2)),
        people=rng.choice((1, 2, seats, seats)),
        level=rng.choice(("easy", "normal")),
        move_ms=rng.choice((1_000, 2_500)) if hasty else _NEVER_MS,
        reserve_ms=rng.choice((0, 3_000)) if hasty else _NEVER_MS,
        bot_delay_ms=rng.choice((0, 50, 400)),
        spectator=rng.random() < 0.3,
    )


def _habits(rng: random.Random, game: Game) -> Habits:
    return Habits(
        thought=rng.choice(((0.0, 0.01), (0.03, 0.15), (0.1, 1.4))),
        sleeps=rng.choice((0.0, 0.05, 0.4)) if game.hasty else 0.0,
        clicks_twice=_rate(rng, 0.05, 0.5),
        sends_again=_rate(rng, 0.05, 0.5),
        reuses=_rate(rng, 0.02, 0.1),
        talks=_rate(rng, 0.02, 0.1),
    )


def _faults(rng: random.Random) -> Faults:
    return Faults(
        line_lost=_rate(rng, 0.002, 0.05),
        line_twice=_rate(rng, 0.01, 0.2),
        line_silent=_rate(rng, 0.001, 0.01, share=0.25),
        line_breaks=_rate(rng, 0.002, 0.03),
        slow=_rate(rng, 0.002, 0.05),
        push_lost=_rate(rng, 0.01, 0.2, share=0.3),
        push_late=_rate(rng, 0.02, 0.3),
        push_twice=_rate(rng, 0.02, 0.3),
        base_refuses=_rate(rng, 0.005, 0.05),
        base_silent=_rate(rng, 0.005, 0.05),
        dies=_rate(rng, 0.0005, 0.006),
        dies_at_places=_rate(rng, 0.01, 0.1),
        cut_every_s=rng.uniform(0.5, 5.0) if rng.random() < 0.4 else 0.0,
    )


def _rate(rng: random.Random, low: float, high: float, share: float = 0.5) -> float:
    """Zero, or with probability `share` something between, each order of magnitude as likely."""
    if rng.random() >= share:
        return 0.0
    return float(low * (high / low) ** rng.random())
