"""The catalogues against the enums and tables they speak of: nothing missing, nothing left over, nothing damaged."""

import json
import re
from collections.abc import Mapping, Set
from dataclasses import fields
from io import BytesIO
from pathlib import Path
from string import Formatter
from typing import Final, Literal, TypeAlias, get_args, get_origin

import pytest
from babel.messages.catalog import Message
from babel.messages.mofile import read_mo
from babel.messages.pofile import PoFileError, read_po

import belot_gateway
from belot.common.v1 import errors_pb2
from belot_engine.cards import RANKS
from belot_engine.compare import knob_words
from belot_engine.errors import Clause
from belot_engine.events import BidKind, Contract, LineKind, Outcome, ScoreLine, ScoreSheet
from belot_engine.ruleset import ABOUT, Ruleset, canonical_json, ruleset_from_json
from belot_engine.rulesets import options_of, resolve, ruleset_names
from belot_gateway.localize import DEFAULT_LANGUAGE, Kind, text
from belot_kit.errors import Reason
from belot_rules.convert.events import write_sheet

Texts: TypeAlias = dict[tuple[str, str], str]

MESSAGES: Final = Path(belot_gateway.__file__).parent / "messages"
VIEW_PROTO: Final = Path(__file__).parents[3] / "protos" / "belot" / "table" / "v1" / "view.proto"
LANGUAGES: Final = sorted(folder.name for folder in MESSAGES.iterdir())
CLUB: Final = resolve("club", 4, 32, {})
LINE: Final = r"|#.*|(?:(?:msgctxt|msgid|msgstr) )?\"(?:[^\"\\]|\\.)*\""
"""What a line of a .po file may be; the library forgives quotes that do not close and words behind them."""
SENTENCES: Final = (Kind.REASON, Kind.DETAIL, Kind.CLAUSE, Kind.KNOB, Kind.OPTION)
PARTS: Final = (Kind.DETAIL, Kind.TITLE, Kind.DEAL)
"""Kinds whose keys are the catalogue's own: English says which there are."""


def source(language: str) -> str:
    return (MESSAGES / language / "LC_MESSAGES" / "gateway.po").read_text(encoding="utf-8")


def texts_of(po: str) -> Texts:
    """The texts of a .po file. Raises ValueError for one that is damaged, or says a thing twice, unsurely or not."""
    broken = [line for line in po.splitlines() if not re.fullmatch(LINE, line)]
    if broken:
        raise ValueError(f"no line of a catalogue: {broken[0]}")
    try:
        catalogue = read_po(BytesIO(po.encode()), abort_invalid=True)
    except PoFileError as problem:
        raise ValueError(str(problem)) from problem
    entries = {(context_of(entry), str(entry.id)): entry for entry in catalogue if entry.id}
    said = len(re.findall(r"^msgid ", po, re.MULTILINE))
    if said != len(entries) + 1 or len(catalogue) != len(entries):
        raise ValueError("a key is said twice")
    if catalogue.obsolete or not all(entry.string and not entry.fuzzy for entry in entries.values()):
        raise ValueError("a text is empty, fuzzy or out of use")
    return {key: str(entry.string) for key, entry in entries.items()}


def context_of(entry: Message) -> str:
    """The context, which comes as octets from a compiled catalogue."""
    context: object = entry.context
    return context.decode() if isinstance(context, bytes) else str(context or "")


def compiled(language: str) -> Texts:
    with (MESSAGES / language / "LC_MESSAGES" / "gateway.mo").open("rb") as octets:
        return {(context_of(entry), str(entry.id)): str(entry.string) for entry in read_mo(octets) if entry.id}


def with_zero(knob: str) -> Ruleset:
    """A ruleset that has 0 for a knob."""
    return ruleset_from_json(json.dumps(json.loads(canonical_json(CLUB)) | {knob: 0}))


def values() -> set[str]:
    """Every value of a knob that is no plain number, and every number that the engine has words for."""
    found = {"yes", "no"}
    for field in fields(Ruleset):
        hint = get_args(field.type)[0] if get_origin(field.type) is tuple else field.type
        if get_origin(hint) is Literal:
            found |= {f"{field.name}.{value}" for value in get_args(hint)}
        if hint is str and field.name != "name":
            found.add(field.name)
        if field.type is int and field.name != "version" and knob_words(with_zero(field.name), field.name) != "0":
            found.add(f"{field.name}.0")
    return found


def line_names() -> set[str]:
    """The lines of a score sheet as the rules service writes them, under every way of scoring."""
    lines = tuple(ScoreLine(kind, (0, 0)) for kind in LineKind)
    sheet = ScoreSheet(0, 0, 0, Contract.MADE, lines, (0, 0), (0, 0), 0, (0, 0), 0, 0)
    scorings = {resolve(name, 4, 32, {}).scoring for name in ruleset_names()}
    return {line.name for scoring in scorings for line in write_sheet(sheet, scoring).lines}


