"""A sound history of one match, made by hand and by the rules, for the validators' own tests to break."""

import random
from dataclasses import replace

from google.protobuf.message import Message

from belot.common.v1 import common_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2, rules_pb2
from belot.table.v1 import record_pb2, table_pb2, view_pb2
from belot_engine.match import apply, legal_actions, start
from belot_engine.rulesets import resolve
from belot_engine.state import Action, Choose, MatchState, Pass, Phase, Play
from belot_events.envelope import Envelope
from belot_rules.convert.known import know
from belot_rules.convert.outcomes import fill_applied, fill_started
from robustness.histories import Answer, OutboxRow, Received, Sent, Session, StoredTable, TableHistory, Tape
from robustness.log_reading import key_of_event, seen_by
from support.playouts import deal_from, shuffled

TABLE, MATCH = "table-1", "match-1"
PEOPLE = ("anna", "boris", "clara", "dmitri")
_MS = 1_000_000


class Writer:
    """Writes a log and what its four people sent; seat 3 misses its first turn, so that the clock decides for it."""

    def __init__(self) -> None:
        """The table waits; nothing is written."""
        self.log: list[Envelope] = []
        self.version = 1
        self.requests: dict[tuple[str, str], bytes] = {}
        self.sent: dict[str, list[Sent]] = {name: [] for name in PEOPLE}

    def tell(
        self, kind: str, public: Message | None, only_seat: int | None = None, private: Message | None = None
    ) -> None:
        """One more event; `private` is what `only_seat` sees besides."""
        payloads = [b"" if each is None else each.SerializeToString() for each in (public, private)]
        number = len(self.log) + 1
        self.log.append(Envelope(TABLE, number, kind, _MS + number, payloads[0], only_seat, payloads[1]))

    def acknowledge(self, name: str, action: table_pb2.TableAction) -> None:
        """A command of somebody was done with the last event."""
        self.version += 1
        ack = table_pb2.Ack(version=self.version, sequence=len(self.log))
        sent = Sent(f"{name}-{len(self.sent[name])}", action, [1.0], [Answer(2.0, ack.version, ack.sequence)])
        self.sent[name].append(sent)
        self.requests[name, sent.request_id] = ack.SerializeToString()


def sound_history(seed: int = 1) -> TableHistory:
    """A match of one deal, played to its end, with nothing wrong in it."""
    writer, rng = Writer(), random.Random(seed)
    _open(writer)
    state = _play(writer, rng)
    finished = _finish(writer, state)
    last = len(writer.log)
    table = StoredTable(TABLE, writer.version, last, _record(writer, state), know(state.ruleset).json, last)
    outbox = (OutboxRow(f"match_finished:{MATCH}", "match_finished", finished.SerializeToString(), True),)
    tapes = tuple(_tape(writer, seat) for seat in range(4))
    bookmark = _bookmark(tapes[0], last // 2)
    inbox = (finished.SerializeToString(),)
    return TableHistory(table, tuple(writer.log), writer.requests, outbox, (*tapes, bookmark), inbox)


def _open(writer: Writer) -> None:
    writer.tell("seat_changed", view_pb2.TableEvent(seat_changed=view_pb2.SeatChanged()))
    seats = [view_pb2.Seat(seat=seat, player_id=name) for seat, name in enumerate(PEOPLE)]
    writer.tell("match_opened", view_pb2.TableEvent(match_opened=view_pb2.MatchOpened(match_id=MATCH, seats=seats)))
    for seat, name in enumerate(PEOPLE):
        public = view_pb2.TableEvent(seed_received=view_pb2.SeedReceived(seat=seat))
        private = view_pb2.TableEvent()
        private.seed_received.receipt.SetInParent()
        writer.tell("seed_received", public, seat, private)
        writer.acknowledge(name, table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=bytes(16))))
    writer.tell("round_chosen", view_pb2.TableEvent(round_chosen=view_pb2.RoundChosen(round=7)))
    writer.tell("beacon_fixed", view_pb2.TableEvent(beacon_fixed=view_pb2.BeaconFixed(round=7)))


def _play(writer: Writer, rng: random.Random) -> MatchState:
    state = start(resolve("classic", 4, 32, {"deals": "1"}), 0)
    pack = shuffled(rng, state.ruleset.pack)
    missed = False
    while state.phase is not Phase.FINISHED:
        if state.turn is None:
            released = view_pb2.TableEvent()
            released.cards_released.SetInParent()
            writer.tell("cards_released", released)
            state = _step(writer, state, None, deal_from(state, pack))
        else:
            seat = state.turn
            by_clock = seat == 3 and not missed
            missed = missed or by_clock
            if by_clock:
                taken = view_pb2.DecisionTaken(seat=seat, actor=common_pb2.ACTOR_KIND_AUTOMATIC)
                writer.tell("decision_taken", view_pb2.TableEvent(decision_taken=taken))
            first = len(writer.log)
            state = _step(writer, state, seat, _choice(state, rng))
            if not by_clock:
                writer.acknowledge(PEOPLE[seat], _asked(writer.log[first]))
    return state


