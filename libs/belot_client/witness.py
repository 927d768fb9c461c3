"""What this client saw of a match, kept while it goes on: cards with where they came from, receipts, times.

Pure: times are passed in (unix milliseconds of this machine's clock).
"""

from dataclasses import dataclass, field, replace

from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_client.cards import cards_from_wire, number_of
from belot_client.snapshot import receipt_of
from belot_client.view import TableState
from belot_fair.evidence import LearntBeacon, LearntCommitment, LearntRound
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
    """A card (number) that was shown in a hand: by a seat that played it, or by nobody (turned up, left out)."""

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
    dealt: tuple[Dealt, ...] = field(default=(), repr=False)
    shown: tuple[Shown, ...] = field(default=(), repr=False)
    declarers: tuple[tuple[int, int], ...] = ()
    """(hand, seat): whose the card turned up became."""


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
    if match.hand.up_card is not None:
        shown = (*shown, Shown(match.hand.number, number_of(match.hand.up_card)))
    witness = replace(witness, shown=_merged(witness.shown, shown))
    return witness if match.hand.declarer is None else _declared(witness, match.hand.number, match.hand.declarer)


def _declared(witness: Witness, hand: int, seat: int) -> Witness:
    return replace(witness, declarers=tuple(dict.fromkeys((*witness.declarers, (hand, seat)))))


def _merged(known: tuple[Shown, ...], more: tuple[Shown, ...]) -> tuple[Shown, ...]:
    return tuple(dict.fromkeys((*known, *more)))


def learnt(witness: Witness, state: TableState, event: view_pb2.TableEvent, now_ms: int) -> Witness:
    """What an event adds; `state` is the table before it."""
    kind = event.WhichOneof("kind")
    if kind == "match_opened":
        opened = event.match_opened
        commitment = LearntCommitment(opened.fairness.commitment, now_ms)
        return Witness(opened.match_id, state.viewer_seat, commitment)
    if kind == "seed_received" and event.seed_received.HasField("receipt"):
        return replace(witness, seed_receipt=receipt_of(event.seed_received.receipt))
    if kind == "round_chosen":
        return replace(witness, round=LearntRound(event.round_chosen.round, now_ms))
    if kind == "beacon_fixed" and not event.beacon_fixed.fallback:
        fixed = event.beacon_fixed
        return replace(witness, beacon=LearntBeacon(fixed.round, fixed.signature, now_ms))
    if kind == "cards_released" and event.cards_released.HasField("receipt"):
        return replace(witness, hand_receipts=(*witness.hand_receipts, receipt_of(event.cards_released.receipt)))
    if kind == "game":
        return _game(witness, state, event.game)
    return witness


def _game(witness: Witness, state: TableState, event: match_pb2.MatchEvent) -> Witness:
    kind = event.WhichOneof("kind")
    hand = state.match.hand.number if state.match else 0
    if kind == "hand_dealt":
        found = event.hand_dealt
        cards = tuple(number_of(card) for card in cards_from_wire(found.cards))
        return replace(witness, dealt=(*witness.dealt, Dealt(found.hand_number, found.stage, found.seat, cards)))
    if kind == "trump_chosen":
        return _declared(witness, hand, event.trump_chosen.declarer)
    more: tuple[Shown, ...] = ()
    if kind == "card_played":
        played = event.card_played
        more = (Shown(hand, played.card - 1, played.seat),)
    elif kind == "up_card_turned":
        more = (Shown(hand, event.up_card_turned.card - 1),)
    elif kind == "cards_left_out":
        more = tuple(Shown(hand, card - 1, left_out=True) for card in event.cards_left_out.cards)
    # Not merged: a card that is played twice must be seen twice.
    return replace(witness, shown=(*witness.shown, *more)) if more else witness
