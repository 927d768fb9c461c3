"""What must be true of a table's log and of what was answered about it. Pure: a history in, complaints out."""

import itertools
from collections import Counter
from collections.abc import Iterator

from belot.table.v1 import table_pb2, view_pb2
from robustness.histories import Sent, TableHistory, Tape
from robustness.log_reading import Decision, decisions, key_of_action, keys_of_claim, seats_of, whole_event

TRANSIENT = frozenset({"UNAVAILABLE", "CONFLICT", "DRAINING", "RATE_LIMITED", "DEADLINE_TOO_SHORT"})
"""Refusals after which the same request is sent again; any other answers a legal move only where clocks are short."""

CLOCKS_APART_MS = 1_000

_ONCE = ("match_opened", "round_chosen", "beacon_fixed", "match_finished", "match_ended", "seed_revealed")


def contiguous(history: TableHistory) -> Iterator[str]:
    """The log is numbered from 1 without a gap, and the table's row ends where it does; all of it is published."""
    numbers = [envelope.sequence for envelope in history.log]
    if numbers != list(range(1, len(numbers) + 1)):
        holes = [(one, two) for one, two in itertools.pairwise([0, *numbers]) if two != one + 1]
        yield f"the log has gaps or repetitions at {holes}"
    if history.table.sequence != len(numbers):
        yield f"the row is at sequence {history.table.sequence}, the log has {len(numbers)} events"
    if history.table.published != history.table.sequence:
        yield f"published up to {history.table.published} of {history.table.sequence}"


def acknowledged_once(history: TableHistory) -> Iterator[str]:
    """Every acknowledged command is in the log exactly once, as it was sent; nothing is there that nobody sent."""
    made = list(decisions(history.log))
    used: set[int] = set()
    seats = seats_of(history.log)
    for tape in _senders(history):
        for sent in tape.sent:
            yield from _answered_alike(history, tape, sent)
        seat = seats.get(tape.player_id)
        for sent in _moves(tape):
            if sent.acks:
                yield from _found_once(sent, seat, made, used)
        yield from _sent_by_somebody(tape, seat, made, used)
    yield from _seeds(history, seats)


def refused(history: TableHistory) -> Iterator[str]:
    """Clients send legal moves in their turn: whoever has time enough is never refused, but for a dependency's sake."""
    for tape in _senders(history):
        if tape.hasty:
            continue
        for sent in tape.sent:
            reasons = {answer.refusal for answer in sent.answers if answer.refusal} - TRANSIENT
            if reasons:
                yield f"{sent.request_id} ({_what(sent)}) was refused: {sorted(reasons)}"
            if not sent.answers:
                yield f"{sent.request_id} ({_what(sent)}) was never answered"


def timers_once(history: TableHistory) -> Iterator[str]:
    """What the table does by itself is done once: openings, deals, and one decision a turn, the clock's in time."""
    kinds = Counter(envelope.kind for envelope in history.log)
    for kind in _ONCE:
        if kinds[kind] > 1:
            yield f"{kind} happened {kinds[kind]} times"
    yield from _dealt_once(history)
    yield from _one_decision_a_turn(history)


def one_clock(history: TableHistory) -> Iterator[str]:
    """Whichever service wrote them, events are dated by one clock: none long before the one that it follows."""
    for before, after in itertools.pairwise(history.log):
        if after.at_ms < before.at_ms - CLOCKS_APART_MS:
            yield f"{after.sequence} ({after.kind}) is dated {before.at_ms - after.at_ms} ms before the one it follows"


def delivered_once(history: TableHistory) -> Iterator[str]:
    """A finished match lies in the outbox exactly once, as the log tells it, and so in the ratings' inbox in the end.

    Any other table has nothing there.
    """
    told = [whole_event(envelope).match_finished for envelope in history.log if envelope.kind == "match_finished"]
    rows = [row for row in history.outbox if row.kind == "match_finished"]
    if len(rows) != len(told):
        yield f"{len(told)} matches finished, {len(rows)} are in the outbox"
    for finished, row in zip(told, rows, strict=False):
        if view_pb2.MatchFinished.FromString(row.payload) != finished:
            yield f"{row.outbox_id} is not what the log tells"
        if row.outbox_id != f"match_finished:{finished.match_id}":
            yield f"{row.outbox_id} is not the id of {finished.match_id}"
        if not row.acknowledged:
            yield f"{row.outbox_id} was not delivered"
    taken = [view_pb2.MatchFinished.FromString(payload) for payload in history.inbox]
    if taken != told:
        yield f"{len(told)} matches finished, the ratings keep {len(taken)}, or not as the log tells"


def _senders(history: TableHistory) -> Iterator[Tape]:
    return (tape for tape in history.tapes if not tape.bookmark)


