"""Refusals in the caller's language: sentences by reason and clause, from the files in ``messages/``.

Pure but for reading those files once. A language is added by adding its file; what it lacks is said in English.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

DEFAULT_LANGUAGE: Final = "en"
_LONGEST_HEADER: Final = 256


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The sentences of one language: by reason, and by the clause that forbids a card."""

    language: str
    reasons: Mapping[str, str]
    clauses: Mapping[str, str]


@lru_cache(maxsize=1)
def catalogues() -> Mapping[str, Catalogue]:
    """Every language there is a file for, by its tag."""
    found: dict[str, Catalogue] = {}
    for file in (files("belot_gateway") / "messages").iterdir():
        language, _, suffix = file.name.rpartition(".")
        if suffix == "toml":
            texts = tomllib.loads(file.read_text(encoding="utf-8"))
            found[language] = Catalogue(language, texts.get("reasons", {}), texts.get("clauses", {}))
    return found


@lru_cache(maxsize=1024)
def language_for(accept_language: str) -> str:
    """The best language we have for an ``accept-language`` value (RFC 9110); English when none fits.

    A region counts as its language: ``ro-MD`` is served with ``ro``.
    """
    wanted: list[tuple[float, int, str]] = []
    for place, part in enumerate(accept_language[:_LONGEST_HEADER].split(",")):
        tag, _, parameter = part.strip().partition(";")
        quality = _quality(parameter)
        if tag and quality > 0:
            wanted.append((-quality, place, tag.strip().lower()))
    for _, _, tag in sorted(wanted):
        for candidate in (tag, tag.partition("-")[0]):
            if candidate in catalogues():
                return candidate
    return DEFAULT_LANGUAGE


def _quality(parameter: str) -> float:
    name, _, value = parameter.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0


def sentence(language: str, reason: str, metadata: Mapping[str, str]) -> str:
    """What to show a person for a refusal, in `language` or else in English; never empty."""
    clause = metadata.get("clause", "")
    for tag in (language, DEFAULT_LANGUAGE):
        catalogue = catalogues().get(tag)
        if catalogue is None:
            continue
        text = catalogue.clauses.get(clause) or catalogue.reasons.get(reason)
        if text:
            return text
    return catalogues()[DEFAULT_LANGUAGE].reasons["INTERNAL"]
