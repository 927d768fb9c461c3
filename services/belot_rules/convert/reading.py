"""From messages to the engine's values: whatever cannot be is refused here, by the name of its field.

Messages come from other services, so the border checks what would make the engine stumble (cards that exist twice,
seats that do not exist, figures without bound), not what a game could have led to.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, TypeVar

from belot.rules.v1 import match_pb2, rules_pb2
from belot_engine.cards import CARDS, mask_of, side_count
from belot_engine.events import Bid, BidKind, MatchResult, Outcome, TricksClaimed
from belot_engine.state import Accept, Action, Choose, Claim, Deal, MatchState, Pass, Phase, Play, Standing, Trick
from belot_kit.errors import DomainError, FieldViolation, Reason, invalid_field
from belot_rules.coherence import incoherent
from belot_rules.convert.known import MOST, Known, read_ruleset

_Value = TypeVar("_Value")

#: The layout of stored states that is written; this one alone has ever been.
SCHEMA: Final = 1

_CARD: Final[Mapping[int, int]] = {card + 1: card for card in range(CARDS)}
_SUIT: Final[Mapping[int, int]] = {suit + 1: suit for suit in range(4)}
_PHASE: Final[Mapping[int, Phase]] = {
    match_pb2.PHASE_AWAITING_CARDS: Phase.AWAITING_CARDS,
    match_pb2.PHASE_BIDDING: Phase.BIDDING,
    match_pb2.PHASE_PLAYING: Phase.PLAYING,
    match_pb2.PHASE_FINISHED: Phase.FINISHED,
}
_BID: Final[Mapping[int, BidKind]] = {
    match_pb2.BID_KIND_PASS: BidKind.PASS,
    match_pb2.BID_KIND_ACCEPT: BidKind.ACCEPT,
    match_pb2.BID_KIND_CHOOSE: BidKind.CHOOSE,
}
_OUTCOME: Final[Mapping[str, Outcome]] = {outcome.value: outcome for outcome in Outcome}


def read_state(message: match_pb2.MatchState) -> tuple[Known, MatchState]:
    """The match and its ruleset. Raises DomainError INVALID_ARGUMENT, naming the field, when it cannot be one."""
    if message.schema != SCHEMA:
        raise invalid_field("state.schema", f"layout {message.schema} is not known, {SCHEMA} is")
    known = read_ruleset(message.ruleset_json, "state.ruleset_json")
    public = message.public
    seats = known.ruleset.seats
    state = MatchState(
        ruleset=known.ruleset,
        first_dealer=_below(public.first_dealer, seats, "state.public.first_dealer"),
        hand_number=_below(public.hand_number, MOST, "state.public.hand_number"),
        phase=_known(_PHASE, public.phase, "state.public.phase"),
        deal_stage=_below(message.stage, 4, "state.stage"),
        turn=_seat(public, "turn", seats),
        hands=tuple(message.hands),
        up_card=_known(_CARD, public.up_card, "state.public.up_card") if public.up_card else None,
        bids=tuple([_bid(bid, seats) for bid in public.bids]),
        declarer=_seat(public, "declarer", seats),
        trump=_known(_SUIT, public.trump, "state.public.trump") if public.trump else None,
        tricks=tuple([_trick(trick, seats) for trick in public.tricks]),
        trick=read_cards(public.trick.cards, "state.public.trick.cards"),
        standing=_standing(public, side_count(seats)),
        result=_result(public.result, side_count(seats)) if public.HasField("result") else None,
        claim=_claim(public, seats) if public.HasField("claim") else None,
    )
    broken = incoherent(state, known.first_cards)
    if broken:
        raise invalid_field(f"state.{broken}", "does not fit the rest of the state")
    return known, state


def read_cards(values: Iterable[int], field: str) -> tuple[int, ...]:
    """Cards in their order. Raises DomainError when one of them is none."""
    try:
        return tuple([_CARD[value] for value in values])
    except KeyError:
        raise invalid_field(field, "not a card") from None


def read_suit(value: int, field: str) -> int:
    """A suit. Raises DomainError when it is none."""
    return _known(_SUIT, value, field)


def read_action(message: match_pb2.Action) -> Action:
    """The action. Raises DomainError INVALID_ARGUMENT when none is given, UNKNOWN_CARD when it plays no card."""
    kind = message.WhichOneof("kind")
    if kind is None:
        raise invalid_field("action.kind", "one is due")
    return _ACTION[kind](message)


def read_seat(request: rules_pb2.ApplyRequest, seats: int) -> int | None:
    """The seat that acts, None for the dealer service. Raises DomainError INVALID_ARGUMENT for a seat too high."""
    return _below(request.seat, seats, "seat") if request.HasField("seat") else None


def _deal(message: match_pb2.Action) -> Deal:
    cards = message.deal.cards
    numbers = read_cards([dealt.card for dealt in cards], "action.deal.cards.card")
    return Deal(tuple(zip([dealt.position for dealt in cards], numbers, strict=True)))


def _play(message: match_pb2.Action) -> Play:
    card = _CARD.get(message.play.card)
    if card is None:
        raise DomainError(
            Reason.UNKNOWN_CARD, "no such card", violations=[FieldViolation("action.play.card", "not a card")]
        )
    return Play(card)


_ACTION: Final[Mapping[str, Callable[[match_pb2.Action], Action]]] = {
    "play": _play,
    "pass_bid": lambda message: Pass(),
    "accept": lambda message: Accept(),
    "choose": lambda message: Choose(_known(_SUIT, message.choose.suit, "action.choose.suit")),
    "deal": _deal,
    "claim": lambda message: Claim(message.claim.agreed),
}


def _known(table: Mapping[int, _Value], value: int, field: str) -> _Value:
    try:
        return table[value]
    except KeyError:
        raise invalid_field(field, "not one of its values") from None


def _below(value: int, limit: int, field: str) -> int:
    if value >= limit:
        raise invalid_field(field, f"must be below {limit}")
    return value


def _seat(public: match_pb2.MatchPublic, name: Literal["turn", "declarer"], seats: int) -> int | None:
    return _below(getattr(public, name), seats, f"state.public.{name}") if public.HasField(name) else None


def _bid(bid: match_pb2.Bid, seats: int) -> Bid:
    seat = _below(bid.seat, seats, "state.public.bids.seat")
    kind = _known(_BID, bid.kind, "state.public.bids.kind")
    if kind is BidKind.PASS:
        return Bid(seat, kind)
    return Bid(seat, kind, _known(_SUIT, bid.suit, "state.public.bids.suit"))


def _trick(trick: match_pb2.Trick, seats: int) -> Trick:
    cards = read_cards(trick.cards, "state.public.tricks.cards")
    return Trick(trick.leader, cards, _below(trick.winner, seats, "state.public.tricks.winner"))


def _claim(public: match_pb2.MatchPublic, seats: int) -> TricksClaimed:
    claim, field = public.claim, "state.public.claim"
    return TricksClaimed(
        player=_below(claim.seat, seats, f"{field}.seat"),
        agreed=claim.agreed,
        tricks=_below(claim.tricks, CARDS, f"{field}.tricks"),
        points=_below(claim.points, MOST, f"{field}.points"),
        hands=tuple([mask_of(read_cards(hand.cards, f"{field}.hands.cards")) for hand in claim.hands]),
    )


def _standing(public: match_pb2.MatchPublic, sides: int) -> Standing:
    return Standing(
        totals=_figures(public.totals, sides, "state.public.totals"),
        bolts=_figures(public.bolts, sides, "state.public.bolts"),
        held=_below(public.held, MOST, "state.public.held"),
        target=_below(public.target, MOST, "state.public.target"),
        deals=_below(public.deals_played, MOST, "state.public.deals_played"),
        sheets=(),
    )


def _figures(values: Sequence[int], sides: int, field: str) -> tuple[int, ...]:
    if len(values) != sides:
        raise invalid_field(field, f"{sides} figures are due, one a side")
    if not -MOST < min(values) <= max(values) < MOST:
        raise invalid_field(field, f"must be between -{MOST} and {MOST}")
    return tuple(values)


def _result(result: match_pb2.MatchResult, sides: int) -> MatchResult:
    if result.outcome not in _OUTCOME:
        raise invalid_field("state.public.result.outcome", "not one of its values")
    outcome = _OUTCOME[result.outcome]
    ranks = _figures(result.ranks, sides, "state.public.result.ranks")
    if 1 not in ranks:
        raise invalid_field("state.public.result.ranks", "nobody is first")
    winner = None if outcome is Outcome.DRAWN else ranks.index(1)
    totals = _figures(result.totals, sides, "state.public.result.totals")
    return MatchResult(outcome, winner, ranks, totals, _below(result.deals_played, MOST, "state.public.result"))
