"""The commands about how well was played: `belot analyse` and `belot arena`. Neither needs a server of ours.

What cannot be read ends with status 2 and says on standard error what is wrong.
"""

from pathlib import Path

import click

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


BOT_COMMANDS = (analyse,)