def results() -> set[str]:
    """How a match can end: what the engine says, and what the contract of the table service lists."""
    comment = re.search(r"// (.*)\n\s+string outcome_kind", VIEW_PROTO.read_text(encoding="utf-8"))
    assert comment is not None
    return {*Outcome, *re.findall(r'"(\w+)"', comment[1])}


def expected() -> Mapping[Kind, Set[str]]:
    names = {name.removeprefix("ERROR_REASON_") for name in errors_pb2.ErrorReason.keys()}  # noqa: SIM118 - an enum
    return {
        Kind.REASON: names - {"UNSPECIFIED"},
        Kind.CLAUSE: set(Clause),
        Kind.BID: {BidKind.PASS, BidKind.ACCEPT},
        Kind.RANK: {rank for rank in RANKS if rank.isalpha()} - {"T"},
        Kind.RULESET: set(ruleset_names()),
        Kind.KNOB: {field.name for field in fields(Ruleset)},
        Kind.VALUE: values(),
        Kind.OPTION: {option.name for name in ruleset_names() for option in options_of(name)},
        Kind.LINE: line_names() | (set(LineKind) - {LineKind.SWEEP}),
        Kind.OUTCOME: set(Contract),
        Kind.RESULT: results(),
    }


def keys(language: str, kind: Kind) -> set[str]:
    return {key for context, key in texts_of(source(language)) if context == kind}


def placeholders(said: str) -> list[str]:
    return sorted(name for _, name, _, _ in Formatter().parse(said) if name is not None)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind not in PARTS])
def test_every_thing_has_a_text_and_every_text_a_thing(kind: Kind, language: str) -> None:
    assert keys(language, kind) == {str(key) for key in expected()[kind]}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_says_what_english_says(language: str) -> None:
    assert texts_of(source(language)).keys() == texts_of(source(DEFAULT_LANGUAGE)).keys()


def test_no_text_is_about_something_that_is_no_kind() -> None:
    assert {context for context, _ in texts_of(source(DEFAULT_LANGUAGE))} == set(Kind)
    assert keys(DEFAULT_LANGUAGE, Kind.DETAIL) <= set(Reason)


@pytest.mark.parametrize("language", LANGUAGES)
def test_placeholders_are_the_same_in_every_language(language: str) -> None:
    english, said = texts_of(source(DEFAULT_LANGUAGE)), texts_of(source(language))
    assert {key: placeholders(said[key]) for key in english} == {key: placeholders(english[key]) for key in english}


@pytest.mark.parametrize("language", LANGUAGES)
def test_only_details_titles_and_deals_have_placeholders(language: str) -> None:
    assert not [key for key, said in texts_of(source(language)).items() if key[0] not in PARTS and placeholders(said)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_compiled_is_what_is_written(language: str) -> None:
    assert compiled(language) == texts_of(source(language)), (
        "compile the catalogues; README.md of belot_gateway says how"
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_written_is_what_is_said(language: str) -> None:
    written = texts_of(source(language))
    assert {(kind, key): text(language, Kind(kind), key) for kind, key in written} == written


@pytest.mark.parametrize("language", LANGUAGES)
def test_sentences_end_and_spaces_are_where_they_belong(language: str) -> None:
    for (kind, _), said in texts_of(source(language)).items():
        assert said.strip() == said
        assert "  " not in said
        assert said.endswith(".") == (kind in SENTENCES), said
        assert not re.search(r" [:;?!]", said), "French has a no-break space there, the others none"
        assert not set(said) & set("şţŞŢ"), "Romanian has commas below, no cedillas"
        assert language == "en" or "'" not in said, "a typographic apostrophe, but where the rules' own words are kept"


def test_english_says_of_knobs_and_options_what_the_rules_say() -> None:
    """When the rules change their words, every language has to follow."""
    options = {option.name: option.about for name in ruleset_names() for option in options_of(name)}
    assert {knob: text("en", Kind.KNOB, knob) for knob in ABOUT} == ABOUT
    assert {name: text("en", Kind.OPTION, name) for name in options} == options


@pytest.mark.parametrize(
    ("whole", "damaged"),
    [
        ('msgstr "You must follow suit."', 'msgstr "You must follow suit.'),
        ('msgstr "You must follow suit."', 'msgstr "You must follow suit." and more'),
        ('msgstr "You must follow suit."', 'msgstr ""'),
        ('msgctxt "clause"\nmsgid "must_follow"', '#, fuzzy\nmsgctxt "clause"\nmsgid "must_follow"'),
        ('msgid "must_follow"', 'msgid "must_beat"'),
        ('msgctxt "clause"\nmsgid "must_follow"\nmsgstr', '#~ msgctxt "clause"\n#~ msgid "must_follow"\n#~ msgstr'),
    ],
    ids=["unclosed", "trailing", "empty", "fuzzy", "twice", "obsolete"],
)
def test_a_damaged_catalogue_is_noticed(whole: str, damaged: str) -> None:
    assert whole in source("en")
    with pytest.raises(ValueError, match=r"."):
        texts_of(source("en").replace(whole, damaged, 1))
