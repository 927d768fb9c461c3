"""Tables to and from their stored and shown messages (belot.table.v1).

The ruleset's JSON is neither in the stored record nor in the match state within it: it has a column of its own that no
move rewrites, and is put back when the rules are asked.
"""

from typing import Final

from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import record_pb2, view_pb2
from belot_table.table import (
    Actor,
    Await,
    Clock,
    Fairness,
    Match,
    Next,
    Options,
    RulesetRef,
    Seat,
    Status,
    Stint,
    Table,
)

SCHEMA: Final = 1
"""The layout of records that is written; it alone is read so far."""

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


def timestamp(ms: int) -> Timestamp:
    """Unix milliseconds as a Timestamp."""
    seconds, rest = divmod(ms, 1000)
    return Timestamp(seconds=seconds, nanos=rest * 1_000_000)


def duration(ms: int) -> Duration:
    """Milliseconds as a Duration."""
    seconds, rest = divmod(ms, 1000)
    return Duration(seconds=seconds, nanos=rest * 1_000_000)


def encode_table(table: Table) -> bytes:
    """The table as stored, without the JSON of its ruleset."""
    record = record_pb2.TableRecord(
        schema=SCHEMA, summary=summary_of(table), sides=table.sides, sequence=table.sequence
    )
    if table.match is not None:
        _write_match(record, table.match)
    return record.SerializeToString()


def decode_table(state: bytes, ruleset_json: str) -> Table:
    """The table in a stored record. Errors: ValueError for a layout that is not known, DecodeError."""
    record = record_pb2.TableRecord.FromString(state)
    if record.schema != SCHEMA:
        raise ValueError(f"record of layout {record.schema}, {SCHEMA} is known")
    summary = record.summary
    seats = tuple(_read_seat(each) for each in summary.seats)
    return Table(
        table_id=summary.table_id,
        version=summary.version,
        sequence=record.sequence,
        status=Status(summary.status),
        options=read_options(summary.options),
        ruleset=RulesetRef(summary.ruleset.name, summary.ruleset.version, summary.ruleset.hash),
        ruleset_json=ruleset_json,
        sides=tuple(record.sides),
        seats=seats,
        created_ms=summary.created_at.ToMilliseconds(),
        match=_read_match(record, seats) if summary.match_id else None,
    )


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
    )


def _read_seat(message: view_pb2.Seat) -> Seat:
    return Seat(
        seat=message.seat,
        kind=Actor(message.kind),
        player_id=message.player_id,
        display_name=message.display_name,
        bot_level=message.bot_level,
        ready=message.ready,
        participant=bytes.fromhex(message.participant_id),
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
    )


def stint_of(stint: Stint) -> view_pb2.Stint:
    """A stint as a message."""
    return view_pb2.Stint(
        seat=stint.seat,
        actor=ACTORS[stint.actor],
        bot_level=stint.bot_level,
        from_hand=stint.from_hand,
        from_trick=stint.from_trick,
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


def _write_next(next_: Next) -> match_pb2.Next:
    message = match_pb2.Next()
    if next_.kind is Await.TURN:
        message.turn.seat = next_.seat
        message.turn.legal.MergeFromString(next_.body)
    elif next_.kind is Await.CARDS:
        message.cards.MergeFromString(next_.body)
        message.cards.SetInParent()
    elif next_.kind is Await.FINISHED:
        message.finished.MergeFromString(next_.body)
        message.finished.SetInParent()
    return message


def _write_match(record: record_pb2.TableRecord, match: Match) -> None:
    fair, clock = match.fairness, match.clock
    record.match_state = match.state
    record.next.CopyFrom(_write_next(match.next))
    record.fairness.commitment = fair.commitment
    record.fairness.seed_deadline.CopyFrom(timestamp(fair.seed_deadline_ms))
    record.fairness.seeded_seats.extend(fair.seeded)
    record.fairness.server_seed = fair.server_seed
    record.round_due_ms = fair.round_due_ms
    record.turn_started_ms = clock.started_ms
    record.turn_due_ms = clock.due_ms
    record.reserves_ms.extend(clock.reserves_ms)
    record.stints.extend(stint_of(each) for each in match.stints)
    record.bot_seeds.extend(dealer_pb2.BotSeed(seat=seat, seed=seed) for seat, seed in match.bot_seeds)
    record.bot_seeds_hand = match.bot_seeds_hand
    record.started_ms = match.started_ms
    record.ended_ms = match.ended_ms
    record.card_points.extend(match.card_points)
    record.leavers.extend(match.leavers)


def _read_match(record: record_pb2.TableRecord, seats: tuple[Seat, ...]) -> Match:
    public = match_pb2.MatchState.FromString(record.match_state).public
    next_ = next_of(record.next)
    return Match(
        match_id=record.summary.match_id,
        stints=tuple(
            Stint(each.seat, Actor(each.actor), each.bot_level, each.from_hand, each.from_trick)
            for each in record.stints
        ),
        fairness=Fairness(
            commitment=record.fairness.commitment,
            seed_deadline_ms=record.fairness.seed_deadline.ToMilliseconds(),
            seeded=tuple(record.fairness.seeded_seats),
            round_due_ms=record.round_due_ms,
            server_seed=record.fairness.server_seed,
        ),
        state=record.match_state,
        next=next_,
        hand=public.hand_number,
        trick=len(public.tricks),
        clock=_read_clock(record, next_, seats),
        bot_seeds=tuple((each.seat, each.seed) for each in record.bot_seeds),
        bot_seeds_hand=record.bot_seeds_hand,
        card_points=tuple(record.card_points),
        leavers=tuple(record.leavers),
        started_ms=record.started_ms,
        ended_ms=record.ended_ms,
    )


def _read_clock(record: record_pb2.TableRecord, next_: Next, seats: tuple[Seat, ...]) -> Clock:
    """The clock; a person's reserve is what stands between its beginning and the end of his turn."""
    reserves, due = tuple(record.reserves_ms), record.turn_due_ms
    person = next_.kind is Await.TURN and seats[next_.seat].kind is Actor.PERSON
    return Clock(record.turn_started_ms, due - reserves[next_.seat] if person else due, due, reserves)
