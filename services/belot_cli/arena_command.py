"""`belot arena`: two players on duplicate deals, over several processes and, with a file, over several sittings."""

import json
from collections.abc import Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from belot_bot.arena import Difference, Figure, duplicate_deal, figure
from belot_cli.arena_file import ArenaFile, OtherArena, arena_file
from belot_cli.contestants import Contestant, NoContestant, chooser, contestant
from belot_cli.workers import each_done, engine_kind, with_bar
from belot_engine.cards import side_count
from belot_engine.errors import EngineError
from belot_engine.ruleset import Ruleset, ruleset_hash


class ArenaFailed(Exception):  # noqa: N818 - says what stopped it
    """The arena cannot begin or go on, in one sentence; ``began`` says which."""

    def __init__(self, why: str, began: bool = False) -> None:
        super().__init__(why, began)
        self.why = why
        self.began = began


@dataclass(frozen=True, slots=True)
class Contest:
    """Who plays what: every deal follows from this and its number."""

    rules: Ruleset
    first: Contestant
    second: Contestant
    seed: str


def contest_of(rules: Ruleset, first: str, second: str, seed: str) -> Contest:
    """The contest between two players by their names. Errors: ArenaFailed."""
    try:
        return Contest(rules, contestant(first), contestant(second), seed)
    except NoContestant as error:
        raise ArenaFailed(str(error)) from None


def played(contest: Contest, deals: int, jobs: int, file: Path | None) -> tuple[Difference, ...]:
    """The deals from number 0 on, those in the file as they are there. Errors: ArenaFailed."""
    try:
        with nullcontext(None) if file is None else arena_file(file, _about(contest)) as kept:
            return _played(contest, deals, jobs, kept)
    except OtherArena as error:
        raise ArenaFailed(f"--resume {file}: {error}") from None
    except OSError as error:
        raise ArenaFailed(f"--resume {file}: {error.strerror}") from None
    except BrokenProcessPool:
        raise ArenaFailed("a process was lost", began=True) from None


def _played(contest: Contest, deals: int, jobs: int, kept: ArenaFile | None) -> tuple[Difference, ...]:
    done = {} if kept is None else {number: deal for number, deal in kept.finished.items() if number < deals}
    due = [(contest, number) for number in range(deals) if number not in done]
    for _, deal in with_bar(each_done(_one, due, jobs), "deals", deals, len(done)):
        done[deal.number] = deal
        if kept is not None:
            kept.add(deal)
    return tuple(done[number] for number in range(deals))


def _one(task: tuple[Contest, int]) -> Difference:
    contest, number = task
    try:
        return duplicate_deal(
            contest.rules, chooser(contest.first), chooser(contest.second), contest.seed.encode(), number
        )
    except EngineError as refused:
        raise ArenaFailed(f"deal {number}: what a player did is refused: {refused}", began=True) from None
    except Exception as error:
        # Whatever it is has to travel between processes.
        raise ArenaFailed(f"deal {number}: {error or type(error).__name__}", began=True) from None


def _about(contest: Contest) -> dict[str, object]:
    """What has to be the same for a file to be gone on with."""
    return {
        "a": contest.first.name,
        "a_policy": contest.first.policy,
        "b": contest.second.name,
        "b_policy": contest.second.policy,
        "ruleset": ruleset_hash(contest.rules),
        "seed": contest.seed,
    }


def told(contest: Contest, deals: Sequence[Difference], jobs: int) -> Iterator[str]:
    """The result for people."""
    rules, first, second = contest.rules, contest.first, contest.second
    yield f"arena        A {first.name} ({first.policy})  B {second.name} ({second.policy})"
    yield f"ruleset      {rules.name}, {rules.seats} players, {rules.pack} cards; seed {contest.seed}"
    yield f"engine       {engine_kind()}, {jobs} {'process' if jobs == 1 else 'processes'}"
    yield f"card points  {_figure(figure(deal.card_points for deal in deals))}"
    yield f"score        {_figure(figure(deal.score for deal in deals))}"
    yield f"over {len(deals):,} duplicate deals, each played once for each of {side_count(rules.seats)} sides"


def _figure(found: Figure) -> str:
    low, high = found.mean - found.half_width, found.mean + found.half_width
    ahead = "A ahead" if low > 0 else "B ahead" if high < 0 else "no difference shown"
    return f"{found.mean:+8.2f} ± {found.half_width:.2f} a deal for A (95 %): {ahead}"


def as_json(contest: Contest, deals: Sequence[Difference]) -> str:
    """The result for programs."""
    rules = contest.rules
    answer = {
        "a": {"name": contest.first.name, "policy": contest.first.policy},
        "b": {"name": contest.second.name, "policy": contest.second.policy},
        "ruleset": {"name": rules.name, "version": rules.version, "hash": ruleset_hash(rules)},
        "players": rules.seats,
        "pack": rules.pack,
        "seed": contest.seed,
        "engine": engine_kind(),
        "deals": len(deals),
        "card_points": _interval(figure(deal.card_points for deal in deals)),
        "score": _interval(figure(deal.score for deal in deals)),
    }
    return json.dumps(answer)


def _interval(found: Figure) -> dict[str, float]:
    low, high = found.mean - found.half_width, found.mean + found.half_width
    return {"mean": found.mean, "half_width": found.half_width, "low": low, "high": high}
