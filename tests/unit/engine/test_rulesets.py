"""Rulesets as values: options, JSON, hashes."""

import hashlib
import json
from dataclasses import fields, replace
from typing import Literal, get_args, get_origin

import pytest
import rfc8785

from belot_engine.errors import OptionError
from belot_engine.ruleset import ABOUT, CHOICES, KNOBS, Ruleset, canonical_json, ruleset_from_json, ruleset_hash
from belot_engine.rulesets import forms_of, is_standard, options_of, resolve, ruleset_names
from support.playouts import every_form

_OPTIONS = [
    ("club", {"target": "51"}),
    ("club", {"deals": "6"}),
    ("bela", {"target": "501", "melds": "off"}),
    ("bela", {"stiglja": "off", "bela_in_limit": "on"}),
    ("classic", {"target": "1500", "litige": "fail"}),
    ("classic", {"deals": "12", "litige": "redeal"}),
]
_TABLES = [*every_form(), *(resolve(name, 4, 32, options) for name, options in _OPTIONS)]


@pytest.mark.parametrize("rules", _TABLES, ids=lambda rules: ruleset_hash(rules)[:8])
def test_the_json_is_canonical_and_the_hash_is_its_digest(rules: Ruleset) -> None:
    text = canonical_json(rules)
    assert text.encode() == rfc8785.dumps(json.loads(text))
    assert ruleset_hash(rules) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("rules", _TABLES, ids=lambda rules: ruleset_hash(rules)[:8])
def test_a_stored_json_gives_the_same_ruleset_back(rules: Ruleset) -> None:
    assert ruleset_from_json(canonical_json(rules)) == rules


def test_every_table_has_a_hash_of_its_own() -> None:
    assert len({ruleset_hash(rules) for rules in _TABLES}) == len(_TABLES)


def test_published_hashes_never_change() -> None:
    published = {
        ("club", 4, 32): "b4c9705538fd70939c83202d1af2caefd872f6cf47c722811afbc6d2d628dc7b",
        ("club", 4, 24): "11a2a477670bbf043d8606e8affc671d2b1cc661e60600b74f71301ced66ab0e",
        ("club", 3, 32): "716e98b9447a5c1065f76ae19092db028b9127d46bc9992c0dbd750c91681be4",
        ("club", 3, 24): "cb8a4dfd6b75f10519f05d319c4bc952ac0efde541dc6e15cbfc4fe1a5e1ad20",
        ("club", 2, 32): "38457ac6ed0f2bf784ed47798cfb60131649a4248ff1aaa8d31ea487f4def9c1",
        ("club", 2, 24): "56249f57eba885657eb7a3c0f46489b1f0c236b1fb27ea857745184419025d92",
        ("bela", 4, 32): "28de8eed45a94216e2c1d722fe65a58982a9707cd840a8446468bc5f0b3ef0c1",
        ("classic", 4, 32): "467b054c86554dcbc7463f2e356392a7708f0a2d6356487e15c0a1997c8fd173",
        ("announces", 4, 32): "c42be3187297386f01ee35071892547d554b224d88c883d8e71c1b360a7a6595",
    }
    assert {key: ruleset_hash(resolve(*key, {})) for key in published} == published


def test_every_knob_is_described_and_named_by_the_version() -> None:
    names = {field.name for field in fields(Ruleset)}
    assert set(ABOUT) == names == set(KNOBS[1])
    assert all(about.endswith(".") and "\n" not in about for about in ABOUT.values())


@pytest.mark.parametrize("name", ruleset_names())
def test_every_listed_value_of_every_option_is_taken(name: str) -> None:
    for option in options_of(name):
        for value in option.values or ("1", str(option.highest)):
            rules = resolve(name, 4, 32, {option.name: value})
            default = resolve(name, 4, 32, {})
            assert (rules == default) == (value == option.default)


