"""What a seat can know of the other hands in the middle of a deal: from the cards played, shown and its own.

A card that was played tells what was not in the hand: the duties of the ruleset are taken one by one, and each says
that certain cards were not held. Melds and bela that were shown, and the card turned up, say what is. Hand sizes do
the rest: where a group of cards has to fill a group of hands, no other card can be there. Every card that is left as
possible is in some distribution that agrees with all this, so the masks are exact.

What a meld contest tells of melds that were *not* shown is no matter of single cards and is left to who samples or
counts distributions (``agrees_with_melds``): without it there are more distributions than there need be, never fewer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from belot_engine.cards import BELA_MASK, PACK_MASK, SUIT_MASK, mask_of
from belot_engine.errors import InputError
from belot_engine.events import Meld
from belot_engine.melds import recognised
from belot_engine.play import RISERS, best_card
from belot_engine.ruleset import Ruleset
from belot_engine.shown import announced_bela, shown_melds
from belot_engine.state import MatchState, Phase, Trick


@dataclass(frozen=True, slots=True)
class Seen:
    """Everything one seat has seen of a deal whose trumps are chosen and whose hands are full or being played.

    ``hand`` are its cards now, ``trick`` those on the table in order, ``leader`` the seat that led or is to lead them;
    ``up_card`` is the card turned up, None where there is none; ``melds`` and ``bela`` (a seat) are what was shown.
    """

    ruleset: Ruleset
    seat: int
    dealer: int
    hand: int = field(repr=False)
    trump: int
    declarer: int
    up_card: int | None
    tricks: tuple[Trick, ...]
    trick: tuple[int, ...]
    leader: int
    melds: tuple[Meld, ...] = ()
    bela: int | None = None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Where the cards can be that a seat does not see, one entry a seat where it is a tuple; its own are 0.

    unseen    cards in other hands or out of play
    possible  those of them a seat may hold, ``certain`` included
    certain   those it holds in every distribution
    sizes     how many cards it holds now
    out       cards that may be out of play; none of them for certain but those that no seat may hold
    out_size  how many cards are out of play: 0 with four seats
    """

    unseen: int = field(repr=False)
    possible: tuple[int, ...] = field(repr=False)
    certain: tuple[int, ...] = field(repr=False)
    sizes: tuple[int, ...]
    out: int = field(repr=False)
    out_size: int


def seen_by(state: MatchState, seat: int) -> Seen:
    """What a seat has seen of a match in play. Raises InputError ``state`` where no cards are being played."""
    if state.phase is not Phase.PLAYING or state.trump is None or state.declarer is None or state.turn is None:
        raise InputError("state", "no cards are being played")
    return Seen(
        ruleset=state.ruleset,
        seat=seat,
        dealer=state.dealer,
        hand=state.hands[seat],
        trump=state.trump,
        declarer=state.declarer,
        up_card=state.up_card,
        tricks=state.tricks,
        trick=state.trick,
        leader=(state.turn - len(state.trick)) % state.seats,
        melds=shown_melds(state),
        bela=announced_bela(state),
    )


def know(seen: Seen) -> Knowledge:
    """All that follows from what a seat has seen.

    Raises InputError ``position`` where no distribution of the cards agrees with it.
    """
    ruleset, seats = seen.ruleset, seen.ruleset.seats
    played = played_by(seen)
    gone = mask_of(card for trick in seen.tricks for card in trick.cards) | mask_of(seen.trick)
    unseen = PACK_MASK[ruleset.pack] & ~gone & ~seen.hand
    sizes = [ruleset.hand_size - mask.bit_count() for mask in played]
    others = [seat for seat in range(seats) if seat != seen.seat]
    out_size = unseen.bit_count() - sum(sizes[seat] for seat in others)
    if sizes != _sizes(seen) or sizes[seen.seat] != seen.hand.bit_count() or seen.hand & gone or out_size < 0:
        raise InputError("position", "the hands do not have as many cards as are due")
    holders = _holders(seen, played, unseen, others)
    holders = _narrowed(
        unseen, [*holders[:-1], holders[-1] if out_size else 0], [*(sizes[at] for at in others), out_size]
    )
    possible, certain = [0] * seats, [0] * seats
    for place, seat in enumerate(others):
        elsewhere = 0
        for other in holders[:place] + holders[place + 1 :]:
            elsewhere |= other
        possible[seat], certain[seat] = holders[place], holders[place] & ~elsewhere
    return Knowledge(unseen, tuple(possible), tuple(certain), tuple(sizes), holders[-1], out_size)


