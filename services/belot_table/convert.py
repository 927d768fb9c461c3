"""A table's values to and from the words of belot.table.v1 that are shown, stored and told alike."""

from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_table.complaints import MessageReport
from belot_table.endings import Proposal, ProposalKind, ProposalState
from belot_table.table import (
    Actor,
    Await,
    Next,
    Options,
    RulesetRef,
    Seat,
    Status,
    Stint,
    Table,
)

ACTORS: "Final[dict[Actor, common_pb2.ActorKind.ValueType]]" = {
    Actor.NOBODY: common_pb2.ACTOR_KIND_UNSPECIFIED,
    Actor.PERSON: common_pb2.ACTOR_KIND_PERSON,
    Actor.BOT: common_pb2.ACTOR_KIND_BOT,
    Actor.AUTOMATIC: common_pb2.ACTOR_KIND_AUTOMATIC,
}
STATUSES: "Final[dict[Status, view_pb2.TableStatus.ValueType]]" = {
    Status.WAITING: view_pb2.TABLE_STATUS_WAITING,
    Status.OPENING: view_pb2.TABLE_STATUS_OPENING,
    Status.SEEDING: view_pb2.TABLE_STATUS_SEEDING,
    Status.DRAWING: view_pb2.TABLE_STATUS_DRAWING,
    Status.PLAYING: view_pb2.TABLE_STATUS_PLAYING,
    Status.FINISHED: view_pb2.TABLE_STATUS_FINISHED,
    Status.CLOSED: view_pb2.TABLE_STATUS_CLOSED,
}
CARDS: "Final[tuple[common_pb2.Card.ValueType, ...]]" = tuple(common_pb2.Card.values()[1:])
"""Cards by number: 8 * suit + rank."""

SUITS: "Final[tuple[common_pb2.Suit.ValueType, ...]]" = tuple(common_pb2.Suit.values()[1:])
"""Suits by number."""

PROPOSAL_STATES: "Final[dict[ProposalState, view_pb2.ProposalState.ValueType]]" = {
    each: view_pb2.ProposalState.values()[each] for each in ProposalState
}


def timestamp(ms: int) -> Timestamp:
    """Unix milliseconds as a Timestamp."""
    seconds, rest = divmod(ms, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)


def duration(ms: int) -> Duration:
    """Milliseconds as a Duration."""
    seconds, rest = divmod(ms, 1000)
    return Duration(seconds=seconds, nanos=rest * 1_000_000)


def summary_of(table: Table) -> view_pb2.TableSummary:
    """A table as lists show it."""
    return view_pb2.TableSummary(
        table_id=table.table_id,
        status=STATUSES[table.status],
        options=options_of(table.options),
        ruleset=ruleset_of(table.ruleset),
        seats=[seat_message(each) for each in table.seats],
        created_at=timestamp(table.created_ms),
        match_id=table.match.match_id if table.match else "",
        version=table.version,
    )


def ruleset_of(ref: RulesetRef) -> common_pb2.RulesetRef:
    """Which ruleset, as a message."""
    return common_pb2.RulesetRef(name=ref.name, version=ref.version, hash=ref.hash)


def seat_message(seat: Seat) -> view_pb2.Seat:
    """A seat as everybody sees it."""
    return view_pb2.Seat(
        seat=seat.seat,
        kind=ACTORS[seat.kind],
        player_id=seat.player_id,
        display_name=seat.display_name,
        bot_level=seat.bot_level,
        ready=seat.ready,
        participant_id=seat.participant.hex(),
        disconnected=seat.disconnected,
    )


def read_seat(message: view_pb2.Seat) -> Seat:
    """The seat in a message."""
    return Seat(
        seat=message.seat,
        kind=Actor(message.kind),
        player_id=message.player_id,
        display_name=message.display_name,
        bot_level=message.bot_level,
        ready=message.ready,
        participant=bytes.fromhex(message.participant_id),
        disconnected=message.disconnected,
    )


