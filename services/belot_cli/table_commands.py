"""What operators do to tables: `belot table end`."""

import sys
from pathlib import Path

import click


@click.group("table")
def table() -> None:
    """What operators do to tables."""


@table.command("end")
@click.argument("table_id", metavar="TABLE")
@click.option(
    "--as",
    "outcome",
    type=click.Choice(["server_fault", "cancelled"]),
    required=True,
    help="How the record says that it ended.",
)
@click.option(
    "--address",
    envvar="BELOT_TABLE_ADDRESS",
    help="A table service: HOST:PORT or unix:/PATH. Left away: that of the fleet over the state directory.",
)
@click.option(
    "--state-dir", type=click.Path(path_type=Path, file_okay=False), help="Where that fleet keeps what lasts."
)
@click.option("--request-id", help="Give the one that was printed to ask again: a match is ended once.")
def end(table_id: str, outcome: str, address: str | None, state_dir: Path | None, request_id: str | None) -> None:
    """End the match at TABLE for everybody; it counts for nothing.

    Exit status 0: it is ended; 1: it is not, and standard error says why.
    """
    from belot_cli.state_dir import default_state_dir
    from belot_cli.table_command import end_and_tell

    sys.exit(end_and_tell(table_id, outcome, address, state_dir or default_state_dir(), request_id))
