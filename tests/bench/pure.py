"""What needs no server: engine play-outs, packs and beacon checks on one core."""

import json
import random
import time
from collections.abc import Callable
from pathlib import Path

from belot_engine.match import start
from belot_engine.rulesets import resolve
from belot_fair.drand import QUICKNET, verify
from belot_fair.recipe import shuffle
from support.playouts import quick_deal, random_deal

_GOLDEN = Path(__file__).parent.parent / "golden" / "drand_quicknet.json"


def _rate(work: Callable[[], object], seconds: float) -> float:
    done, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(20):
            work()
        done += 20
    return done / (time.perf_counter() - began)


def quick_deals_per_second(seconds: float) -> float:
    """Random deals through the engine's public functions: legality, tricks, melds, score."""
    rules, rng = resolve("bela", 4, 32, {}), random.Random(7)
    return _rate(lambda: quick_deal(rules, rng), seconds)


def applied_deals_per_second(seconds: float) -> float:
    """Random deals through ``apply``: states, events and audits, as the rules service runs them."""
    first, rng = start(resolve("bela", 4, 32, {"deals": "100"}), 0), random.Random(7)
    return _rate(lambda: random_deal(first, rng), seconds)


def packs_per_second(seconds: float) -> float:
    """Packs by the fair deal's recipe."""
    seeds = (bytes(16),) * 4
    return _rate(lambda: shuffle(bytes(32), 0, seeds, 1, b"\x01" * 32), seconds)


def beacon_checks_per_second(seconds: float) -> float:
    """BLS checks of a real quicknet beacon."""
    vector = json.loads(_GOLDEN.read_text())["vectors"][0]
    signature = bytes.fromhex(vector["signature"])
    return _rate(lambda: verify(QUICKNET, int(vector["round"]), signature), seconds)