def options_of(options: Options) -> view_pb2.TableOptions:
    """How a table plays, as a message with nothing left to defaults."""
    return view_pb2.TableOptions(
        ruleset=options.ruleset,
        seats=options.seats,
        pack_size=options.pack_size,
        ruleset_options=dict(options.ruleset_options),
        private=options.private,
        bid_time=duration(options.bid_ms),
        card_time=duration(options.card_ms),
        reserve=duration(options.reserve_ms),
        seed_time=duration(options.seed_ms),
        bot_delay=duration(options.bot_delay_ms),
        rated=options.rated,
        reserved_for=options.reserved_for,
        waiting_time=duration(options.waiting_ms),
        no_spectators=options.no_spectators,
        spectator_delay=duration(options.spectator_delay_ms),
        ends_by=timestamp(options.ends_by_ms) if options.ends_by_ms else None,
    )


def read_options(message: view_pb2.TableOptions) -> Options:
    """The options in a message; those that are absent have their defaults."""
    usual = Options(message.ruleset)

    def ms(name: str, default: int) -> int:
        present: Duration = getattr(message, name)
        return present.ToMilliseconds() if message.HasField(name) else default  # type: ignore[arg-type]

    return Options(
        ruleset=message.ruleset,
        seats=message.seats or usual.seats,
        pack_size=message.pack_size or usual.pack_size,
        ruleset_options=tuple(sorted(message.ruleset_options.items())),
        private=message.private,
        bid_ms=ms("bid_time", usual.bid_ms),
        card_ms=ms("card_time", usual.card_ms),
        reserve_ms=ms("reserve", usual.reserve_ms),
        seed_ms=ms("seed_time", usual.seed_ms),
        bot_delay_ms=ms("bot_delay", usual.bot_delay_ms),
        rated=message.rated,
        reserved_for=tuple(message.reserved_for),
        waiting_ms=ms("waiting_time", usual.waiting_ms),
        no_spectators=message.no_spectators,
        spectator_delay_ms=ms("spectator_delay", usual.spectator_delay_ms),
        ends_by_ms=message.ends_by.ToMilliseconds(),
    )


def report_of(report: MessageReport) -> table_pb2.MessageReport:
    """A reported message as moderators read it."""
    return table_pb2.MessageReport(
        table_id=report.table_id,
        sequence=report.sequence,
        said=view_pb2.TableEvent.FromString(report.said),
        reporter_id=report.reporter_id,
        reason=table_pb2.ReportReason.values()[report.reason],
        reported_at=timestamp(report.at_ms),
    )


def proposal_of(proposal: Proposal) -> view_pb2.Proposal:
    """A proposal as a message."""
    kind = view_pb2.ProposalKind.values()[proposal.kind]
    return view_pb2.Proposal(kind=kind, seat=proposal.seat, agreed_seats=proposal.agreed)


def read_proposal(message: view_pb2.Proposal) -> Proposal:
    """The proposal in a message."""
    return Proposal(ProposalKind(message.kind), message.seat, tuple(message.agreed_seats))


def stint_of(stint: Stint) -> view_pb2.Stint:
    """A stint as a message."""
    return view_pb2.Stint(
        seat=stint.seat,
        actor=ACTORS[stint.actor],
        bot_level=stint.bot_level,
        from_hand=stint.from_hand,
        from_trick=stint.from_trick,
        late_decisions=stint.late,
        lost_decisions=stint.lost,
    )


def read_stint(message: view_pb2.Stint) -> Stint:
    """The stint in a message."""
    return Stint(
        seat=message.seat,
        actor=Actor(message.actor),
        bot_level=message.bot_level,
        from_hand=message.from_hand,
        from_trick=message.from_trick,
        late=message.late_decisions,
        lost=message.lost_decisions,
    )


def next_of(message: match_pb2.Next) -> Next:
    """What a match waits for, out of the rules' message."""
    match message.WhichOneof("kind"):
        case "turn":
            turn = message.turn
            return Next(Await.TURN, turn.seat, not turn.legal.cards, turn.legal.SerializeToString())
        case "cards":
            return Next(Await.CARDS, body=message.cards.SerializeToString())
        case "finished":
            return Next(Await.FINISHED, body=message.finished.SerializeToString())
        case _:
            return Next()
