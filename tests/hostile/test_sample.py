"""A sample of the hostile run: some thousand requests at every rpc; ``make fuzz`` sends a hundred thousand."""

import os
import random
from pathlib import Path

from hostile.__main__ import report
from hostile.rpcs import every_rpc
from hostile.run import run

REQUESTS = 2_000


async def test_hostile_requests_are_refused_by_name_and_change_nothing(tmp_path: Path) -> None:
    seed = int(os.environ.get("BELOT_HOSTILE_SEED") or random.SystemRandom().randrange(1_000_000))
    print(f"seed {seed}: BELOT_HOSTILE_SEED={seed} sends the same again")
    outcome = await run(tmp_path, REQUESTS, seed, print)
    print(report(outcome))
    assert outcome.findings == ()
    assert {rpc for rpc, _ in outcome.counts} == {rpc.short for rpc in every_rpc()}
    assert outcome.matches > 0
    assert outcome.compared > outcome.batches
