"""From the engine's values to messages: states and what a match waits for. Events are in ``events.py``."""

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot_engine.cards import cards_of
from belot_engine.events import Bid, BidKind, MatchResult, Meld
from belot_engine.match import legal_actions, needs
from belot_engine.play import trick_points
from belot_engine.ruleset import OUT, UP_CARD
from belot_engine.state import CardNeed, LegalActions, MatchState, Phase, Trick
from belot_rules.convert.known import Known
from belot_rules.convert.reading import SCHEMA
from belot_rules.shown import announced_bela, shown_melds

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
    return match_pb2.MatchState(
        schema=SCHEMA,
        public=_write_public(known, state),
        ruleset_json=known.json,
        hands=state.hands,
        stage=state.deal_stage,
    )


def _write_public(known: Known, state: MatchState) -> match_pb2.MatchPublic:
    standing = state.standing
    public = match_pb2.MatchPublic(
        ruleset=known.ref,
        seats=len(known.sides),
        sides=known.sides,
        pack_size=known.ruleset.pack,
        phase=_PHASE[state.phase],
        hand_number=state.hand_number,
        first_dealer=state.first_dealer,
        dealer=state.dealer,
        bids=[write_bid(bid) for bid in state.bids],
        declarer=state.declarer,
        turn=state.turn,
        totals=standing.totals,
        bolts=standing.bolts,
        held=standing.held,
        target=standing.target,
        deals_played=standing.deals,
        hand_sizes=[hand.bit_count() for hand in state.hands],
    )
    if state.up_card is not None:
        public.up_card = CARD[state.up_card]
    if state.trump is not None:
        public.trump = SUIT[state.trump]
        _write_tricks(public, state, state.trump)
    if state.result is not None:
        public.result.CopyFrom(write_result(state.result))
    return public


def _write_tricks(public: match_pb2.MatchPublic, state: MatchState, trump: int) -> None:
    """The tricks, and what has been shown of the hands because of them."""
    public.tricks.extend([_write_trick(trick, trump) for trick in state.tricks])
    if state.trick and state.turn is not None:
        public.trick.leader = (state.turn - len(state.trick)) % state.seats
        public.trick.cards.extend(write_cards(state.trick))
    public.melds.extend([write_meld(meld) for meld in shown_melds(state)])
    bela = announced_bela(state)
    if bela is not None:
        public.bela = bela


def _write_trick(trick: Trick, trump: int) -> match_pb2.Trick:
    return match_pb2.Trick(
        leader=trick.leader,
        cards=write_cards(trick.cards),
        winner=trick.winner,
        points=trick_points(trump, trick.cards),
    )


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


def write_next(state: MatchState) -> match_pb2.Next:
    """What the match waits for: a seat, the dealer service, or nothing."""
    legal, need = legal_actions(state), needs(state)
    if legal is not None:
        return match_pb2.Next(turn=match_pb2.Turn(seat=legal.seat, legal=write_legal(legal)))
    if need is not None:
        return match_pb2.Next(cards=write_need(need))
    return match_pb2.Next(finished=None if state.result is None else write_result(state.result))