@pytest.mark.parametrize(
    ("name", "seats", "pack", "options", "field"),
    [
        ("poker", 4, 32, {}, "ruleset"),
        ("bela", 3, 32, {}, "seats"),
        ("bela", 4, 24, {}, "pack"),
        ("club", 5, 32, {}, "seats"),
        ("club", 4, 36, {}, "pack"),
        ("bela", 4, 32, {"target": "1000"}, "target"),
        ("classic", 4, 32, {"target": "0"}, "target"),
        ("classic", 4, 32, {"target": "-5"}, "target"),
        ("classic", 4, 32, {"target": "10001"}, "target"),
        ("classic", 4, 32, {"target": "٣"}, "target"),
        ("classic", 4, 32, {"target": "007"}, "target"),
        ("classic", 4, 32, {"litige": "none"}, "litige"),
        ("club", 4, 32, {"stiglja": "on"}, "stiglja"),
        ("bela", 4, 32, {"melds": "yes"}, "melds"),
        ("club", 4, 32, {"deals": "101"}, "deals"),
        ("club", 4, 32, {"deals": ""}, "deals"),
        ("club", 4, 32, {"deals": "4", "target": "51"}, "deals"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_name(
    name: str, seats: int, pack: int, options: dict[str, str], field: str
) -> None:
    with pytest.raises(OptionError) as refusal:
        resolve(name, seats, pack, options)
    assert refusal.value.field == field
    assert refusal.value.message


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"version": 99}, "version"),
        ({"target": "1001"}, "target"),
        ({"melds": 1}, "melds"),
        ({"litige": "maybe"}, "litige"),
        ({"novelty": 1}, "ruleset"),
    ],
)
def test_a_json_that_is_no_ruleset_is_refused(change: dict[str, object], field: str) -> None:
    value = json.loads(canonical_json(resolve("bela", 4, 32, {}))) | change
    with pytest.raises(OptionError) as refusal:
        ruleset_from_json(json.dumps(value))
    assert refusal.value.field == field


@pytest.mark.parametrize("text", ["", "[]", "{}", "7", "nonsense"])
def test_a_text_that_is_no_ruleset_is_refused(text: str) -> None:
    with pytest.raises(OptionError):
        ruleset_from_json(text)


def test_a_missing_knob_is_refused() -> None:
    value = json.loads(canonical_json(resolve("bela", 4, 32, {})))
    del value["sweep"]
    with pytest.raises(OptionError):
        ruleset_from_json(json.dumps(value))


def test_only_default_options_and_listed_targets_are_standard() -> None:
    assert all(is_standard(rules) for rules in every_form())
    assert is_standard(resolve("bela", 4, 32, {"target": "501"}))
    assert not is_standard(resolve("bela", 4, 32, {"stiglja": "off"}))
    assert not is_standard(resolve("classic", 4, 32, {"target": "500"}))
    assert not is_standard(resolve("club", 4, 32, {"deals": "4"}))
    assert not is_standard(replace(resolve("club", 4, 32, {}), unit=1))


def test_the_first_form_is_the_usual_one() -> None:
    assert all((forms_of(name)[0].seats, forms_of(name)[0].pack) == (4, 32) for name in ruleset_names())


@pytest.mark.parametrize("name", ruleset_names())
def test_a_number_of_deals_takes_the_place_of_the_target(name: str) -> None:
    rules = resolve(name, 4, 32, {"deals": "8"})
    assert (rules.deals, rules.target, rules.level_extension) == (8, 0, 0)


def test_every_knob_that_is_a_word_has_its_words_listed() -> None:
    written = {field.name: get_args(field.type) for field in fields(Ruleset) if get_origin(field.type) is Literal}
    assert {knob: CHOICES.get(knob) for knob in written} == written
    for knob in CHOICES:
        with pytest.raises(OptionError, match=knob):
            ruleset_from_json(json.dumps(json.loads(canonical_json(resolve("bela", 4, 32, {}))) | {knob: "nothing"}))
