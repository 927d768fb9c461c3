"""The rulesets there are, and how the options of a table make one of them.

To add a ruleset: a base value here with its forms and options, and, where it counts differently, a pure function
in ``scoring.py``'s table. Nothing else knows the rulesets by name.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast

from belot_engine.deal_map import build_deal_map
from belot_engine.errors import OptionError
from belot_engine.ruleset import Litige, Ruleset

#: The most deals, and the highest target, that a table may ask for.
MOST_DEALS = 100
HIGHEST_TARGET = 10_000


@dataclass(frozen=True, slots=True)
class Form:
    """A number of seats and a pack that a ruleset is played with: first packets and cards in hand."""

    seats: int
    pack: int
    packets: tuple[int, ...]
    hand_size: int


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a table has.

    ``values`` lists what may be chosen; empty when any whole number from 1 to ``highest`` will do. ``default`` is
    empty when the option is off unless asked for.
    """

    name: str
    values: tuple[str, ...]
    default: str
    about: str
    highest: int = 0


_TARGET = "Score at which the match ends."
_DEALS = Option("deals", (), "", "Number of scored deals played instead of a target.", MOST_DEALS)
_FOURS = (0, 0, 150, 100, 200, 100, 100, 100)
_RUNS = (0, 0, 0, 20, 50, 100, 100, 100, 100)

_CLUB = Ruleset(
    name="club",
    version=1,
    seats=4,
    pack=32,
    hand_size=8,
    deal_map=(),
    turned_up=True,
    bidding_rounds=2,
    nobody_chooses="dealer_chooses",
    beat_plain="never",
    ruff="always",
    melds=True,
    run_points=_RUNS,
    four_points=_FOURS,
    meld_order=("points", "four", "top", "trump"),
    meld_tie="nobody",
    melds_shown="after_first_trick",
    full_run_wins=False,
    bela_points=20,
    bela_announced="first",
    last_trick=10,
    scoring="club",
    unit=10,
    sweep=False,
    sweep_bonus=0,
    penalty=10,
    bolts_per_penalty=3,
    bela_in_limit=True,
    litige="none",
    target=101,
    deals=0,
    level_extension=50,
)

_BELA = replace(
    _CLUB,
    name="bela",
    turned_up=False,
    bidding_rounds=1,
    beat_plain="until_ruffed",
    meld_order=("points", "four", "length", "top"),
    meld_tie="earlier_in_turn",
    melds_shown="before_play",
    full_run_wins=True,
    bela_announced="second",
    scoring="bela",
    unit=1,
    sweep=True,
    sweep_bonus=90,
    penalty=0,
    bolts_per_penalty=0,
    bela_in_limit=False,
    target=1001,
    level_extension=0,
)

_CLASSIC = replace(
    _BELA,
    name="classic",
    turned_up=True,
    bidding_rounds=2,
    nobody_chooses="redeal",
    beat_plain="never",
    ruff="unless_partner",
    melds=False,
    full_run_wins=False,
    bela_announced="first",
    scoring="classic",
    bela_in_limit=True,
    litige="carry",
    target=1000,
)

_ANNOUNCES = replace(
    _CLASSIC,
    name="announces",
    melds=True,
    meld_order=("points", "four", "length", "top", "trump"),
    meld_tie="nobody",
    melds_shown="after_first_trick",
)

_BASES: dict[str, Ruleset] = {base.name: base for base in (_CLUB, _BELA, _CLASSIC, _ANNOUNCES)}

_FORMS: dict[str, tuple[Form, ...]] = {
    "club": (
        Form(4, 32, (3, 2), 8),
        Form(4, 24, (3, 1), 6),
        Form(3, 32, (3, 2), 10),
        Form(3, 24, (3, 2), 8),
        Form(2, 32, (3, 3), 10),
        Form(2, 24, (3, 3), 9),
    ),
    "bela": (Form(4, 32, (3, 3), 8),),
    "classic": (Form(4, 32, (3, 2), 8),),
    "announces": (Form(4, 32, (3, 2), 8),),
}

_FRENCH_OPTIONS = (
    Option("target", (), "1000", _TARGET, HIGHEST_TARGET),
    _DEALS,
    Option("litige", ("carry", "fail", "redeal"), "carry", "What a level contract does."),
)

_OPTIONS: dict[str, tuple[Option, ...]] = {
    "club": (Option("target", ("101", "51", "151"), "101", _TARGET), _DEALS),
    "bela": (
        Option("target", ("1001", "501", "701"), "1001", _TARGET),
        _DEALS,
        Option("melds", ("on", "off"), "on", "Runs and fours count; king and queen of trumps always do."),
        Option("stiglja", ("on", "off"), "on", "Taking all eight tricks earns 90 and every recognised meld."),
        Option("bela_in_limit", ("off", "on"), "off", "King and queen of trumps count when the contract is judged."),
    ),
    "classic": _FRENCH_OPTIONS,
    "announces": _FRENCH_OPTIONS,
}

