"""From messages of the gateway to the plain values that the terminal draws."""

from collections.abc import Sequence

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_cli.scene import BidScene, BidWord, Choices, Scene, SeatScene, Sheet, Stage, TrickScene

_STAGES = {
    view_pb2.TABLE_STATUS_WAITING: Stage.WAITING,
    view_pb2.TABLE_STATUS_OPENING: Stage.SHUFFLING,
    view_pb2.TABLE_STATUS_SEEDING: Stage.SHUFFLING,
    view_pb2.TABLE_STATUS_DRAWING: Stage.SHUFFLING,
    view_pb2.TABLE_STATUS_PLAYING: Stage.PLAYING,
    view_pb2.TABLE_STATUS_FINISHED: Stage.FINISHED,
    view_pb2.TABLE_STATUS_CLOSED: Stage.CLOSED,
}
_WORDS = {
    match_pb2.BID_KIND_PASS: BidWord.PASS,
    match_pb2.BID_KIND_ACCEPT: BidWord.ACCEPT,
    match_pb2.BID_KIND_CHOOSE: BidWord.CHOOSE,
}


def scene_of(view: view_pb2.TableView) -> Scene:
    """The picture in a table's view. Before the match sides are guessed from the seats: partners face each other."""
    public = view.match.public
    seats = tuple(_seat(seat, public, len(view.summary.seats)) for seat in view.summary.seats)
    stage = _STAGES.get(view.summary.status, Stage.WAITING)
    if stage is Stage.PLAYING and public.phase == match_pb2.PHASE_BIDDING:
        stage = Stage.BIDDING
    begun = view.HasField("match")
    trumped = begun and public.HasField("declarer")
    return Scene(
        seats=seats,
        me=view.viewer_seat if view.HasField("viewer_seat") else None,
        stage=stage,
        ruleset=view.summary.options.ruleset,
        target=public.target,
        hand_number=public.hand_number,
        dealer=public.dealer if begun else None,
        totals=tuple(public.totals),
        held=public.held,
        up_card=card_of(public.up_card),
        bids=tuple(bid_of(bid) for bid in public.bids),
        trump=suit_of(public.trump) if trumped else None,
        declarer=public.declarer if trumped else None,
        trick=trick_of(public.trick) if public.HasField("trick") else None,
        last_trick=trick_of(public.tricks[-1]) if public.tricks else None,
        hand=cards_of(view.match.hand),
        turn=public.turn if public.HasField("turn") else None,
        choices=_choices(view),
    )


def _seat(seat: view_pb2.Seat, public: match_pb2.MatchPublic, count: int) -> SeatScene:
    number = seat.seat
    side = public.sides[number] if number < len(public.sides) else number % (2 if count == 4 else count)
    held = public.hand_sizes[number] if number < len(public.hand_sizes) else 0
    taken = seat.kind != common_pb2.ACTOR_KIND_UNSPECIFIED
    name = seat.display_name or (f"bot {number}" if seat.bot_level else "")
    return SeatScene(name if taken else "(free)", side, held, seat.bot_level)


def _choices(view: view_pb2.TableView) -> Choices | None:
    """What the viewer may do, from whichever place of the view names it."""
    if view.match.HasField("legal"):
        legal = view.match.legal
    elif view.turn.HasField("legal"):
        legal = view.turn.legal
    else:
        return None
    suits = tuple(suit - 1 for suit in legal.suits)
    return Choices(cards_of(legal.cards), legal.may_pass, legal.may_accept, suits)


def card_of(card: "common_pb2.Card.ValueType") -> int | None:
    """A card's number; None when the message names none."""
    return card - 1 if card else None


def cards_of(cards: "Sequence[common_pb2.Card.ValueType]") -> tuple[int, ...]:
    """Cards' numbers."""
    return tuple(card - 1 for card in cards)


def suit_of(suit: "common_pb2.Suit.ValueType") -> int | None:
    """A suit's number; None when the message names none."""
    return suit - 1 if suit else None


def bid_of(bid: match_pb2.Bid) -> BidScene:
    """A spoken bid."""
    word = _WORDS.get(bid.kind, BidWord.PASS)
    return BidScene(bid.seat, word, None if word is BidWord.PASS else suit_of(bid.suit))


def trick_of(trick: match_pb2.Trick) -> TrickScene:
    """A trick, complete or under way."""
    winner = trick.winner if trick.HasField("winner") else None
    return TrickScene(trick.leader, cards_of(trick.cards), winner, trick.points)


def sheet_of(sheet: match_pb2.ScoreSheet) -> Sheet:
    """A deal's score sheet."""
    return Sheet(
        hand_number=sheet.hand_number,
        declarer_side=sheet.declarer_side,
        outcome=sheet.outcome,
        lines=tuple((line.name, tuple(line.values)) for line in sheet.lines),
        score=tuple(sheet.score),
        totals=tuple(sheet.totals),
        held=sheet.held,
    )
