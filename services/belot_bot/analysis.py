"""A finished match looked at afterwards: its deals solved one by one, and what each seat gave away.

The meaning of par, cost, luck and skill is in `belot_engine.analysis`; the auction is not judged.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from belot_bot.record import HandRecord, MatchRecord
from belot_engine.analysis import DealAnalysis
from belot_engine.cards import side_count

Number = TypeVar("Number", int, float)


@dataclass(frozen=True, slots=True)
class SeatCost:
    """What one seat's cards cost, by who decided: so many cards that were judged, so many points given away."""

    seat: int
    decider: str
    cards: int
    cost: int


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums by side over the ``deals`` that were solved whole and played out."""

    deals: int
    par: tuple[int, ...]
    taken: tuple[int, ...]
    luck: tuple[float, ...]
    skill: tuple[int, ...]
    adjusted: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MatchAnalysis:
    """A record with the analysis of each of its hands, in their order."""

    record: MatchRecord
    deals: tuple[DealAnalysis, ...]

    def costs(self) -> tuple[SeatCost, ...]:
        """What each seat gave away in the whole match."""
        return costs_of(zip(self.record.hands, self.deals, strict=True))

    def totals(self) -> Totals:
        """Of the whole match."""
        whole = [deal for deal in self.deals if not deal.first_trick and deal.skill is not None]
        sides = side_count(self.record.rules.seats)
        return Totals(
            deals=len(whole),
            par=_sums(sides, [deal.par or () for deal in whole]),
            taken=_sums(sides, [deal.taken or () for deal in whole]),
            luck=_sums(sides, [deal.luck or () for deal in whole]),
            skill=_sums(sides, [deal.skill or () for deal in whole]),
            adjusted=_sums(sides, [deal.adjusted or () for deal in whole]),
        )


def costs_of(deals: Iterable[tuple[HandRecord, DealAnalysis]]) -> tuple[SeatCost, ...]:
    """What each seat gave away in some hands, by who decided; cards of tricks that were not solved do not count."""
    sums: dict[tuple[int, str], tuple[int, int]] = {}
    for hand, deal in deals:
        for each, decider in zip(deal.cards, hand.deciders, strict=False):
            if each.cost is not None:
                cards, cost = sums.get((each.seat, decider), (0, 0))
                sums[each.seat, decider] = cards + 1, cost + each.cost
    return tuple(SeatCost(*key, *sums[key]) for key in sorted(sums))


def _sums(sides: int, rows: Sequence[Sequence[Number]]) -> tuple[Number, ...]:
    return tuple(sum((row[side] for row in rows), start=0) for side in range(sides))
