"""The commands about the fair deal: `belot fair pack`, `belot fair beacon`. None needs a server or the network.

What cannot be read ends with status 2 and says on standard error which option to change. A beacon that does not hold
is an answer, and ends with status 1.
"""

import sys

import click

_JSON = click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")


@click.group("fair")
def fair() -> None:
    """Make packs again and check beacons, offline."""


@fair.command("pack")
@click.option("--server-seed", required=True, metavar="HEX", help="The server seed: 32 octets, 64 characters.")
@click.option("--hand", required=True, metavar="K", help="The hand, counted from 0, redeals included.")
@click.option(
    "--seeds", required=True, metavar="HEX,-,...", help="The seed of each seat in order, 16 octets; - for none."
)
@click.option("--round", "round_text", metavar="R", help="The beacon's round; 0 or left away after a fallback.")
@click.option("--value", metavar="HEX", help="The beacon's value, 32 octets; zeros or left away after a fallback.")
@click.option("--pack", "pack_text", default="32", show_default=True, metavar="24|32", help="Cards in the pack.")
@_JSON
def pack(
    server_seed: str,
    hand: str,
    seeds: str,
    round_text: str | None,
    value: str | None,
    pack_text: str,
    as_json: bool,
) -> None:
    """Make the pack of one hand from seeds and beacon; position 0 is dealt first."""
    from belot_cli.fair_command import PackAsked, pack_told

    asked = PackAsked(server_seed, hand, seeds, round_text, value, pack_text)
    click.echo(pack_told(asked, as_json=as_json))


@fair.command("beacon")
@click.option("--round", "round_text", required=True, metavar="R", help="The round.")
@click.option("--signature", required=True, metavar="HEX", help="Its signature: 48 octets, 96 characters.")
@_JSON
def beacon(round_text: str, signature: str, as_json: bool) -> None:
    """Check a beacon of quicknet: is the signature that round's? Gives its value.

    Exit status 0: it holds; 1: it does not; 2: the options cannot be read.
    """
    from belot_cli.fair_command import beacon_told

    told = beacon_told(round_text, signature, as_json=as_json)
    click.echo(told.text)
    sys.exit(told.status)
