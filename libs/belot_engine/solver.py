"""Exact play with all cards open: what a side takes from here on if everybody plays as well as possible.

The value of a position is the card points that the maximising seats take in the tricks not finished yet, with a bonus
for the last one. Two sides fight for a constant sum: with four seats partners against partners, with two each alone.
With three seats one seat is held against the other two as if they were partners; what it then takes it takes against
any play of theirs, so that the value is a floor, not a forecast. Points only: that all tricks may be worth more,
and that a contract is made or not, is for the caller, for whom it is enough that no rule pays a side for taking less.

Alpha-beta over the cards, a table of positions between tricks, cards of the same worth tried once. Between tricks it
ends early where the leader has nothing but masters that nobody can ruff. The positions met are kept in a ``Search``
for as long as the same cards are in the same hands, so that the cards of one position are solved together.
"""

from collections.abc import Sequence
from typing import Final

from belot_engine.cards import cards_of
from belot_engine.play import legal_mask
from belot_engine.ranked import (
    FIRST_TRUMP,
    HIGHER,
    POINTS,
    SUIT,
    TRUMPS,
    Table,
    points_in,
    ranked_card,
    ranked_mask,
    table_of,
)
from belot_engine.ruleset import Ruleset

#: More than any deal has.
MOST: Final = 1000
#: More positions than any deal has.
UNBOUNDED: Final = 1 << 60
#: Cards without points that stand next to a lower one of the same suit, and two above one.
_NEXT: Final = 0x02060606
_NEXT_BUT_ONE: Final = 0x00040404


class TooDeep(Exception):  # noqa: N818 - no error: the search came to its bound
    """There are more positions than a search was to look at; its hands are then in the middle of a line."""


class Search:
    """One set of open hands (masks of ranked cards) being searched for the seats of ``mine``, a mask of seats.

    ``bonus`` is what the last trick is worth beside its cards. ``hands`` change and are as before after every call.
    ``budget`` is how many more positions between tricks may be looked at.
    """

    __slots__ = ("bonus", "budget", "hands", "known", "mine", "rises", "seats", "spares")

    def __init__(self, table: Table, hands: list[int], mine: int, bonus: int, budget: int = UNBOUNDED) -> None:
        """Hands are taken over, not copied. A search with a budget raises TooDeep when it is spent."""
        self.budget = budget
        self.hands = hands
        self.mine = mine
        self.bonus = bonus
        self.seats = table.seats
        self.rises = table.rises
        self.spares = table.spares
        self.known: dict[int, int] = {}


def solve(ruleset: Ruleset, trump: int, hands: Sequence[int], turn: int, trick: Sequence[int], mine: int) -> int:
    """The points that the seats of the mask ``mine`` take from here on, the trick on the table included.

    ``hands`` are masks of engine cards by seat, ``turn`` is to act, ``trick`` the cards on the table in order.
    """
    values = solve_cards(ruleset, trump, hands, turn, trick, mine)
    worth = [value for _, value in values]
    return max(worth) if mine >> turn & 1 else min(worth)


def solve_cards(
    ruleset: Ruleset, trump: int, hands: Sequence[int], turn: int, trick: Sequence[int], mine: int
) -> tuple[tuple[int, int], ...]:
    """The same for each card that the seat to act may play: (card, points), in ascending order of cards."""
    search = Search(table_of(ruleset), [ranked_mask(trump, hand) for hand in hands], mine, ruleset.last_trick)
    table = [ranked_card(trump, card) for card in trick]
    legal = legal_mask(ruleset, trump, trick, hands[turn])
    return tuple((card, value_of(search, turn, table, ranked_card(trump, card))) for card in cards_of(legal))


def value_of(search: Search, turn: int, trick: list[int], card: int) -> int:
    """What the seats of the search take when this ranked card is played to the trick on the table."""
    left = points = 0
    for hand in search.hands:
        left |= hand
    leader = (turn - len(trick)) % search.seats
    best, winner, worth, table = -1, leader, 0, 0
    for place, played in enumerate(trick):
        worth += POINTS[played]
        table |= 1 << played
        if best < 0 or (played > best and (played >> 3 == best >> 3 or played >= FIRST_TRUMP)):
            best, winner = played, (leader + place) % search.seats
    points = points_in(left | table) + search.bonus
    led = trick[0] >> 3 if trick else -1
    return _after(
        search, turn, search.seats - len(trick), led, best, winner, worth, table, left | table, points, card, -1, MOST
    )


def _after(
    search: Search,
    turn: int,
    due: int,
    led: int,
    best: int,
    winner: int,
    worth: int,
    table: int,
    left: int,
    rest: int,
    card: int,
    alpha: int,
    beta: int,
) -> int:
    """The value once a seat has played a card: see ``_follow`` for the figures; the card is of a legal hand."""
    hands = search.hands
    bit = 1 << card
    hands[turn] ^= bit
    worth += POINTS[card]
    if led < 0:
        led = card >> 3
        best, winner = card, turn
    elif card > best and (card >> 3 == best >> 3 or card >= FIRST_TRUMP):
        best, winner = card, turn
    if due > 1:
        following = turn + 1
        if following == search.seats:
            following = 0
        value = _follow(search, following, due - 1, led, best, winner, worth, table | bit, left, rest, alpha, beta)
    else:
        left ^= table | bit
        if not left:
            value = rest if search.mine >> winner & 1 else 0
        elif search.mine >> winner & 1:
            value = worth + value_between(search, winner, left, rest - worth, alpha - worth, beta - worth)
        else:
            value = value_between(search, winner, left, rest - worth, alpha, beta)
    hands[turn] ^= bit
    return value