def played_by(seen: Seen) -> tuple[int, ...]:
    """The cards each seat has played in this deal, as masks."""
    played = [0] * seen.ruleset.seats
    for leader, cards in _tricks(seen):
        for place, card in enumerate(cards):
            played[(leader + place) % seen.ruleset.seats] |= 1 << card
    return tuple(played)


def lacking_after(ruleset: Ruleset, trump: int, before: Sequence[int], card: int) -> int:
    """The cards that were not in the hand that played this card to those before it, at least one: exactly they."""
    led, best = before[0] >> 3, best_card(trump, before)
    suit = SUIT_MASK[card >> 3]
    risers = RISERS[ruleset.beat_plain][trump][best]
    higher = 0 if risers >> card & 1 else risers & suit
    if card >> 3 == led:
        return higher
    void = SUIT_MASK[led]
    if ruleset.seats == 4 and ruleset.ruff == "unless_partner" and len(before) >= 2 and before[-2] == best:
        return void
    return void | higher if card >> 3 == trump else void | SUIT_MASK[trump]


def agrees_with_melds(seen: Seen, dealt: Sequence[int]) -> bool:
    """Whether full hands, as they were before the first lead, are such that these melds and no others were shown."""
    ruleset = seen.ruleset
    if not ruleset.melds or (ruleset.melds_shown == "after_first_trick" and not seen.tricks):
        return True
    found = recognised(ruleset, seen.trump, dealt, (seen.dealer + 1) % ruleset.seats)
    shown = {(meld.player, meld.cards) for meld in seen.melds}
    return shown == (set() if found is None else {(meld.player, meld.cards) for meld in found.melds})


def _sizes(seen: Seen) -> list[int]:
    """How many cards each seat is to hold when everybody has played one card to every trick."""
    seats, left = seen.ruleset.seats, seen.ruleset.hand_size - len(seen.tricks)
    return [left - ((seat - seen.leader) % seats < len(seen.trick)) for seat in range(seats)]


def _tricks(seen: Seen) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Every trick with its leader, the one on the table last."""
    for trick in seen.tricks:
        yield trick.leader, trick.cards
    yield seen.leader, seen.trick


def _lacking(seen: Seen, played: Sequence[int]) -> list[int]:
    """The cards that each seat cannot hold because of what it played."""
    ruleset, trump = seen.ruleset, seen.trump
    lacking = [0] * ruleset.seats
    for leader, cards in _tricks(seen):
        for place in range(1, len(cards)):
            seat = (leader + place) % ruleset.seats
            lacking[seat] |= lacking_after(ruleset, trump, cards[:place], cards[place])
    pair = BELA_MASK[trump]
    if ruleset.bela_announced == "first":
        for seat, mask in enumerate(played):
            # Who plays one of the two and says nothing does not hold the other.
            if mask & pair and seat != seen.bela:
                lacking[seat] |= pair & ~mask
    return lacking


def _shown(seen: Seen) -> list[int]:
    """The cards that each seat is known to have had, played ones included."""
    shown = [0] * seen.ruleset.seats
    for meld in seen.melds:
        shown[meld.player] |= meld.cards
    if seen.bela is not None:
        shown[seen.bela] |= BELA_MASK[seen.trump]
    if seen.up_card is not None:
        shown[seen.declarer] |= 1 << seen.up_card
    return shown


def _holders(seen: Seen, played: Sequence[int], unseen: int, others: Sequence[int]) -> list[int]:
    """The cards that each of the others, and last those out of play, can have by what was played and shown."""
    lacking, shown = _lacking(seen, played), _shown(seen)
    sure = 0
    for seat in others:
        sure |= shown[seat] & unseen
        if shown[seat] & unseen & lacking[seat]:
            raise InputError("position", "a seat holds a card that it cannot have had")
    holders = [unseen & (shown[seat] | ~sure & ~lacking[seat]) for seat in others]
    return [*holders, unseen & ~sure]


def _narrowed(unseen: int, holders: list[int], room: list[int]) -> list[int]:
    """The cards that each holder can have once all of them have to be filled exactly.

    Where the cards that only a group of holders can have fill that group, no other card is in it. Raises InputError
    where they are too many.
    """
    groups = range(1, 1 << len(holders))
    again = True
    while again:
        again = False
        for group in groups:
            inside = outside = space = 0
            for place, mask in enumerate(holders):
                if group >> place & 1:
                    inside |= mask
                    space += room[place]
                else:
                    outside |= mask
            only = unseen & ~outside
            count = only.bit_count()
            if count > space or inside.bit_count() < space or only & ~inside:
                raise InputError("position", "no distribution of the cards agrees with it")
            if count == space:
                for place, mask in enumerate(holders):
                    if group >> place & 1 and mask & ~only:
                        holders[place] = mask & only
                        again = True
    return holders
