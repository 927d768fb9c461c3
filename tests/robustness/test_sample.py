"""A sample of `make robust` for every test run: a dozen blows at twelve tables, everything looked at.

In an order drawn from the seed; a slow machine does not come to the last of them in its time.
"""

import os
import random

from robustness.faults import BY_NAME
from robustness.run import TABLES, run

SECONDS = 70.0
LEAST_BLOWS = 4
SEED_VARIABLE = "BELOT_ROBUST_SEED"
FAULTS = (
    "kill_table",
    "kill_gateway",
    "kill_rules",
    "kill_dealer",
    "kill_bot",
    "kill_rating",
    "kill_pubsub",
    "kill_publishers",
    "empty_valkey",
    "terminate_backends",
    "freeze_table",
    "clock_skew",
    "restart_postgres",
    "reset_connections",
)


async def test_nothing_is_lost_or_done_twice_while_services_die_and_messages_vanish() -> None:
    seed = int(os.environ.get(SEED_VARIABLE) or random.SystemRandom().randrange(1_000_000))
    print(f"seed {seed}: {SEED_VARIABLE}={seed} plays it again")
    faults = [BY_NAME[name] for name in random.Random(seed).sample(FAULTS, len(FAULTS))]
    outcome = await run(faults, SECONDS, seed, print, again=False)
    print(*outcome.findings, sep="\n")
    assert [str(finding) for finding in outcome.findings] == []
    assert (outcome.lost, outcome.gaps) == (0, 0)
    assert outcome.blows >= LEAST_BLOWS
    assert outcome.matches >= TABLES
