"""What people type when they ask about the rules, as the engine's values; whatever cannot be is a UsageError.

A UsageError ends the command with status 2 and says on standard error which option is wrong and what it takes.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from belot_cli.cards import read_card, read_suit
from belot_engine.cards import mask_of
from belot_engine.errors import InputError, NotationError, OptionError
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import forms_of, options_of, resolve

USUAL_PLAYERS = 4
_SEPARATORS = re.compile(r"[\s,]+")
_SWITCH = {"yes": "on", "true": "on", "1": "on", "no": "off", "false": "off", "0": "off"}
_OPTION_OF = {"seats": "--players", "out_points": "--out"}
_POSITION = ("ruleset", "pack", "trump", "table", "hand", "card")
_DEAL = ("hands", "first", "last", "dealer", "declarer", "points", "tricks", "melds", "bela", "totals", "bolts", "held")
_OWN = frozenset((*_POSITION, *_DEAL))


def wrong(option: str, message: str) -> click.UsageError:
    """The refusal of what an option says."""
    return click.UsageError(f"{option}: {message}")


@contextmanager
def asked() -> Iterator[None]:
    """What the engine refuses inside the block is told by the name of the option that said it."""
    try:
        yield
    except (InputError, OptionError) as refusal:
        name = refusal.field
        option = _OPTION_OF.get(name) or (f"--{name}" if name in _OWN else f"--option {name}=...")
        raise wrong(option, refusal.message) from None


def words(text: str) -> list[str]:
    """What stands between blanks and commas."""
    return [word for word in _SEPARATORS.split(text) if word]


def cards_in_order(option: str, text: str) -> tuple[int, ...]:
    """Cards as they are written, none twice."""
    cards = []
    for word in words(text):
        card = read_card(word)
        if card is None:
            raise wrong(option, f"{word!r} is no card; write rank and suit, as in 7C 9D TH JS")
        if card in cards:
            raise wrong(option, f"{word} is named twice")
        cards.append(card)
    return tuple(cards)


def hand_of(option: str, text: str) -> int:
    """Cards as a mask."""
    return mask_of(cards_in_order(option, text))


def suit_named(option: str, text: str) -> int:
    """A suit: its letter, sign or name."""
    suit = read_suit(text)
    if suit is None:
        raise wrong(option, f"{text!r} is no suit; write C, D, H or S")
    return suit


def numbers(option: str, text: str | None) -> tuple[int, ...]:
    """Whole numbers, one a side; none for an option that was not given."""
    found = []
    for word in words(text or ""):
        if not re.fullmatch(r"[+-]?[0-9]{1,6}", word):
            raise wrong(option, f"{word!r} is no whole number; write one a side, as in 72,90")
        found.append(int(word))
    return tuple(found)


def ruleset_asked(name: str, players: int | None, pack: int | None, options: Sequence[str]) -> Ruleset:
    """The ruleset that was named; players and pack are its usual ones where nothing was said."""
    with asked():
        seats = players or USUAL_PLAYERS
        packs = [form.pack for form in forms_of(name) if form.seats == seats]
        return resolve(name, seats, pack or (packs[0] if packs else 32), _named(name, options))


def _named(ruleset: str, options: Sequence[str]) -> dict[str, str]:
    """Options by name; a switch may be said as yes and no, too."""
    switches = {each.name for each in options_of(ruleset) if set(each.values) == {"on", "off"}}
    named = {}
    for option in options:
        name, equals, value = (part.strip() for part in option.partition("="))
        if not (name and equals):
            raise wrong("--option", f"{option!r} is not NAME=VALUE; see: belot rules {ruleset}")
        named[name] = _SWITCH.get(value.lower(), value) if name in switches else value
    return named


@contextmanager
def written() -> Iterator[None]:
    """What is not written as notation has it is told as the fault of --position."""
    try:
        yield
    except NotationError as refusal:
        raise wrong("--position", str(refusal)) from None
