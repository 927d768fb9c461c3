"""Rulesets in the caller's language: titles, what the knobs are about, and their values in words.

What a catalogue does not know (a ruleset or knob newer than this gateway) stays as the rules service says it.
"""

import json
from collections.abc import Callable, Mapping
from itertools import groupby
from types import MappingProxyType
from typing import Final, TypeAlias

from belot.rules.v1 import rules_pb2, rulings_pb2
from belot_gateway.localize import Kind, text

#: A knob's value as its JSON says it.
Value: TypeAlias = "str | bool | int | list[Value]"
_Words: TypeAlias = Callable[[str, str, "list[Value]"], str]

#: The ranks of a pack from the lowest, as the points of fours are listed.
_RANKS: Final = ("7", "8", "9", "10", "J", "Q", "K", "A")
#: Seats of a deal map that are nobody's, as the rules number them.
_UP_CARD, _OUT = -1, -2


def localized_ruleset(ruleset: rules_pb2.Ruleset, language: str) -> rules_pb2.Ruleset:
    """A copy of a ruleset with its title and the descriptions of its knobs in `language`; all else is as it was."""
    said = rules_pb2.Ruleset()
    said.CopyFrom(ruleset)
    said.title = title(language, ruleset.ref.name, ruleset.seats, ruleset.pack_size) or ruleset.title
    for knob in said.knobs:
        knob.description = _known(language, Kind.KNOB, knob.name) or knob.description
    return said


def localized_comparison(
    comparison: rulings_pb2.CompareRulesetsResponse, first: rules_pb2.Ruleset, second: rules_pb2.Ruleset, language: str
) -> rulings_pb2.CompareRulesetsResponse:
    """A copy of a comparison in `language`; `first` and `second` are the rulesets compared, whose values it says."""
    said = rulings_pb2.CompareRulesetsResponse()
    said.CopyFrom(comparison)
    ours, theirs = ({knob.name: knob.value for knob in ruleset.knobs} for ruleset in (first, second))
    for difference in said.differences:
        name = difference.name
        description = _known(language, Kind.KNOB, name)
        if description and name in ours and name in theirs:
            difference.description = description
            difference.first = value_text(language, name, ours[name])
            difference.second = value_text(language, name, theirs[name])
    return said


def title(language: str, name: str, seats: int, pack: int) -> str:
    """What a ruleset is called at a table, "Bela, 4 players, 32 cards"; empty for one that has no name here."""
    ruleset = _known(language, Kind.RULESET, name)
    if not ruleset:
        return ""
    return text(language, Kind.TITLE, "form").format(ruleset=ruleset, seats=seats, pack=pack)


def knob_text(language: str, knob: str) -> str:
    """What a knob decides, in one sentence; the knob's name for one that is not known here."""
    return text(language, Kind.KNOB, knob)


def option_text(language: str, option: str) -> str:
    """What an option of a table decides, in one sentence; its name for one that is not known here."""
    return text(language, Kind.OPTION, option)


def value_text(language: str, knob: str, value: str) -> str:
    """A knob's value in words, from its JSON as `Knob.value` carries it; numbers stay numbers."""
    parsed: Value = json.loads(value)
    if isinstance(parsed, list):
        return _LISTS[knob](language, knob, parsed) if knob in _LISTS else value
    if isinstance(parsed, bool):
        return text(language, Kind.VALUE, "yes" if parsed else "no")
    return _known(language, Kind.VALUE, f"{knob}.{parsed}") or str(parsed)


def _known(language: str, kind: Kind, key: str) -> str:
    found = text(language, kind, key)
    return "" if found == key else found


def _order(language: str, knob: str, values: "list[Value]") -> str:
    return " > ".join(text(language, Kind.VALUE, f"{knob}.{value}") for value in values)


def _runs(language: str, knob: str, values: "list[Value]") -> str:
    return ", ".join(f"{length}: {points}" for length, points in enumerate(values) if points)


def _fours(language: str, knob: str, values: "list[Value]") -> str:
    points = zip(_RANKS, values, strict=True)
    return ", ".join(f"{text(language, Kind.RANK, rank)}: {value}" for rank, value in points if value)


def _deal(language: str, knob: str, values: "list[Value]") -> str:
    """How the cards are dealt: first packets, the card turned up, the rest, what stays out."""
    seats = len(values)
    by_declarer = [[_place(place) for place in _list(places)] for places in values]
    first = [seat for _, seat, stage in by_declarer[0] if stage == 0 and seat >= 0]
    packets = "+".join(str(len(list(run))) for run in [list(run) for _, run in groupby(first)][::seats])
    rest = [sum(seat == who and stage == 1 for _, seat, stage in by_declarer[1 % seats]) for who in range(seats)]
    shown = any(seat == _UP_CARD for _, seat, _ in by_declarer[0])
    out = sum(seat == _OUT for _, seat, _ in by_declarer[0])
    parts = [text(language, Kind.DEAL, "packets").format(packets=packets)]
    parts += [text(language, Kind.DEAL, "up_card")] if shown else []
    parts.append(text(language, Kind.DEAL, "rest").format(cards=rest[0]))
    if rest[1 % seats] != rest[0]:
        parts.append(text(language, Kind.DEAL, "declarer").format(cards=rest[1 % seats]))
    parts += [text(language, Kind.DEAL, "out").format(cards=out)] if out else []
    return ", ".join(parts)


def _list(value: Value) -> "list[Value]":
    return value if isinstance(value, list) else []


def _place(value: Value) -> tuple[int, int, int]:
    position, seat, stage = (int(part) for part in _list(value) if isinstance(part, int))
    return position, seat, stage


#: How the knobs that are lists are said.
_LISTS: Final[Mapping[str, _Words]] = MappingProxyType(
    {"meld_order": _order, "run_points": _runs, "four_points": _fours, "deal_map": _deal}
)