def _choice(state: MatchState, rng: random.Random) -> Action:
    legal = legal_actions(state)
    if legal is None:
        raise AssertionError("nobody is to act")
    if legal.cards:
        return Play(rng.choice([card for card in range(32) if legal.cards >> card & 1]))
    return Choose(legal.suits[0]) if legal.suits else Pass()


def _step(writer: Writer, state: MatchState, seat: int | None, action: Action) -> MatchState:
    """Apply, tell what happened, and whose turn it is then."""
    message = rules_pb2.Applied()
    applied = apply(state, seat, action)
    fill_applied(message, know(state.ruleset), state, applied)
    for event in message.events:
        told = view_pb2.TableEvent(game=event.event)
        kind = str(event.event.WhichOneof("kind"))
        if event.HasField("only_seat"):
            writer.tell(kind, None, event.only_seat, told)
        else:
            writer.tell(kind, told)
    if message.next.HasField("turn"):
        turn = message.next.turn
        public, private = view_pb2.TableEvent(), view_pb2.TableEvent()
        public.turn_started.seat = turn.seat
        public.turn_started.due_at.FromMilliseconds(_MS)
        private.turn_started.legal.CopyFrom(turn.legal)
        writer.tell("turn_started", public, turn.seat, private)
    return applied.state


def _asked(decided: Envelope) -> table_pb2.TableAction:
    """What the person must have sent for this event."""
    found = key_of_event(view_pb2.TableEvent.FromString(decided.payload).game)
    if found is None:
        raise AssertionError(f"{decided.kind} is no decision")
    word, number = found[1]
    game = match_pb2.Action(pass_bid=match_pb2.Pass())
    if word == "play":
        game = match_pb2.Action(play=match_pb2.Play(card=common_pb2.Card.ValueType(number)))
    elif word == "choose":
        game = match_pb2.Action(choose=match_pb2.Choose(suit=common_pb2.Suit.ValueType(number)))
    return table_pb2.TableAction(game=game)


def _finish(writer: Writer, state: MatchState) -> view_pb2.MatchFinished:
    result = state.result
    if result is None:
        raise AssertionError("the match has no result")
    told = match_pb2.MatchResult(totals=result.totals, ranks=result.ranks)
    finished = view_pb2.MatchFinished(match_id=MATCH, outcome_kind="won", result=told)
    writer.tell("match_finished", view_pb2.TableEvent(match_finished=finished))
    writer.tell("seed_revealed", view_pb2.TableEvent(seed_revealed=view_pb2.SeedRevealed(server_seed=bytes(32))))
    return finished


def _record(writer: Writer, state: MatchState) -> bytes:
    message = rules_pb2.Applied()
    fill_started(message, know(state.ruleset), state)
    message.state.ruleset_json = ""
    summary = view_pb2.TableSummary(version=writer.version)
    return record_pb2.TableRecord(
        summary=summary, sequence=len(writer.log), match_state=message.state.SerializeToString()
    ).SerializeToString()


def _tape(writer: Writer, seat: int) -> Tape:
    """A client that was there from the start and lost its connection once, in the middle."""
    name, middle = PEOPLE[seat], len(writer.log) // 3
    snapshot = gateway_pb2.StreamItem(table_id=TABLE, sequence=0, snapshot=view_pb2.TableView(sequence=0))
    tape = Tape(TABLE, name, sessions=[Session("one", None), Session("two", middle)], sent=writer.sent[name])
    tape.received.append(Received(0, snapshot))
    tape.received.extend(Received(int(each.sequence > middle), item_for(each, seat)) for each in writer.log)
    beat = gateway_pb2.StreamItem(table_id=TABLE, sequence=len(writer.log), heartbeat=gateway_pb2.Heartbeat())
    tape.received.append(Received(1, beat))
    return tape


def item_for(envelope: Envelope, seat: int | None) -> gateway_pb2.StreamItem:
    """What a stream brings of an event."""
    event = seen_by(envelope, seat)
    if event is None:
        return gateway_pb2.StreamItem(table_id=TABLE, sequence=envelope.sequence, hidden=gateway_pb2.Hidden())
    return gateway_pb2.StreamItem(table_id=TABLE, sequence=envelope.sequence, event=event)


def _bookmark(tape: Tape, after: int) -> Tape:
    received = [Received(0, each.item) for each in tape.received if each.item.sequence > after]
    return replace(tape, bookmark=True, sessions=[Session("one", after)], received=received, sent=[])
