"""From what the client knows, and from messages of the gateway, to the plain values that the terminal draws."""

from collections.abc import Iterable
from dataclasses import replace

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot_cli.scene import BidScene, BidWord, Choices, Scene, SeatScene, Sheet, Stage, TrickScene
from belot_client import view
from belot_client.cards import SUITS, Card, Suit, number_of

_STAGES = {
    view.Status.WAITING: Stage.WAITING,
    view.Status.OPENING: Stage.SHUFFLING,
    view.Status.SEEDING: Stage.SHUFFLING,
    view.Status.DRAWING: Stage.SHUFFLING,
    view.Status.PLAYING: Stage.PLAYING,
    view.Status.FINISHED: Stage.FINISHED,
    view.Status.CLOSED: Stage.CLOSED,
}
_WORDS = {
    view.BidKind.PASS: BidWord.PASS,
    view.BidKind.ACCEPT: BidWord.ACCEPT,
    view.BidKind.CHOOSE: BidWord.CHOOSE,
}
_WIRE_WORDS = {
    match_pb2.BID_KIND_PASS: BidWord.PASS,
    match_pb2.BID_KIND_ACCEPT: BidWord.ACCEPT,
    match_pb2.BID_KIND_CHOOSE: BidWord.CHOOSE,
}


def scene_of(table: view.TableState) -> Scene:
    """The picture of a table. Before the match sides are told by the seats alone: partners face each other."""
    scene = Scene(
        seats=tuple(_seat(table, seat) for seat in table.seats),
        me=table.viewer_seat,
        stage=_stage(table),
        ruleset=table.options.ruleset,
        turn=None if table.turn is None else table.turn.seat,
        choices=None if table.legal is None else _choices(table.legal),
    )
    return scene if table.match is None else _with_match(scene, table.match)


def _stage(table: view.TableState) -> Stage:
    stage = _STAGES.get(table.status, Stage.WAITING)
    bidding = table.match is not None and table.match.hand.phase is view.Phase.BIDDING
    return Stage.BIDDING if bidding and stage is Stage.PLAYING else stage


def _with_match(scene: Scene, match: view.Match) -> Scene:
    hand, standing = match.hand, match.standing
    return replace(
        scene,
        target=standing.target,
        hand_number=hand.number,
        dealer=hand.dealer,
        totals=standing.totals,
        held=standing.held,
        up_card=None if hand.up_card is None else number_of(hand.up_card),
        bids=tuple(_bid(bid) for bid in hand.bids),
        trump=_suit(hand.trump),
        declarer=hand.declarer,
        trick=None if hand.trick is None else _trick(hand.trick),
        last_trick=_trick(hand.tricks[-1]) if hand.tricks else None,
        hand=_cards(hand.own),
    )


def _seat(table: view.TableState, seat: view.Seat) -> SeatScene:
    number, count = seat.seat, len(table.seats)
    sides = table.match.sides if table.match is not None else ()
    sizes = table.match.hand.sizes if table.match is not None else ()
    side = sides[number] if number < len(sides) else number % (2 if count == 4 else count)
    name = seat.display_name or (f"bot {number + 1}" if seat.actor is view.Actor.BOT else "(free)")
    return SeatScene(name, side, sizes[number] if number < len(sizes) else 0, seat.bot_level)


def _choices(legal: view.Legal) -> Choices:
    suits = tuple(SUITS.index(suit) for suit in legal.suits)
    return Choices(_cards(legal.cards), legal.may_pass, legal.may_accept, suits)


def _cards(cards: Iterable[Card]) -> tuple[int, ...]:
    return tuple(number_of(card) for card in cards)


def _suit(suit: Suit | None) -> int | None:
    return None if suit is None else SUITS.index(suit)


def _bid(bid: view.Bid) -> BidScene:
    return BidScene(bid.seat, _WORDS.get(bid.kind, BidWord.PASS), _suit(bid.suit))


def _trick(trick: view.Trick) -> TrickScene:
    return TrickScene(trick.leader, _cards(trick.cards), trick.winner, trick.points)


def sheet_seen(sheet: view.ScoreSheet) -> Sheet:
    """A deal's score sheet, as the client keeps it."""
    return Sheet(
        hand_number=sheet.hand_number,
        declarer_side=sheet.declarer_side,
        outcome=sheet.outcome,
        lines=sheet.lines,
        score=sheet.score,
        totals=sheet.totals,
        held=sheet.held,
    )


def card_of(card: "common_pb2.Card.ValueType") -> int | None:
    """A message's card as its number; None when it names none."""
    return card - 1 if card else None


def cards_of(cards: "Iterable[common_pb2.Card.ValueType]") -> tuple[int, ...]:
    """A message's cards as their numbers."""
    return tuple(card - 1 for card in cards)


def suit_of(suit: "common_pb2.Suit.ValueType") -> int | None:
    """A message's suit as its number; None when it names none."""
    return suit - 1 if suit else None


def bid_of(bid: match_pb2.Bid) -> BidScene:
    """A message's bid."""
    word = _WIRE_WORDS.get(bid.kind, BidWord.PASS)
    return BidScene(bid.seat, word, None if word is BidWord.PASS else suit_of(bid.suit))


def sheet_of(sheet: match_pb2.ScoreSheet) -> Sheet:
    """A message's score sheet."""
    return Sheet(
        hand_number=sheet.hand_number,
        declarer_side=sheet.declarer_side,
        outcome=sheet.outcome,
        lines=tuple((line.name, tuple(line.values)) for line in sheet.lines),
        score=tuple(sheet.score),
        totals=tuple(sheet.totals),
        held=sheet.held,
    )
