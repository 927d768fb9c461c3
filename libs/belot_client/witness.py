"""What this client saw of a match, kept while it goes on: cards with where they came from, receipts, times.

Pure: times are passed in (unix milliseconds of this machine's clock).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_client.cards import cards_from_wire, number_of
from belot_client.snapshot import receipt_of
from belot_client.view import TableState
from belot_fair.evidence import Evidence, LearntBeacon, LearntCommitment, LearntRound
from belot_fair.receipts import SignedReceipt


@dataclass(frozen=True, slots=True)
class Dealt:
    """Cards (numbers) that this player got in a hand at a stage, in the order of the pack's positions."""

    hand: int
    stage: int
    seat: int
    cards: tuple[int, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Shown:
    """A card (number) that was shown in a hand: by a seat that played it, or had it when the rest was claimed, or by
    nobody (turned up, left out)."""

    hand: int
    card: int
    seat: int | None = None
    left_out: bool = False


@dataclass(frozen=True, slots=True)
class Witness:
    """Everything this client kept. `seat` is where its player sat when the match was opened; None: a spectator.

    `seed` is the one it drew itself (16 octets).
    """

    match_id: str = ""
    seat: int | None = None
    commitment: LearntCommitment | None = None
    round: LearntRound | None = None
    beacon: LearntBeacon | None = None
    seed: bytes = field(default=b"", repr=False)
    seed_receipt: SignedReceipt | None = field(default=None, repr=False)
    hand_receipts: tuple[SignedReceipt, ...] = field(default=(), repr=False)
    beacon_receipt: SignedReceipt | None = field(default=None, repr=False)
    fallback: LearntRound | None = None
    """When the table said that it fell back, and from which round."""
    dealt: tuple[Dealt, ...] = field(default=(), repr=False)
    shown: tuple[Shown, ...] = field(default=(), repr=False)
    declarers: tuple[tuple[int, int], ...] = ()
    """(hand, seat): whose the card turned up became."""
    dealers: tuple[tuple[int, int], ...] = ()
    """(hand, seat): who the table said deals it."""
    hand: int = 0
    """The hand that is played."""


def evidence_of(kept: Witness, trusted_keys: Sequence[bytes] = ()) -> Evidence:
    """What holds against the proof file. ValueError for a spectator."""
    if kept.seat is None:
        raise ValueError("a spectator keeps no evidence of a seat")
    return Evidence(
        match_id=kept.match_id,
        seat=kept.seat,
        commitment=kept.commitment,
        seed=kept.seed,
        seed_receipt=kept.seed_receipt,
        round=kept.round,
        beacon=kept.beacon,
        beacon_receipt=kept.beacon_receipt,
        hand_receipts=kept.hand_receipts,
        public_keys=tuple(trusted_keys),
    )


def resumed(witness: Witness, state: TableState, now_ms: int) -> Witness:
    """What a snapshot adds: the commitment, if it was not known, and the cards it shows of the present hand."""
    fairness, match = state.fairness, state.match
    if fairness is None or not fairness.commitment:
        return witness
    if witness.match_id != state.match_id:
        witness = Witness(state.match_id, state.viewer_seat, LearntCommitment(fairness.commitment, now_ms))
    if match is None:
        return witness
    seats = len(match.sides)
    tricks = (*match.hand.tricks, *((match.hand.trick,) if match.hand.trick else ()))
    shown = tuple(
        Shown(match.hand.number, number_of(card), (trick.leader + place) % seats)
        for trick in tricks
        for place, card in enumerate(trick.cards)
    )
    if match.hand.claim is not None:
        held = enumerate(match.hand.claim.hands)
        shown = (*shown, *(Shown(match.hand.number, number_of(card), seat) for seat, each in held for card in each))
    if match.hand.up_card is not None:
        shown = (*shown, Shown(match.hand.number, number_of(match.hand.up_card)))
    witness = replace(witness, shown=_merged(witness.shown, shown), hand=match.hand.number)
    return witness if match.hand.declarer is None else _declared(witness, match.hand.number, match.hand.declarer)


def _declared(witness: Witness, hand: int, seat: int) -> Witness:
    return replace(witness, declarers=tuple(dict.fromkeys((*witness.declarers, (hand, seat)))))


def _merged(known: tuple[Shown, ...], more: tuple[Shown, ...]) -> tuple[Shown, ...]:
    return tuple(dict.fromkeys((*known, *more)))


def learnt(
    witness: Witness, seat: int | None, event: view_pb2.TableEvent, now_ms: int, *, again: bool = False
) -> Witness:
    """What an event adds for a player at `seat`; `again`: parts of it may be known from a snapshot.

    What was learnt first stays, with its time.
    """
    kind = event.WhichOneof("kind")
    if kind == "match_opened":
        opened = event.match_opened
        return Witness(opened.match_id, seat, LearntCommitment(opened.fairness.commitment, now_ms))
    if kind == "seed_received" and event.seed_received.HasField("receipt"):
        return replace(witness, seed_receipt=witness.seed_receipt or receipt_of(event.seed_received.receipt))
    if kind == "round_chosen":
        return replace(witness, round=witness.round or LearntRound(event.round_chosen.round, now_ms))
    if kind == "beacon_fixed":
        return _beacon_fixed(witness, event.beacon_fixed, now_ms)
    if kind == "cards_released" and event.cards_released.HasField("receipt"):
        receipts = (*witness.hand_receipts, receipt_of(event.cards_released.receipt))
        return replace(witness, hand_receipts=tuple(dict.fromkeys(receipts)))
    if kind == "game":
        return _game(witness, event.game, again=again)
    return witness


def _beacon_fixed(witness: Witness, fixed: view_pb2.BeaconFixed, now_ms: int) -> Witness:
    if fixed.fallback:
        round = witness.round.round if witness.round else 0
        return replace(witness, fallback=witness.fallback or LearntRound(round, now_ms))
    return replace(witness, beacon=witness.beacon or LearntBeacon(fixed.round, fixed.signature, now_ms))


def _game(witness: Witness, event: match_pb2.MatchEvent, *, again: bool) -> Witness:
    kind = event.WhichOneof("kind")
    if kind == "deal_started":
        started = event.deal_started
        dealers = tuple(dict.fromkeys((*witness.dealers, (started.hand_number, started.dealer))))
        return replace(witness, hand=started.hand_number, dealers=dealers)
    if kind == "hand_dealt":
        found = event.hand_dealt
        cards = tuple(number_of(card) for card in cards_from_wire(found.cards))
        dealt = Dealt(found.hand_number, found.stage, found.seat, cards)
        return replace(witness, dealt=tuple(dict.fromkeys((*witness.dealt, dealt))), hand=found.hand_number)
    if kind == "trump_chosen":
        return _declared(witness, witness.hand, event.trump_chosen.declarer)
    more = _sights(witness.hand, event)
    if again:
        return replace(witness, shown=_merged(witness.shown, more))
    # Not merged: a card that is played twice must be seen twice.
    return replace(witness, shown=(*witness.shown, *more)) if more else witness


def _sights(hand: int, event: match_pb2.MatchEvent) -> tuple[Shown, ...]:
    kind = event.WhichOneof("kind")
    if kind == "card_played":
        played = event.card_played
        return (Shown(hand, played.card - 1, played.seat),)
    if kind == "up_card_turned":
        return (Shown(hand, event.up_card_turned.card - 1),)
    if kind == "tricks_claimed":
        held = enumerate(event.tricks_claimed.hands)
        return tuple(Shown(hand, card - 1, seat) for seat, each in held for card in each.cards)
    if kind == "cards_left_out":
        return tuple(Shown(hand, card - 1, left_out=True) for card in event.cards_left_out.cards)
    return ()
