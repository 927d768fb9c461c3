"""The normal bot: counts before it bids, weighs every card, remembers what was played."""

from belot_bot.bidding import choose_bid
from belot_bot.card_play import choose_card
from belot_bot.view import SeatView
from belot_engine.state import Action, Play


def choose(view: SeatView, seed: bytes) -> Action:
    """What it does in a position. There is no chance in it: ``seed`` is not read."""
    return Play(choose_card(view)) if view.legal.cards else choose_bid(view)
