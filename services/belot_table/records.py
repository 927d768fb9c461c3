"""Tables as they are stored (belot.table.v1.TableRecord).

The ruleset's JSON is neither in the record nor in the match state within it: it has a column of its own that no move
rewrites, and is put back when the rules are asked.
"""

from typing import Final

from belot.dealer.v1 import dealer_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import record_pb2, view_pb2
from belot_table.convert import (
    next_of,
    proposal_of,
    read_options,
    read_proposal,
    read_seat,
    read_stint,
    stint_of,
    summary_of,
    timestamp,
)
from belot_table.endings import Ending, EndKind
from belot_table.fields import message_field, number_field
from belot_table.table import (
    Actor,
    Await,
    Clock,
    Fairness,
    Match,
    Next,
    RulesetRef,
    Seat,
    Status,
    Table,
)

SCHEMA: Final = 1
"""The layout of records that is written; it alone is read so far."""

_SUMMARY: Final = record_pb2.TableRecord.SUMMARY_FIELD_NUMBER
_VERSION: Final = view_pb2.TableSummary.VERSION_FIELD_NUMBER
_MOST_KEPT: Final = 20_000

_kept: dict[str, tuple[tuple[object, ...], bytes]] = {}
"""By table: what seldom changes, and its encoding. Moves encode the rest only."""


def encode_table(table: Table) -> bytes:
    """The table as stored, without the JSON of its ruleset."""
    # The version stands apart from the rest of its summary: parts of one message that are joined merge.
    version = message_field(_SUMMARY, number_field(_VERSION, table.version))
    moving = record_pb2.TableRecord(sequence=table.sequence)
    if table.match is not None:
        _write_moving(moving, table.match)
    return b"".join((_lasting_part(table), version, moving.SerializeToString()))


def _lasting_part(table: Table) -> bytes:
    match = table.match
    lasting: tuple[object, ...] = (table.status, table.options, table.ruleset, table.seats, table.sides)
    lasting += (table.invitation_code, table.maker, table.mutes, table.halted, table.still_since_ms)
    if match is not None:
        lasting += (match.match_id, match.fairness, match.stints, match.leavers, match.started_ms)
        lasting += (match.missed, match.proposal, match.asked, match.asked_claim, match.decided, match.ended_early)
        lasting += (match.bot_seeds, match.bot_seeds_hand)
    known = _kept.get(table.table_id)
    # Parts that did not change are the very same objects, so that this compares a few addresses.
    if known is not None and known[0] == lasting:
        return known[1]
    encoded = _encode_lasting(table)
    if len(_kept) >= _MOST_KEPT:
        _kept.clear()
    _kept[table.table_id] = (lasting, encoded)
    return encoded


def _encode_lasting(table: Table) -> bytes:
    record = record_pb2.TableRecord(schema=SCHEMA, summary=summary_of(table), sides=table.sides)
    record.summary.ClearField("version")
    record.invitation_code = table.invitation_code
    record.maker_id = table.maker
    record.mutes.extend(record_pb2.Mute(player_id=who, muted_id=whom) for who, whom in table.mutes)
    record.halted = table.halted
    record.still_since_ms = table.still_since_ms
    match = table.match
    if match is not None:
        fair = match.fairness
        record.fairness.commitment = fair.commitment
        record.fairness.seed_deadline.CopyFrom(timestamp(fair.seed_deadline_ms))
        record.fairness.seeded_seats.extend(fair.seeded)
        record.fairness.server_seed = fair.server_seed
        record.round_due_ms = fair.round_due_ms
        record.stints.extend(stint_of(each) for each in match.stints)
        record.bot_seeds.extend(dealer_pb2.BotSeed(seat=seat, seed=seed) for seat, seed in match.bot_seeds)
        record.bot_seeds_hand = match.bot_seeds_hand
        record.started_ms = match.started_ms
        record.leavers.extend(match.leavers)
        record.missed_turns.extend(match.missed)
        record.asked_for_draw.extend(match.asked)
        record.asked_for_claim.extend(match.asked_claim)
        record.decided_seats.extend(match.decided)
        if match.proposal is not None:
            record.proposal.CopyFrom(proposal_of(match.proposal))
        if match.ended_early is not None:
            record.ended_early = match.ended_early.kind
            record.sides_at_fault.extend(match.ended_early.at_fault)
    return record.SerializeToString()


def _write_moving(record: record_pb2.TableRecord, match: Match) -> None:
    clock = match.clock
    record.match_state = match.state
    _write_next(record.next, match.next)
    record.turn_started_ms = clock.started_ms
    record.turn_due_ms = clock.due_ms
    record.reserves_ms.extend(clock.reserves_ms)
    record.ended_ms = match.ended_ms
    record.card_points.extend(match.card_points)
    record.passed_out_hands = match.passed_out


def _write_next(message: match_pb2.Next, next_: Next) -> None:
    if next_.kind is Await.TURN:
        message.turn.seat = next_.seat
        message.turn.legal.MergeFromString(next_.body)
    elif next_.kind is Await.CARDS:
        message.cards.MergeFromString(next_.body)
        message.cards.SetInParent()
    elif next_.kind is Await.FINISHED:
        message.finished.MergeFromString(next_.body)
        message.finished.SetInParent()


def decode_table(state: bytes, ruleset_json: str) -> Table:
    """The table in a stored record. Errors: ValueError for a layout that is not known, DecodeError."""
    record = record_pb2.TableRecord.FromString(state)
    if record.schema != SCHEMA:
        raise ValueError(f"record of layout {record.schema}, {SCHEMA} is known")
    summary = record.summary
    seats = tuple(read_seat(each) for each in summary.seats)
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
        invitation_code=record.invitation_code,
        maker=record.maker_id,
        mutes=tuple((each.player_id, each.muted_id) for each in record.mutes),
        halted=record.halted,
        still_since_ms=record.still_since_ms,
    )


def _read_match(record: record_pb2.TableRecord, seats: tuple[Seat, ...]) -> Match:
    public = match_pb2.MatchState.FromString(record.match_state).public
    next_ = next_of(record.next)
    return Match(
        match_id=record.summary.match_id,
        stints=tuple(read_stint(each) for each in record.stints),
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
        passed_out=record.passed_out_hands,
        missed=tuple(record.missed_turns),
        proposal=read_proposal(record.proposal) if record.HasField("proposal") else None,
        asked=tuple(record.asked_for_draw),
        asked_claim=tuple(record.asked_for_claim),
        decided=tuple(record.decided_seats),
        ended_early=_read_ending(record),
        started_ms=record.started_ms,
        ended_ms=record.ended_ms,
    )


def _read_ending(record: record_pb2.TableRecord) -> Ending | None:
    return Ending(EndKind(record.ended_early), tuple(record.sides_at_fault)) if record.ended_early else None


def _read_clock(record: record_pb2.TableRecord, next_: Next, seats: tuple[Seat, ...]) -> Clock:
    """The clock; a person's reserve is what stands between its beginning and the end of his turn."""
    reserves, due = tuple(record.reserves_ms), record.turn_due_ms
    person = next_.kind is Await.TURN and seats[next_.seat].kind is Actor.PERSON
    return Clock(record.turn_started_ms, due - reserves[next_.seat] if person else due, due, reserves)
