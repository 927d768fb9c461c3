"""`python -m simulation`: many seeds, or one again."""

import argparse
import secrets
import sys
import time
from collections import Counter

from simulation.run import Outcome, simulate


def main() -> int:
    """The exit status is 1 when a validator has anything to say."""
    asked = argparse.ArgumentParser(prog="simulation", description=__doc__)
    asked.add_argument("--seeds", type=int, default=200, help="how many, one after another")
    asked.add_argument("--first", type=int, default=None, help="the first of them; drawn when absent")
    asked.add_argument("--seed", type=int, default=None, help="play this one alone")
    asked.add_argument("--trace", action="store_true", help="print everything that happens, in order")
    asked.add_argument("--until-failure", action="store_true", help="stop at the first seed with a finding")
    options = asked.parse_args()
    if options.seed is not None:
        return _one(options.seed, options.trace)
    first = secrets.randbelow(10**9) if options.first is None else options.first
    print(f"seeds {first} to {first + options.seeds - 1}", flush=True)
    return _many(range(first, first + options.seeds), options.until_failure)


def _one(seed: int, trace: bool) -> int:
    lines: list[str] = []
    outcome = simulate(seed, lines)
    if trace:
        print("\n".join(lines))
    print(outcome.plan)
    print(f"seed {seed}: {_figures(outcome)}")
    return say(outcome)


def _many(seeds: range, until_failure: bool) -> int:
    began, failed, moves, deaths = time.monotonic(), 0, 0, 0
    for number, seed in enumerate(seeds, start=1):
        outcome = simulate(seed)
        moves, deaths = moves + outcome.moves, deaths + outcome.deaths
        failed += say(outcome)
        if number % 100 == 0 or (failed and until_failure):
            print(f"{number} seeds, {failed} with findings, {number / (time.monotonic() - began) * 60:.0f} a minute",
                  flush=True)  # fmt: skip
        if failed and until_failure:
            break
    took = time.monotonic() - began
    print(f"{failed} seeds with findings; {moves} moves, {deaths} deaths, {took:.1f} s")
    return 1 if failed else 0


def _figures(outcome: Outcome) -> str:
    return (
        f"{outcome.moves} moves, {outcome.deaths} deaths, {outcome.seconds:.1f} virtual seconds, trace {outcome.digest}"
    )


def say(outcome: Outcome) -> int:
    """Print what is wrong; 1 when something is."""
    if not outcome.findings:
        return 0
    print(f"seed {outcome.plan.seed} (python -m simulation --seed {outcome.plan.seed}):")
    counts = Counter(finding.validator for finding in outcome.findings)
    for finding in outcome.findings[:10]:
        print(f"  {finding}")
    print(f"  {dict(counts)}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
