"""A match's play log and proof file, made of the table's log and the dealer's transcript.

The log names players by their participant ids alone.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from belot.common.v1 import common_pb2
from belot.dealer.v1 import dealer_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_events.envelope import Envelope
from belot_fair.drand import Chain
from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry, PlayLog
from belot_fair.proof import Proof, Score, write_proof
from belot_fair.transcript import SignedEvent

_BIDS: "Final[dict[match_pb2.BidKind.ValueType, ActionKind]]" = {
    match_pb2.BID_KIND_PASS: ActionKind.PASS,
    match_pb2.BID_KIND_ACCEPT: ActionKind.ACCEPT,
    match_pb2.BID_KIND_CHOOSE: ActionKind.CHOOSE_SUIT,
}


class _Reader:
    """What the log has said so far of who sits where and which hand is played."""

    __slots__ = ("decision", "entries", "hand", "seats")

    def __init__(self) -> None:
        self.seats: dict[int, view_pb2.Seat] = {}
        self.decision: view_pb2.DecisionTaken | None = None
        self.hand = 0
        self.entries: list[Entry] = []

    def opened(self, event: view_pb2.TableEvent, at_ms: int) -> None:
        self.seats = {each.seat: each for each in event.match_opened.seats}

    def seat_changed(self, event: view_pb2.TableEvent, at_ms: int) -> None:
        self.seats[event.seat_changed.seat.seat] = event.seat_changed.seat

    def dealt(self, event: view_pb2.TableEvent, at_ms: int) -> None:
        self.hand = event.game.deal_started.hand_number

    def decided(self, event: view_pb2.TableEvent, at_ms: int) -> None:
        self.decision = event.decision_taken

    def bid(self, event: view_pb2.TableEvent, at_ms: int) -> None:
        said = event.game.bid_made
        kind = _BIDS[said.kind]
        self._enter(said.seat, kind, bytes((said.suit - 1,)) if kind is ActionKind.CHOOSE_SUIT else b"", at_ms)

    def played(self, event: view_pb2.TableEvent, at_ms: int) -> None:
        played = event.game.card_played
        self._enter(played.seat, ActionKind.PLAY_CARD, bytes((played.card - 1,)), at_ms)

    def claimed(self, event: view_pb2.TableEvent, at_ms: int) -> None:
        claim = event.game.tricks_claimed
        self._enter(claim.seat, ActionKind.CLAIM_AGREED if claim.agreed else ActionKind.CLAIM, b"", at_ms)

    def _enter(self, seat: int, action: ActionKind, argument: bytes, at_ms: int) -> None:
        self.entries.append(Entry(self.hand, seat, self._actor(seat), action, argument, at_ms))
        self.decision = None

    def _actor(self, seat: int) -> Actor:
        if self.decision is None:
            return Actor(ActorKind.PERSON, bytes.fromhex(self.seats[seat].participant_id))
        if self.decision.actor == common_pb2.ACTOR_KIND_AUTOMATIC:
            return Actor(ActorKind.AUTOMATIC)
        return Actor(ActorKind.BOT, b"", self.seats[seat].bot_level, self.decision.policy)


_READERS: Final[dict[str, Callable[[_Reader, view_pb2.TableEvent, int], None]]] = {
    "match_opened": _Reader.opened,
    "seat_changed": _Reader.seat_changed,
    "deal_started": _Reader.dealt,
    "decision_taken": _Reader.decided,
    "bid_made": _Reader.bid,
    "card_played": _Reader.played,
    "tricks_claimed": _Reader.claimed,
}


def play_log(match_id: str, log: Iterable[Envelope]) -> PlayLog:
    """Every decision of the match, in order, out of the table's whole log."""
    reader = _Reader()
    for envelope in log:
        read = _READERS.get(envelope.kind)
        if read is not None:
            read(reader, view_pb2.TableEvent.FromString(envelope.payload), envelope.at_ms)
    return PlayLog(match_id, tuple(reader.entries))


def proof_file(
    match_id: str,
    log: Sequence[Envelope],
    transcript: dealer_pb2.GetTranscriptResponse,
    score: Score,
) -> bytes:
    """The proof file of a match that is over."""
    chain = transcript.chain
    proof = Proof(
        match_id=match_id,
        events=tuple(SignedEvent(each.octets, each.key_id, each.signature) for each in transcript.events),
        public_keys=tuple(each.public_key for each in transcript.keys),
        chain=Chain(
            public_key=chain.public_key,
            period=chain.period_seconds,
            genesis=chain.genesis_time,
            group_hash=chain.group_hash,
            scheme=chain.scheme,
            beacon_id=chain.name,
            chain_hash=chain.chain_hash,
        ),
        play_log=play_log(match_id, log).encode(),
        score=score,
    )
    return write_proof(proof)
