"""From the engine's values to messages: states and what a match waits for. Events are in ``events.py``."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot_engine.cards import POINTS, cards_of
from belot_engine.events import Bid, BidKind, MatchResult, Meld, TricksClaimed
from belot_engine.match import legal_actions, needs
from belot_engine.ruleset import OUT, UP_CARD
from belot_engine.shown import announced_bela, shown_melds
from belot_engine.state import CardNeed, LegalActions, MatchState, Phase
from belot_rules.convert.known import Known
from belot_rules.convert.reading import SCHEMA

#: Cards and suits as the messages number them, by the engine's number.
CARD: Final = tuple(common_pb2.Card.values()[1:])
SUIT: Final = tuple(common_pb2.Suit.values()[1:])

_PHASE: "Final[Mapping[Phase, match_pb2.Phase.ValueType]]" = {
    Phase.AWAITING_CARDS: match_pb2.PHASE_AWAITING_CARDS,
    Phase.BIDDING: match_pb2.PHASE_BIDDING,
    Phase.PLAYING: match_pb2.PHASE_PLAYING,
    Phase.FINISHED: match_pb2.PHASE_FINISHED,
}
_BID: "Final[Mapping[BidKind, match_pb2.BidKind.ValueType]]" = {
    BidKind.PASS: match_pb2.BID_KIND_PASS,
    BidKind.ACCEPT: match_pb2.BID_KIND_ACCEPT,
    BidKind.CHOOSE: match_pb2.BID_KIND_CHOOSE,
}


def write_cards(cards: Iterable[int]) -> "list[common_pb2.Card.ValueType]":
    """Cards in their order."""
    return [CARD[card] for card in cards]


def write_bid(bid: Bid) -> match_pb2.Bid:
    """A word of the auction."""
    suit = common_pb2.SUIT_UNSPECIFIED if bid.suit is None else SUIT[bid.suit]
    return match_pb2.Bid(seat=bid.player, kind=_BID[bid.kind], suit=suit)


def write_meld(meld: Meld) -> match_pb2.Meld:
    """A meld, its cards from the highest down."""
    cards = write_cards(reversed(cards_of(meld.cards)))
    return match_pb2.Meld(seat=meld.player, kind=meld.kind.value, cards=cards, points=meld.points)


def write_result(result: MatchResult) -> match_pb2.MatchResult:
    """How the match ended."""
    return match_pb2.MatchResult(
        outcome=result.outcome.value, ranks=result.ranks, totals=result.totals, deals_played=result.deals
    )


def write_claim(claim: TricksClaimed) -> match_pb2.TricksClaimed:
    """A claim, with what each seat still held."""
    return match_pb2.TricksClaimed(
        seat=claim.player,
        agreed=claim.agreed,
        tricks=claim.tricks,
        points=claim.points,
        hands=[match_pb2.CardsHeld(cards=write_cards(cards_of(hand))) for hand in claim.hands],
    )


def write_legal(legal: LegalActions) -> match_pb2.LegalActions:
    """What the seat to act may do."""
    return match_pb2.LegalActions(
        cards=write_cards(cards_of(legal.cards)),
        may_pass=legal.may_pass,
        may_accept=legal.may_accept,
        suits=[SUIT[suit] for suit in legal.suits],
    )


def write_state(known: Known, state: MatchState) -> match_pb2.MatchState:
    """The whole state; score sheets of finished deals are left out, the log has them."""
    message = match_pb2.MatchState()
    fill_state(message, known, state)
    return message


def fill_state(message: match_pb2.MatchState, known: Known, state: MatchState) -> None:
    """The same, written where the message already is: a message put into another one is copied, which costs."""
    message.schema = SCHEMA
    message.ruleset_json = known.json
    message.hands.extend(state.hands)
    message.stage = state.deal_stage
    public = message.public
    _fill_match(public, known, state)
    public.bids.extend([write_bid(bid) for bid in state.bids])
    if state.turn is not None:
        public.turn = state.turn
    if state.up_card is not None:
        public.up_card = CARD[state.up_card]
    if state.declarer is not None and state.trump is not None:
        public.declarer = state.declarer
        public.trump = SUIT[state.trump]
        _fill_play(public, state, POINTS[state.trump])
    if state.result is not None:
        public.result.CopyFrom(write_result(state.result))


def _fill_match(public: match_pb2.MatchPublic, known: Known, state: MatchState) -> None:
    """What is there in every phase."""
    standing = state.standing
    public.ruleset.CopyFrom(known.ref)
    public.seats = len(known.sides)
    public.sides.extend(known.sides)
    public.pack_size = known.ruleset.pack
    public.phase = _PHASE[state.phase]
    public.hand_number = state.hand_number
    public.first_dealer = state.first_dealer
    public.dealer = state.dealer
    public.totals.extend(standing.totals)
    public.bolts.extend(standing.bolts)
    public.held = standing.held
    public.target = standing.target
    public.deals_played = standing.deals
    public.hand_sizes.extend([hand.bit_count() for hand in state.hands])


def _fill_play(public: match_pb2.MatchPublic, state: MatchState, points: tuple[int, ...]) -> None:
    """The tricks, and what has been shown of the hands because of them."""
    for trick in state.tricks:
        public.tricks.add(
            leader=trick.leader,
            cards=[CARD[card] for card in trick.cards],
            winner=trick.winner,
            points=sum([points[card] for card in trick.cards]),
        )
    if state.trick and state.turn is not None:
        public.trick.leader = (state.turn - len(state.trick)) % state.seats
        public.trick.cards.extend([CARD[card] for card in state.trick])
    public.melds.extend([write_meld(meld) for meld in shown_melds(state)])
    bela = announced_bela(state)
    if bela is not None:
        public.bela = bela
    if state.claim is not None:
        public.claim.CopyFrom(write_claim(state.claim))


def write_need(need: CardNeed) -> match_pb2.CardNeed:
    """The cards that are due from the dealer service."""
    return match_pb2.CardNeed(
        hand_number=need.hand_number,
        stage=need.stage,
        positions=[_NEED[seat](position) if seat < 0 else _place(position, seat) for position, seat in need.places],
    )


def _place(position: int, seat: int) -> match_pb2.PositionNeed:
    return match_pb2.PositionNeed(position=position, seat=seat)


_NEED: Final[Mapping[int, Callable[[int], match_pb2.PositionNeed]]] = {
    UP_CARD: lambda position: match_pb2.PositionNeed(position=position, up_card=True),
    OUT: lambda position: match_pb2.PositionNeed(position=position, left_out=True),
}


def fill_next(message: match_pb2.Next, state: MatchState) -> None:
    """What the match waits for: a seat, the dealer service, or nothing."""
    legal, need = legal_actions(state), needs(state)
    if legal is not None:
        message.turn.seat = legal.seat
        message.turn.legal.CopyFrom(write_legal(legal))
    elif need is not None:
        message.cards.CopyFrom(write_need(need))
    elif state.result is not None:
        message.finished.CopyFrom(write_result(state.result))
