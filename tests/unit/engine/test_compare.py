"""What tells rulesets apart."""

from dataclasses import replace
from itertools import product

import pytest

from belot_engine.compare import compare, knob_words
from belot_engine.errors import OptionError
from belot_engine.ruleset import ABOUT, KNOBS, Ruleset
from belot_engine.rulesets import chosen_options, forms_of, options_of, resolve, ruleset_names
from support.playouts import every_form

_EVERY = every_form()


@pytest.mark.parametrize("rules", _EVERY, ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")
def test_a_ruleset_does_not_differ_from_itself(rules: Ruleset) -> None:
    assert compare(rules, rules) == ()


def test_any_two_rulesets_differ_in_exactly_the_knobs_that_do() -> None:
    for first, second in product(_EVERY, _EVERY):
        found = {item.knob for item in compare(first, second)}
        knobs = set(KNOBS[1]) - {"name", "version"}
        assert found == {knob for knob in knobs if getattr(first, knob) != getattr(second, knob)}


def test_a_comparison_turned_round_is_turned_round() -> None:
    first, second = resolve("club", 4, 32, {}), resolve("bela", 4, 32, {})
    there, back = compare(first, second), compare(second, first)
    assert [(item.knob, item.first, item.second) for item in there] == [
        (item.knob, item.second, item.first) for item in back
    ]


def test_both_values_are_told_in_words() -> None:
    told = {item.knob: item for item in compare(resolve("bela", 4, 32, {}), resolve("classic", 4, 32, {}))}
    assert (told["ruff"].first, told["ruff"].second) == ("always", "unless partner")
    assert (told["melds"].first, told["melds"].second) == ("yes", "no")
    assert (told["deal_map"].first, told["deal_map"].second) == (
        "3+3, then 2",
        "3+2, card turned up, then 3 (declarer 2)",
    )
    assert told["ruff"].about == ABOUT["ruff"]
    assert told["ruff"].words.startswith(ABOUT["ruff"])


@pytest.mark.parametrize("rules", _EVERY, ids=lambda rules: f"{rules.name}{rules.seats}x{rules.pack}")
def test_every_knob_of_every_ruleset_has_words(rules: Ruleset) -> None:
    for knob in KNOBS[rules.version]:
        assert knob_words(rules, knob).strip()
        assert knob == "name" or "_" not in knob_words(rules, knob)


def test_what_a_run_and_a_four_are_worth_is_told() -> None:
    rules = resolve("bela", 4, 32, {})
    assert knob_words(rules, "run_points").startswith("3 cards 20, 4 cards 50, 5 cards 100")
    assert knob_words(rules, "four_points") == "9 150, T 100, J 200, Q 100, K 100, A 100"


@pytest.mark.parametrize("name", ruleset_names())
def test_the_options_of_a_ruleset_are_found_again(name: str) -> None:
    form = forms_of(name)[0]
    assert chosen_options(resolve(name, form.seats, form.pack, {})) == {}
    for option in options_of(name):
        for value in option.values or ("7", "99"):
            wanted = {} if value == option.default else {option.name: value}
            assert chosen_options(resolve(name, form.seats, form.pack, {option.name: value})) == wanted


def test_a_ruleset_of_no_options_is_refused() -> None:
    with pytest.raises(OptionError):
        chosen_options(replace(resolve("bela", 4, 32, {}), last_trick=20))