def _moves(tape: Tape) -> list[Sent]:
    return [sent for sent in tape.sent if sent.action.HasField("game")]


def _what(sent: Sent) -> str:
    return str(sent.action.WhichOneof("kind"))


def _answered_alike(history: TableHistory, tape: Tape, sent: Sent) -> Iterator[str]:
    """All acknowledgements of one command say the same, and it is what is stored."""
    said = {(answer.version, answer.sequence) for answer in sent.acks}
    if not said:
        return
    if len(said) > 1:
        yield f"{sent.request_id} was acknowledged as {sorted(said)}"
    stored = history.requests.get((tape.player_id, sent.request_id))
    if stored is None:
        yield f"{sent.request_id} ({_what(sent)}) was acknowledged and is not stored"
        return
    ack = table_pb2.Ack.FromString(stored)
    if (ack.version, ack.sequence) not in said:
        yield f"{sent.request_id} was acknowledged as {sorted(said)}, stored as {(ack.version, ack.sequence)}"
    if ack.sequence > len(history.log):
        yield f"{sent.request_id} was acknowledged at {ack.sequence}, beyond the log's end {len(history.log)}"


def _found_once(sent: Sent, seat: int | None, made: list[Decision], used: set[int]) -> Iterator[str]:
    """The last decision up to an acknowledgement's sequence is the one it speaks of."""
    end = sent.acks[0].sequence
    found = next((each for each in reversed(made) if each.sequence <= end), None)
    if found is None or not found.by_person or (found.seat, found.key) != (seat, key_of_action(sent.action.game)):
        yield f"{sent.request_id} was acknowledged at {end}, but the log has no such move of seat {seat} there"
    elif found.sequence in used:
        yield f"the move at {found.sequence} answers two commands, {sent.request_id} is one"
    else:
        used.add(found.sequence)


def _sent_by_somebody(tape: Tape, seat: int | None, made: list[Decision], used: set[int]) -> Iterator[str]:
    """A person's moves without an acknowledgement are commands whose answer was lost, each at most once."""
    open_ = Counter(key_of_action(sent.action.game) for sent in _moves(tape) if not sent.acks)
    # A claim is acknowledged where it is made or where the opponents are asked, which comes to one later or never.
    open_ += Counter(key for sent in tape.sent for key in keys_of_claim(sent.action))
    for each in made:
        if each.by_person and each.seat == seat and each.sequence not in used:
            if open_[each.key] == 0:
                yield f"the move at {each.sequence} of seat {seat} was sent by nobody, or is there twice"
            open_[each.key] -= 1


def _seeds(history: TableHistory, seats: dict[str, int]) -> Iterator[str]:
    came = Counter(
        whole_event(envelope).seed_received.seat for envelope in history.log if envelope.kind == "seed_received"
    )
    for tape in _senders(history):
        done = any(sent.acks for sent in tape.sent if sent.action.HasField("submit_seed"))
        seat = seats.get(tape.player_id)
        if seat is not None and (came[seat] > 1 or (done and came[seat] == 0)):
            yield f"the seed of seat {seat} came {came[seat]} times"


def _dealt_once(history: TableHistory) -> Iterator[str]:
    dealt: Counter[tuple[int, int, int]] = Counter()
    hands: Counter[int] = Counter()
    for envelope in history.log:
        game = whole_event(envelope).game
        if game.HasField("hand_dealt"):
            dealt[game.hand_dealt.hand_number, game.hand_dealt.stage, game.hand_dealt.seat] += 1
        elif game.HasField("deal_started"):
            hands[game.deal_started.hand_number] += 1
    yield from (f"hand {hand}, stage {stage}, seat {seat} was dealt {count} times"
                for (hand, stage, seat), count in dealt.items() if count > 1)  # fmt: skip
    yield from (f"hand {hand} began {count} times" for hand, count in hands.items() if count > 1)


def _one_decision_a_turn(history: TableHistory) -> Iterator[str]:
    turn: view_pb2.TurnClock | None = None
    made = {each.sequence: each for each in decisions(history.log)}
    for envelope in history.log:
        event = whole_event(envelope)
        decision = made.get(envelope.sequence)
        if event.HasField("turn_started"):
            if turn is not None and turn.seat != event.turn_started.seat:
                yield f"the turn at {envelope.sequence} began before seat {turn.seat} had decided"
            turn = event.turn_started
        elif decision is not None:
            if turn is None or turn.seat != decision.seat:
                yield f"seat {decision.seat} decided at {decision.sequence} without a turn, or twice in one"
            elif decision.by_clock and decision.at_ms < turn.due_at.ToMilliseconds():
                early = turn.due_at.ToMilliseconds() - decision.at_ms
                yield f"the clock decided at {decision.sequence}, {early} ms early"
            turn = None
