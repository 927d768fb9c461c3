"""Deals looked at afterwards with all cards open: par, the cost of each card, luck and skill."""

import random
from dataclasses import replace

import pytest

from belot_engine.analysis import BUDGET, DealAnalysis, PlayedDeal, analyse_deal
from belot_engine.cards import cards_of, mask_points, side_count, side_of
from belot_engine.notation import card_text, parse_cards, parse_hand
from belot_engine.play import legal_mask, trick_winner
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.solver import solve
from support.playouts import every_form, random_hands
from support.slow_endings import slow_after

HEARTS = 2
FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]


def played(
    form: tuple[str, int, int], hands: list[str], cards: str, claimant: int | None = None, agreed: bool = False
) -> PlayedDeal:
    """A short deal, hearts trumps, seat 0 leads; cards that nobody was dealt go with its last trick."""
    rules = resolve(*form, {})
    return PlayedDeal(rules, HEARTS, 0, tuple(map(parse_hand, hands)), 0, tuple(parse_cards(cards)), claimant, agreed)


def randomly(rules: Ruleset, rng: random.Random, tricks: int) -> PlayedDeal:
    """A deal of so many tricks, every legal card about equally likely."""
    hands = [sum(1 << card for card in rng.sample(cards_of(hand), tricks)) for hand in random_hands(rules, rng)]
    trump, leader = rng.randrange(4), rng.randrange(rules.seats)
    cards: list[int] = []
    left, turn, trick = list(hands), leader, ()
    while any(left):
        card = rng.choice(cards_of(legal_mask(rules, trump, trick, left[turn])))
        cards.append(card)
        left[turn] ^= 1 << card
        trick, turn = (*trick, card), (turn + 1) % rules.seats  # type: ignore[assignment]
        if len(trick) == rules.seats:
            trick, turn = (), (turn + trick_winner(trump, trick)) % rules.seats
    return PlayedDeal(rules, trump, 0, tuple(hands), leader, tuple(cards))


def costs_by_side(deal: PlayedDeal, found: DealAnalysis) -> list[int]:
    costs = [0] * side_count(deal.ruleset.seats)
    for each in found.cards:
        costs[side_of(each.seat, deal.ruleset.seats)] += each.cost or 0
    return costs


def named(options: tuple[tuple[int, int], ...]) -> dict[str, int]:
    return {card_text(card): cost for card, cost in options}


def bonus_of(deal: PlayedDeal) -> int:
    return 162 - sum(mask_points(deal.trump, hand) for hand in deal.hands)


# The last trick is worth 10 and the 124 points of all cards that nobody holds.
FINESSE = ["AC QC", "KC TC"]


def test_leading_the_ace_from_ace_and_queen_costs_the_last_trick() -> None:
    found = analyse_deal(played(("club", 2, 32), FINESSE, "AC TC QC KC"))
    # Queen first: seat 1 takes 13 with the ten, the ace then 15 and 134. Ace first: 15, and seat 1 has the rest.
    assert found.par == (149, 13)
    assert named(found.cards[0].options) == {"QC": 0, "AC": 134}
    # The ten under the ace in place of the king gives 6 away; the last two cards are forced.
    assert named(found.cards[1].options) == {"TC": 6, "KC": 0}
    assert [each.cost for each in found.cards] == [134, 6, 0, 0]
    assert [card_text(each.best or 0) for each in found.cards] == ["QC", "KC", "QC", "KC"]
    assert found.taken == (21, 141)
    assert found.luck == (68.0, -68.0)
    assert found.skill == (-128, 128)
    assert found.adjusted == (-47.0, 209.0)
    assert found.first_trick == 0


def test_a_line_without_a_mistake_ends_at_par() -> None:
    found = analyse_deal(played(("club", 2, 32), FINESSE, "QC TC KC AC"))
    assert [each.cost for each in found.cards] == [0, 0, 0, 0]
    assert found.taken == found.par == (149, 13)
    assert found.skill == (0, 0)


def test_partners_cards_are_weighed_for_their_side() -> None:
    hands = ["TD 7S", "7D 8S", "AD 9S", "8D AS"]
    # Spades first: seat 3 takes 11, and the partner's ace of diamonds takes the last trick with all the rest.
    found = analyse_deal(played(("classic", 4, 32), hands, "7S 8S 9S AS 8D TD 7D AD"))
    assert found.par == found.taken == (151, 11)
    assert [each.cost for each in found.cards] == [0] * 8
    # Diamonds first: 21 for the partner's ace, and the ace of spades has the last trick.
    early = analyse_deal(played(("classic", 4, 32), hands, "TD 7D AD 8D 9S AS 7S 8S"))
    assert (early.par, early.taken) == ((151, 11), (21, 141))
    assert [each.cost for each in early.cards] == [130] + [0] * 7


def test_a_seat_of_three_is_weighed_against_the_other_two_together() -> None:
    found = analyse_deal(played(("club", 3, 32), ["AC 7D", "TC 8D", "7H AD"], "AC TC 7H AD 7D 8D"))
    assert found.taken == (0, 0, 162)
    assert found.par == (0, 0, 162)
    assert found.luck == (-54.0, -54.0, 108.0)
    assert found.adjusted == (54.0, 54.0, 54.0)


@pytest.mark.parametrize(("agreed", "conceded", "par"), [(True, 149, (149, 13)), (False, 0, (0, 162))])
def test_a_claim_gives_its_side_what_is_left(agreed: bool, conceded: int, par: tuple[int, int]) -> None:
    found = analyse_deal(played(("club", 2, 32), FINESSE, "", 1, agreed))
    # Seat 1 claims what it could not have taken; what was agreed to is told apart from what was certain.
    assert (found.taken, found.conceded, found.first_trick) == ((0, 162), 162 - par[1], 0)
    assert (found.conceded, found.par) == (conceded, par)


