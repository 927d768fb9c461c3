"""What a decision of each level costs: the policies themselves, one core, no server.

Run it alone: ``python -m bench.deciding`` (with ``tests`` on the path).
"""

import random
import time
from collections.abc import Iterator

from belot_bot.arena import pack_of, play_deal
from belot_bot.policy import POLICIES, Policy
from belot_bot.view import SeatView
from belot_cli.workers import engine_kind
from belot_engine.rulesets import resolve
from belot_engine.state import Action
from bench.figures import line, percentile

_SEED = b"bench"
_RULESETS = ("bela", "classic", "club")


def turns(number: int) -> list[SeatView]:
    """Turns of four normal bots with 32 cards in which there is something to weigh, words of the auction among them."""
    normal = next(policy for policy in POLICIES if policy.level == "normal")
    found: list[SeatView] = []

    def noting(view: SeatView, seed: bytes) -> Action:
        if view.legal.cards.bit_count() != 1:
            found.append(view)
        return normal.choose(view, seed)

    for name in _RULESETS:
        for deal in range(-(-number // (10 * len(_RULESETS)))):
            play_deal(resolve(name, 4, 32, {}), [noting] * 4, pack_of(32, _SEED, deal), deal % 4, _SEED)
    return random.Random(7).sample(found, min(number, len(found)))


def decision_lines(thought: int = 240, seconds: float = 5.0) -> Iterator[str]:
    """p50 and p99 of a decision's processor time for each level, over `thought` turns or as many as `seconds` allow."""
    weighed = turns(thought)
    for policy in POLICIES:
        spent = _spent(policy, weighed, seconds)
        note = f"{len(spent)} turns, 4x32, CPU, engine {engine_kind()}"
        scale, unit = (1e3, "ms") if policy.thinks else (1e6, "µs")
        yield line(f"a decision of {policy.level}, p50", scale * percentile(spent, 0.5), unit, note)
        yield line(f"a decision of {policy.level}, p99", scale * percentile(spent, 0.99), unit)


def _spent(policy: Policy, weighed: list[SeatView], seconds: float) -> list[float]:
    """Processor seconds of one decision after another."""
    spent: list[float] = []
    for view in weighed:
        began = time.process_time()
        policy.choose(view, bytes(32))
        spent.append(time.process_time() - began)
        if sum(spent) > seconds:
            break
    return spent


if __name__ == "__main__":
    for text in decision_lines():
        print(text, flush=True)
