"""What the ratings take for a result, and what they take for the same one."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from google.protobuf.timestamp_pb2 import Timestamp

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_rating.convert import result_of
from belot_rating.inbox import MalformedError, Pool, check, fingerprint, pool_of
from support.results import PEOPLE, match_result, person

FIRST_RELEASE = "4eb14df33e87ea6716e10d61278fcfd53081cd4d2898cf4ffe6e834640d50bba"
"""Of `match_result()`. Results that were kept with it must be known again for ever: never edit it."""


def mark(match: view_pb2.MatchFinished) -> bytes:
    return fingerprint(result_of(match))


def test_a_fingerprint_is_the_same_in_every_release() -> None:
    assert mark(match_result()).hex() == FIRST_RELEASE


def test_the_order_of_encoded_fields_options_and_leavers_makes_no_other_result() -> None:
    match = match_result()
    options = list(match.ruleset_options.items())
    random.Random(7).shuffle(options)
    parts = [match_result(ruleset_options=dict(options[::-1]), leavers=["boris", "clara"]).SerializeToString()]
    # Twice the same singular fields, as another encoder might put them: the last one counts.
    parts.insert(0, view_pb2.MatchFinished(outcome_kind="drawn", pack_size=24).SerializeToString())
    other = view_pb2.MatchFinished.FromString(b"".join(parts))
    assert other.SerializeToString(deterministic=True) != b"".join(parts)
    assert mark(other) == mark(match)


def test_fields_of_a_later_release_make_no_other_result() -> None:
    later = view_pb2.MatchFinished.FromString(match_result().SerializeToString() + b"\xfa\x3e\x03new")
    assert mark(later) == mark(match_result())


def test_names_readiness_and_lines_at_the_end_are_no_part_of_a_result() -> None:
    seats = [person(seat, name, display_name="X", ready=False, disconnected=True) for seat, name in enumerate(PEOPLE)]
    assert mark(match_result(seats=seats)) == mark(match_result())


@pytest.mark.parametrize(
    "changes",
    [
        {"match_id": "match-2"},
        {"table_id": "table-2"},
        {"source": "tournament"},
        {"ruleset": common_pb2.RulesetRef(name="bela", version=1, hash="00" * 32)},
        {"ruleset": common_pb2.RulesetRef(name="classic", version=2, hash="00" * 32)},
        {"ruleset": common_pb2.RulesetRef(name="classic", version=1, hash="01" * 32)},
        {"ruleset_options": {"target": "1001"}},
        {"seats": [person(seat, name) for seat, name in enumerate(PEOPLE[::-1])]},
        {"seats": [person(seat, name, participant_id="ff") for seat, name in enumerate(PEOPLE)]},
        {"sides": [0, 1, 1, 0]},
        {"pack_size": 24},
        {"rated": False},
        {"result": match_pb2.MatchResult(outcome="won", ranks=[2, 1], totals=[520, 310], deals_played=7)},
        {"result": match_pb2.MatchResult(outcome="won", ranks=[1, 2], totals=[521, 310], deals_played=7)},
        {"result": match_pb2.MatchResult(outcome="won", ranks=[1, 2], totals=[520, 310], deals_played=8)},
        {"card_points": [601, 412]},
        {"outcome_kind": "resigned"},
        {"side_outcomes": [view_pb2.SIDE_OUTCOME_LOST, view_pb2.SIDE_OUTCOME_WON]},
        {"leavers": ["clara"]},
        {"stints": []},
        {"started_at": Timestamp(seconds=1_700_000_001)},
        {"ended_at": Timestamp(seconds=1_700_000_600, nanos=6_000_000)},
    ],
    ids=str,
)
def test_anything_else_that_differs_makes_another_result(changes: dict[str, Any]) -> None:
    assert mark(match_result(**changes)) != mark(match_result())


def test_a_pool_is_ruleset_seats_and_pack() -> None:
    assert pool_of(result_of(match_result())) == Pool("classic", 4, 32)
    three = {"seats": [person(seat, name) for seat, name in enumerate(PEOPLE[:3])], "sides": [0, 1, 2]}
    assert pool_of(result_of(match_result(**three, pack_size=24))) == Pool("classic", 3, 24)


def ranks(*values: int) -> match_pb2.MatchResult:
    return match_pb2.MatchResult(outcome="won", ranks=values, totals=[1, 0], deals_played=1)


MALFORMED: tuple[tuple[str, dict[str, Any]], ...] = (
    ("match.match_id", {"match_id": ""}),
    ("match.match_id", {"match_id": "m" * 65}),
    ("match.match_id", {"match_id": "a b"}),
    ("match.match_id", {"match_id": "a\x00"}),
    ("match.match_id", {"match_id": "a\n"}),
    ("match.ruleset.name", {"ruleset": common_pb2.RulesetRef()}),
    ("match.ruleset.name", {"ruleset": common_pb2.RulesetRef(name="Ключ")}),
    ("match.outcome_kind", {"outcome_kind": ""}),
    ("match.pack_size", {"pack_size": 52}),
    ("match.ended_at", {"ended_at": None}),
    ("match.seats", {"seats": []}),
    ("match.seats", {"seats": [person(0, "anna")]}),
    ("match.seats", {"seats": [person(seat, f"p{seat}") for seat in range(5)]}),
    ("match.seats", {"seats": [person(seat, f"p{seat}") for seat in (1, 0, 2, 3)]}),
    ("match.seats", {"seats": [person(seat, "anna") for seat in range(4)]}),
    ("match.seats", {"seats": [person(seat, "" if seat == 2 else f"p{seat}") for seat in range(4)]}),
    ("match.sides", {"sides": []}),
    ("match.sides", {"sides": [0, 0, 0, 0]}),
    ("match.sides", {"sides": [1, 2, 1, 2]}),
    ("match.sides", {"sides": [0, 4_294_967_295, 0, 1]}),
    ("match.result.ranks", {"result": None}),
    ("match.result.ranks", {"result": ranks(1)}),
    ("match.result.ranks", {"result": ranks(1, 3)}),
    ("match.result.ranks", {"result": ranks(0, 1)}),
    ("match.result.totals", {"result": match_pb2.MatchResult(ranks=[1, 2], totals=[1])}),
    ("match.card_points", {"card_points": [1]}),
    ("match.side_outcomes", {"side_outcomes": [view_pb2.SIDE_OUTCOME_WON]}),
)


@pytest.mark.parametrize(("field", "changes"), MALFORMED, ids=str)
def test_what_no_rating_could_be_counted_from_is_malformed(field: str, changes: dict[str, Any]) -> None:
    with pytest.raises(MalformedError) as refusal:
        check(result_of(match_result(**changes)))
    assert refusal.value.field == field


WELL_FORMED: tuple[Callable[[], view_pb2.MatchFinished], ...] = (
    match_result,
    # A person left a bot on his seat, or a bot sat there from the beginning: casual.
    lambda: match_result(rated=False, seats=[person(seat, "" if seat else "anna") for seat in range(4)]),
    # Over before its play: nobody has card points, and before that release nobody had outcomes.
    lambda: match_result(card_points=[], side_outcomes=[], started_at=None, result=ranks(1, 1)),
    lambda: match_result(outcome_kind="kind_of_a_later_release", source="somewhere"),
    lambda: match_result(seats=[person(0, "anna"), person(1, "boris")], sides=[0, 1], pack_size=24),
)


@pytest.mark.parametrize("made", WELL_FORMED)
def test_whatever_a_table_tells_is_taken(made: Callable[[], view_pb2.MatchFinished]) -> None:
    check(result_of(made()))