def test_a_claim_after_some_tricks_leaves_their_cards_a_cost() -> None:
    found = analyse_deal(played(("club", 2, 32), FINESSE, "AC KC", 1, True))
    assert [each.cost for each in found.cards] == [134, 0]
    assert (found.par, found.taken, found.conceded) == ((149, 13), (15, 147), 0)


def test_a_deal_that_was_not_played_out_has_costs_and_no_result() -> None:
    found = analyse_deal(played(("club", 2, 32), FINESSE, "AC"))
    assert [each.cost for each in found.cards] == [134]
    assert found.par == (149, 13)
    assert (found.taken, found.skill, found.adjusted) == (None, None, None)
    empty = analyse_deal(played(("club", 2, 32), FINESSE, ""))
    assert (empty.cards, empty.par, empty.luck, empty.taken) == ((), None, None, None)


@pytest.mark.parametrize("rules", FORMS)
def test_every_option_costs_what_counting_all_lines_says(rules: Ruleset) -> None:
    rng = random.Random(f"analysis {rules.name} {rules.seats} {rules.pack}")
    for _ in range(6):
        deal = randomly(rules, rng, 2 if rules.seats == 4 else 3)
        counting = replace(rules, last_trick=bonus_of(deal))
        left, trick = list(deal.hands), ()
        for each in analyse_deal(deal).cards:
            side = side_of(each.seat, rules.seats)
            mine = sum(1 << seat for seat in range(rules.seats) if side_of(seat, rules.seats) == side)
            legal = cards_of(legal_mask(rules, deal.trump, trick, left[each.seat]))
            values = {card: slow_after(counting, deal.trump, left, each.seat, trick, mine, card) for card in legal}
            assert dict(each.options) == {card: max(values.values()) - value for card, value in values.items()}, deal
            left[each.seat] ^= 1 << each.card
            trick = (*trick, each.card) if len(trick) + 1 < rules.seats else ()  # type: ignore[assignment]


@pytest.mark.parametrize("rules", FORMS)
def test_with_two_sides_par_and_costs_add_up_to_what_was_taken(rules: Ruleset) -> None:
    if side_count(rules.seats) != 2:
        return
    rng = random.Random(f"sum {rules.name} {rules.seats} {rules.pack}")
    for _ in range(5):
        deal = randomly(rules, rng, 5)
        found = analyse_deal(deal)
        own, others = costs_by_side(deal, found)
        assert found.par is not None
        assert found.taken == (found.par[0] - own + others, found.par[1] - others + own)
        assert sum(found.par) == sum(found.taken) == 162


@pytest.mark.parametrize("rules", FORMS)
def test_the_best_line_costs_nothing_and_par_is_what_the_solver_says(rules: Ruleset) -> None:
    rng = random.Random(f"best {rules.name} {rules.seats} {rules.pack}")
    for _ in range(2):
        deal = randomly(rules, rng, 4)
        for at in range(len(deal.cards)):
            found = analyse_deal(replace(deal, cards=deal.cards[: at + 1]))
            best = found.cards[at].best
            assert best is not None
            deal = following(deal, at, best, rng)
        found = analyse_deal(deal)
        sides = side_count(rules.seats)
        if sides == 2:
            assert costs_by_side(deal, found) == [0, 0]
            assert found.taken == found.par
        counting = replace(rules, last_trick=bonus_of(deal))
        masks = [sum(1 << seat for seat in range(rules.seats) if side_of(seat, rules.seats) == s) for s in range(sides)]
        solved = [solve(counting, deal.trump, deal.hands, deal.leader, (), mask) for mask in masks]
        assert found.par == tuple(solved), deal


def following(deal: PlayedDeal, at: int, card: int, rng: random.Random) -> PlayedDeal:
    """The deal with this card at its place, and any cards after it."""
    rules, cards = deal.ruleset, [*deal.cards[:at], card]
    left, turn, trick = list(deal.hands), deal.leader, ()
    for number in range(len(deal.cards)):
        if number >= len(cards):
            cards.append(rng.choice(cards_of(legal_mask(rules, deal.trump, trick, left[turn]))))
        left[turn] ^= 1 << cards[number]
        trick, turn = (*trick, cards[number]), (turn + 1) % rules.seats  # type: ignore[assignment]
        if len(trick) == rules.seats:
            trick, turn = (), (turn + trick_winner(deal.trump, trick)) % rules.seats
    return replace(deal, cards=tuple(cards))


def test_a_deal_too_wide_for_the_budget_is_solved_from_a_later_trick_on_and_says_so() -> None:
    deal = randomly(resolve("bela", 4, 32, {}), random.Random("wide"), 6)
    whole, part = analyse_deal(deal), analyse_deal(deal, 60)
    assert whole.first_trick == 0
    assert 0 < part.first_trick < 6
    start = 4 * part.first_trick
    assert part.cards[start:] == whole.cards[start:]
    assert all(each.cost is None and not each.options and each.best is None for each in part.cards[:start])
    assert part.taken == whole.taken
    own, others = costs_by_side(deal, part)
    assert part.par is not None
    assert part.taken == (part.par[0] - own + others, part.par[1] - others + own)
    assert analyse_deal(deal, 60) == part


def test_a_budget_of_nothing_solves_nothing_but_the_forced_end() -> None:
    deal = randomly(resolve("bela", 4, 32, {}), random.Random("nothing"), 6)
    found = analyse_deal(deal, 0)
    assert found.first_trick >= 5
    assert found.taken == analyse_deal(deal, BUDGET).taken
