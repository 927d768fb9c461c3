"""Any position judged: which cards may be played, which duty each other one breaks, who would allow it elsewhere."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from belot_engine.cards import CARDS, PACK_MASK, SUITS, cards_of
from belot_engine.errors import Clause, InputError
from belot_engine.play import broken_clause, legal_mask
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import forms_of, resolve, ruleset_names


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement on one card of a hand.

    ``clause`` is the duty that the card breaks, None when it may be played; ``allowed_by`` names the other published
    rulesets that would allow it at a table of as many seats, in the order in which they are listed.
    """

    card: int
    legal: bool
    clause: Clause | None
    allowed_by: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """A position judged: the mask of the legal cards, a verdict on every card that is not, in ascending order, and
    one on the card that was asked about, None when none was."""

    legal: int = field(repr=False)
    refused: tuple[Verdict, ...] = field(repr=False)
    asked: Verdict | None = field(repr=False)


def explain(ruleset: Ruleset, trump: int, trick: Sequence[int], hand: int, card: int | None = None) -> Explanation:
    """Judge a position: trump suit, the cards on the table in order of play, the hand (a mask) of the seat to act.

    Raises InputError naming ``trump``, ``table``, ``hand`` or ``card`` for a position that no deal leads to as far as
    it shows by itself, or a card that is not in the hand.
    """
    check_position(ruleset, trump, trick, hand)
    if card is not None and not (0 <= card < CARDS and hand >> card & 1):
        raise InputError("card", "the card is not in the hand")
    legal = legal_mask(ruleset, trump, trick, hand)
    elsewhere = [(name, legal_mask(other, trump, trick, hand)) for name, other in _others(ruleset)]

    def verdict(of: int) -> Verdict:
        allowed = bool(legal >> of & 1)
        clause = None if allowed else broken_clause(trump, trick, hand, of)
        return Verdict(of, allowed, clause, tuple(name for name, mask in elsewhere if mask >> of & 1))

    return Explanation(
        legal=legal,
        refused=tuple(verdict(other) for other in cards_of(hand & ~legal)),
        asked=None if card is None else verdict(card),
    )


def check_position(ruleset: Ruleset, trump: int, trick: Sequence[int], hand: int) -> None:
    """Whether a seat can be to act in this position. Raises InputError."""
    if not 0 <= trump < len(SUITS):
        raise InputError("trump", "no such suit")
    pack, seen = PACK_MASK[ruleset.pack], 0
    if len(trick) >= ruleset.seats:
        raise InputError("table", f"at most {ruleset.seats - 1} cards are on the table when a seat is to act")
    for card in trick:
        if not (0 <= card < CARDS and pack >> card & 1):
            raise InputError("table", "a card is not of this pack")
        if seen >> card & 1:
            raise InputError("table", "a card is named twice")
        seen |= 1 << card
    if hand <= 0 or hand & ~pack:
        raise InputError("hand", "the hand is empty" if hand == 0 else "a card is not of this pack")
    if hand & seen:
        raise InputError("hand", "a card is on the table and in the hand")
    if hand.bit_count() > ruleset.hand_size:
        raise InputError("hand", f"a hand has at most {ruleset.hand_size} cards")


def _others(ruleset: Ruleset) -> list[tuple[str, Ruleset]]:
    """The other published rulesets that are played by as many seats, each in the first such form."""
    found = []
    for name in ruleset_names():
        packs = [form.pack for form in forms_of(name) if form.seats == ruleset.seats]
        if name != ruleset.name and packs:
            found.append((name, resolve(name, ruleset.seats, packs[0], {})))
    return found
