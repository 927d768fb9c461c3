"""A deal as people bring it, in figures or in hands: checked field by field, then scored by the rules.

What the engine itself plays cannot be wrong in these ways; what is typed in can, and is refused by its name.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from belot_engine.audit import CARD_POINTS, check_outcome
from belot_engine.cards import BELA_MASK, PACK_MASK, SUITS, cards_of, side_count, side_of
from belot_engine.deal_map import hand_positions, out_positions, up_position
from belot_engine.errors import AuditBreach, InputError
from belot_engine.events import LineKind, Meld, ScoreLine, ScoreSheet
from belot_engine.melds import melds_of, recognised
from belot_engine.outcome import DealOutcome, at
from belot_engine.ruleset import Ruleset
from belot_engine.scoring import fresh_standing, score_deal


@dataclass(frozen=True, slots=True)
class GivenDeal:
    """A played deal in figures, per side where they are tuples, and what stood before it.

    ``declarer`` is a side. ``points`` are the cards in the side's tricks with those for the last trick; they sum to
    162 with ``out_points``, the cards left out of play. ``last`` is the side that took the last trick, which matters
    where cards are left out; None: not said, and the sheet keeps card and last trick points together. ``first`` is
    the side that leads first, who gets an odd unit. ``totals``, ``bolts``, ``held``: before the deal; empty for none.
    """

    declarer: int
    points: tuple[int, ...]
    tricks: tuple[int, ...]
    melds: tuple[int, ...] = ()
    bela: tuple[int, ...] = ()
    last: int | None = None
    first: int = 0
    out_points: int = 0
    totals: tuple[int, ...] = ()
    bolts: tuple[int, ...] = ()
    held: int = 0


@dataclass(frozen=True, slots=True)
class GivenMelds:
    """The melds of full hands: ``points`` per side as they count, the melds that do, every meld by seat, and the
    side whose hand has king and queen of trumps, None when no hand has both."""

    points: tuple[int, ...]
    counted: tuple[Meld, ...] = field(repr=False)
    by_seat: tuple[tuple[Meld, ...], ...] = field(repr=False)
    bela: int | None = field(repr=False)


@dataclass(frozen=True, slots=True)
class DealPositions:
    """Positions of the pack: each seat's in the order in which it gets them, the card turned up (the declarer's, too;
    None where there is none) and those left out of play."""

    hands: tuple[tuple[int, ...], ...]
    up_card: int | None
    out: tuple[int, ...]


def score_given(ruleset: Ruleset, deal: GivenDeal) -> ScoreSheet:
    """The full score sheet of a deal in figures. Raises InputError naming the field that cannot be."""
    sides = side_count(ruleset.seats)
    none = (0,) * sides
    deal = replace(
        deal,
        melds=deal.melds or none,
        bela=deal.bela or none,
        totals=deal.totals or none,
        bolts=deal.bolts or none,
    )
    _check_figures(ruleset, deal, sides)
    outcome = DealOutcome(
        declarer=deal.declarer,
        points=deal.points,
        tricks=deal.tricks,
        melds=deal.melds,
        bela=deal.bela,
        last=_last(ruleset, deal),
        turn_order=tuple((deal.first + place) % sides for place in range(sides)),
        out_points=deal.out_points,
    )
    try:
        check_outcome(ruleset, outcome)
    except AuditBreach as breach:
        raise InputError("points", str(breach)) from breach
    standing = replace(fresh_standing(ruleset, sides), totals=deal.totals, bolts=deal.bolts, held=deal.held)
    sheet = score_deal(ruleset, standing, 0, 0, outcome)
    return sheet if deal.last is not None else replace(sheet, lines=_with_last_trick(sheet.lines))


def _with_last_trick(lines: tuple[ScoreLine, ...]) -> tuple[ScoreLine, ...]:
    """The lines with the points for the last trick among those for the cards."""
    kept = [line for line in lines if line.kind not in (LineKind.CARDS, LineKind.LAST_TRICK)]
    taken = [line.values for line in lines if line.kind in (LineKind.CARDS, LineKind.LAST_TRICK)]
    return ScoreLine(LineKind.CARDS, tuple(map(sum, zip(*taken, strict=True)))), *kept


def _last(ruleset: Ruleset, deal: GivenDeal) -> int:
    """The side of the last trick: the one that is said, else any that can have it."""
    able = [
        side
        for side, (points, tricks) in enumerate(zip(deal.points, deal.tricks, strict=True))
        if tricks and points >= ruleset.last_trick
    ]
    if deal.last is None:
        if deal.out_points:
            raise InputError("last", "who took the last trick decides where cards are left out")
        return able[0]
    if deal.last not in able:
        raise InputError("last", "this side cannot have taken the last trick")
    return deal.last


def _check_figures(ruleset: Ruleset, deal: GivenDeal, sides: int) -> None:
    for name in ("points", "tricks", "melds", "bela", "bolts", "totals"):
        if len(getattr(deal, name)) != sides:
            raise InputError(name, f"one number for each of {sides} sides")
        if name != "totals" and min(getattr(deal, name)) < 0:
            raise InputError(name, "not below 0")
    whole = CARD_POINTS + ruleset.last_trick
    left_out = ruleset.pack > ruleset.seats * ruleset.hand_size
    idle = [side for side in range(sides) if not deal.tricks[side]]
    checks = (
        ("declarer", 0 <= deal.declarer < sides, "no such side"),
        ("first", 0 <= deal.first < sides, "no such side"),
        ("tricks", sum(deal.tricks) == ruleset.hand_size, f"a deal has {ruleset.hand_size} tricks"),
        ("out_points", deal.out_points == 0 or (left_out and deal.out_points > 0), "no card is left out"),
        ("points", sum(deal.points) + deal.out_points == whole, f"the points of a deal sum to {whole}"),
        ("points", not any(deal.points[side] for side in idle), "points without a trick"),
        ("melds", ruleset.melds or not any(deal.melds), "no melds are played for"),
        ("melds", sum(value > 0 for value in deal.melds) <= 1, "only one side's melds count"),
        ("melds", all(value % 10 == 0 for value in deal.melds), "melds are worth tens"),
        ("bela", sorted(deal.bela)[:-1] == [0] * (sides - 1), "one hand alone has king and queen of trumps"),
        ("bela", max(deal.bela) in (0, ruleset.bela_points), f"it is worth {ruleset.bela_points}"),
        ("held", deal.held == 0 or (deal.held > 0 and ruleset.litige == "carry"), "nothing is held"),
    )
    for name, holds, message in checks:
        if not holds:
            raise InputError(name, message)


def melds_given(ruleset: Ruleset, trump: int, hands: Sequence[int], first: int) -> GivenMelds:
    """The melds of full hands (a mask a seat) under a trump suit, ``first`` being the seat that leads first.

    Raises InputError naming ``trump``, ``first`` or ``hands``.
    """
    sides = side_count(ruleset.seats)
    if not 0 <= trump < len(SUITS):
        raise InputError("trump", "no such suit")
    if not 0 <= first < ruleset.seats:
        raise InputError("first", "no such seat")
    _check_hands(ruleset, hands)
    found = recognised(ruleset, trump, hands, first)
    pair = BELA_MASK[trump]
    bela = [side_of(seat, ruleset.seats) for seat, hand in enumerate(hands) if hand & pair == pair]
    return GivenMelds(
        points=at(found.side, found.points, sides) if found else (0,) * sides,
        counted=found.melds if found else (),
        by_seat=tuple(melds_of(ruleset, seat, hand) if ruleset.melds else () for seat, hand in enumerate(hands)),
        bela=bela[0] if bela else None,
    )


def _check_hands(ruleset: Ruleset, hands: Sequence[int]) -> None:
    if len(hands) != ruleset.seats:
        raise InputError("hands", f"one hand for each of {ruleset.seats} seats")
    seen = 0
    for hand in hands:
        if hand < 0 or hand & ~PACK_MASK[ruleset.pack]:
            raise InputError("hands", "a card is not of this pack")
        if hand & seen:
            raise InputError("hands", "a card is in two hands")
        if hand.bit_count() > ruleset.hand_size:
            raise InputError("hands", f"a hand has at most {ruleset.hand_size} cards, not {len(cards_of(hand))}")
        seen |= hand


def deal_positions(ruleset: Ruleset, dealer: int, declarer: int) -> DealPositions:
    """Who gets which position of the pack. Raises InputError naming ``dealer`` or ``declarer``."""
    for name, seat in (("dealer", dealer), ("declarer", declarer)):
        if not 0 <= seat < ruleset.seats:
            raise InputError(name, "no such seat")
    return DealPositions(hand_positions(ruleset, dealer, declarer), up_position(ruleset), out_positions(ruleset))
