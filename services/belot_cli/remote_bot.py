"""A bot behind a BotService, asked as the table asks it: the same message, whoever wrote the bot."""

from functools import lru_cache
from typing import Final

import grpc

from belot.bot.v1 import bot_pb2, bot_pb2_grpc
from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2
from belot_bot.arena import Choose
from belot_bot.view import SeatView
from belot_engine.cards import POINTS, cards_of, side_count
from belot_engine.ruleset import Ruleset
from belot_engine.scoring import fresh_standing
from belot_engine.state import Action
from belot_kit.errors import DomainError
from belot_rules.convert.known import Known, know
from belot_rules.convert.reading import read_action
from belot_rules.convert.writing import CARD, SUIT, write_bid, write_cards, write_legal, write_meld

#: What a decision may take before the bot counts as away.
ANSWER_SECONDS: Final = 60.0
_PHASES: "Final[tuple[match_pb2.Phase.ValueType, ...]]" = (match_pb2.PHASE_BIDDING, match_pb2.PHASE_PLAYING)


class BotAway(Exception):  # noqa: N818 - says what became of it
    """A bot elsewhere that does not answer, answers what is no action, or had another level decide."""


def levels(address: str) -> dict[str, str]:
    """The levels that a service offers, weakest first, with the version of each. Errors: BotAway."""
    with grpc.insecure_channel(address) as channel:
        stub: bot_pb2_grpc.BotServiceStub = bot_pb2_grpc.BotServiceStub(channel)
        try:
            found = stub.ListBotLevels(bot_pb2.ListBotLevelsRequest(), timeout=ANSWER_SECONDS / 6)
        except grpc.RpcError as error:
            raise BotAway(_said(error)) from None
    return {each.name: each.policy for each in found.levels}


def asking(address: str, level: str) -> Choose:
    """Decisions of that level, over a connection that stays open. They raise BotAway."""
    stub: bot_pb2_grpc.BotServiceStub = bot_pb2_grpc.BotServiceStub(grpc.insecure_channel(address))

    def choose(view: SeatView, seed: bytes) -> Action:
        known = _known(view.rules)
        request = bot_pb2.ChooseRequest(view=view_message(view, known), level=level, seed=seed, ruleset_json=known.json)
        try:
            answer = stub.Choose(request, timeout=ANSWER_SECONDS)
            if answer.fallback:
                raise BotAway(f"{answer.level} decided in place of {level}: give it more time or processes")
            return read_action(answer.action)
        except grpc.RpcError as error:
            raise BotAway(_said(error)) from None
        except DomainError as error:
            raise BotAway(f"it answered what is no action: {error.message}") from None

    return choose


def view_message(view: SeatView, known: Known) -> match_pb2.SeatView:
    """What the seat to act sees of the first deal of a match."""
    seats = view.rules.seats
    standing = fresh_standing(view.rules, side_count(seats))
    public = match_pb2.MatchPublic(
        ruleset=known.ref,
        seats=seats,
        sides=known.sides,
        pack_size=view.rules.pack,
        phase=_PHASES[view.trump is not None],
        first_dealer=view.dealer,
        dealer=view.dealer,
        up_card=common_pb2.CARD_UNSPECIFIED if view.up_card is None else CARD[view.up_card],
        bids=[write_bid(bid) for bid in view.bids],
        declarer=view.declarer,
        trump=common_pb2.SUIT_UNSPECIFIED if view.trump is None else SUIT[view.trump],
        melds=[write_meld(meld) for meld in view.melds],
        bela=view.bela,
        turn=view.seat,
        totals=standing.totals,
        bolts=standing.bolts,
        target=standing.target,
        hand_sizes=_hand_sizes(view),
    )
    _fill_tricks(public, view)
    hand, legal = write_cards(cards_of(view.hand)), write_legal(view.legal)
    return match_pb2.SeatView(public=public, seat=view.seat, hand=hand, legal=legal)


def _fill_tricks(public: match_pb2.MatchPublic, view: SeatView) -> None:
    for trick in view.tricks:
        points = sum(POINTS[view.trump or 0][card] for card in trick.cards)
        public.tricks.add(leader=trick.leader, cards=write_cards(trick.cards), winner=trick.winner, points=points)
    if view.trick:
        public.trick.leader = (view.seat - len(view.trick)) % view.rules.seats
        public.trick.cards.extend(write_cards(view.trick))


def _hand_sizes(view: SeatView) -> list[int]:
    """As many as the seat to act holds; one fewer who has played to this trick already."""
    seats, held, played = view.rules.seats, view.hand.bit_count(), len(view.trick)
    return [held - ((view.seat - seat) % seats in range(1, played + 1)) for seat in range(seats)]


@lru_cache(maxsize=8)
def _known(rules: Ruleset) -> Known:
    return know(rules)


def _said(error: grpc.RpcError) -> str:
    call = error if isinstance(error, grpc.Call) else None
    return "it does not answer" if call is None else f"{call.code().name}: {call.details()}"
