"""The command line of the house: `belot up`, `belot play`, `belot verify`, and what operators call.

Each command imports what it needs when it is called, so that a service's process does not carry a terminal's parts.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

import click

from belot_cli.bot_commands import BOT_COMMANDS, offered_level
from belot_cli.fair_commands import fair
from belot_cli.rule_commands import RULE_COMMANDS
from belot_cli.table_commands import table

if TYPE_CHECKING:
    from belot_cli.play_options import Asked
    from belot_cli.verify_command import VerifyAsked


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="belot-backend", prog_name="belot", message="%(prog)s %(version)s")
def main() -> None:
    """Online Belot: exact rules, a deal anyone can check, tables that lose nothing."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without ♥ shows ?, and nothing breaks


for command in (*RULE_COMMANDS, *BOT_COMMANDS, fair, table):
    main.add_command(command)

SERVICES = ("gateway", "table", "rules", "dealer", "bot", "rating", "beacon")
RULESETS = ("club", "bela", "classic", "announces")
_STATE = click.option(
    "--state-dir", type=click.Path(path_type=Path, file_okay=False), help="Where the fleet keeps what lasts."
)


@main.command()
@_STATE
@click.option("--listen", default="127.0.0.1:7100", show_default=True, help="Address of the first gateway.")
@click.option(
    "--beacon",
    type=click.Choice(["auto", "quicknet", "dev"]),
    default="auto",
    show_default=True,
    help="The drand chain: quicknet where a relay answers (auto), or the development beacon.",
)
@click.option("--tables", type=click.IntRange(1, 16), default=1, show_default=True, help="Table processes.")
@click.option("--gateways", type=click.IntRange(1, 16), default=1, show_default=True, help="On following ports.")
@click.option("--log-level", default="INFO", show_default=True, help="Least level in the logs.")
def up(state_dir: Path | None, listen: str, beacon: str, tables: int, gateways: int, log_level: str) -> None:
    """Run the whole fleet with its PostgreSQL and Valkey until Ctrl-C.

    BELOT_POSTGRES_DSN and BELOT_VALKEY_URL name servers to use in place of the embedded ones.
    """
    from belot_cli.fleet import BeaconChoice, FleetSpec
    from belot_cli.state_dir import default_state_dir
    from belot_cli.up import up

    state = state_dir or default_state_dir()
    sys.exit(up(FleetSpec(state, listen, BeaconChoice(beacon), tables, gateways, log_level)))


@main.command()
@click.argument("service", type=click.Choice(SERVICES))
@click.option("--config", type=click.Path(path_type=Path, dir_okay=False), help="Its settings, a TOML file.")
def serve(service: str, config: Path | None) -> None:
    """Run one SERVICE's process; settings come from the file and from BELOT_<SERVICE>__<FIELD>."""
    from belot_cli.serve_command import serve

    sys.exit(serve(service, config))


@main.command()
@click.option("--dsn", envvar="BELOT_POSTGRES_DSN", required=True, help="The database administrator's address.")
@click.option(
    "--phase",
    type=click.Choice(["pre", "post", "all"]),
    default="all",
    show_default=True,
    help="pre: before the new release starts; post: when the old one is gone.",
)
def migrate(dsn: str, phase: str) -> None:
    """Bring the services' schemas up to date."""
    from belot_cli.migrate_command import migrate_and_tell

    sys.exit(migrate_and_tell(dsn, phase))


@main.command()
@_STATE
@click.option("--yes", is_flag=True, help="Do not ask.")
def wipe(state_dir: Path | None, yes: bool) -> None:
    """Delete what the local fleet keeps: databases, keys, logs, saved proofs."""
    from belot_cli.local_fleet import remove_sockets
    from belot_cli.state_dir import StateDirError, default_state_dir, shown
    from belot_cli.state_dir import wipe as wipe_state

    state = state_dir or default_state_dir()
    if state.exists() and not yes:
        click.confirm(f"Delete databases, keys, logs and saved proofs in {shown(state)}?", abort=True)
    try:
        deleted = wipe_state(state)
    except StateDirError as error:
        raise click.ClickException(str(error)) from None
    if deleted:
        remove_sockets(state)
    click.echo(f"{shown(state)} was deleted" if deleted else f"{shown(state)} is not there")


@main.command()
@click.option("--auto", is_flag=True, help="Four bots play; print the match and verify it.")
@click.option("--ruleset", type=click.Choice(RULESETS), default="club", show_default=True)
@click.option("--players", type=click.IntRange(2, 4), default=4, show_default=True, help="2 and 3: club only.")
@click.option("--pack", type=click.Choice(["32", "24"]), default="32", show_default=True, help="24: club only.")
@click.option("--target", type=click.IntRange(1), help="Points to play to, where the ruleset has a choice.")
@click.option("--deals", type=click.IntRange(1), help="Play this many deals instead.")
@click.option("--name", help="What to call you at the table.")
@click.option("--bots", default="normal", show_default=True, callback=offered_level, help="How well the bots play.")
@click.option("--bot-delay", type=click.FloatRange(0, 10), help="Seconds a bot thinks, for you to follow.")
@click.option("--beacon", type=click.Choice(["auto", "quicknet", "dev"]), help="The drand chain of a private fleet.")
@click.option("--gateway", help="Play on the fleet behind this HOST:PORT.")
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), help="Where to save the proof file.")
@click.option("--language", help="Language of refusals, as en or ro-MD.")
@_STATE
def play(auto: bool, bot_delay: float | None, pack: str, **asked: Unpack["Asked"]) -> None:
    """Play a match against bots in this terminal.

    On the fleet that `belot up` runs here, or else on a private one that is gone in the end. Exit status: 0 when the
    match was verified (or you left it), 1 when something failed.
    """
    from belot_cli.play_command import play
    from belot_cli.play_options import options_of

    delay = (0.0 if auto else 0.7) if bot_delay is None else bot_delay
    sys.exit(play(options_of(int(pack), delay, asked), auto=auto))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--evidence", type=click.Path(path_type=Path), help="What one player's client kept of the match.")
@click.option("--inclusion", type=click.Path(path_type=Path), help="That the commitment is listed on its day.")
@click.option("--trusted-keys", type=click.Path(path_type=Path), help="The dealer's published keys, one a line.")
@click.option("--fetch-beacon", is_flag=True, help="Compare the beacon with what drand's relays serve (network).")
@click.option("--relay", "relays", multiple=True, envvar="BELOT_RELAYS", help="Relays to ask in place of drand's.")
@click.option("--json", "as_json", is_flag=True, help="The report as JSON.")
@click.option("--accept-dev", is_flag=True, help="Take the chain of a development beacon, which proves no chance.")
def verify(file: Path, fetch_beacon: bool, as_json: bool, **asked: Unpack["VerifyAsked"]) -> None:
    """Check a match's proof FILE offline: seeds, round, beacon, packs, hands, plays, score.

    Exit status 0: nothing failed; 1: something failed; 2: a file cannot be read.
    """
    from belot_cli.verify_command import beside_of, verify_files

    outcome = verify_files(file, beside_of(asked, fetch_beacon=fetch_beacon), as_json=as_json)
    for line in outcome.lines:
        click.echo(line, err=outcome.status == 2)
    sys.exit(outcome.status)


if __name__ == "__main__":
    main()
