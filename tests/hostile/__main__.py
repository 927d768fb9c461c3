"""``make fuzz``: hostile requests at every rpc of a fleet; fails when an answer, a log or a change is wrong.

A finding ends with ``--replay RPC HEX``: the same octets again, at a fleet of their own.
"""

import argparse
import asyncio
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from hostile.arena import arena
from hostile.headers import Beside
from hostile.judging import judge
from hostile.rpcs import every_rpc, not_served
from hostile.run import Outcome, run
from hostile.sending import send

_MOST_SHOWN = 40


def report(outcome: Outcome) -> str:
    """Counts by rpc and code, then figures and findings."""
    by_rpc: dict[str, list[str]] = defaultdict(list)
    for (rpc, name), count in sorted(outcome.counts.items()):
        by_rpc[rpc].append(f"{name} {count}")
    lines = [f"{rpc:<45} {', '.join(names)}" for rpc, names in by_rpc.items()]
    rate = outcome.requests / max(outcome.seconds, 0.001)
    lines += [
        f"{outcome.requests} requests to {len(by_rpc)} rpcs in {outcome.seconds:.0f} s ({rate:.0f}/s), "
        f"{outcome.matches} matches beside, {outcome.batches} batches, "
        f"{outcome.compared} times a standing table was compared",
        *(f"not served yet: {name}" for name in not_served()),
        *(f"FINDING {each}" for each in outcome.findings[:_MOST_SHOWN]),
        f"{len(outcome.findings)} findings",
    ]
    return "\n".join(lines)


async def replay(folder: Path, path: str, hexes: str) -> str:
    """Send the same octets again; what came back."""
    rpc = next(each for each in every_rpc() if each.path == path)
    octets = [bytes.fromhex(each) for each in hexes.split(",")]
    async with arena(folder, 0) as there:
        beside = Beside(there.sitters[0].metadata)
        answer = await send(there.channels[rpc.service][0], rpc, octets, beside)
        verdict = judge(rpc, octets, beside, answer)
        log = (there.fleet.logs / f"{rpc.service}{'-0' if rpc.service in ('gateway', 'table') else ''}.log").read_text()
    errors = "\n".join(line for line in log.splitlines() if '"level": "error"' in line)
    messages = "\n".join(str(rpc.response.FromString(each)) for each in answer.messages)
    return f"{verdict.name} {answer.details}\n{messages}\n{chr(10).join(verdict.wrong)}\n{errors}"


def main() -> int:
    """Run what was asked for; the exit status says whether all was well."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    parser.add_argument("--replay", nargs=2, metavar=("RPC", "HEX"), help="messages of a stream by commas")
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="belot-hostile-"))
    if given.replay:
        print(asyncio.run(replay(folder, *given.replay)))
        shutil.rmtree(folder, ignore_errors=True)
        return 0
    print(f"{given.requests} requests, seed {given.seed}", flush=True)
    outcome = asyncio.run(run(folder, given.requests, given.seed, lambda text: print(text, flush=True)))
    print(report(outcome))
    if outcome.findings:
        print(f"the services' logs are kept in {folder / 'logs'}")
        return 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
