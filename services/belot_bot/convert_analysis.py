"""The analysis of a match as a message."""

from belot.bot.v1 import bot_pb2
from belot.common.v1 import common_pb2
from belot_bot.analysis import MatchAnalysis
from belot_bot.record import HandRecord
from belot_engine.analysis import CardCost, DealAnalysis


def write_analysis(found: MatchAnalysis, pending: int) -> bot_pb2.MatchAnalysis:
    """The deals that were solved, and how many were not."""
    return bot_pb2.MatchAnalysis(
        match_id=found.record.match_id,
        deals=[_deal(hand, deal) for hand, deal in zip(found.record.hands, found.deals, strict=True)],
        pending=pending,
        costs=[
            bot_pb2.SeatCost(seat=each.seat, decided_by=each.decider, cards=each.cards, cost=each.cost)
            for each in found.costs()
        ],
    )


def _deal(hand: HandRecord, deal: DealAnalysis) -> bot_pb2.DealAnalysis:
    return bot_pb2.DealAnalysis(
        hand_number=hand.number,
        declarer=hand.played.declarer,
        trump=common_pb2.Suit.values()[hand.played.trump + 1],
        first_trick=deal.first_trick,
        par=deal.par or (),
        taken=deal.taken or (),
        luck=deal.luck or (),
        skill=deal.skill or (),
        adjusted=deal.adjusted or (),
        conceded=deal.conceded,
        cards=[
            _card(number, decider, each)
            for number, decider, each in zip(hand.numbers, hand.deciders, deal.cards, strict=False)
        ],
    )


def _card(number: int, decider: str, each: CardCost) -> bot_pb2.CardCost:
    return bot_pb2.CardCost(
        decision=number,
        seat=each.seat,
        decided_by=decider,
        card=common_pb2.Card.values()[each.card + 1],
        cost=each.cost,
        options=[bot_pb2.CardOption(card=common_pb2.Card.values()[card + 1], cost=cost) for card, cost in each.options],
    )
