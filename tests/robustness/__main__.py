"""``make robust``: every fault in turn, one line of figures each; fails when a validator complains."""

import argparse
import asyncio
import random
import statistics
import sys

from robustness.faults import BY_NAME, FAULTS
from robustness.run import Outcome, run

HEAD = (
    f"{'fault':<20}{'blows':>6}{'matches':>8}{'moves':>7}{'acked':>7}{'refused':>8}{'resent':>7}{'lost':>5}{'gaps':>5}"
    + (f"{'recovery, s':>16}")
)


def line(outcome: Outcome) -> str:
    """The figures of a run; recovery is median / worst."""
    known = [took for took in outcome.recoveries if took is not None]
    times = f"{statistics.median(known):.2f} / {max(known):.2f}" if known else "-"
    if len(known) < len(outcome.recoveries):
        times += " !"
    name = "+".join(outcome.faults) if len(outcome.faults) < 3 else f"{len(outcome.faults)} faults"
    return (
        f"{name:<20}{outcome.blows:>6}{outcome.matches:>8}{outcome.moves:>7}{outcome.acknowledged:>7}"
        f"{outcome.refused:>8}{outcome.resent:>7}{outcome.lost:>5}{outcome.gaps:>5}{times:>16}"
    )


def main() -> int:
    """Run what was asked for; the exit status says whether all was well."""
    parser = argparse.ArgumentParser(prog="make robust", description=__doc__)
    parser.add_argument("--faults", default="", help="names, by commas; all: " + ", ".join(BY_NAME))
    parser.add_argument("--seconds", type=float, default=90, help="length of each run")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    arguments = parser.parse_args()
    names = [name for name in arguments.faults.split(",") if name] or [fault.name for fault in FAULTS]
    unknown = [name for name in names if name not in BY_NAME]
    if unknown:
        parser.error(f"no such fault: {', '.join(unknown)}; there are {', '.join(BY_NAME)}")
    outcomes = []
    for name in names:
        print(f"{name}: {BY_NAME[name].what}, {arguments.seconds:g} s, seed {arguments.seed}", flush=True)
        outcome = asyncio.run(
            run([BY_NAME[name]], arguments.seconds, arguments.seed, lambda text: print(text, flush=True))
        )
        print(HEAD, line(outcome), *(f"  {each}" for each in outcome.findings[:20]), sep="\n", flush=True)
        outcomes.append(outcome)
    print("", HEAD, *(line(outcome) for outcome in outcomes), sep="\n")
    complaints = sum(len(outcome.findings) for outcome in outcomes)
    print(f"{complaints} findings, seed {arguments.seed}")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
