"""Play-outs of open deals by a player of sense: what a card leads to when everybody goes on reasonably.

Every seat weighs each legal card by the trick it may win now against what it may do later, as a good club player
does, but sees who can beat a card in the trick that is being played. The last tricks may be solved exactly instead.
All cards are ranked (``ranked.py``). Nothing is checked here: a position that cannot be has no meaning.
"""

import math
from typing import Final

from belot_engine.ranked import FIRST_TRUMP, HIGHER, POINTS, SUIT, TRUMPS, Table, points_in
from belot_engine.solver import MOST, Search, value_between

#: Worths are counted in twentieths of a point.
_UNIT: Final = 20
#: Points that a seat still to play brings to a trick, on average.
_TO_COME: Final = 4 * _UNIT
#: What leading a trump is worth for each opponent who has to give one, to the declaring side; and to the other.
_DRAW: Final = 5 * _UNIT
_DEFENDERS_TRUMP_LEAD: Final = -8 * _UNIT
#: What a trump that takes a trick later takes beside its own points.
_RUFF: Final = 25
#: How likely a trump takes a trick later, in twentieths, by how many higher ones others have, and that with none left.
_TRUMP_LATER: Final = (20, 16, 14, 11)
#: The same for a plain card while others have trumps, and once they have none; the last figure for unguarded ones.
_PLAIN_LATER: Final = (14, 4, 4)
_SAFE_LATER: Final = (18, 6, 2)

#: How many cards a byte holds.
_COUNT: Final[list[int]] = [byte.bit_count() for byte in range(256)]


def _kept_trump() -> list[int]:
    """By 32 * (higher ones out, at most 3; 4: nobody else has trumps) + card."""
    chances = (*_TRUMP_LATER, 20)
    return [later * (points + _RUFF) - (20 - later) * points for later in chances for points in POINTS]


def _kept_plain() -> list[int]:
    """By 96 * (whether others have trumps) + 32 * (higher ones out; 2 for cards without a guard) + card."""
    return [(2 * later - 20) * points for row in (_SAFE_LATER, _PLAIN_LATER) for later in row for points in POINTS]


_KEPT_TRUMP: Final[list[int]] = _kept_trump()
_KEPT_PLAIN: Final[list[int]] = _kept_plain()
_NO_TRUMPS_OUT: Final = 4


class Playout:
    """A deal being played on: open hands by seat, the trick on the table, what each seat has taken so far.

    ``sides`` has the mask of a seat's side by seat, ``declaring`` is that of the declaring side. ``due`` seats are
    still to play to the trick, ``seat`` first; ``led`` is its suit (-1: nobody led), ``best`` its best card, which
    ``winner`` played, ``worth`` its points. ``left`` are all cards in hands.
    """

    __slots__ = (
        "best",
        "bonus",
        "declaring",
        "due",
        "hands",
        "led",
        "left",
        "rises",
        "seat",
        "seats",
        "sides",
        "spares",
        "taken",
        "winner",
        "worth",
    )

    def __init__(self, table: Table, sides: list[int], declaring: int, bonus: int) -> None:
        """``bonus`` is what the last trick is worth beside its cards. The position is set by ``lay``."""
        self.seats = table.seats
        self.rises = table.rises
        self.spares = table.spares
        self.sides = sides
        self.declaring = declaring
        self.bonus = bonus
        self.hands: list[int] = []
        self.taken: list[int] = []
        self.seat = self.due = self.left = self.worth = self.winner = 0
        self.led = self.best = -1


def lay(play: Playout, hands: list[int], turn: int, trick: list[int]) -> None:
    """Set the position: hands now, the seat to act, the cards on the table in order. Nobody has taken anything."""
    play.hands = hands[:]
    play.taken = [0] * play.seats
    play.left = 0
    for hand in hands:
        play.left |= hand
    play.due = play.seats
    play.seat = play.winner = (turn - len(trick)) % play.seats
    play.led = play.best = -1
    play.worth = 0
    for card in trick:
        _table(play, card)


