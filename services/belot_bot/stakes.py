"""What the end of a deal is worth to a seat that weighs its cards: card points ahead, and the score they lead to.

Scores are counted in card points, not in bile, by one rule for all rulesets: a contract that is made gives each side
what is its own, one that fails gives the declarer's to the best of the others. That is near enough for weighing; the
exact sheet is the engine's.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from belot_bot.view import SeatView
from belot_engine.cards import BELA_MASK, side_count, side_of
from belot_engine.melds import recognised
from belot_engine.play import trick_points


@dataclass(frozen=True, slots=True)
class Stakes:
    """What is on the table beside the cards still to be played, one entry a side where it is a tuple.

    ``mine`` and ``declarer`` are sides, ``taken`` the card points taken so far, ``extra`` melds and bela, ``judged``
    what counts of them when the contract is judged, ``sweep`` what all the tricks are worth.
    """

    mine: int
    declarer: int
    taken: tuple[int, ...]
    extra: tuple[int, ...]
    judged: tuple[int, ...]
    sweep: int


def taken_so_far(view: SeatView) -> tuple[int, ...]:
    """Card points each side has taken in the finished tricks."""
    taken = [0] * side_count(view.rules.seats)
    for trick in view.tricks:
        taken[side_of(trick.winner, view.rules.seats)] += trick_points(view.trump or 0, trick.cards)
    return tuple(taken)


def stakes(view: SeatView, trump: int, declarer: int, dealt: Sequence[int], taken: tuple[int, ...]) -> Stakes:
    """The stakes of a deal from full hands, as they were before the first lead, by seat."""
    rules, sides = view.rules, side_count(view.rules.seats)
    extra, bela = [0] * sides, [0] * sides
    melds = recognised(rules, trump, dealt, (view.dealer + 1) % rules.seats)
    if melds is not None:
        extra[melds.side] = melds.points
    for seat in range(rules.seats):
        if dealt[seat] & BELA_MASK[trump] == BELA_MASK[trump]:
            bela[side_of(seat, rules.seats)] = rules.bela_points
    whole = tuple(extra[side] + bela[side] for side in range(sides))
    return Stakes(
        mine=side_of(view.seat, rules.seats),
        declarer=side_of(declarer, rules.seats),
        taken=taken,
        extra=whole,
        judged=whole if rules.bela_in_limit else tuple(extra),
        sweep=rules.sweep_bonus if rules.sweep else rules.penalty * rules.unit,
    )


def worth(stakes: Stakes, seats: int, taken: Sequence[int], contract: float) -> float:
    """How far a side is ahead when each seat takes so much of what is still to be played.

    Card points ahead of the others on average, and ``contract`` times the score ahead.
    """
    cards = list(stakes.taken)
    for seat, points in enumerate(taken):
        cards[side_of(seat, seats)] += points
    ahead = _ahead(cards, stakes.mine)
    return ahead + contract * _ahead(_scores(stakes, cards), stakes.mine) if contract else ahead


def _scores(stakes: Stakes, cards: Sequence[int]) -> list[int]:
    declarer = stakes.declarer
    scores = [points + extra for points, extra in zip(cards, stakes.extra, strict=True)]
    judged = [points + extra for points, extra in zip(cards, stakes.judged, strict=True)]
    others = [side for side in range(len(scores)) if side != declarer]
    best = max(others, key=judged.__getitem__)
    for side in range(len(cards)):
        if not cards[side]:
            scores[best if side == declarer else declarer] += stakes.sweep
    if judged[declarer] < judged[best] or (judged[declarer] == judged[best] and len(scores) == 2):
        scores[best] += scores[declarer]
        scores[declarer] = 0
    return scores


def _ahead(values: Sequence[int], mine: int) -> float:
    return values[mine] - (sum(values) - values[mine]) / (len(values) - 1)
