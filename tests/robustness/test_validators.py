"""Every validator is content with a sound history and complains about one that is broken in its own way."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from belot.common.v1 import common_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import record_pb2, view_pb2
from robustness.histories import Answer, Received, TableHistory, Tape
from robustness.log_checks import acknowledged_once, contiguous, delivered_once, one_clock, refused, timers_once
from robustness.made_history import PEOPLE, item_for, sound_history
from robustness.replay import replayed
from robustness.stream_checks import bookmarkable, ordered, private, reliable, resumable, unique
from robustness.validate import Validator, findings

Break = Callable[[TableHistory], TableHistory]


def at(history: TableHistory, kind: str) -> int:
    """Index of the second event of a kind in the log; the first one where there is no other."""
    return [number for number, each in enumerate(history.log) if each.kind == kind][:2][-1]


def without_event(history: TableHistory) -> TableHistory:
    place = at(history, "card_played")
    return replace(history, log=history.log[:place] + history.log[place + 1 :])


def unpublished_end(history: TableHistory) -> TableHistory:
    return replace(history, table=replace(history.table, published=history.table.sequence - 1))


def row_behind_the_log(history: TableHistory) -> TableHistory:
    return replace(history, table=replace(history.table, sequence=history.table.sequence - 1))


def acknowledged_and_not_stored(history: TableHistory) -> TableHistory:
    last = history.tapes[0].sent[-1].request_id
    return replace(history, requests={key: ack for key, ack in history.requests.items() if key[1] != last})


def acknowledged_twice_differently(history: TableHistory) -> TableHistory:
    history.tapes[0].sent[-1].answers.append(Answer(3.0, 999, 999))
    return history


def acknowledged_move_lost(history: TableHistory) -> TableHistory:
    """As after a commit that was overwritten: the event at the place belongs to somebody else."""
    place, other = [number for number, each in enumerate(history.log) if each.kind == "card_played"][:2]
    log = list(history.log)
    log[place] = replace(log[other], sequence=log[place].sequence)
    return replace(history, log=tuple(log))


def move_done_twice(history: TableHistory) -> TableHistory:
    place = at(history, "card_played")
    again = replace(history.log[place], sequence=len(history.log) + 1)
    return replace(history, log=(*history.log, again))


def move_of_nobody(history: TableHistory) -> TableHistory:
    for tape in history.tapes[:1]:
        tape.sent.pop()
    return history


def legal_move_refused(history: TableHistory) -> TableHistory:
    history.tapes[1].sent[-1].answers[:] = [Answer(3.0, refusal="NOT_YOUR_TURN")]
    return history


def never_answered(history: TableHistory) -> TableHistory:
    history.tapes[1].sent[-1].answers.clear()
    return history


def clock_decides_twice(history: TableHistory) -> TableHistory:
    place = at(history, "decision_taken")
    doubled = (*history.log[: place + 2], *history.log[place : place + 2], *history.log[place + 2 :])
    return replace(history, log=tuple(replace(each, sequence=n + 1) for n, each in enumerate(doubled)))


def clock_decides_early(history: TableHistory) -> TableHistory:
    place = at(history, "decision_taken") + 1
    early = replace(history.log[place], at_ms=1)
    return replace(history, log=(*history.log[:place], early, *history.log[place + 1 :]))


def dated_by_a_slow_clock(history: TableHistory) -> TableHistory:
    place = at(history, "card_played")
    slow = replace(history.log[place], at_ms=history.log[place].at_ms - 30_000)
    return replace(history, log=(*history.log[:place], slow, *history.log[place + 1 :]))


def opened_twice(history: TableHistory) -> TableHistory:
    return replace(history, log=(*history.log, history.log[at(history, "match_opened")]))


def dealt_twice(history: TableHistory) -> TableHistory:
    return replace(history, log=(*history.log, history.log[at(history, "hand_dealt")]))


def seed_twice(history: TableHistory) -> TableHistory:
    return replace(history, log=(*history.log, history.log[at(history, "seed_received")]))


def outbox_empty(history: TableHistory) -> TableHistory:
    return replace(history, outbox=())


def outbox_twice(history: TableHistory) -> TableHistory:
    return replace(history, outbox=history.outbox * 2)


def outbox_of_another_result(history: TableHistory) -> TableHistory:
    finished = view_pb2.MatchFinished(match_id="match-1", outcome_kind="drawn")
    return replace(history, outbox=(replace(history.outbox[0], payload=finished.SerializeToString()),))


def not_acknowledged(history: TableHistory) -> TableHistory:
    return replace(history, outbox=(replace(history.outbox[0], acknowledged=False),))


def inbox_empty(history: TableHistory) -> TableHistory:
    return replace(history, inbox=())


def inbox_twice(history: TableHistory) -> TableHistory:
    return replace(history, inbox=history.inbox * 2)


def inbox_of_another_result(history: TableHistory) -> TableHistory:
    finished = view_pb2.MatchFinished(match_id="match-1", outcome_kind="drawn")
    return replace(history, inbox=(finished.SerializeToString(),))


def state_of_another_moment(history: TableHistory) -> TableHistory:
    record = record_pb2.TableRecord.FromString(history.table.state)
    state = match_pb2.MatchState.FromString(record.match_state)
    state.public.totals[0] += 10
    state.public.result.totals[0] += 10
    record.match_state = state.SerializeToString()
    return replace(history, table=replace(history.table, state=record.SerializeToString()))


def card_played_out_of_turn(history: TableHistory) -> TableHistory:
    return replace(history, log=tuple(each for each in history.log if each.sequence != at(history, "bid_made") + 1))


def with_tape(history: TableHistory, change: Callable[[Tape], Tape]) -> TableHistory:
    return replace(history, tapes=(change(history.tapes[0]), *history.tapes[1:]))


def swapped(history: TableHistory) -> TableHistory:
    def swap(tape: Tape) -> Tape:
        one, two = tape.received[10:12]
        return replace(tape, received=[*tape.received[:10], two, one, *tape.received[12:]])

    return with_tape(history, swap)


def heartbeat_ahead(history: TableHistory) -> TableHistory:
    beat = gateway_pb2.StreamItem(table_id="table-1", sequence=11, heartbeat=gateway_pb2.Heartbeat())
    return with_tape(
        history, lambda tape: replace(tape, received=[*tape.received[:10], Received(0, beat), *tape.received[10:]])
    )


def item_twice(history: TableHistory) -> TableHistory:
    return with_tape(
        history, lambda tape: replace(tape, received=[*tape.received[:11], tape.received[10], *tape.received[11:]])
    )


def item_missing(history: TableHistory) -> TableHistory:
    return with_tape(history, lambda tape: replace(tape, received=[*tape.received[:10], *tape.received[11:]]))


def ended_too_soon(history: TableHistory) -> TableHistory:
    return with_tape(history, lambda tape: replace(tape, received=tape.received[:20]))


def phantom(history: TableHistory) -> TableHistory:
    """Published, never committed."""
    return replace(history, log=history.log[:-1], table=replace(history.table, sequence=len(history.log) - 1))


def told_otherwise(history: TableHistory) -> TableHistory:
    """A client was told of a card that the log does not have."""
    place = at(history, "card_played")
    event = view_pb2.TableEvent.FromString(history.log[place].payload)
    event.game.card_played.card = common_pb2.Card.ValueType(1 + event.game.card_played.card % 32)
    log = (*history.log[:place], replace(history.log[place], payload=event.SerializeToString()))
    return replace(history, log=(*log, *history.log[place + 1 :]))


def resumed_with_a_gap(history: TableHistory) -> TableHistory:
    def cut(tape: Tape) -> Tape:
        first = next(number for number, each in enumerate(tape.received) if each.session == 1)
        return replace(tape, received=[*tape.received[:first], *tape.received[first + 1 :]])

    return with_tape(history, cut)


def bookmark_brings_another_event(history: TableHistory) -> TableHistory:
    changed = replace(history.tapes[-1], received=list(history.tapes[-1].received))
    item = gateway_pb2.StreamItem()
    item.CopyFrom(changed.received[3].item)
    item.event.at.seconds += 1
    changed.received[3] = Received(0, item)
    return replace(history, tapes=(*history.tapes[:-1], changed))


def unfiltered(history: TableHistory) -> TableHistory:
    """Seat 0 is sent what only seat 1 may see."""
    return with_tape(
        history, lambda tape: replace(tape, received=[Received(0, item_for(each, 1)) for each in history.log])
    )


def receipt_of_another(history: TableHistory) -> TableHistory:
    place = next(
        number for number, each in enumerate(history.log) if each.kind == "seed_received" and each.only_seat == 1
    )
    leaked = Received(0, item_for(history.log[place], 1))
    return with_tape(history, lambda tape: replace(tape, received=[*tape.received, leaked]))


BROKEN: tuple[tuple[Validator, Break], ...] = (
    (contiguous, without_event),
    (contiguous, unpublished_end),
    (contiguous, row_behind_the_log),
    (acknowledged_once, acknowledged_and_not_stored),
    (acknowledged_once, acknowledged_twice_differently),
    (acknowledged_once, acknowledged_move_lost),
    (acknowledged_once, move_done_twice),
    (acknowledged_once, move_of_nobody),
    (acknowledged_once, seed_twice),
    (refused, legal_move_refused),
    (refused, never_answered),
    (timers_once, clock_decides_twice),
    (timers_once, clock_decides_early),
    (timers_once, opened_twice),
    (timers_once, dealt_twice),
    (one_clock, dated_by_a_slow_clock),
    (delivered_once, outbox_empty),
    (delivered_once, outbox_twice),
    (delivered_once, outbox_of_another_result),
    (delivered_once, not_acknowledged),
    (delivered_once, inbox_empty),
    (delivered_once, inbox_twice),
    (delivered_once, inbox_of_another_result),
    (replayed, state_of_another_moment),
    (replayed, card_played_out_of_turn),
    (replayed, without_event),
    (ordered, swapped),
    (ordered, heartbeat_ahead),
    (unique, item_twice),
    (reliable, item_missing),
    (reliable, ended_too_soon),
    (reliable, phantom),
    (reliable, told_otherwise),
    (resumable, resumed_with_a_gap),
    (bookmarkable, bookmark_brings_another_event),
    (private, unfiltered),
    (private, receipt_of_another),
)


@pytest.mark.parametrize("seed", range(3))
def test_a_sound_history_has_no_findings(seed: int) -> None:
    history = sound_history(seed)
    assert findings([history]) == ()
    assert {tape.player_id for tape in history.tapes} == set(PEOPLE)


@pytest.mark.parametrize(("validator", "broken"), BROKEN, ids=[f"{v.__name__}-{b.__name__}" for v, b in BROKEN])
def test_a_broken_history_is_found_out_by_its_validator(validator: Validator, broken: Break) -> None:
    assert list(validator(broken(sound_history())))


def test_refusals_are_part_of_the_game_where_clocks_run_out() -> None:
    history = legal_move_refused(sound_history())
    assert list(refused(replace(history, tapes=tuple(replace(tape, hasty=True) for tape in history.tapes)))) == []