def put(play: Playout, card: int) -> bool:
    """The seat to act plays this card; whether the deal goes on."""
    bit = 1 << card
    play.hands[play.seat] ^= bit
    play.left ^= bit
    _table(play, card)
    if play.due:
        return True
    winner = play.winner
    play.taken[winner] += play.worth
    play.seat, play.due, play.worth = winner, play.seats, 0
    play.led = play.best = -1
    if play.left:
        return True
    play.taken[winner] += play.bonus
    return False


def finish(play: Playout, solved: int, search: Search) -> None:
    """Play on to the end, from a position between tricks or within one, by sense; the last tricks by ``search``.

    ``solved`` is how many tricks are solved, for and against the seats of the search, whose hands were those of the
    same deal. What the others take of them is put down to the first of them in order of seats.
    """
    while play.left:
        if play.led < 0 and solved and _at_most(play.hands[play.seat], solved):
            _solve(play, search)
            return
        put(play, choice(play))


def _table(play: Playout, card: int) -> None:
    """A card goes on the table; the turn goes on."""
    best, seat = play.best, play.seat
    play.worth += POINTS[card]
    if play.led < 0:
        play.led = card >> 3
        play.best, play.winner = card, seat
    elif card > best and (card >> 3 == best >> 3 or card >= FIRST_TRUMP):
        play.best, play.winner = card, seat
    play.due -= 1
    seat += 1
    play.seat = 0 if seat == play.seats else seat


def _at_most(hand: int, most: int) -> bool:
    while hand and most:
        hand &= hand - 1
        most -= 1
    return not hand


def settle(play: Playout, search: Search, value: int) -> None:
    """The seats of the search take so much of all that is still to be won, the others the rest: the deal is over.

    Each side's points are put down to the first of its seats.
    """
    rest = play.worth + points_in(play.left) + play.bonus
    mine = other = 0
    while not search.mine >> mine & 1:
        mine += 1
    while search.mine >> other & 1:
        other += 1
    play.taken[mine] += value
    play.taken[other] += rest - value
    play.left = 0


def _solve(play: Playout, search: Search) -> None:
    before, search.hands = search.hands, play.hands
    rest = points_in(play.left) + play.bonus
    value = value_between(search, play.seat, play.left, rest, -1, MOST)
    search.hands = before
    settle(play, search, value)


def legal(play: Playout) -> int:
    """The cards the seat to act may play, as a mask."""
    hand, best = play.hands[play.seat], play.best
    if play.led < 0:
        return hand
    moves = hand & SUIT[play.led]
    if moves:
        if play.led == 3 or play.rises:
            higher = moves & -2 << best
            if higher:
                return higher
        return moves
    moves = hand & TRUMPS
    if not moves or (play.spares and play.winner == (play.seat + 2 & 3)):
        return hand
    higher = moves & -2 << best
    return higher if higher else moves


def choice(play: Playout) -> int:
    """The card that the seat to act plays: the one that is worth most, of equal ones that with fewest points."""
    moves = legal(play)
    if not moves & (moves - 1):
        return moves.bit_length() - 1
    stands = (
        _stands(play, play.led, play.best, play.sides[play.seat] >> play.winner & 1 == 1) if play.led >= 0 else False
    )
    drawing = _trump_lead(play) if play.led < 0 else 0
    value, chosen = -1000000, -1
    while moves:
        low = moves & -moves
        moves ^= low
        card = low.bit_length() - 1
        now = _value(play, card, stands, drawing) << 5 | 31 - POINTS[card]
        if now > value:
            value, chosen = now, card
    return chosen


