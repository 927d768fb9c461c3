"""Texts for people in the caller's language, from the gettext catalogues in ``messages/``.

Pure but for reading those files once. A catalogue is keyed by what it speaks of, never by an English sentence: the
context is a `Kind`, the id a name that the contracts know (``ILLEGAL_CARD``, ``must_follow``). English is a catalogue
like the others, and says what another one lacks.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from gettext import GNUTranslations
from importlib.resources import files
from types import MappingProxyType
from typing import Final

DEFAULT_LANGUAGE: Final = "en"
DOMAIN: Final = "gateway"

#: Languages that are read by people of others, by tag: one language under several names, or nearly so.
_READ_AS: Final = MappingProxyType({"mo": "ro", "bs": "hr", "sr": "hr", "sh": "hr", "cnr": "hr"})
_LONGEST_HEADER: Final = 256
_SUITS: Final = MappingProxyType({"C": "♣", "D": "♦", "H": "♥", "S": "♠"})


class Kind(StrEnum):
    """What a text is about: the message context of the catalogues."""

    REASON = "reason"
    """Why something was refused, by ErrorReason without its prefix."""
    DETAIL = "detail"
    """The same with facts in it, ``{seat}`` from 1 and ``{legal}``; said where the facts are known."""
    CLAUSE = "clause"
    """The duty that an illegal card breaks."""
    BID = "bid"
    """A word of the auction."""
    RANK = "rank"
    """The letter on a court card."""
    RULESET = "ruleset"
    """The name of a ruleset."""
    TITLE = "title"
    """The title of a ruleset at a table, with ``{ruleset}``, ``{seats}`` and ``{pack}``."""
    KNOB = "knob"
    """What a knob decides."""
    VALUE = "value"
    """A value of a knob, as ``knob.value``; ``yes`` and ``no`` for all of them."""
    DEAL = "deal"
    """The parts of a deal in words, with ``{packets}`` and ``{cards}``."""
    OPTION = "option"
    """What an option of a table decides."""
    LINE = "line"
    """The name of a line on a score sheet."""
    OUTCOME = "outcome"
    """What came of a deal."""
    RESULT = "result"
    """How a match ended."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The texts of one language."""

    language: str
    translations: GNUTranslations

    def find(self, kind: Kind, key: str) -> str | None:
        """The text, None where the catalogue has none."""
        found = self.translations.pgettext(kind, key)
        return None if found == key else found


@lru_cache(maxsize=1)
def catalogues() -> Mapping[str, Catalogue]:
    """Every language there is a compiled catalogue for, by its tag in lower case."""
    found: dict[str, Catalogue] = {}
    for folder in (files("belot_gateway") / "messages").iterdir():
        compiled = folder / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if compiled.is_file():
            with compiled.open("rb") as octets:
                language = folder.name.replace("_", "-").lower()
                found[language] = Catalogue(language, GNUTranslations(octets))
    return MappingProxyType(found)


def text(language: str, kind: Kind, key: str) -> str:
    """A text in `language` or else in English; the key itself where nobody has a word for it."""
    return _found(language, kind, key) or key


def _found(language: str, kind: Kind, key: str) -> str | None:
    for tag in (language, DEFAULT_LANGUAGE):
        catalogue = catalogues().get(tag)
        said = catalogue.find(kind, key) if catalogue else None
        if said is not None:
            return said
    return None


@lru_cache(maxsize=1024)
def language_for(accept_language: str) -> str:
    """The best language we have for an ``accept-language`` value (RFC 9110, RFC 4647); English when none fits.

    A tag is cut from its end until it fits: ``ro-MD`` is served with ``ro``. Readers of a close language get that one
    (``bs`` gets ``hr``), but never one that they ruled out with ``q=0``.
    """
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept_language[:_LONGEST_HEADER].split(",")):
        tag, *parameters = (piece.strip().lower() for piece in part.split(";"))
        if tag:
            wanted.append((-_quality(parameters), place, tag.replace("_", "-")))
    unwanted = {tag for quality, _, tag in wanted if quality == 0}
    for quality, _, tag in sorted(wanted):
        language = _served(tag) if quality < 0 else None
        if language is not None and language not in unwanted:
            return language
    return DEFAULT_LANGUAGE


def _served(tag: str) -> str | None:
    while tag:
        for candidate in (tag, _READ_AS.get(tag, "")):
            if candidate in catalogues():
                return candidate
        tag = tag.rpartition("-")[0]
    return None


def _quality(parameters: list[str]) -> float:
    """The weight among a tag's parameters, 1 without one; 0 where it is none from 0 to 1."""
    for parameter in parameters:
        name, _, value = parameter.partition("=")
        if name.strip() == "q":
            try:
                quality = float(value)
            except ValueError:
                return 0.0
            return quality if 0 <= quality <= 1 else 0.0
    return 1.0


def sentence(language: str, reason: str, metadata: Mapping[str, str]) -> str:
    """What to show a person for a refusal, in `language` or else in English; never empty.

    Facts of the refusal (`metadata`) go into it where the catalogue has a sentence for them and they are known.
    """
    clause = metadata.get("clause")
    said = _found(language, Kind.CLAUSE, clause) if clause else None
    said = said or _detailed(language, reason, metadata) or _found(language, Kind.REASON, reason)
    return said or text(language, Kind.REASON, "INTERNAL")


def _detailed(language: str, reason: str, metadata: Mapping[str, str]) -> str | None:
    template = _found(language, Kind.DETAIL, reason)
    if template is None:
        return None
    facts: dict[str, str | int] = {}
    if metadata.get("seat", "").isdecimal():
        facts["seat"] = int(metadata["seat"]) + 1
    if metadata.get("allowed"):
        facts["legal"] = bid_words(language, metadata["allowed"])
    try:
        return template.format_map(facts)
    except KeyError:
        return None


def bid_words(language: str, allowed: str) -> str:
    """What may be said in the auction, for people: ``pass accept C D`` as words and suit signs."""
    return ", ".join(_SUITS.get(word) or text(language, Kind.BID, word) for word in allowed.split())
