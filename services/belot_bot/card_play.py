"""The normal bot's play: weigh each legal card by the trick it may win now against what it may win later.

A trick counts what it holds, with the chance that our side takes it; a card that is kept counts what it may still do.
So masters and trumps are saved for tricks that are worth them, points go to tricks the partner is taking, and nothing
is spent on a trick that is won already.
"""

from dataclasses import dataclass
from typing import Final

from belot_bot.easy import lowest_first
from belot_bot.memory import Memory, remember
from belot_bot.view import SeatView
from belot_engine.cards import BEATERS, POINTS, SUIT_MASK, cards_of, side_of
from belot_engine.play import best_card

#: Points that a seat still to play brings to a trick, on average.
_TO_COME: Final = 4.0
#: What a trump that takes a trick later takes beside its own points: a whole trick of a suit it does not follow.
_RUFF: Final = 25.0
#: How likely a trump takes a trick later, by how many higher ones are out; the last figure for all beyond.
_TRUMP_LATER: Final = (1.0, 0.8, 0.7, 0.55)
#: The same for a plain card while the other side has trumps, and once it has none.
_PLAIN_LATER: Final = (0.7, 0.2, 0.2)
_SAFE_LATER: Final = (0.9, 0.3, 0.1)
#: How likely the partner, still to play and able to, takes a trick from the other side, or saves one from it.
_PARTNER_TAKES: Final = 0.95
_PARTNER_SAVES: Final = 0.2
#: What a trump lead is worth for each trump it is likely to draw from the other side; to defenders it is a loss.
_DRAW: Final = 5.0
_DEFENDERS_TRUMP_LEAD: Final = -8.0


@dataclass(frozen=True, slots=True)
class _Table:
    """A position with everything that is the same for all cards: see ``_table``."""

    view: SeatView
    memory: Memory
    trump: int
    partner: int | None
    to_come: tuple[int, ...]
    opponents: tuple[int, ...]
    trumps_out: int


def choose_card(view: SeatView) -> int:
    """The card that is worth most; of equal ones the lowest."""
    cards = cards_of(view.legal.cards)
    if len(cards) == 1:
        return cards[0]
    table = _table(view)
    return max(cards, key=lambda card: (_worth(table, card), *(-key for key in lowest_first(table.trump, card))))


def _table(view: SeatView) -> _Table:
    seats, seat, trump = view.rules.seats, view.seat, view.trump or 0
    memory = remember(view)
    others = tuple((seat + step) % seats for step in range(1, seats))
    opponents = tuple(other for other in others if side_of(other, seats) != side_of(seat, seats))
    hidden = 0
    for opponent in opponents:
        hidden |= memory.possible[opponent] | memory.sure[opponent]
    return _Table(
        view=view,
        memory=memory,
        trump=trump,
        partner=(seat + 2) % 4 if seats == 4 else None,
        to_come=others[: seats - 1 - len(view.trick)],
        opponents=opponents,
        trumps_out=hidden & SUIT_MASK[trump],
    )


def _worth(table: _Table, card: int) -> float:
    """Points that playing a card is worth, more or less."""
    view, points = table.view, POINTS[table.trump]
    trick = (*view.trick, card)
    stake = sum(points[each] for each in trick) + _TO_COME * len(table.to_come)
    if view.hand == 1 << card:
        stake += view.rules.last_trick
    worth = (2.0 * _taken(table, trick) - 1.0) * stake - _kept(table, card)
    if not view.trick and card >> 3 == table.trump:
        worth += _trump_lead(table)
    return worth


def _taken(table: _Table, trick: tuple[int, ...]) -> float:
    """The chance that our side takes a trick that stands so."""
    led, best = trick[0] >> 3, best_card(table.trump, trick)
    back = len(trick) - 1 - trick.index(best)
    owner = (table.view.seat - back) % table.view.rules.seats
    partner_to_come = table.partner in table.to_come
    if owner in table.opponents:
        if not partner_to_come or table.partner is None:
            return 0.0
        return _beaten(table, table.partner, led, best) * _PARTNER_TAKES
    held = 1.0
    for seat in table.to_come:
        if seat in table.opponents:
            held *= 1.0 - _beaten(table, seat, led, best)
    if partner_to_come and table.partner is not None and held < 1.0:
        held += (1.0 - held) * _PARTNER_SAVES * _beaten(table, table.partner, led, best)
    return held


def _beaten(table: _Table, seat: int, led: int, best: int) -> float:
    """The chance that a seat still to play can beat the best card of a trick: by its suit, or by a trump."""
    memory, beaters = table.memory, BEATERS[table.trump][best]
    higher = 1.0 - memory.lacks(seat, beaters & SUIT_MASK[led])
    if led == table.trump:
        return higher
    void = memory.lacks(seat, SUIT_MASK[led])
    if not void:
        return higher
    return min(1.0, higher + void * (1.0 - memory.lacks(seat, beaters & SUIT_MASK[table.trump])))


def _kept(table: _Table, card: int) -> float:
    """What a card is worth if it stays in the hand: the tricks and points it may still bring, or lose."""
    suit, points = card >> 3, POINTS[table.trump][card]
    higher = (BEATERS[table.trump][card] & SUIT_MASK[suit] & table.memory.unseen).bit_count()
    if suit == table.trump:
        later = _TRUMP_LATER[min(higher, 3)] if table.trumps_out else 1.0
        return later * (points + _RUFF) - (1.0 - later) * points
    guarded = (table.view.hand & SUIT_MASK[suit]).bit_count() > higher
    chances = _PLAIN_LATER if table.trumps_out else _SAFE_LATER
    later = chances[min(higher, 2) if guarded else 2]
    return (2.0 * later - 1.0) * points


def _trump_lead(table: _Table) -> float:
    """What leading trumps is worth to us: it draws those of the other side, if we are the ones who chose them."""
    declarer, seats = table.view.declarer, table.view.rules.seats
    if not table.trumps_out:
        return 0.0
    if declarer is None or side_of(declarer, seats) != side_of(table.view.seat, seats):
        return _DEFENDERS_TRUMP_LEAD
    drawn = sum(1.0 - table.memory.lacks(seat, SUIT_MASK[table.trump]) for seat in table.opponents)
    return _DRAW * drawn
