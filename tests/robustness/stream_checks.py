"""What must be true of every client's stream: Ordered, Unique, Reliable, Resumable, Bookmarkable, Private. Pure."""

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from robustness.histories import Received, TableHistory, Tape
from robustness.log_reading import seats_of, seen_by
from support.card_walk import cards_in

LONGEST_TAIL = 2_000
"""A client that missed more gets a snapshot."""

_PUBLIC = ("up_card_turned", "card_played", "melds_shown", "cards_left_out", "tricks_claimed")


def ordered(history: TableHistory) -> Iterator[str]:
    """Within a session numbers only grow, and a heartbeat or snapshot speaks for what was sent, never ahead of it."""
    for number, tape in enumerate(history.tapes):
        for session, group in itertools.groupby(tape.received, key=lambda each: each.session):
            yield from (f"client {number}, session {session}: {text}" for text in _ordered(tape, session, list(group)))


def _ordered(tape: Tape, session: int, group: Sequence[Received]) -> Iterator[str]:
    head = tape.sessions[session].after
    for each in group:
        kind, sequence = each.item.WhichOneof("kind"), each.item.sequence
        if kind in ("event", "hidden"):
            if head is not None and sequence <= head:
                yield f"{sequence} after {head}"
            head = sequence
        elif kind == "snapshot":
            head = sequence
        elif kind == "heartbeat" and sequence != head:
            yield f"heartbeat of {sequence} when {head} was sent"


def unique(history: TableHistory) -> Iterator[str]:
    """No client gets a number twice, whatever it went through."""
    for number, tape in enumerate(history.tapes):
        counts = Counter(each.sequence for each in numbered(tape))
        twice = sorted(sequence for sequence, count in counts.items() if count > 1)
        if twice:
            yield f"client {number} got {twice} more than once"


def reliable(history: TableHistory) -> Iterator[str]:
    """No number is missing from the first to the log's end, and each brings what the log holds for that viewer."""
    log = {envelope.sequence: envelope for envelope in history.log}
    seats = seats_of(history.log)
    for number, tape in enumerate(history.tapes):
        yield from (f"client {number}: gap between {one} and {two}" for one, two in gaps(tape))
        last = tape.received[-1].item.sequence if tape.received else 0
        if last < len(history.log):
            yield f"client {number} was sent {last} of {len(history.log)} events"
        for item in numbered(tape):
            yield from (f"client {number}: {text}" for text in _as_logged(item, log, seats.get(tape.player_id)))
        yield from (f"client {number}: stream ended: {text}" for text in tape.failures)


def _as_logged(item: gateway_pb2.StreamItem, log: dict[int, Envelope], seat: int | None) -> Iterator[str]:
    envelope = log.get(item.sequence)
    if envelope is None:
        yield f"{item.sequence} ({item.event.WhichOneof('kind')}) is not in the log"
        return
    expected = seen_by(envelope, seat)
    if (item.event if item.HasField("event") else None) != expected:
        yield f"{item.sequence} ({envelope.kind}) is not what the log holds for seat {seat}"


def resumable(history: TableHistory) -> Iterator[str]:
    """A session that names what it has gets what follows, no snapshot, unless it has missed very much."""
    for number, tape in enumerate(history.tapes):
        firsts = {
            session: next(group) for session, group in itertools.groupby(tape.received, lambda each: each.session)
        }
        for session, first in firsts.items():
            after, item = tape.sessions[session].after, first.item
            if after is None or len(history.log) - after > LONGEST_TAIL or item.HasField("heartbeat"):
                continue
            if item.sequence != after + 1 or item.HasField("snapshot"):
                kind = item.WhichOneof("kind")
                yield f"client {number}, session {session} resumed after {after} with {kind} {item.sequence}"


def bookmarkable(history: TableHistory) -> Iterator[str]:
    """The same viewer, opening at an old number again, is sent the very same from there on."""
    for tape in history.tapes:
        if not tape.bookmark:
            continue
        first = {item.sequence: item for other in history.tapes if other.player_id == tape.player_id
                 and not other.bookmark for item in numbered(other)}  # fmt: skip
        changed = [item.sequence for item in numbered(tape) if first.get(item.sequence, item) != item]
        if changed:
            yield f"after a bookmark {changed} came differently"


def private(history: TableHistory) -> Iterator[str]:
    """Nobody is sent a card, a choice or a receipt that is not for him to see at that moment."""
    seats = seats_of(history.log)
    for number, tape in enumerate(history.tapes):
        seat = seats.get(tape.player_id)
        seen = _seen_before(history, tape, seat)
        for each in tape.received:
            wrong = set(cards_in(each.item)) - _may_see(each.item, seat, seen)
            if wrong:
                yield f"client {number} (seat {seat}) was sent {len(wrong)} foreign cards at {each.item.sequence}"
            if _for_others(each.item.event, seat):
                yield f"client {number} (seat {seat}) was sent another seat's part at {each.item.sequence}"


def _seen_before(history: TableHistory, tape: Tape, seat: int | None) -> set[int]:
    """The cards that this viewer had rightly seen in the deal in which his bookmark lies."""
    seen: set[int] = set()
    after = (tape.sessions[0].after if tape.sessions else None) or 0
    for envelope in history.log[:after] if tape.bookmark else ():
        event = seen_by(envelope, seat)
        if event is not None:
            _may_see(gateway_pb2.StreamItem(event=event), seat, seen)
    return seen


def _may_see(item: gateway_pb2.StreamItem, seat: int | None, seen: set[int]) -> set[int]:
    """The cards this viewer may see now; `seen` is kept for the deal."""
    game = item.event.game
    kind = game.WhichOneof("kind")
    if kind == "deal_started":
        seen.clear()
    if kind in _PUBLIC or (kind == "hand_dealt" and game.hand_dealt.seat == seat):
        seen |= set(cards_in(item))
    if item.HasField("snapshot"):
        seen |= set(cards_in(item.snapshot.match.public))
        if item.snapshot.HasField("viewer_seat") and item.snapshot.viewer_seat == seat:
            seen |= set(item.snapshot.match.hand)
    return seen


def _for_others(event: view_pb2.TableEvent, seat: int | None) -> bool:
    legal = event.HasField("turn_started") and event.turn_started.HasField("legal")
    receipt = event.HasField("seed_received") and event.seed_received.HasField("receipt")
    return (legal and event.turn_started.seat != seat) or (receipt and event.seed_received.seat != seat)


def numbered(tape: Tape) -> list[gateway_pb2.StreamItem]:
    """The events a client was sent, hidden ones included, in the order of receipt."""
    return [each.item for each in tape.received if each.item.WhichOneof("kind") in ("event", "hidden")]


def gaps(tape: Tape) -> list[tuple[int, int]]:
    """Places where the sequence does not go on by one, from the first snapshot or bookmark on: (before, after)."""
    found: list[tuple[int, int]] = []
    head = tape.sessions[0].after if tape.sessions else None
    for each in tape.received:
        kind, sequence = each.item.WhichOneof("kind"), each.item.sequence
        if kind == "snapshot":
            head = sequence
        elif kind in ("event", "hidden"):
            if head is not None and sequence > head + 1:
                found.append((head, sequence))
            head = sequence
    return found
