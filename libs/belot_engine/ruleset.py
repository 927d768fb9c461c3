"""What a ruleset is: an immutable value of named knobs, its JSON and its hash."""

import hashlib
import json
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Literal, TypeVar, cast, get_args, get_origin

from belot_engine.errors import OptionError

_Value = TypeVar("_Value")

#: Seats of a deal map that are no player's: the card turned up, and the cards that stay out of play.
UP_CARD = -1
OUT = -2

#: What knobs with a choice of words may say; ``CHOICES`` lists them by knob.
NobodyChooses = Literal["dealer_chooses", "redeal"]
BeatPlain = Literal["never", "until_ruffed"]
Ruff = Literal["always", "unless_partner"]
MeldTie = Literal["nobody", "earlier_in_turn"]
MeldsShown = Literal["before_play", "after_first_trick"]
BelaAnnounced = Literal["first", "second"]
Scoring = Literal["club", "bela", "classic"]
Litige = Literal["none", "carry", "fail", "redeal"]

#: One entry of a deal map: (position in the pack, seat counted from the dealer, stage).
Place = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Ruleset:
    """Every decision that tells one game from another, the options of a table included.

    Values are strings, ints, bools and tuples of them. A knob added later has a default that keeps the old
    behaviour and is left out of the JSON of older versions, so that no stored hash ever changes.
    ``ABOUT`` has one line on each knob.
    """

    name: str
    version: int
    seats: int
    pack: int
    hand_size: int
    deal_map: tuple[tuple[Place, ...], ...]
    turned_up: bool
    bidding_rounds: int
    nobody_chooses: NobodyChooses
    beat_plain: BeatPlain
    ruff: Ruff
    melds: bool
    run_points: tuple[int, ...]
    four_points: tuple[int, ...]
    meld_order: tuple[Literal["points", "four", "length", "top", "trump"], ...]
    meld_tie: MeldTie
    melds_shown: MeldsShown
    full_run_wins: bool
    bela_points: int
    bela_announced: BelaAnnounced
    last_trick: int
    scoring: Scoring
    unit: int
    sweep: bool
    sweep_bonus: int
    penalty: int
    bolts_per_penalty: int
    bela_in_limit: bool
    litige: Litige
    target: int
    deals: int
    level_extension: int


#: What each knob with a choice of words may say. Written out, because a compiled class does not keep its hints.
CHOICES: dict[str, tuple[str, ...]] = {
    "nobody_chooses": get_args(NobodyChooses),
    "beat_plain": get_args(BeatPlain),
    "ruff": get_args(Ruff),
    "meld_tie": get_args(MeldTie),
    "melds_shown": get_args(MeldsShown),
    "bela_announced": get_args(BelaAnnounced),
    "scoring": get_args(Scoring),
    "litige": get_args(Litige),
}

ABOUT: dict[str, str] = {
    "name": "Name of the ruleset.",
    "version": "Version of the ruleset; names the knobs that its JSON carries.",
    "seats": "Number of players, 2 to 4; four play as two sides, fewer each alone.",
    "pack": "Cards in the pack: 32, or 24 without sevens and eights.",
    "hand_size": "Cards in every hand when play begins, which is the number of tricks.",
    "deal_map": "For each declarer, counted from the dealer: who gets which position of the pack at which stage.",
    "turned_up": "Whether a card is turned up and its suit offered; it goes to the declarer.",
    "bidding_rounds": "Rounds of the auction.",
    "nobody_chooses": "What happens when nobody wants to choose: the dealer has to, or the next dealer deals anew.",
    "beat_plain": "Duty to beat the best card of a plain led suit: never, or until the trick is ruffed.",
    "ruff": "Duty to trump when void: always, or unless the partner is winning the trick.",
    "melds": "Whether runs and fours are recognised and scored.",
    "run_points": "Points of a run by its length, from 0 cards on.",
    "four_points": "Points of four of a kind by rank, from the seven to the ace.",
    "meld_order": "What decides between two melds, first to last.",
    "meld_tie": "Who scores melds when the best ones of two sides are equal.",
    "melds_shown": "When the winning side's melds are shown.",
    "full_run_wins": "Whether a run of all eight cards of a suit wins the match at once.",
    "bela_points": "Points of king and queen of trumps in one hand.",
    "bela_announced": "Whether the pair is announced with its first or with its second card.",
    "last_trick": "Points of the last trick.",
    "scoring": "Which pure function turns the points of a deal into scores.",
    "unit": "Points that make one unit of score: 10 where bile are counted, else 1.",
    "sweep": "Whether taking all the tricks is rewarded by its bonus.",
    "sweep_bonus": "Points for taking all the tricks.",
    "penalty": "Score lost by a side without a trick, a declarer without a point, and at every full set of bolts.",
    "bolts_per_penalty": "Failed contracts that make one penalty; 0 when bolts are not counted.",
    "bela_in_limit": "Whether the king and queen of trumps count when the contract is judged.",
    "litige": "What a level contract does: held for the next deal, failed, or dealt anew; none where it is scored.",
    "target": "Score at which the match ends; 0 when a number of deals is played instead.",
    "deals": "Number of scored deals after which the match ends; 0 when a target is played for.",
    "level_extension": "What the target grows by when the leaders are level at or past it; 0: play on.",
}

