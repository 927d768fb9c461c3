"""Claims of the remaining tricks: whether one is certain from what the claimant has seen, and from nothing else.

Certain means that the claimant's side takes every remaining trick in every line of play, whatever anybody plays, the
claimant included, and wherever the unseen cards are. What other seats really hold is no argument of anything here: an
answer that depended on it would tell of it.

The search looks for one line that loses a trick. A card that a seat does not show is wherever it can be until somebody
plays it; playing it says, as at the table, which cards that seat does not hold, and the rest must still fit the hands.
Cards that are neighbours in rank and may be in the same hands are tried once. What was *not* shown in a contest of
melds is not weighed (see inference.py), which refuses some claims and accepts none wrongly.
"""

from collections.abc import Sequence
from typing import Final

from belot_engine.cards import BEATERS, PLAIN_ORDER, SUIT_MASK, TRUMP_ORDER, cards_of, side_of
from belot_engine.errors import InputError
from belot_engine.inference import Knowledge, Seen, know, lacking_after
from belot_engine.play import best_card, legal_mask, trick_winner

#: Plays that a judgement may try; about 10 µs each. It may grow in later versions and never shrink: a claim that was
#: accepted once is judged again whenever its match is verified.
NODES: Final = 2_000

#: The cards of a suit from the lowest up, as trumps and as a plain suit.
_TRUMPS, _PLAIN = (
    tuple(tuple(sorted(range(8 * suit, 8 * suit + 8), key=lambda card: order[card & 7])) for suit in range(4))
    for order in (TRUMP_ORDER, PLAIN_ORDER)
)


def is_certain(seen: Seen, nodes: int = NODES) -> bool:
    """Whether a seat that is to lead takes, with its side, all the tricks that are left, in every line there is.

    Never true where some line loses; where ``nodes`` plays do not settle it, false. False also for a seat that is not
    to lead, and where nothing fits what was seen.
    """
    if seen.trick or seen.leader != seen.seat or not seen.hand:
        return False
    try:
        known = know(seen)
    except InputError:
        return False
    return not _Search(seen, known, nodes).loses(seen.seat, seen.hand, (*known.possible, known.out), known.unseen)


