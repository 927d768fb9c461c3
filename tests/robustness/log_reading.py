"""The log of a table as its decisions and turns. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_events.envelope import Envelope

Key = tuple[str, int]
"""What was done, comparable: ("play", card), ("choose", suit), ("accept", 0), ("pass", 0), ("claim", agreed).

Numbers as in the enums; 1 for a claim that the opponents agreed to."""

_BIDS = {
    match_pb2.BID_KIND_PASS: "pass",
    match_pb2.BID_KIND_ACCEPT: "accept",
    match_pb2.BID_KIND_CHOOSE: "choose",
}


@dataclass(frozen=True, slots=True)
class Decision:
    """One bid, card or claim of the log; `taken` is the decision_taken before it when it was not the person himself."""

    sequence: int
    at_ms: int
    seat: int
    key: Key
    taken: view_pb2.DecisionTaken | None

    @property
    def by_person(self) -> bool:
        """Whether the person himself decided."""
        return self.taken is None

    @property
    def by_clock(self) -> bool:
        """Whether the time was up."""
        return self.taken is not None and self.taken.actor == common_pb2.ACTOR_KIND_AUTOMATIC


def whole_event(envelope: Envelope) -> view_pb2.TableEvent:
    """An event with everything that any seat may see of it."""
    return view_pb2.TableEvent.FromString(envelope.payload + envelope.seat_payload)


def seen_by(envelope: Envelope, seat: int | None) -> view_pb2.TableEvent | None:
    """An event as a seat (None: a spectator) is to see it; None: as a number alone.

    Written down once more on purpose: a mistake in what the services share must not hide itself.
    """
    if seat is not None and envelope.only_seat == seat:
        return whole_event(envelope)
    return view_pb2.TableEvent.FromString(envelope.payload) if envelope.payload else None


def key_of_action(action: match_pb2.Action) -> Key:
    """The key of what a client asked for."""
    kind = action.WhichOneof("kind")
    if kind == "play":
        return ("play", action.play.card)
    if kind == "choose":
        return ("choose", action.choose.suit)
    return ("accept" if kind == "accept" else "pass", 0)


def keys_of_claim(action: table_pb2.TableAction) -> tuple[Key, ...]:
    """What a command can come to that claims the remaining tricks; nothing for any other."""
    if not action.HasField("claim_tricks"):
        return ()
    return (("claim", 0), ("claim", 1)) if action.claim_tricks.ask_opponents else (("claim", 0),)


def key_of_event(game: match_pb2.MatchEvent) -> tuple[int, Key] | None:
    """The seat and key of a decision in the log; None for any other event."""
    if game.HasField("card_played"):
        return game.card_played.seat, ("play", game.card_played.card)
    if game.HasField("bid_made"):
        word = _BIDS[game.bid_made.kind]
        return game.bid_made.seat, (word, game.bid_made.suit if word == "choose" else 0)
    if game.HasField("tricks_claimed"):
        return game.tricks_claimed.seat, ("claim", int(game.tricks_claimed.agreed))
    return None


def decisions(log: Sequence[Envelope]) -> Iterator[Decision]:
    """Every bid, card and claim, in order."""
    taken: view_pb2.DecisionTaken | None = None
    for envelope in log:
        event = whole_event(envelope)
        if event.HasField("decision_taken"):
            taken = event.decision_taken
            continue
        found = key_of_event(event.game)
        if found is not None:
            yield Decision(envelope.sequence, envelope.at_ms, *found, taken)
            taken = None


def seats_of(log: Sequence[Envelope]) -> dict[str, int]:
    """The seat of each person when the match was opened."""
    for envelope in log:
        if envelope.kind == "match_opened":
            seats = whole_event(envelope).match_opened.seats
            return {seat.player_id: seat.seat for seat in seats if seat.player_id}
    return {}
