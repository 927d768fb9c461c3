"""What a match's result is to the ratings: whether it is one at all, which pool it belongs to, what makes it the same.

Pure. The same result may come encoded in another way, or with fields of a later release, and is still the same: what is
compared is its `fingerprint`, over the fields of `Result` and nothing else. How people were called, whether their
lines were up and who was ready when it ended is no part of it. `Result` is settled: a field that joined it would make
every result that was kept before look like another one.
"""

import hashlib
import json
import re
from dataclasses import asdict, dataclass
from typing import Final

_ID: Final = re.compile(r"[!-~]{1,64}")
_WORD: Final = re.compile(r"[a-z][a-z0-9_]{0,31}")
_FEWEST_SEATS, _MOST_SEATS = 2, 4
_PACKS: Final = (24, 32)
_LABEL: Final = "belot/result/v1|"


class MalformedError(ValueError):
    """Something that cannot be a result: the proto path of the field, and what is wrong with it."""

    def __init__(self, field: str, description: str) -> None:
        super().__init__(f"{field}: {description}")
        self.field = field
        self.description = description


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat there at the end; a bot with a player id held his seat for him. `kind` as numbered in the proto."""

    number: int
    kind: int
    player_id: str
    bot_level: str
    participant_id: str


@dataclass(frozen=True, slots=True)
class Stint:
    """Who decided at a seat from that trick of that hand on."""

    seat: int
    kind: int
    bot_level: str
    from_hand: int
    from_trick: int


@dataclass(frozen=True, slots=True)
class Result:
    """A result. Ranks, totals, card points and outcomes are by side, `sides` by seat; times are unix nanoseconds.

    `options` and `leavers` are in order, so that the order in which they were told makes no difference.
    """

    match_id: str
    table_id: str
    source: str
    ruleset: str
    ruleset_version: int
    ruleset_hash: str
    options: tuple[tuple[str, str], ...]
    seats: tuple[Seat, ...]
    sides: tuple[int, ...]
    pack: int
    rated: bool
    outcome: str
    ranks: tuple[int, ...]
    totals: tuple[int, ...]
    deals: int
    card_points: tuple[int, ...]
    outcome_kind: str
    side_outcomes: tuple[int, ...]
    leavers: tuple[str, ...]
    stints: tuple[Stint, ...]
    started_ns: int
    ended_ns: int


@dataclass(frozen=True, slots=True)
class Pool:
    """Results whose ratings go together."""

    ruleset: str
    seats: int
    pack: int


def pool_of(result: Result) -> Pool:
    """The pool of a result."""
    return Pool(result.ruleset, len(result.seats), result.pack)


def fingerprint(result: Result) -> bytes:
    """SHA-256 of everything in it, written as JSON: equal for equal results, whatever release reads them."""
    text = json.dumps(asdict(result), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256((_LABEL + text).encode()).digest()


def check(result: Result) -> None:
    """Refuse what the ratings could not count, and no more: words of later releases are none of their business.

    Errors: MalformedError.
    """
    _require(bool(_ID.fullmatch(result.match_id)), "match.match_id", "must be 1 to 64 visible ASCII characters")
    _require(bool(_WORD.fullmatch(result.ruleset)), "match.ruleset.name", "must be a word of 1 to 32 letters")
    _require(bool(_WORD.fullmatch(result.outcome_kind)), "match.outcome_kind", "must be a word of 1 to 32 letters")
    _require(result.pack in _PACKS, "match.pack_size", "must be 24 or 32")
    _require(result.ended_ns > 0, "match.ended_at", "must be set")
    _check_seats(result)
    _check_sides(result, len(set(result.sides)))


def _check_seats(result: Result) -> None:
    numbers, players = [each.number for each in result.seats], [each.player_id for each in result.seats]
    _require(_FEWEST_SEATS <= len(numbers) <= _MOST_SEATS, "match.seats", "must be 2 to 4")
    _require(numbers == list(range(len(numbers))), "match.seats", "must be numbered from 0 in order")
    _require(len(result.sides) == len(numbers), "match.sides", "must be one for each seat")
    sides = sorted(set(result.sides))
    _require(len(sides) > 1 and sides == list(range(len(sides))), "match.sides", "must be two or more, numbered from 0")
    if result.rated:
        _require(all(players), "match.seats", "must all be a person's in a rated match")
        _require(len(set(players)) == len(players), "match.seats", "must be different persons' in a rated match")


def _check_sides(result: Result, sides: int) -> None:
    by_side = "must be one for each side"
    _require(len(result.ranks) == sides, "match.result.ranks", by_side)
    _require(all(1 <= rank <= sides for rank in result.ranks), "match.result.ranks", "must be from 1 to the sides")
    _require(len(result.totals) == sides, "match.result.totals", by_side)
    # Nothing was counted yet in a match that ended before its play.
    _require(len(result.card_points) in (0, sides), "match.card_points", by_side)
    _require(len(result.side_outcomes) in (0, sides), "match.side_outcomes", by_side)


def _require(holds: bool, field: str, description: str) -> None:
    if not holds:
        raise MalformedError(field, description)
