"""A deal as it was played, card by card: from the cards in order to the figures that scoring takes. Pure."""

from dataclasses import dataclass, field

from belot_engine.cards import PACK_MASK
from belot_engine.deal_end import deal_outcome
from belot_engine.errors import InputError
from belot_engine.outcome import DealOutcome
from belot_engine.play import trick_winner
from belot_engine.ruleset import Ruleset
from belot_engine.state import Trick


@dataclass(frozen=True, slots=True)
class Played:
    """A whole deal: who dealt and declared (seats), the trump suit, every card in order of play."""

    dealer: int
    declarer: int
    trump: int
    cards: tuple[int, ...] = field(repr=False)


def outcome_of(ruleset: Ruleset, deal: Played) -> DealOutcome:
    """The figures of a played deal: points, tricks, melds and bela by side.

    Whether each card was legal is not asked: what lay on the table is scored. Raises InputError naming ``dealer``,
    ``declarer`` or ``cards``.
    """
    _check(ruleset, deal)
    seats = ruleset.seats
    hands, tricks = [0] * seats, []
    leader = (deal.dealer + 1) % seats
    for start in range(0, len(deal.cards), seats):
        cards = deal.cards[start : start + seats]
        for place, card in enumerate(cards):
            hands[(leader + place) % seats] |= 1 << card
        winner = (leader + trick_winner(deal.trump, cards)) % seats
        tricks.append(Trick(leader, cards, winner))
        leader = winner
    return deal_outcome(ruleset, deal.dealer, deal.declarer, deal.trump, tuple(tricks), tuple(hands))


def _check(ruleset: Ruleset, deal: Played) -> None:
    for name, seat in (("dealer", deal.dealer), ("declarer", deal.declarer)):
        if not 0 <= seat < ruleset.seats:
            raise InputError(name, "no such seat")
    due = ruleset.seats * ruleset.hand_size
    if len(deal.cards) != due:
        raise InputError("cards", f"a deal has {due} cards in play")
    if len(set(deal.cards)) != due:
        raise InputError("cards", "a card is played twice")
    if any(not PACK_MASK[ruleset.pack] >> card & 1 for card in deal.cards):
        raise InputError("cards", "a card is not of this pack")
