"""A deal that was played, looked at afterwards with all cards open: what it was worth, and what each card cost.

Everything is counted in card points (the cards in a side's tricks, 10 for the last one, and with it the points of cards
left out of play), as ``solver.py`` does: melds, the contract and bonuses for all tricks are not weighed.

par     what a side takes in the whole deal when everybody plays as well as possible with open cards, the declarer and
        the trump suit being what they were. With two sides theirs sum to 162. With three, where one seat is held
        against the other two together, each seat's is what nobody could have kept from it: a floor, below 162 in sum.
cost    of a card: how much less the mover's side takes after it than after its best card, from there on as well as
        possible; 0 for the best cards and for a card that was the only legal one.
luck    a side's par minus the average of all sides' pars: what cards and auction brought it.
skill   what it took minus its par: the mistakes of the others minus its own.
adjusted  what it took minus its luck: its result had the deal been an even one.

With two sides ``taken = par - own costs + costs of the others`` holds exactly. A deal is solved from its end backwards,
trick by trick, within a budget of positions; where that does not reach the first card, par counts from the first trick
that was solved on, with the tricks before it as they were played, and the earlier cards have no cost.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from belot_engine.cards import PACK_MASK, POINTS, cards_of, mask_points, side_count, side_of
from belot_engine.play import legal_mask, trick_points, trick_winner
from belot_engine.ranked import points_in, ranked_card, ranked_mask, table_of
from belot_engine.ruleset import Ruleset
from belot_engine.solver import MOST, Search, TooDeep, value_between, value_of

#: Positions between tricks that one deal may take; most whole deals take 5,000 to 150,000.
BUDGET: Final = 400_000


@dataclass(frozen=True, slots=True)
class PlayedDeal:
    """One deal from its first lead on, as it was played; it was played by the rules.

    ``hands`` are the full hands by seat as masks, ``leader`` leads first, ``cards`` come in the order of play.
    ``claimant`` took the remaining tricks by a claim, ``agreed`` if it was not certain but his opponents gave in.
    """

    ruleset: Ruleset
    trump: int
    declarer: int
    hands: tuple[int, ...] = field(repr=False)
    leader: int
    cards: tuple[int, ...]
    claimant: int | None = None
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class CardCost:
    """A card that was played: its cost, and the cost of every card that was legal there, in ascending order of cards.

    ``cost`` is None and ``options`` are empty where the deal was not solved so far back.
    """

    seat: int
    card: int
    cost: int | None = None
    options: tuple[tuple[int, int], ...] = ()

    @property
    def best(self) -> int | None:
        """The first of the cards that cost nothing; None where that is not known."""
        return next((card for card, cost in self.options if not cost), None)


@dataclass(frozen=True, slots=True)
class DealAnalysis:
    """What came of a deal; tuples of points have one entry a side.

    ``first_trick`` is the first one solved, 0 for a whole deal; ``par`` is None where nothing was. ``taken`` is None
    for a deal that was not played out. ``conceded`` are points that the claimant's opponents gave away by agreeing.
    """

    cards: tuple[CardCost, ...]
    first_trick: int
    par: tuple[int, ...] | None
    taken: tuple[int, ...] | None
    conceded: int = 0

    @property
    def luck(self) -> tuple[float, ...] | None:
        """By side; they sum to 0."""
        return None if self.par is None else tuple(par - sum(self.par) / len(self.par) for par in self.par)

    @property
    def skill(self) -> tuple[int, ...] | None:
        """By side; with two sides they sum to 0."""
        if self.par is None or self.taken is None:
            return None
        return tuple(taken - par for taken, par in zip(self.taken, self.par, strict=True))

    @property
    def adjusted(self) -> tuple[float, ...] | None:
        """By side; they sum to what was taken."""
        if self.luck is None or self.taken is None:
            return None
        return tuple(taken - luck for taken, luck in zip(self.taken, self.luck, strict=True))


@dataclass(frozen=True, slots=True)
class _Position:
    """Before a card: hands now, who is to act, the trick on the table, what each side has taken."""

    hands: tuple[int, ...]
    turn: int
    trick: tuple[int, ...]
    taken: tuple[int, ...]


def analyse_deal(deal: PlayedDeal, budget: int = BUDGET) -> DealAnalysis:
    """Solve a deal as far back as the budget of positions reaches; the same budget, the same answer."""
    seats = deal.ruleset.seats
    positions = list(_positions(deal))
    last = positions[-1]
    views = _Views(deal, budget)
    costs = [CardCost(before.turn, card) for before, card in zip(positions, deal.cards, strict=False)]
    taken = _taken(deal, last, views.left(last))
    first, par, conceded = -(-len(costs) // seats), None, 0
    try:
        if deal.claimant is not None:
            # What is certain needs no search.
            par = views.par(last) if deal.agreed else taken
            conceded = views.conceded(last, deal.claimant) if deal.agreed else 0
        for trick in reversed(range(first)):
            start = trick * seats
            places = range(start, min(start + seats, len(costs)))
            solved = [views.cost(positions[at], deal.cards[at]) for at in reversed(places)]
            par, first = views.par(positions[start]), trick
            costs[start : places.stop] = reversed(solved)
    except TooDeep:
        pass
    return DealAnalysis(tuple(costs), first, par, taken, conceded)


def _positions(deal: PlayedDeal) -> Iterator[_Position]:
    """The position before each card, and the one after the last."""
    rules, seats = deal.ruleset, deal.ruleset.seats
    now = _Position(deal.hands, deal.leader, (), (0,) * side_count(seats))
    for card in deal.cards:
        yield now
        hands = (*now.hands[: now.turn], now.hands[now.turn] & ~(1 << card), *now.hands[now.turn + 1 :])
        trick, turn, taken = (*now.trick, card), (now.turn + 1) % seats, now.taken
        if len(trick) == seats:
            turn = (turn + trick_winner(deal.trump, trick)) % seats
            points = trick_points(deal.trump, trick) + (0 if any(hands) else _bonus(rules, deal.trump, deal.hands))
            taken = _with(taken, side_of(turn, seats), points)
            trick = ()
        now = _Position(hands, turn, trick, taken)
    yield now


def _taken(deal: PlayedDeal, last: _Position, left: int) -> tuple[int, ...] | None:
    """What each side took in the end."""
    if not any(last.hands) and not last.trick:
        return last.taken
    return None if deal.claimant is None else _with(last.taken, side_of(deal.claimant, deal.ruleset.seats), left)


def _with(taken: tuple[int, ...], side: int, points: int) -> tuple[int, ...]:
    return (*taken[:side], taken[side] + points, *taken[side + 1 :])


def _bonus(ruleset: Ruleset, trump: int, hands: Sequence[int]) -> int:
    """What goes with the last trick: its own points, and those of cards that nobody was dealt."""
    left_out = PACK_MASK[ruleset.pack]
    for hand in hands:
        left_out &= ~hand
    return ruleset.last_trick + mask_points(trump, left_out)


class _Views:
    """One deal seen by each side: with two sides one search serves both, with three each seat has its own."""

    __slots__ = ("_bonus", "_rules", "_searches", "_trump")

    def __init__(self, deal: PlayedDeal, budget: int) -> None:
        rules, seats = deal.ruleset, deal.ruleset.seats
        self._rules, self._trump = rules, deal.trump
        self._bonus = _bonus(rules, deal.trump, deal.hands)
        sides = side_count(seats)
        count = 1 if sides == 2 else sides
        masks = [sum(1 << seat for seat in range(seats) if side_of(seat, seats) == side) for side in range(count)]
        self._searches = [Search(table_of(rules), [], mask, self._bonus, budget // count) for mask in masks]

    def left(self, at: _Position) -> int:
        """All points of unfinished tricks."""
        if not any(at.hands) and not at.trick:
            return 0
        held = sum(mask_points(self._trump, hand) for hand in at.hands)
        return held + sum(POINTS[self._trump][card] for card in at.trick) + self._bonus

    def par(self, at: _Position) -> tuple[int, ...]:
        """What each side takes in the whole deal from the beginning of this trick on. Errors: TooDeep."""
        return tuple(taken + self.value(at, side) for side, taken in enumerate(at.taken))

    def conceded(self, at: _Position, claimant: int) -> int:
        """What those who agreed to a claim could have kept from the claimant. Errors: TooDeep."""
        return self.left(at) - self.value(at, side_of(claimant, self._rules.seats))

    def value(self, at: _Position, side: int) -> int:
        """What a side takes from the beginning of a trick on. Errors: TooDeep."""
        own = side < len(self._searches)
        search = self._searches[side if own else 0]
        search.hands = self._ranked(at)
        mask = 0
        for hand in search.hands:
            mask |= hand
        rest = points_in(mask) + self._bonus
        value = value_between(search, at.turn, mask, rest, -1, MOST)
        return value if own else rest - value

    def cost(self, at: _Position, card: int) -> CardCost:
        """What this card costs, and what the other legal ones would have. Errors: TooDeep."""
        legal = cards_of(legal_mask(self._rules, self._trump, at.trick, at.hands[at.turn]))
        if len(legal) == 1:
            return CardCost(at.turn, card, 0, ((card, 0),))
        side = side_of(at.turn, self._rules.seats)
        own = side < len(self._searches)
        search = self._searches[side if own else 0]
        search.hands = self._ranked(at)
        trick = [ranked_card(self._trump, played) for played in at.trick]
        values = [value_of(search, at.turn, trick, ranked_card(self._trump, each)) for each in legal]
        best = max(values) if own else min(values)
        options = tuple((each, abs(best - value)) for each, value in zip(legal, values, strict=True))
        return CardCost(at.turn, card, dict(options)[card], options)

    def _ranked(self, at: _Position) -> list[int]:
        return [ranked_mask(self._trump, hand) for hand in at.hands]
