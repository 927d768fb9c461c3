"""Rulesets in the caller's language: every published one, against what the engine says of it."""

import json

import pytest

from belot.rules.v1 import rules_pb2, rulings_pb2
from belot_engine.ruleset import KNOBS, Ruleset
from belot_engine.rulesets import forms_of, resolve, ruleset_names
from belot_gateway.localize import catalogues
from belot_gateway.ruleset_texts import (
    knob_text,
    localized_comparison,
    localized_ruleset,
    option_text,
    title,
    value_text,
)
from belot_rules.convert.known import know
from belot_rules.convert.outcomes import write_ruleset

RULESETS = [resolve(name, form.seats, form.pack, {}) for name in ruleset_names() for form in forms_of(name)]
IDS = [f"{rules.name}-{rules.seats}x{rules.pack}" for rules in RULESETS]


def message(rules: Ruleset) -> rules_pb2.Ruleset:
    return write_ruleset(know(rules))


def said(language: str, rules: Ruleset, knob: str) -> str:
    return value_text(language, knob, json.dumps(getattr(rules, knob)))


@pytest.mark.parametrize("rules", RULESETS, ids=IDS)
@pytest.mark.parametrize("language", sorted(catalogues()))
def test_title_and_knobs_are_translated_and_nothing_else_is_touched(language: str, rules: Ruleset) -> None:
    before = message(rules)
    found = localized_ruleset(before, language)
    assert found.title == title(language, rules.name, rules.seats, rules.pack)
    assert [knob.description for knob in found.knobs] == [knob_text(language, knob) for knob in KNOBS[rules.version]]
    found.title = before.title
    for knob, plain in zip(found.knobs, before.knobs, strict=True):
        knob.description = plain.description
    assert found == before == message(rules)


def test_a_comparison_is_said_in_the_callers_language_knob_by_knob() -> None:
    first, second = (message(resolve(name, 4, 32, {})) for name in ("bela", "classic"))
    plain = rulings_pb2.CompareRulesetsResponse(first=first.ref, second=second.ref)
    plain.differences.add(name="melds", description="d", first="yes", second="no")
    plain.differences.add(name="newer", description="d", first="this", second="that")
    melds, newer = localized_comparison(plain, first, second, "hr").differences
    assert (melds.description, melds.first, melds.second) == (knob_text("hr", "melds"), "da", "ne")
    assert newer == plain.differences[1]


def test_titles_are_grammatical_for_every_form_there_is() -> None:
    """Two to four players and 24 or 32 cards take one form of the noun in each language; others may not."""
    assert {rules.seats for rules in RULESETS} <= {2, 3, 4}
    assert {rules.pack for rules in RULESETS} <= {24, 32}
    assert title("hr", "bela", 4, 32) == "Bela, 4 igrača, 32 karte"
    assert title("ro", "club", 3, 24) == "Belot Club, 3 jucători, 24 de cărți"


def test_what_is_newer_than_the_catalogues_stays_as_it_came() -> None:
    newer = rules_pb2.Ruleset(title="Coinche", seats=4, pack_size=32)
    newer.ref.name = "contree"
    newer.knobs.add(name="doubling", value="true", description="Whether contracts are doubled.")
    assert localized_ruleset(newer, "hr") == newer
    assert option_text("hr", "doubling") == knob_text("hr", "doubling") == "doubling"
    assert value_text("hr", "doubling", "[1,2]") == "[1,2]"
    assert value_text("hr", "doubling", "7") == "7"


@pytest.mark.parametrize("rules", RULESETS, ids=IDS)
@pytest.mark.parametrize("language", sorted(catalogues()))
def test_every_value_of_every_ruleset_has_words(language: str, rules: Ruleset) -> None:
    for knob in KNOBS[rules.version]:
        words = said(language, rules, knob)
        assert words or not getattr(rules, knob)
        assert not set(words) & set('_[]{}"')


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (resolve("club", 4, 32, {}), "3+2, card turned up, then 3 each, 2 to the declarer"),
        (resolve("club", 3, 32, {}), "3+2, card turned up, then 5 each, 4 to the declarer, 2 left out"),
        (resolve("club", 2, 24, {}), "3+3, card turned up, then 3 each, 2 to the declarer, 6 left out"),
        (resolve("bela", 4, 32, {}), "3+3, then 2 each"),
    ],
)
def test_a_deal_is_said_in_words(rules: Ruleset, words: str) -> None:
    assert said("en", rules, "deal_map") == words


def test_values_are_said_in_the_callers_language() -> None:
    bela = resolve("bela", 4, 32, {})
    assert said("hr", bela, "melds") == "da"
    assert said("hr", bela, "meld_order") == "bodovi > četiri iste prije niza > dulji niz > jača karta"
    assert said("fr", bela, "four_points") == "9: 150, 10: 100, V: 200, D: 100, R: 100, A: 100"
    assert said("pl", bela, "run_points") == "3: 20, 4: 50, 5: 100, 6: 100, 7: 100, 8: 100"
    assert said("ro", bela, "level_extension") == "se joacă mai departe"
    assert said("ro", bela, "target") == "1001"
