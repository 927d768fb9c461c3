"""What scoring starts from and what a ruleset's scoring function answers."""

from dataclasses import dataclass

from belot_engine.events import Contract, LineKind, ScoreLine


@dataclass(frozen=True, slots=True)
class DealOutcome:
    """A played deal in figures, per side where they are tuples.

    ``points`` are the cards in the side's tricks with the bonus for the last trick; ``out_points`` the cards left
    out of play, so that both sum to 162. ``melds`` are the recognised ones (all of one side), ``bela`` 20 or 0.
    ``last`` is the side that took the last trick; ``turn_order`` the sides as they come in turn from the first
    lead, which decides who gets an odd unit.
    """

    declarer: int
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    melds: tuple[int, ...]
    bela: tuple[int, ...]
    last: int
    turn_order: tuple[int, ...]
    out_points: int = 0


@dataclass(frozen=True, slots=True)
class Tally:
    """A ruleset's judgement on a deal: the scores of the deal alone, bolts and held points after it."""

    contract: Contract
    scores: tuple[int, ...]
    lines: tuple[ScoreLine, ...]
    bolts: tuple[int, ...]
    held: int


def at(side: int, value: int, sides: int) -> tuple[int, ...]:
    """A value for one side, 0 for the others."""
    return tuple(value if other == side else 0 for other in range(sides))


def taken_lines(
    outcome: DealOutcome, last_trick: int, melds: tuple[int, ...], bela: tuple[int, ...]
) -> list[ScoreLine]:
    """The lines on what each side took; those that are 0 for everybody are left away, but for the cards."""
    sides = len(outcome.points)
    bonus = at(outcome.last, last_trick, sides)
    cards = tuple(points - extra for points, extra in zip(outcome.points, bonus, strict=True))
    lines = [
        ScoreLine(LineKind.CARDS, cards),
        ScoreLine(LineKind.LAST_TRICK, bonus),
        ScoreLine(LineKind.LEFT_OUT, at(outcome.last, outcome.out_points, sides)),
        ScoreLine(LineKind.MELDS, melds),
        ScoreLine(LineKind.BELA, bela),
    ]
    return [line for line in lines if line.kind is LineKind.CARDS or any(line.values)]


def sweeper(outcome: DealOutcome) -> int | None:
    """The side that took every trick, None when there is none."""
    total = sum(outcome.tricks)
    return next((side for side, tricks in enumerate(outcome.tricks) if tricks == total), None)