#: The knobs that each version of a ruleset names; a version's list is never changed once it is out.
KNOBS: dict[int, tuple[str, ...]] = {
    1: (
        "beat_plain",
        "bela_announced",
        "bela_in_limit",
        "bela_points",
        "bidding_rounds",
        "bolts_per_penalty",
        "deal_map",
        "deals",
        "four_points",
        "full_run_wins",
        "hand_size",
        "last_trick",
        "level_extension",
        "litige",
        "meld_order",
        "meld_tie",
        "melds",
        "melds_shown",
        "name",
        "nobody_chooses",
        "pack",
        "penalty",
        "ruff",
        "run_points",
        "scoring",
        "seats",
        "sweep",
        "sweep_bonus",
        "target",
        "turned_up",
        "unit",
        "version",
    )
}


@lru_cache(maxsize=512)
def canonical_json(ruleset: Ruleset) -> str:
    """RFC 8785 JSON of the knobs that the ruleset's version names.

    Only strings, ints, bools and arrays occur and all names are ASCII, so sorted keys without white space are
    the canonical form.
    """
    value = {knob: getattr(ruleset, knob) for knob in KNOBS[ruleset.version]}
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@lru_cache(maxsize=512)
def ruleset_hash(ruleset: Ruleset) -> str:
    """SHA-256 of the canonical JSON, 64 lower-case hex digits."""
    return hashlib.sha256(canonical_json(ruleset).encode()).hexdigest()


def _frozen(value: _Value) -> _Value:
    """Arrays as tuples, at any depth."""
    return cast(_Value, tuple(_frozen(item) for item in value)) if isinstance(value, list) else value


def _fits(knob: str, hint: object, value: object) -> bool:
    """Whether a value is one of a knob's words, or of its kind; of arrays, whether it is one."""
    if knob in CHOICES:
        return value in CHOICES[knob]
    return type(value) is (get_origin(hint) or hint)


@lru_cache(maxsize=512)
def ruleset_from_json(text: str) -> Ruleset:
    """The ruleset that a stored canonical JSON describes.

    Raises OptionError when the text is no JSON object, names an unknown version, lacks a knob of its version or
    has another one, or a knob has a value of another kind.
    """
    try:
        value = json.loads(text)
    except ValueError as problem:
        raise OptionError("ruleset", "not JSON") from problem
    if not isinstance(value, dict) or value.get("version") not in KNOBS:
        raise OptionError("version", "unknown ruleset version")
    if set(value) != set(KNOBS[value["version"]]):
        raise OptionError("ruleset", "the knobs are not those of its version")
    knobs = {knob: _frozen(item) for knob, item in value.items()}
    for field in fields(Ruleset):
        if field.name in knobs and not _fits(field.name, field.type, knobs[field.name]):
            raise OptionError(field.name, "no such value")
    return Ruleset(**knobs)
