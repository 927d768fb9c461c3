"""`make selfplay`: every level in every ruleset and size, a line each. Exit status 1 if anything was wrong."""

import argparse
import secrets
import sys
from collections.abc import Iterator

from belot_bot.policy import POLICIES
from belot_cli.workers import each_done, engine_kind, usual_jobs, with_bar
from belot_engine.ruleset import Ruleset
from selfplay.deals import Played, Share, played
from support.playouts import every_form

USUAL = {True: 300, False: 10_000}
"""Deals a form where nothing was said: of levels that think, and of others."""


def shares(rules: Ruleset, level: str, seed: str, deals: int) -> list[Share]:
    """All deals of a level in one form, in shares that take each process a while."""
    size = max(1, min(200, deals // 40))
    return [
        Share(rules.name, rules.seats, rules.pack, level, seed, first, min(first + size, deals))
        for first in range(0, deals, size)
    ]


def lines(rules: Ruleset, level: str, seed: str, deals: int, jobs: int) -> Iterator[tuple[str, bool]]:
    """The figures of a level in one form, and a line for everything that was wrong; whether all was well."""
    form = f"{rules.name} {rules.seats}x{rules.pack}"
    work = shares(rules, level, seed, deals)
    found: list[Played] = [done for _, done in with_bar(each_done(played, work, jobs), f"{level} {form}", len(work))]
    decisions, seconds = sum(each.decisions for each in found), sum(each.seconds for each in found)
    findings = sorted((each for part in found for each in part.findings), key=lambda each: each.number)
    cost = 1000 * seconds / max(1, 2 * decisions)
    told = f"{deals:>7,} deals twice, {decisions:>9,} decisions, {cost:7.3f} ms of CPU each, rules included"
    yield f"{level:<7}{form:<15}{told}: {len(findings) or 'no'} findings", not findings
    for each in findings[:10]:
        yield f"  deal {each.number}: {each.wrong}", False


def main() -> None:
    """Play and print."""
    levels = [policy.level for policy in POLICIES]
    parser = argparse.ArgumentParser(prog="make selfplay", description=__doc__)
    parser.add_argument("--level", choices=levels, help="one level alone")
    parser.add_argument("--deals", type=int, help="deals a ruleset and size; 10,000 (hard, expert: 300) if not said")
    parser.add_argument("--seed", default="", help="one of its own if not said")
    parser.add_argument("--jobs", type=int, default=usual_jobs(), help="processes")
    given = parser.parse_args()
    seed, well = given.seed or secrets.token_hex(4), True
    print(f"seed {seed}, engine {engine_kind()}", flush=True)
    for policy in POLICIES:
        if given.level in (None, policy.level):
            for rules in every_form():
                for line, fine in lines(rules, policy.level, seed, given.deals or USUAL[policy.thinks], given.jobs):
                    print(line, flush=True)
                    well = well and fine
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
