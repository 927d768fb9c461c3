"""Cards weighed in sampled worlds: every legal card is played out in each of them, the best on average is played."""

from collections import Counter
from collections.abc import Sequence

from belot_bot.credence import credible
from belot_bot.easy import lowest_first
from belot_bot.plan import Plan
from belot_bot.stakes import stakes, taken_so_far, worth
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
    worlds = [draw_fitting(seen, known, played, chance, plan.draws) for _ in range(plan.drawn or plan.worlds)]
    dealt = [dealt_in(world, played) for world in worlds]
    kept = Counter(credible(view, dealt, chance, plan) if plan.drawn else range(plan.worlds))
    taken, worths = taken_so_far(view), [0.0] * len(cards)
    for number, times in kept.items():
        at_stake = stakes(view, seen.trump, seen.declarer, dealt[number], taken)
        for place, left in enumerate(_in_world(view, cards, worlds[number], plan.solved)):
            worths[place] += times * worth(at_stake, view.rules.seats, left, plan.contract)
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


def _in_world(view: SeatView, cards: Sequence[int], world: Sequence[int], solved: int) -> list[list[int]]:
    """What each seat takes from here on in one world, for each card."""
    rules, trump, seats = view.rules, view.trump or 0, view.rules.seats
    table, sides = table_of(rules), side_masks(seats)
    bonus = rules.last_trick + (mask_points(trump, world[-1]) if world[-1] else 0)
    hands = [ranked_mask(trump, world[seat]) for seat in range(seats)]
    trick = [ranked_card(trump, card) for card in view.trick]
    search = Search(table, hands[:], sides[view.seat], bonus)
    play = Playout(table, sides, sides[view.declarer or 0], bonus)
    taken = []
    for card in cards:
        ranked = ranked_card(trump, card)
        lay(play, hands, view.seat, trick)
        if view.hand.bit_count() <= solved:
            settle(play, search, value_of(search, view.seat, trick, ranked))
        elif put(play, ranked):
            finish(play, solved, search)
        taken.append(play.taken)
    return taken