class _Search:
    """Looks for a line that loses a trick, with so many plays left to try.

    Where nobody knows better, ``holders`` are masks of what each seat may hold, by seat (the claimant's own is 0), and
    last of what may be out of play; ``unseen`` are all those cards.
    """

    __slots__ = ("_groups", "_left", "_order", "_others", "_ours", "_out", "_rules", "_safe", "_seat", "_trump")

    def __init__(self, seen: Seen, known: Knowledge, nodes: int) -> None:
        seats = seen.ruleset.seats
        self._rules, self._trump, self._seat = seen.ruleset, seen.trump, seen.seat
        self._ours = tuple(side_of(seat, seats) == side_of(seen.seat, seats) for seat in range(seats))
        self._others = tuple(seat for seat in range(seats) if seat != seen.seat)
        self._out = known.out_size
        self._order = tuple((_TRUMPS if suit == seen.trump else _PLAIN)[suit] for suit in range(4))
        places = (*self._others, seats)
        self._groups = tuple(
            tuple(place for bit, place in enumerate(places) if group >> bit & 1) for group in range(2 ** len(places))
        )
        self._left = nodes
        self._safe: set[tuple[int, ...]] = set()

    def loses(self, leader: int, hand: int, holders: tuple[int, ...], unseen: int) -> bool:
        """Whether a trick may be lost from here, where the leader of the next one is of the claimant's side."""
        position = (leader, hand, *holders)
        if not hand or position in self._safe or self._unbeatable(leader, hand, holders):
            return False
        if self._line(leader, (), hand, holders, unseen):
            return True
        self._safe.add(position)
        return False

    def _unbeatable(self, leader: int, hand: int, holders: tuple[int, ...]) -> bool:
        """Whether no opponent can ever beat what is led: a test that costs nothing, and settles most claims."""
        partner = opponents = 0
        for seat in self._others:
            if self._ours[seat]:
                partner = holders[seat]
            else:
                opponents |= holders[seat]
        if leader == self._seat and not self._beaters(hand) & (opponents | partner):
            return True
        return not self._beaters(hand | partner) & opponents

    def _beaters(self, cards: int) -> int:
        """The cards that beat at least one of these when it is led."""
        beaters, found = BEATERS[self._trump], 0
        for card in cards_of(cards):
            found |= beaters[card]
        return found

    def _line(self, seat: int, trick: tuple[int, ...], hand: int, holders: tuple[int, ...], unseen: int) -> bool:
        """Whether a line loses from the middle of a trick, where this seat is to play."""
        self._left -= 1
        if self._left < 0:
            return True
        seats = self._rules.seats
        if len(trick) == seats:
            winner = (seat + trick_winner(self._trump, trick)) % seats
            return not self._ours[winner] or self.loses(winner, hand, holders, unseen)
        following = (seat + 1) % seats
        if seat == self._seat:
            cards = self._tried(legal_mask(self._rules, self._trump, trick, hand), hand, holders, trick, 1)
            cards = cards if trick else self._weakest_first(cards, holders)
            return any(self._line(following, (*trick, card), hand ^ 1 << card, holders, unseen) for card in cards)
        behind = sum((seat + step) % seats != self._seat for step in range(1, seats - len(trick)))
        cards = self._tried(holders[seat], hand, holders, trick, behind + 1)
        if not trick:
            cards = self._weakest_first(cards, holders)
        elif not self._ours[seat]:
            beaters = BEATERS[self._trump][best_card(self._trump, trick)]
            cards.sort(key=lambda card: not beaters >> card & 1)
        for card in cards:
            lacking = lacking_after(self._rules, self._trump, trick, card) if trick else 0
            gone = ~(1 << card)
            after = tuple(
                [mask & gone & ~lacking if place == seat else mask & gone for place, mask in enumerate(holders)]
            )
            now = (*trick, card)
            if self._fits(seat, now, hand, after, unseen & gone) and self._line(
                following, now, hand, after, unseen & gone
            ):
                return True
        return False

    def _weakest_first(self, cards: list[int], holders: tuple[int, ...]) -> list[int]:
        """Cards to lead, first those that most cards of opponents can beat: a line that loses is found soon."""
        beaters, opponents = BEATERS[self._trump], 0
        for seat in self._others:
            opponents |= 0 if self._ours[seat] else holders[seat]
        return sorted(cards, key=lambda card: -(beaters[card] & opponents).bit_count())

    def _fits(self, seat: int, trick: tuple[int, ...], hand: int, holders: tuple[int, ...], unseen: int) -> bool:
        """Whether the unseen cards can be dealt out so that every hand has its number, after this seat has played."""
        seats = self._rules.seats
        claimant_played = (seat - self._seat) % seats < len(trick)
        tricks = hand.bit_count() + claimant_played
        rooms = [tricks - ((seat - other) % seats < len(trick)) for other in range(seats)]
        rooms.append(self._out)
        for group in self._groups:
            elsewhere, room = unseen, 0
            for place in group:
                elsewhere &= ~holders[place]
                room += rooms[place]
            # The cards of which none can be in this group have to go into the others.
            if elsewhere.bit_count() > unseen.bit_count() - room:
                return False
        return True

    def _tried(self, cards: int, hand: int, holders: tuple[int, ...], trick: Sequence[int], hidden: int) -> list[int]:
        """Of the cards a seat may play those worth trying, from the lowest up.

        Neighbours that may be in the same hands differ only by which of them is higher, and only while so many
        ``hidden`` seats, this one included, may still play one of them to this trick.
        """
        present = hand
        for mask in holders:
            present |= mask
        for card in trick:
            present |= 1 << card
        found: list[int] = []
        for suit, order in enumerate(self._order):
            if not cards & SUIT_MASK[suit]:
                continue
            alike: list[int] = []
            last: list[bool] = []
            for card in order:
                if not present >> card & 1:
                    continue
                where = [mask >> card & 1 == 1 for mask in holders]
                if not cards >> card & 1 or where != last:
                    found += _some(alike, hidden)
                    alike = []
                if cards >> card & 1:
                    alike.append(card)
                    last = where
            found += _some(alike, hidden)
        return found


def _some(alike: list[int], hidden: int) -> list[int]:
    """The lowest, one between and the highest of neighbours, as many of them as can matter."""
    if hidden < 2 or len(alike) < 2:
        return alike[:1]
    return [alike[0], alike[-1]] if hidden == 2 or len(alike) == 2 else [alike[0], alike[1], alike[-1]]