def doubt(play: Playout, card: int, spread: int) -> int:
    """How unlikely this card, which the seat may play, is from a player of sense: steps of 1/64 of a natural logarithm.

    A card that seems worth less than another by ``spread`` points is less likely by 1/e. One that seems a blunder
    is counted as an error of one in fifty, because anybody may err, or know better.
    """
    moves = legal(play)
    if not moves & (moves - 1):
        return 0
    stands = (
        _stands(play, play.led, play.best, play.sides[play.seat] >> play.winner & 1 == 1) if play.led >= 0 else False
    )
    drawing = _trump_lead(play) if play.led < 0 else 0
    values = []
    while moves:
        low = moves & -moves
        moves ^= low
        values.append(_value(play, low.bit_length() - 1, stands, drawing))
    own, best, total = _value(play, card, stands, drawing), max(values), 0
    for value in values:
        total += _falling((best - value) * 64 // (_UNIT * spread))
    share = _falling((best - own) * 64 // (_UNIT * spread)) * 1024 // total
    return _DOUBT[share * 50 // 51 + 1024 // (51 * len(values))]


def _falling(steps: int) -> int:
    return _FALLING[steps] if steps < _STEPS_TO_NOTHING else 0


_STEPS_TO_NOTHING: Final = 640
_FALLING: Final[list[int]] = [round(65536 * math.exp(-steps / 64)) for steps in range(_STEPS_TO_NOTHING)]
#: By a likelihood in 1/1024.
_DOUBT: Final[list[int]] = [round(64 * math.log(1024 / max(share, 1))) for share in range(1025)]


def _value(play: Playout, card: int, stands: bool, drawing: int) -> int:
    """What playing a card is worth; ``stands`` is what becomes of the trick with a card that does not take it."""
    led, best, hand = play.led, play.best, play.hands[play.seat]
    if led < 0:
        takes = _stands(play, card >> 3, card, True)
    elif card > best and (card >> 3 == best >> 3 or card >= FIRST_TRUMP):
        takes = _stands(play, led, card, True)
    else:
        takes = stands
    now = (play.worth + POINTS[card]) * _UNIT + _TO_COME * (play.due - 1)
    if not hand & (hand - 1):
        now += play.bonus * _UNIT
    now = (now if takes else -now) - _kept(card, hand, play.left & ~hand)
    return now + drawing if card >= FIRST_TRUMP else now


def _kept(card: int, hand: int, others: int) -> int:
    """What a card may still do if it stays in the hand, others holding these cards."""
    shift = card & 24
    higher = _COUNT[(others & HIGHER[card]) >> shift]
    if shift == FIRST_TRUMP:
        row = _NO_TRUMPS_OUT if not others & TRUMPS else (higher if higher < 3 else 3)
        return _KEPT_TRUMP[row << 5 | card]
    if higher > 2 or _COUNT[hand >> shift & 255] <= higher:
        higher = 2
    return _KEPT_PLAIN[(96 if others & TRUMPS else 0) + (higher << 5 | card)]


def _stands(play: Playout, led: int, best: int, held: bool) -> bool:
    """Whether the side to play gets the trick if this is its best card and all seats to come do what they can.

    ``held`` is whether the best card is of that side.
    """
    side, at = play.sides[play.seat], play.seat
    for _ in range(play.due - 1):
        at += 1
        if at == play.seats:
            at = 0
        hand = play.hands[at]
        own = hand & SUIT[led]
        if own:
            beaters = own & HIGHER[best] if best >> 3 == led else 0
        else:
            beaters = hand & (HIGHER[best] if best >= FIRST_TRUMP else TRUMPS)
        if beaters and (side >> at & 1 == 1) != held:
            held = not held
            best = beaters.bit_length() - 1
    return held


def _without_taking(play: Playout) -> bool:
    """Whether the side to play gets the trick with a card that does not take it."""
    if play.led < 0:
        return False
    return _stands(play, play.led, play.best, play.sides[play.seat] >> play.winner & 1 == 1)


def _trump_lead(play: Playout) -> int:
    """What leading trumps is worth beside the trick: it draws those of the other side. 0 for who does not lead."""
    if play.led >= 0:
        return 0
    side = play.sides[play.seat]
    drawn = 0
    for at in range(play.seats):
        if not side >> at & 1 and play.hands[at] & TRUMPS:
            drawn += 1
    if not drawn:
        return 0
    return _DRAW * drawn if play.declaring & side else _DEFENDERS_TRUMP_LEAD
