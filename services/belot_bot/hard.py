"""The hard bot: twenty worlds that agree with all it has seen, every card and word played out in each of them."""

from typing import Final

from belot_bot.plan import Plan
from belot_bot.sampled_bids import sampled_bid
from belot_bot.sampled_play import choose_card
from belot_bot.view import SeatView
from belot_engine.state import Action, Play
from belot_engine.worlds import Chance

PLAN: Final = Plan(worlds=20, deals=20, solved=3, contract=0.5, word_contract=1.0, draws=4)


def choose(view: SeatView, seed: bytes) -> Action:
    """What it does in a position; all chance comes from the seed and from how far the deal is."""
    return decide(view, seed, PLAN)


def decide(view: SeatView, seed: bytes, plan: Plan) -> Action:
    """What a bot of this plan does."""
    cards = len(view.tricks) * view.rules.seats + len(view.trick)
    chance = Chance(bytes((view.seat, len(view.bids), cards)) + seed)
    return Play(choose_card(view, chance, plan)) if view.legal.cards else sampled_bid(view, chance, plan)
