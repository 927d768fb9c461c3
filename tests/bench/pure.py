"""What needs no server: engine play-outs, packs and beacon checks on one core."""

import itertools
import json
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from belot_cli.verify_command import check
from belot_engine.kernel import kernel, playout
from belot_engine.match import start
from belot_engine.rulesets import resolve
from belot_fair.drand import QUICKNET, verify
from belot_fair.proof import read_proof, write_proof
from belot_fair.recipe import shuffle
from bench.figures import line
from differential.engines import BeloteCli, Colver
from support.playouts import chosen_card, quick_deal, random_deal, random_hands
from support.proofs import Plan, played, proof_of

_GOLDEN = Path(__file__).parent.parent / "golden" / "drand_quicknet.json"


def _rate(work: Callable[[], object], seconds: float, at_once: int = 20) -> float:
    """How often a second of one core does it: processor time, so that others on the machine do not count."""
    done, began = 0, time.process_time()
    while time.process_time() - began < seconds:
        for _ in range(at_once):
            work()
        done += at_once
    return done / (time.process_time() - began)


def quick_deals_per_second(seconds: float) -> float:
    """Random deals through the engine's public functions: legality, tricks, melds, score."""
    rules, rng = resolve("bela", 4, 32, {}), random.Random(7)
    return _rate(lambda: quick_deal(rules, rng), seconds)


def applied_deals_per_second(seconds: float) -> float:
    """Random deals through ``apply``: states, events and audits, as the rules service runs them."""
    first, rng = start(resolve("bela", 4, 32, {"deals": "100"}), 0), random.Random(7)
    return _rate(lambda: random_deal(first, rng), seconds)


def kernel_deals_per_second(seconds: float) -> float:
    """Random deals through the play-out kernel, from hands that are known: what a bot that weighs cards does."""
    rules, rng = resolve("bela", 4, 32, {}), random.Random(7)
    kernels = [kernel(rules, trump) for trump in range(4)]
    deals = itertools.cycle([(kernels[number & 3], random_hands(rules, rng)) for number in range(1000)])

    def deal() -> None:
        rules, hands = next(deals)
        playout(rules, hands, 1, (), rng.randbytes(32))

    return _rate(deal, seconds)


def _foreign_deals_per_second(engine: type[BeloteCli] | type[Colver], seconds: float) -> float:
    """Random deals through another engine's own functions for legal cards and play; dealt beforehand."""
    rules, rng = resolve("classic", 4, 32, {}), random.Random(7)
    deals = itertools.cycle([random_hands(rules, rng) for _ in range(1000)])

    def deal() -> None:
        table = engine(next(deals), 2, 0)
        for chance in rng.randbytes(32):
            table.play(chosen_card(table.legal(), chance))

    return _rate(deal, seconds)


def belote_cli_deals_per_second(seconds: float) -> float:
    """Random deals through belote-cli, without its scoring."""
    return _foreign_deals_per_second(BeloteCli, seconds)


def colver_deals_per_second(seconds: float) -> float:
    """Random deals through colver's Python interface, card by card."""
    return _foreign_deals_per_second(Colver, seconds)


def colver_rollouts_per_second(seconds: float) -> float:
    """Random deals in colver's native loop: one call plays a thousand."""
    rng = random.Random(7)
    table = Colver(random_hands(resolve("classic", 4, 32, {}), rng), 2, 0)
    return 1000 * _rate(lambda: table.rollouts(1000), seconds)


def engine_lines(seconds: float) -> Iterator[str]:
    """The engine's figures beside those of two public engines, in one run on one core."""
    quick = quick_deals_per_second(seconds)
    yield line("engine, play-outs of a deal", quick, "deals/s", "public functions, scored, one core")
    yield line("engine, play-outs in the kernel", kernel_deals_per_second(seconds), "deals/s", "one core")
    yield line("engine, deals through apply", applied_deals_per_second(seconds), "deals/s", "one core")
    other = belote_cli_deals_per_second(seconds)
    yield line("belote-cli, play-outs of a deal", other, "deals/s", "not scored")
    yield line("engine for one deal of belote-cli", quick / other, "ratio")
    yield line("colver, play-outs of a deal", colver_deals_per_second(seconds), "deals/s", "its Python interface")
    yield line("colver, play-outs of a deal", colver_rollouts_per_second(seconds), "deals/s", "its native loop")


def packs_per_second(seconds: float) -> float:
    """Packs by the fair deal's recipe."""
    seeds = (bytes(16),) * 4
    return _rate(lambda: shuffle(bytes(32), 0, seeds, 1, b"\x01" * 32), seconds)


def beacon_checks_per_second(seconds: float) -> float:
    """BLS checks of a real quicknet beacon."""
    vector = json.loads(_GOLDEN.read_text())["vectors"][0]
    signature = bytes.fromhex(vector["signature"])
    return _rate(lambda: verify(QUICKNET, int(vector["round"]), signature), seconds)


def proofs_per_second(seconds: float) -> tuple[float, int]:
    """Whole verifications of one match's proof file, from its octets to its report; and how many deals it has.

    Two bots sit there, so that their choices are computed again as `belot verify` does.
    """
    match = played(Plan("bela", options=(("target", "501"),), bots=(1, 3)))
    octets, deals = write_proof(proof_of(match)), 1 + max(entry.hand for entry in match.entries)
    assert check(read_proof(octets)).ok
    return _rate(lambda: check(read_proof(octets)), seconds, at_once=1), deals


def fair_lines(seconds: float) -> Iterator[str]:
    """The fair deal's figures, one core."""
    yield line("packs", packs_per_second(seconds), "packs/s", "one core")
    yield line("beacon checks", beacon_checks_per_second(seconds), "checks/s", "one core")
    proofs, deals = proofs_per_second(seconds)
    yield line("proof verifications", proofs, "proofs/s", f"a match of {deals} deals, one core")


if __name__ == "__main__":
    for text in engine_lines(3):
        print(text, flush=True)
