"""Which cards may be played, which card wins, and which duty an illegal card breaks.

All functions take the cards on the table in the order of play and the hand of the seat to act as a mask.
"""

from collections.abc import Sequence

from belot_engine.cards import BEATERS, CARDS, POINTS, SUIT_MASK
from belot_engine.errors import Clause
from belot_engine.ruleset import Ruleset


def _risers(beat_plain: str, trump: int) -> tuple[int, ...]:
    duty_in_plain = beat_plain == "until_ruffed"
    return tuple(BEATERS[trump][best] if duty_in_plain or best >> 3 == trump else 0 for best in range(CARDS))


#: RISERS[beat_plain][trump][best]: the cards that must be played in place of others of their suit when ``best`` is
#: winning: of the led suit for who holds it, else of trumps. No card of a plain suit beats a trump, so that the duty
#: to beat is gone once a plain trick is ruffed.
RISERS: dict[str, tuple[tuple[int, ...], ...]] = {
    beat_plain: tuple(_risers(beat_plain, trump) for trump in range(4)) for beat_plain in ("never", "until_ruffed")
}


def beats(trump: int, card: int, best: int) -> bool:
    """Whether a card takes the trick from the best one on the table so far."""
    return bool(BEATERS[trump][best] >> card & 1)


def best_card(trump: int, trick: Sequence[int]) -> int:
    """The card that is winning; the trick has at least one card."""
    beaters = BEATERS[trump]
    best = trick[0]
    for card in trick:
        if beaters[best] >> card & 1:
            best = card
    return best


def trick_winner(trump: int, trick: Sequence[int]) -> int:
    """Place in the trick, 0 for the leader, of the card that is winning."""
    return trick.index(best_card(trump, trick))


def trick_points(trump: int, trick: Sequence[int]) -> int:
    """Points of the cards of a trick, without those for the last one."""
    table = POINTS[trump]
    points = 0
    for card in trick:
        points += table[card]
    return points


def legal_mask(ruleset: Ruleset, trump: int, trick: Sequence[int], hand: int) -> int:
    """The cards of a hand that may be played now: never empty for a hand that is not."""
    if not trick:
        return hand
    best = led = trick[0]
    if len(trick) > 1:
        beaters = BEATERS[trump]
        for card in trick:
            if beaters[best] >> card & 1:
                best = card
    due = hand & SUIT_MASK[led >> 3]
    if not due:
        due = hand & SUIT_MASK[trump]
        if not due or (ruleset.ruff == "unless_partner" and _partner_wins(ruleset.seats, trick, best)):
            return hand
    return due & RISERS[ruleset.beat_plain][trump][best] or due


def _partner_wins(seats: int, trick: Sequence[int], best: int) -> bool:
    return seats == 4 and len(trick) >= 2 and trick[-2] == best


def broken_clause(trump: int, trick: Sequence[int], hand: int, card: int) -> Clause:
    """The duty broken by a card that is held and not legal."""
    suit = trick[0] >> 3
    if hand & SUIT_MASK[suit]:
        if card >> 3 != suit:
            return Clause.MUST_FOLLOW
        return Clause.MUST_RISE_IN_TRUMP if suit == trump else Clause.MUST_BEAT
    return Clause.MUST_OVERTRUMP if card >> 3 == trump else Clause.MUST_TRUMP
