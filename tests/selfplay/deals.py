"""Deals that one policy plays at all seats, twice: every move legal, nothing raised, and the same moves again.

In every second deal normal says the words of the auction, because four easy bots would pass in classic for ever. The
second time the deals come in the opposite order, so that whatever a policy keeps from one deal to the next shows.
Which deals there are follows from the seed and their number alone.
"""

import hashlib
import time
from collections.abc import Sequence
from dataclasses import dataclass

from belot_bot import normal
from belot_bot.arena import Choose, pack_of, play_deal
from belot_bot.policy import policy_of
from belot_bot.view import SeatView
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Action


@dataclass(frozen=True, slots=True)
class Share:
    """Some deals of a level in one form of a ruleset: the numbers from ``first`` up to ``end``, without that."""

    ruleset: str
    seats: int
    pack: int
    level: str
    seed: str
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class Finding:
    """What was wrong in the deal of this number."""

    number: int
    wrong: str


@dataclass(frozen=True, slots=True)
class Played:
    """What came of a share: decisions taken, processor seconds for both times, and what was wrong."""

    decisions: int
    seconds: float
    findings: tuple[Finding, ...]


def played(share: Share) -> Played:
    """Play a share with the policy of its level; there is such a level."""
    policy = policy_of(share.level)
    if policy is None:
        raise ValueError(f"there is no level {share.level!r}")
    rules = resolve(share.ruleset, share.seats, share.pack, {})
    return played_by(policy.choose, rules, share.seed.encode(), range(share.first, share.end))


def played_by(choose: Choose, rules: Ruleset, seed: bytes, numbers: Sequence[int]) -> Played:
    """Play the deals of these numbers in order, and again from the last to the first."""
    began = time.process_time()
    first = {number: _deal(choose, rules, seed, number) for number in numbers}
    again = {number: _deal(choose, rules, seed, number) for number in reversed(numbers)}
    findings = [Finding(number, moves) for number, moves in first.items() if isinstance(moves, str)]
    findings += [
        Finding(number, "other moves, when it was played again")
        for number, moves in first.items()
        if not isinstance(moves, str) and moves != again[number]
    ]
    decisions = sum(len(moves) for moves in first.values() if not isinstance(moves, str))
    return Played(decisions, time.process_time() - began, tuple(findings))


def _deal(choose: Choose, rules: Ruleset, seed: bytes, number: int) -> tuple[Action, ...] | str:
    """All decisions of a deal, or what was raised; the engine refuses a move that is not legal."""
    moves: list[Action] = []

    def noted(view: SeatView, own: bytes) -> Action:
        moves.append((choose if view.legal.cards or number % 2 == 0 else normal.choose)(view, own))
        return moves[-1]

    bots = hashlib.sha256(b"selfplay" + number.to_bytes(8, "big") + seed).digest()
    try:
        play_deal(rules, [noted] * rules.seats, pack_of(rules.pack, seed, number), number % rules.seats, bots)
    except Exception as error:
        return f"{type(error).__name__} at decision {len(moves)}: {error}"
    return tuple(moves)
