"""The command line of the house: `belot up`, `belot play`, `belot verify`, and what operators call.

Each command imports what it needs when it is called, so that a service's process does not carry a terminal's parts.
"""

import sys
from pathlib import Path

import click


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="belot-backend", prog_name="belot", message="%(prog)s %(version)s")
def main() -> None:
    """Online Belot: exact rules, a deal anyone can check, tables that lose nothing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ♥ shows ?, and nothing breaks


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--evidence", type=click.Path(path_type=Path), help="What one player's client kept of the match.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@click.option("--accept-dev", is_flag=True, help="Take the chain of a development beacon, which proves no chance.")
def verify(file: Path, evidence: Path | None, as_json: bool, accept_dev: bool) -> None:
    """Check a match's proof FILE offline: seeds, round, beacon, packs, hands, plays, score.

    Exit status 0: nothing failed; 1: something failed; 2: the file cannot be read.
    """
    from belot_cli.verify_command import verify_files

    outcome = verify_files(file, evidence, accept_dev=accept_dev, as_json=as_json)
    for line in outcome.lines:
        click.echo(line, err=outcome.status == 2)
    sys.exit(outcome.status)


if __name__ == "__main__":
    main()
