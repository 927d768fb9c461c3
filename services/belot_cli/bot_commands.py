"""The commands about how well bots and people play: `belot analyse` and `belot arena`. Neither needs a server of ours.

What cannot be read or played ends with status 2 and says on standard error what is wrong; an arena that had to stop
ends with status 1.
"""

import sys
from pathlib import Path

import click

from belot_cli.rule_commands import with_form

_JSON = click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
_JOBS = click.option("--jobs", type=click.IntRange(1, 256), help="Processes at work; one a processor if not said.")


@click.command("analyse")
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--budget",
    type=click.IntRange(0),
    help="Positions a deal may take; one that needs more is solved from a later trick on. Usually enough if not said.",
)
@_JOBS
@_JSON
def analyse(file: Path, budget: int | None, jobs: int | None, as_json: bool) -> None:
    """Analyse a finished match from its proof FILE, offline: par of each deal, the cost of each card, luck and skill.

    With all cards open and in card points. Par is what a side takes when everybody plays as well as possible, with
    declarer and trump as they were; a card's cost what its side loses by it. Luck is par minus the average par, skill
    what was taken minus par, adjusted what was taken minus luck.
    """
    from belot_cli.analyse_command import Unreadable, analyse_file
    from belot_cli.workers import usual_jobs

    try:
        click.echo(analyse_file(file, budget=budget, jobs=jobs or usual_jobs(), json=as_json))
    except Unreadable as error:
        raise click.UsageError(str(error)) from None


@click.command("arena")
@click.argument("a")
@click.argument("b")
@click.option("--deals", type=click.IntRange(2), default=1000, show_default=True, help="Duplicate deals.")
@click.option("--seed", default="7", show_default=True, help="Deals and all chance follow from it.")
@click.option("--ruleset", default="bela", show_default=True, help="club, bela, classic or announces.")
@click.option(
    "--resume", type=click.Path(path_type=Path, dir_okay=False), help="Keep finished deals here; go on with them."
)
@_JOBS
@with_form
def arena(
    a: str,
    b: str,
    deals: int,
    seed: str,
    ruleset: str,
    resume: Path | None,
    jobs: int | None,
    players: int | None,
    pack: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Measure player A against player B: every pack is played once for each side, so that luck cancels.

    A player is easy, normal, hard, expert, random, or grpc://HOST:PORT[#LEVEL], anybody's bot that speaks
    belot.bot.v1.BotService. Stop it whenever you like: with --resume FILE the same command goes on, and says the same
    as if it had never been stopped.
    """
    from belot_cli.arena_command import ArenaFailed, contest_of, played, told
    from belot_cli.arena_command import as_json as json_of
    from belot_cli.rule_words import ruleset_asked
    from belot_cli.workers import usual_jobs

    jobs = jobs or usual_jobs()
    rules = ruleset_asked(ruleset, players, pack, options)
    try:
        contest = contest_of(rules, a, b, seed)
        found = played(contest, deals, jobs, resume)
    except ArenaFailed as error:
        if not error.began:
            raise click.UsageError(error.why) from None
        kept = "" if resume is None else "; what was finished is kept"
        click.echo(f"belot arena: {error.why}{kept}", err=True)
        sys.exit(1)
    click.echo(json_of(contest, found) if as_json else "\n".join(told(contest, found, jobs)))


def offered_level(context: click.Context, option: click.Parameter, level: str) -> str:
    """The level of `--bots`, one that the bot service has on offer. Errors: BadParameter, which names them."""
    from belot_bot.policy import POLICIES, policy_of

    if policy_of(level) is None:
        names = ", ".join(policy.level for policy in POLICIES)
        raise click.BadParameter(f"{level!r} is none of {names}.", context, option)
    return level


BOT_COMMANDS = (analyse, arena)
