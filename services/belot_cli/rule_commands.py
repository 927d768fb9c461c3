"""The commands about the rules: `belot explain`, `score`, `melds`, `deal-map`, `rules`. None needs a server.

Each answers in lines for people or, with ``--json``, in one JSON object. Whatever cannot be ends with status 2 and says
on standard error which option to change.
"""

from collections.abc import Callable
from typing import TypeVar

import click

_Command = TypeVar("_Command", bound=Callable[..., None])

_RULESET = "club, bela, classic or announces."
_JSON = click.option("--json", "as_json", is_flag=True, help="The answer as JSON.")
_FORM = (
    click.option("--players", type=int, help="How many play; 4 unless said."),
    click.option("--pack", type=int, help="Cards in the pack, 32 or 24; 32 unless said."),
    click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="An option of the table."),
    _JSON,
)


def with_form(command: _Command) -> _Command:
    """The options that every command about one ruleset takes."""
    for option in reversed(_FORM):
        command = option(command)
    return command


@click.command("explain")
@click.option("--ruleset", help=_RULESET)
@click.option("--trump", help="Trump suit: C, D, H or S.")
@click.option("--table", help="Cards on the table in order of play; leave it away for who leads.")
@click.option("--hand", help="The hand of the seat to act.")
@click.option("--card", help="A card of the hand to be judged.")
@click.option("--position", help='All of it as one line: "bela D | KH 7D | 8H AH KC AC".')
@with_form
def explain(
    ruleset: str | None,
    trump: str | None,
    table: str | None,
    hand: str | None,
    card: str | None,
    position: str | None,
    players: int | None,
    pack: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say which cards may be played in a position, and which clause forbids the others."""
    from belot_cli.explain_command import Asked, told

    question = Asked(ruleset, trump, table, hand, card, position, players, pack, options)
    click.echo(told(question, as_json=as_json))


@click.command("score")
@click.option("--ruleset", required=True, help=_RULESET)
@click.option("--declarer", type=int, required=True, help="The side that declared, from 0.")
@click.option("--points", required=True, help="Points of each side's tricks, the last trick's 10 included: 72,90.")
@click.option("--tricks", help="Tricks of each side; due where a side has no point.")
@click.option("--melds", help="Points of the melds that count, by side: 20,0.")
@click.option("--bela", help="King and queen of trumps, by side: 0,20.")
@click.option("--last", type=int, help="The side that took the last trick; due with --out.")
@click.option("--first", type=int, default=0, show_default=True, help="The side that led first.")
@click.option("--out", type=int, default=0, help="Points of the cards left out of play.")
@click.option("--totals", help="Totals before the deal, by side.")
@click.option("--bolts", help="Bolts before the deal, by side.")
@click.option("--held", type=int, default=0, help="Points held from level deals before.")
@with_form
def score(
    ruleset: str,
    declarer: int,
    points: str,
    tricks: str | None,
    melds: str | None,
    bela: str | None,
    last: int | None,
    first: int,
    out: int,
    totals: str | None,
    bolts: str | None,
    held: int,
    players: int | None,
    pack: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Score a played deal, line by line."""
    from belot_cli.rule_words import ruleset_asked
    from belot_cli.score_command import Figures, score_told

    rules = ruleset_asked(ruleset, players, pack, options)
    figures = Figures(declarer, points, tricks, melds, bela, last, first, out, totals, bolts, held)
    click.echo(score_told(rules, figures, as_json=as_json))


@click.command("melds")
@click.option("--ruleset", required=True, help=_RULESET)
@click.option("--trump", required=True, help="Trump suit: C, D, H or S.")
@click.option("--first", type=int, default=0, show_default=True, help="The seat that leads first.")
@click.option("--hands", required=True, help='The hands from seat 0 on, with ; between: "7C 8C 9C;...;...;...".')
@with_form
def melds(
    ruleset: str,
    trump: str,
    first: int,
    hands: str,
    players: int | None,
    pack: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find the melds of all hands and say whose count."""
    from belot_cli.rule_words import ruleset_asked
    from belot_cli.score_command import melds_told

    rules = ruleset_asked(ruleset, players, pack, options)
    click.echo(melds_told(rules, trump, first, hands, as_json=as_json))


@click.command("deal-map")
@click.option("--ruleset", required=True, help=_RULESET)
@click.option("--dealer", type=int, default=0, show_default=True, help="The seat that deals.")
@click.option("--declarer", type=int, help="The seat that declares; due where a card is turned up.")
@with_form
def deal_map(
    ruleset: str,
    dealer: int,
    declarer: int | None,
    players: int | None,
    pack: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """Say who gets which position of the pack; position 0 is dealt first."""
    from belot_cli.rule_words import ruleset_asked
    from belot_cli.score_command import deal_map_told

    rules = ruleset_asked(ruleset, players, pack, options)
    click.echo(deal_map_told(rules, dealer, declarer, as_json=as_json))


@click.command("rules")
@click.argument("ruleset", required=False)
@click.option("--compare", "other", metavar="OTHER", help="Say what this other ruleset does differently.")
@click.option("--other-option", "other_options", multiple=True, metavar="NAME=VALUE", help="An option of OTHER.")
@with_form
def rules(
    ruleset: str | None,
    other: str | None,
    other_options: tuple[str, ...],
    players: int | None,
    pack: int | None,
    options: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the rulesets, show RULESET knob by knob, or compare it with another."""
    from belot_cli.rule_words import ruleset_asked
    from belot_cli.rules_command import comparison_told, list_told, ruleset_told

    if ruleset is None:
        if other is not None:
            raise click.UsageError("--compare: name the ruleset to compare with, as in belot rules bela --compare club")
        click.echo(list_told(as_json=as_json))
        return
    found = ruleset_asked(ruleset, players, pack, options)
    if other is None:
        click.echo(ruleset_told(found, as_json=as_json))
    else:
        click.echo(comparison_told(found, other, other_options, as_json=as_json))


RULE_COMMANDS = (explain, score, melds, deal_map, rules)
