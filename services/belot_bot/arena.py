"""Two policies against each other on duplicate deals: every pack is played once for each side, so that luck cancels.

The pure core: which deals there are follows from the seed and their number alone, so that they may be played in any
order and in several sittings. A challenger takes each side of a deal in turn, the other policy has the remaining ones.
"""

import hashlib
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from belot_bot.view import SeatView, seat_view
from belot_engine.cards import PACK_MASK, cards_of, side_count, side_of
from belot_engine.events import DealScored, LineKind, ScoreSheet
from belot_engine.match import apply, legal_actions, needs, start
from belot_engine.ruleset import Ruleset
from belot_engine.state import Action, Applied, Deal, MatchState, Phase
from belot_engine.worlds import Chance

Choose = Callable[[SeatView, bytes], Action]
"""A policy: what it does in a view, with all its chance out of 32 octets."""

_TAKEN = (LineKind.CARDS, LineKind.LAST_TRICK, LineKind.LEFT_OUT)


@dataclass(frozen=True, slots=True)
class Difference:
    """What the challenger made more than the others in one duplicate deal, on average over the sides it had.

    ``card_points`` with those of the last trick and of cards left out; ``score`` in the ruleset's unit. Both are 0
    for a side when nobody chose trumps.
    """

    number: int
    card_points: float
    score: float


@dataclass(frozen=True, slots=True)
class Figure:
    """A mean with half the width of its 95 % interval, over so many duplicate deals."""

    mean: float
    half_width: float
    deals: int

    def __str__(self) -> str:
        return f"{self.mean:+.1f} ± {self.half_width:.1f} over {self.deals} duplicate deals"


def duplicate_deal(rules: Ruleset, challenger: Choose, other: Choose, seed: bytes, number: int) -> Difference:
    """The deal of this number, played once for each side."""
    sides, seats = side_count(rules.seats), rules.seats
    pack = pack_of(rules.pack, seed, number)
    points, scores = 0.0, 0.0
    for mine in range(sides):
        chosen = [challenger if side_of(seat, seats) == mine else other for seat in range(seats)]
        sheet = play_deal(rules, chosen, pack, number % seats, _named(b"bots", seed, number))
        if sheet is not None:
            taken = [sum(line.values[side] for line in sheet.lines if line.kind in _TAKEN) for side in range(sides)]
            points += _ahead(taken, mine)
            scores += _ahead(sheet.scores, mine)
    return Difference(number, points / sides, scores / sides)


def pack_of(pack: int, seed: bytes, number: int) -> tuple[int, ...]:
    """The pack of a deal: position -> card."""
    cards, chance = list(cards_of(PACK_MASK[pack])), Chance(_named(b"pack", seed, number))
    for left in range(len(cards) - 1, 0, -1):
        at = chance.below(left + 1)
        cards[at], cards[left] = cards[left], cards[at]
    return tuple(cards)


def play_deal(
    rules: Ruleset, policies: Sequence[Choose], pack: Sequence[int], dealer: int, seed: bytes
) -> ScoreSheet | None:
    """One deal, a policy for each seat; None when nobody chose or the match ended before a card was played."""
    seeds = [hashlib.sha256(seed + bytes((seat,))).digest() for seat in range(rules.seats)]
    state = start(rules, dealer)
    while True:
        applied = _dealt(state, pack) if state.turn is None else _decided(state, policies, seeds)
        for event in applied.events:
            if isinstance(event, DealScored):
                return event.sheet
        state = applied.state
        if state.hand_number > 0 or state.phase is Phase.FINISHED:
            return None


def figure(values: Iterable[float]) -> Figure:
    """The mean of some differences; at least two."""
    found = list(values)
    return Figure(statistics.fmean(found), 1.96 * statistics.stdev(found) / len(found) ** 0.5, len(found))


def _dealt(state: MatchState, pack: Sequence[int]) -> Applied:
    need = needs(state)
    if need is None:
        raise AssertionError("nothing is waited for")
    return apply(state, None, Deal(tuple((at, pack[at]) for at, _ in need.places)))


def _decided(state: MatchState, policies: Sequence[Choose], seeds: Sequence[bytes]) -> Applied:
    legal = legal_actions(state)
    if legal is None:
        raise AssertionError("nobody is to act")
    return apply(state, legal.seat, policies[legal.seat](seat_view(state, legal), seeds[legal.seat]))


def _named(name: bytes, seed: bytes, number: int) -> bytes:
    """Chance of its own for each purpose and deal."""
    return hashlib.sha256(name + number.to_bytes(8, "big") + seed).digest()


def _ahead(values: Sequence[int], mine: int) -> float:
    return values[mine] - (sum(values) - values[mine]) / (len(values) - 1)