_APPLY: dict[str, Callable[[Ruleset, str], Ruleset]] = {
    "target": lambda rules, value: replace(rules, target=int(value)),
    "deals": lambda rules, value: replace(rules, deals=int(value), target=0, level_extension=0),
    "melds": lambda rules, value: replace(rules, melds=value == "on", full_run_wins=value == "on"),
    "stiglja": lambda rules, value: replace(rules, sweep=value == "on"),
    "bela_in_limit": lambda rules, value: replace(rules, bela_in_limit=value == "on"),
    "litige": lambda rules, value: replace(rules, litige=cast(Litige, value)),
}


#: What a ruleset has for each option, as the text that chooses it; empty where the option is not chosen.
_CHOSEN: dict[str, Callable[[Ruleset], str]] = {
    "target": lambda rules: str(rules.target or ""),
    "deals": lambda rules: str(rules.deals or ""),
    "melds": lambda rules: "on" if rules.melds else "off",
    "stiglja": lambda rules: "on" if rules.sweep else "off",
    "bela_in_limit": lambda rules: "on" if rules.bela_in_limit else "off",
    "litige": lambda rules: rules.litige,
}


def ruleset_names() -> tuple[str, ...]:
    """Names of all rulesets."""
    return tuple(_BASES)


def forms_of(name: str) -> tuple[Form, ...]:
    """The seats and packs that a ruleset is played with; the first is the usual one."""
    return _FORMS[_known(name)]


def options_of(name: str) -> tuple[Option, ...]:
    """The options that a table of this ruleset may set."""
    return _OPTIONS[_known(name)]


def _known(name: str) -> str:
    if name not in _BASES:
        raise OptionError("ruleset", f"there is no ruleset {name!r}; there are {', '.join(_BASES)}")
    return name


def resolve(name: str, seats: int, pack: int, options: Mapping[str, str]) -> Ruleset:
    """The ruleset of a table: a name, a number of seats, a pack and options as text (``on``/``off``, numbers).

    Raises OptionError naming the field: ``ruleset``, ``seats``, ``pack`` or the option.
    """
    return _resolve(_known(name), seats, pack, tuple(sorted(options.items())))


@lru_cache(maxsize=1024)
def _resolve(name: str, seats: int, pack: int, options: tuple[tuple[str, str], ...]) -> Ruleset:
    form = _form(name, seats, pack)
    base = _BASES[name]
    deal_map = build_deal_map(seats, pack, form.packets, base.turned_up, form.hand_size)
    rules = replace(base, seats=seats, pack=pack, hand_size=form.hand_size, deal_map=deal_map)
    if {"target", "deals"} <= dict(options).keys():
        raise OptionError("deals", "a match has a target or a number of deals, not both")
    known = {option.name: option for option in _OPTIONS[name]}
    for field, value in options:
        if field not in known:
            raise OptionError(field, f"no option of {name}; there are {', '.join(known)}")
        rules = _APPLY[field](rules, _checked(known[field], value))
    return rules


def chosen_options(ruleset: Ruleset) -> dict[str, str]:
    """The options that make this ruleset out of its name, seats and pack, those with their defaults left away.

    Raises OptionError when none do: it is none of the published ones.
    """
    chosen = {option.name: _CHOSEN[option.name](ruleset) for option in options_of(ruleset.name)}
    defaults = {option.name: option.default for option in options_of(ruleset.name)}
    options = {name: value for name, value in chosen.items() if value and value != defaults[name]}
    if resolve(ruleset.name, ruleset.seats, ruleset.pack, options) != ruleset:
        raise OptionError("ruleset", f"no options of {ruleset.name} make this ruleset")
    return options


def _form(name: str, seats: int, pack: int) -> Form:
    of_seats = [form for form in _FORMS[name] if form.seats == seats]
    if not of_seats:
        counts = sorted({form.seats for form in _FORMS[name]})
        raise OptionError("seats", f"{name} is played by {', '.join(map(str, counts))}")
    for form in of_seats:
        if form.pack == pack:
            return form
    raise OptionError("pack", f"{name} with {seats} is played with {', '.join(str(form.pack) for form in of_seats)}")


def _checked(option: Option, value: str) -> str:
    if option.values:
        if value in option.values:
            return value
        raise OptionError(option.name, f"one of {', '.join(option.values)}")
    plain = value.isascii() and value.isdecimal() and len(value) <= len(str(option.highest)) and value[:1] != "0"
    if plain and int(value) <= option.highest:
        return value
    raise OptionError(option.name, f"a whole number from 1 to {option.highest}")


def is_standard(ruleset: Ruleset) -> bool:
    """Whether every option has its default, the target any of the ruleset's listed ones: what may be rated."""
    listed = next(option.values for option in _OPTIONS[ruleset.name] if option.name == "target")
    usual = resolve(ruleset.name, ruleset.seats, ruleset.pack, {})
    return ruleset == usual or (str(ruleset.target) in listed and replace(ruleset, target=usual.target) == usual)
