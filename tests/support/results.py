"""Results of matches for tests of whoever takes them: well-formed, and as different as a test wants."""

from typing import Any

from google.protobuf.timestamp_pb2 import Timestamp

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2

PEOPLE = ("anna", "boris", "clara", "dmitri")


def match_result(match_id: str = "match-1", **changes: Any) -> view_pb2.MatchFinished:
    """A rated match of four that the first side won; `changes` are fields of MatchFinished."""
    parts: dict[str, Any] = {
        "match_id": match_id,
        "table_id": "table-1",
        "source": "lobby",
        "ruleset": common_pb2.RulesetRef(name="classic", version=1, hash="00" * 32),
        "ruleset_options": {"target": "501", "announces": "yes", "last": "10"},
        "seats": [person(seat, name) for seat, name in enumerate(PEOPLE)],
        "sides": [0, 1, 0, 1],
        "pack_size": 32,
        "rated": True,
        "result": match_pb2.MatchResult(outcome="won", ranks=[1, 2], totals=[520, 310], deals_played=7),
        "card_points": [600, 412],
        "outcome_kind": "won",
        "side_outcomes": [view_pb2.SIDE_OUTCOME_WON, view_pb2.SIDE_OUTCOME_LOST],
        "stints": [view_pb2.Stint(seat=2, actor=common_pb2.ACTOR_KIND_BOT, bot_level="normal", from_hand=3)],
        "leavers": ["clara", "boris"],
        "started_at": Timestamp(seconds=1_700_000_000),
        "ended_at": Timestamp(seconds=1_700_000_600, nanos=5_000_000),
    }
    return view_pb2.MatchFinished(**(parts | changes))


def person(seat: int, player_id: str, **changes: Any) -> view_pb2.Seat:
    """A person's seat."""
    parts: dict[str, Any] = {
        "seat": seat,
        "kind": common_pb2.ACTOR_KIND_PERSON,
        "player_id": player_id,
        "display_name": player_id.title(),
        "ready": True,
        "participant_id": f"{seat:032x}",
    }
    return view_pb2.Seat(**(parts | changes))
