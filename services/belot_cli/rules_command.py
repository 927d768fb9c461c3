"""`belot rules`: the rulesets there are, one of them knob by knob, or what tells two apart."""

import json
from collections.abc import Sequence

from belot_cli.rule_words import asked, ruleset_asked
from belot_engine.compare import compare, knob_words
from belot_engine.ruleset import ABOUT, KNOBS, Ruleset, canonical_json, ruleset_hash
from belot_engine.rulesets import Option, forms_of, options_of, resolve, ruleset_names


def list_told(*, as_json: bool) -> str:
    """All rulesets in all forms with their standard options, as text."""
    rulesets = [resolve(name, form.seats, form.pack, {}) for name in ruleset_names() for form in forms_of(name)]
    if as_json:
        return json.dumps({"rulesets": [_head(rules) for rules in rulesets]})
    lines = [f"{_form(rules):<22} {ruleset_hash(rules)}" for rules in rulesets]
    return "\n".join([*lines, "one of them: belot rules NAME; two side by side: belot rules NAME --compare OTHER"])


def ruleset_told(rules: Ruleset, *, as_json: bool) -> str:
    """One ruleset: options and every knob in words, as text."""
    knobs = [knob for knob in ABOUT if knob in KNOBS[rules.version]]
    if as_json:
        described = [
            {"name": knob, "value": getattr(rules, knob), "words": knob_words(rules, knob), "about": ABOUT[knob]}
            for knob in knobs
        ]
        return json.dumps({**_head(rules), "knobs": described, "json": canonical_json(rules)})
    lines = [f"{_form(rules)}, version {rules.version}", f"hash {ruleset_hash(rules)}", "", "options of a table:"]
    lines += [f"  {each.name}={_values(each)}  {each.about}" for each in options_of(rules.name)]
    lines += ["", "knobs:"]
    return "\n".join(lines + [f"  {knob} = {knob_words(rules, knob)}\n      {ABOUT[knob]}" for knob in knobs])


def comparison_told(first: Ruleset, other: str, options: Sequence[str], *, as_json: bool) -> str:
    """What tells a ruleset apart from another, in the same form if it has it; as text. Errors: click.UsageError."""
    second = _other(first, other, options)
    differences = compare(first, second)
    if as_json:
        told = [
            {"knob": each.knob, "about": each.about, "first": each.first, "second": each.second, "words": each.words}
            for each in differences
        ]
        return json.dumps({"first": _head(first), "second": _head(second), "differences": told})
    if not differences:
        return f"{_form(first)} and {_form(second)} are the same"
    lines = [f"{_form(first)} against {_form(second)}:"]
    return "\n".join(lines + [f"  {each.about}\n      {each.first}  |  {each.second}" for each in differences])


def _other(first: Ruleset, name: str, options: Sequence[str]) -> Ruleset:
    with asked():
        forms = forms_of(name)
    alike = next((form for form in forms if (form.seats, form.pack) == (first.seats, first.pack)), forms[0])
    return ruleset_asked(name, alike.seats, alike.pack, options)


def _head(rules: Ruleset) -> dict[str, object]:
    options = [
        {"name": each.name, "values": list(each.values), "default": each.default, "about": each.about}
        for each in options_of(rules.name)
    ]
    return {
        "name": rules.name,
        "version": rules.version,
        "hash": ruleset_hash(rules),
        "players": rules.seats,
        "pack": rules.pack,
        "options": options,
    }


def _form(rules: Ruleset) -> str:
    return f"{rules.name}, {rules.seats} players, {rules.pack} cards"


def _values(option: Option) -> str:
    values = "|".join(option.values) or f"1..{option.highest}"
    return f"{values} ({option.default})" if option.default else values
