"""What happened in a match, as messages addressed to whoever may see them."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from belot.rules.v1 import match_pb2
from belot_engine import events as engine
from belot_engine.events import Event, ScoreSheet
from belot_engine.state import MatchState
from belot_rules.convert.writing import CARD, SUIT, write_bid, write_cards, write_claim, write_meld, write_result
from belot_rules.line_names import line_name


def fill_event(message: match_pb2.AddressedEvent, event: Event, before: MatchState) -> None:
    """An event with its audience; ``before`` is the state in which the action was done."""
    name, write = _EVENT[type(event)]
    getattr(message.event, name).CopyFrom(write(event, before))
    if event.seat is not None:
        message.only_seat = event.seat


def write_sheet(sheet: ScoreSheet, scoring: str) -> match_pb2.ScoreSheet:
    """A score sheet, line by line; ``scoring`` gives the reward for all the tricks its name."""
    return match_pb2.ScoreSheet(
        hand_number=sheet.hand_number,
        declarer_side=sheet.declarer,
        outcome=sheet.contract.value,
        lines=[match_pb2.ScoreLine(name=line_name(line.kind, scoring), values=line.values) for line in sheet.lines],
        score=sheet.scores,
        totals=sheet.totals,
        held=sheet.held,
        bolts=sheet.bolts,
        target=sheet.target,
    )


def _hand(event: engine.HandDealt, before: MatchState) -> match_pb2.HandDealt:
    return match_pb2.HandDealt(
        seat=event.seat,
        cards=write_cards(event.cards),
        hand_number=before.hand_number,
        stage=before.deal_stage,
    )


#: Event -> (its field in the message, how it is written). The writers see their own type of event alone.
_EVENT: Final[Mapping[type, tuple[str, Callable[[Any, MatchState], Any]]]] = {
    engine.DealStarted: (
        "deal_started",
        lambda event, before: match_pb2.DealStarted(hand_number=event.hand_number, dealer=event.dealer),
    ),
    engine.HandDealt: ("hand_dealt", _hand),
    engine.UpCardTurned: ("up_card_turned", lambda event, before: match_pb2.UpCardTurned(card=CARD[event.card])),
    engine.BidMade: ("bid_made", lambda event, before: write_bid(event.bid)),
    engine.TrumpChosen: (
        "trump_chosen",
        lambda event, before: match_pb2.TrumpChosen(declarer=event.declarer, trump=SUIT[event.trump]),
    ),
    engine.HandPassedOut: (
        "hand_passed_out",
        lambda event, before: match_pb2.HandPassedOut(hand_number=event.hand_number),
    ),
    engine.MeldsShown: (
        "melds_shown",
        lambda event, before: match_pb2.MeldsShown(melds=[write_meld(meld) for meld in event.melds]),
    ),
    engine.BelaAnnounced: ("bela_announced", lambda event, before: match_pb2.BelaAnnounced(seat=event.player)),
    engine.CardPlayed: (
        "card_played",
        lambda event, before: match_pb2.CardPlayed(seat=event.player, card=CARD[event.card]),
    ),
    engine.TrickWon: (
        "trick_won",
        lambda event, before: match_pb2.TrickWon(seat=event.player, points=event.points, last=event.last),
    ),
    engine.TricksClaimed: ("tricks_claimed", lambda event, before: write_claim(event)),
    engine.CardsLeftOut: (
        "cards_left_out",
        lambda event, before: match_pb2.CardsLeftOut(cards=write_cards(event.cards)),
    ),
    engine.DealScored: ("deal_scored", lambda event, before: write_sheet(event.sheet, before.ruleset.scoring)),
    engine.MatchEnded: ("match_ended", lambda event, before: write_result(event.result)),
}