def _follow(
    search: Search,
    turn: int,
    due: int,
    led: int,
    best: int,
    winner: int,
    worth: int,
    table: int,
    left: int,
    rest: int,
    alpha: int,
    beta: int,
) -> int:
    """The value with a seat to follow, ``due`` of them still to play to the trick, and alpha below beta.

    ``led`` is its suit, ``best`` its best card, which ``winner`` played, ``worth`` its points, ``table`` its cards;
    ``left`` are the cards of unfinished tricks and ``rest`` all that is still to be won.
    """
    ours = search.mine >> turn & 1
    moves = _moves(search, turn, led, best, winner, left)
    taking = moves & (HIGHER[best] | (TRUMPS if best < FIRST_TRUMP else 0))  # tried first; most points in a friend's
    friendly = search.mine >> winner & 1 == ours
    value = -1 if ours else MOST
    while moves and alpha < beta:
        card = (moves if friendly else taking or moves & -moves).bit_length() - 1
        moves ^= 1 << card
        taking &= moves
        found = _after(search, turn, due, led, best, winner, worth, table, left, rest, card, alpha, beta)
        if ours:
            if found > value:
                value = found
                if value > alpha:
                    alpha = value
        elif found < value:
            value = found
            if value < beta:
                beta = value
    return value


def _moves(search: Search, turn: int, led: int, best: int, winner: int, left: int) -> int:
    """The cards a seat may follow with, of such as lead to the same only the lowest."""
    hand = search.hands[turn]
    moves = hand & SUIT[led]
    if moves:
        if led == 3 or search.rises:
            higher = moves & -2 << best
            if higher:
                moves = higher
    else:
        moves = hand & TRUMPS
        if moves and not (search.spares and winner == (turn + 2 & 3)):
            higher = moves & -2 << best
            if higher:
                moves = higher
        else:
            moves = hand
    if moves & (moves - 1):
        moves &= ~(moves & moves << 1 & _NEXT | moves & moves << 2 & _NEXT_BUT_ONE & ~((left & ~hand) << 1))
    return moves


def value_between(search: Search, leader: int, left: int, rest: int, alpha: int, beta: int) -> int:
    """The value between tricks with ``leader`` to lead, exact where it is above alpha and below beta.

    ``left`` are all cards in hands, at least one a seat, ``rest`` all that is still to be won, the bonus included.
    """
    ours = search.mine >> leader & 1
    if rest <= alpha:
        return rest
    if beta <= 0:
        return 0
    hand = search.hands[leader]
    if _masters_only(hand, left):
        return rest if ours else 0
    key = left << 2 | leader
    lower, upper = 0, rest
    stored = search.known.get(key, -1)
    if stored >= 0:
        lower, upper = stored >> 10, stored & 1023
        if lower >= beta or lower == upper:
            return lower
        if upper <= alpha:
            return upper
    search.budget -= 1
    if search.budget < 0:
        raise TooDeep
    value = _best_lead(
        search, leader, hand, left, rest, alpha if alpha > lower else lower, beta if beta < upper else upper
    )
    if value <= alpha:
        upper = value
    elif value >= beta:
        lower = value
    else:
        lower = upper = value
    search.known[key] = lower << 10 | upper
    return value


def _best_lead(search: Search, leader: int, hand: int, left: int, rest: int, alpha: int, beta: int) -> int:
    """The value between tricks, card by card: masters first, then from below."""
    ours = search.mine >> leader & 1
    others = left & ~hand
    moves = hand & ~(hand & hand << 1 & _NEXT | hand & hand << 2 & _NEXT_BUT_ONE & ~(others << 1))
    masters = 0
    for suit in range(4):
        own = moves & SUIT[suit]
        if own > others & SUIT[suit]:
            masters |= 1 << (own.bit_length() - 1)
    value = -1 if ours else MOST
    due = search.seats
    while moves:
        if masters:
            card = masters.bit_length() - 1
            masters ^= 1 << card
        else:
            card = (moves & -moves).bit_length() - 1
        moves ^= 1 << card
        found = _after(search, leader, due, -1, -1, leader, 0, 0, left, rest, card, alpha, beta)
        if ours:
            if found > value:
                value = found
                if value > alpha:
                    alpha = value
        elif found < value:
            value = found
            if value < beta:
                beta = value
        if alpha >= beta:
            break
    return value


def _masters_only(hand: int, left: int) -> bool:
    """Whether a hand on lead takes every trick: others have no trump, and no card of its suits is above one of its."""
    others = left & ~hand
    if others & TRUMPS:
        own = hand & TRUMPS
        if not own or own & -own < others & TRUMPS:
            return False
        # Trumps above all others: each takes a trick, but others keep trumps to ruff the plain cards with.
        if hand & ~TRUMPS:
            return False
    for suit in range(3):
        own = hand & SUIT[suit]
        if own and own & -own < others & SUIT[suit]:
            return False
    return True
