"""Rulesets by their canonical JSON, read and checked once and remembered."""

from dataclasses import dataclass
from functools import lru_cache

from belot.common.v1 import common_pb2
from belot_engine.cards import side_of
from belot_engine.deal_map import FIRST_STAGE
from belot_engine.errors import OptionError
from belot_engine.ruleset import KNOBS, UP_CARD, Ruleset, canonical_json, ruleset_from_json, ruleset_hash
from belot_engine.rulesets import resolve
from belot_kit.errors import DomainError, Reason, invalid_field

#: What the options of a table may change; every other knob is as published.
_OPTIONAL = frozenset(
    ("target", "deals", "level_extension", "melds", "full_run_wins", "sweep", "bela_in_limit", "litige")
)
#: No figure of a match ever comes near it; what is larger would not fit the messages after a few sums.
MOST = 1_000_000


@dataclass(frozen=True, slots=True)
class Known:
    """A ruleset with everything about it that goes into every message: its JSON, its name and the sides.

    ``first_cards`` is how many cards a seat holds during the auction.
    """

    ruleset: Ruleset
    json: str
    ref: common_pb2.RulesetRef
    sides: tuple[int, ...]
    first_cards: int


def know(ruleset: Ruleset) -> Known:
    """The ruleset with its JSON, reference and sides."""
    ref = common_pb2.RulesetRef(name=ruleset.name, version=ruleset.version, hash=ruleset_hash(ruleset))
    sides = tuple(side_of(seat, ruleset.seats) for seat in range(ruleset.seats))
    first = sum(seat != UP_CARD and stage == FIRST_STAGE for _, seat, stage in ruleset.deal_map[0])
    return Known(ruleset, canonical_json(ruleset), ref, sides, first // ruleset.seats)


@lru_cache(maxsize=1024)
def read_ruleset(text: str, field: str) -> Known:
    """The ruleset of a canonical JSON.

    Raises DomainError INVALID_ARGUMENT naming ``field`` when the text is no ruleset's canonical JSON, and
    RULESET_NOT_FOUND when no table can have this one.
    """
    try:
        ruleset = ruleset_from_json(text)
    except (OptionError, TypeError, RecursionError) as problem:
        raise invalid_field(field, "not the JSON of a ruleset") from problem
    if not _published(ruleset):
        raise DomainError(Reason.RULESET_NOT_FOUND, "no table can have this ruleset")
    known = know(ruleset)
    if known.json != text:
        raise invalid_field(field, "not the canonical JSON")
    return known


def _published(ruleset: Ruleset) -> bool:
    """Whether the ruleset is one of ours but for the options: only then is every knob something we can play by."""
    try:
        usual = resolve(ruleset.name, ruleset.seats, ruleset.pack, {})
    except OptionError:
        return False
    fixed = (knob for knob in KNOBS[ruleset.version] if knob not in _OPTIONAL)
    ends = ruleset.target, ruleset.deals
    return (
        all(getattr(ruleset, knob) == getattr(usual, knob) for knob in fixed)
        and min(*ends, ruleset.level_extension) >= 0
        and max(*ends, ruleset.level_extension) <= MOST
        and any(ends)
        and (ruleset.melds or not ruleset.full_run_wins)
        and (ruleset.litige == "none") == (usual.litige == "none")
    )
