"""Cards weighed in sampled worlds: every legal card is played out in each of them, the best on average is played."""

from collections import Counter
from collections.abc import Sequence

from belot_bot.credence import credible
from belot_bot.easy import lowest_first
from belot_bot.plan import Plan
from belot_bot.stakes import stakes, worth
from belot_bot.view import SeatView
from belot_engine.cards import cards_of, mask_points, side_masks
from belot_engine.errors import InputError
from belot_engine.inference import Knowledge, Seen, agrees_with_melds, know, played_by
from belot_engine.playout import Playout, finish, lay, put, settle
from belot_engine.ranked import ranked_card, ranked_mask, table_of
from belot_engine.solver import Search, value_of
from belot_engine.worlds import Chance, draw_world


def choose_card(view: SeatView, chance: Chance, plan: Plan) -> int:
    """The card that leads to most on average; of equal ones the lowest. Raises InputError for what cannot be."""
    cards = cards_of(view.legal.cards)
    if len(cards) == 1:
        return cards[0]
    worths = card_worths(view, cards, chance, plan)
    trump = view.trump or 0
    return min(zip(worths, cards, strict=True), key=lambda each: (-each[0], lowest_first(trump, each[1])))[1]


def card_worths(view: SeatView, cards: Sequence[int], chance: Chance, plan: Plan) -> list[float]:
    """What each card leads to, summed over the worlds."""
    seen = seen_in(view)
    known, played = know(seen), played_by(seen)
    worths = [0.0] * len(cards)
    worlds = [draw_fitting(seen, known, played, chance, plan.draws) for _ in range(plan.drawn or plan.worlds)]
    kept = (
        credible(view, [dealt_in(world, played) for world in worlds], chance, plan)
        if plan.drawn
        else range(len(worlds))
    )
    for number, times in Counter(kept).items():
        for place, value in enumerate(_in_world(view, cards, worlds[number], played, plan)):
            worths[place] += times * value
    return worths


def seen_in(view: SeatView) -> Seen:
    """What the seat knows of the deal in play. Raises InputError where nobody declared."""
    if view.trump is None or view.declarer is None:
        raise InputError("position", "cards are played with a declarer and trumps")
    return Seen(
        ruleset=view.rules,
        seat=view.seat,
        dealer=view.dealer,
        hand=view.hand,
        trump=view.trump,
        declarer=view.declarer,
        up_card=view.up_card,
        tricks=view.tricks,
        trick=view.trick,
        leader=(view.seat - len(view.trick)) % view.rules.seats,
        melds=view.melds,
        bela=view.bela,
    )


def draw_fitting(seen: Seen, known: Knowledge, played: Sequence[int], chance: Chance, draws: int) -> list[int]:
    """A world that agrees with the melds, too, if one comes in so many draws; else the last one drawn."""
    world = draw_world(known, seen.seat, seen.hand, chance)
    for _ in range(draws - 1):
        if agrees_with_melds(seen, dealt_in(world, played)):
            break
        world = draw_world(known, seen.seat, seen.hand, chance)
    return world


def dealt_in(world: Sequence[int], played: Sequence[int]) -> list[int]:
    """The hands of a world as they were before the first lead."""
    return [held | gone for held, gone in zip(world, played, strict=False)]


def _in_world(
    view: SeatView, cards: Sequence[int], world: Sequence[int], played: Sequence[int], plan: Plan
) -> list[float]:
    """What each card leads to in one world."""
    rules, trump, seats = view.rules, view.trump or 0, view.rules.seats
    table = table_of(rules)
    bonus = rules.last_trick + (mask_points(trump, world[-1]) if world[-1] else 0)
    hands = [ranked_mask(trump, world[seat]) for seat in range(seats)]
    trick = [ranked_card(trump, card) for card in view.trick]
    sides = side_masks(seats)
    at_stake = stakes(view, trump, view.declarer or 0, dealt_in(world, played))
    search = Search(table, hands[:], sides[view.seat], bonus)
    play = Playout(table, sides, sides[view.declarer or 0], bonus)
    solved = view.hand.bit_count() <= plan.solved
    worths = []
    for card in cards:
        ranked = ranked_card(trump, card)
        lay(play, hands, view.seat, trick)
        if solved:
            settle(play, search, value_of(search, view.seat, trick, ranked))
        elif put(play, ranked):
            finish(play, plan.solved, search)
        worths.append(worth(at_stake, seats, play.taken, plan.contract))
    return worths
