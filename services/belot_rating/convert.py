"""Protobuf to the words of this service and back."""

from collections.abc import Sequence

from google.protobuf.timestamp_pb2 import Timestamp

from belot.rating.v1 import rating_pb2
from belot.table.v1 import view_pb2
from belot_rating.inbox import Result, Seat, Stint
from belot_rating.store import Kept


def result_of(match: view_pb2.MatchFinished) -> Result:
    """A result as it was told, checked by nobody yet."""
    return Result(
        match_id=match.match_id,
        table_id=match.table_id,
        source=match.source,
        ruleset=match.ruleset.name,
        ruleset_version=match.ruleset.version,
        ruleset_hash=match.ruleset.hash,
        options=tuple(sorted(match.ruleset_options.items())),
        seats=tuple(
            Seat(each.seat, each.kind, each.player_id, each.bot_level, each.participant_id) for each in match.seats
        ),
        sides=tuple(match.sides),
        pack=match.pack_size,
        rated=match.rated,
        outcome=match.result.outcome,
        ranks=tuple(match.result.ranks),
        totals=tuple(match.result.totals),
        deals=match.result.deals_played,
        card_points=tuple(match.card_points),
        outcome_kind=match.outcome_kind,
        side_outcomes=tuple(match.side_outcomes),
        leavers=tuple(sorted(match.leavers)),
        stints=tuple(
            Stint(each.seat, each.actor, each.bot_level, each.from_hand, each.from_trick) for each in match.stints
        ),
        started_ns=_nanoseconds(match.started_at),
        ended_ns=_nanoseconds(match.ended_at),
    )


def recorded_message(kept: Kept, already_known: bool) -> rating_pb2.RecordMatchResponse:
    """The answer to a delivery."""
    return rating_pb2.RecordMatchResponse(recorded_at=_timestamp(kept.received_ms), already_known=already_known)


def page_message(found: Sequence[Kept], token: str) -> rating_pb2.ListRecordedMatchesResponse:
    """A page of results."""
    matches = [
        rating_pb2.RecordedMatch(
            match=view_pb2.MatchFinished.FromString(each.payload), recorded_at=_timestamp(each.received_ms)
        )
        for each in found
    ]
    return rating_pb2.ListRecordedMatchesResponse(matches=matches, next_page_token=token)


def _nanoseconds(at: Timestamp) -> int:
    return at.seconds * 1_000_000_000 + at.nanos


def _timestamp(ms: int) -> Timestamp:
    seconds, rest = divmod(ms, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)
