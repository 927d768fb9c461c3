"""What a seat knows of the other hands from its own cards and what was played."""

from dataclasses import dataclass

from belot_bot.view import SeatView
from belot_engine.cards import BEATERS, PACK_MASK, SUIT_MASK, mask_of
from belot_engine.play import best_card


@dataclass(frozen=True, slots=True)
class Memory:
    """What is left and where it can be, one entry a seat where it is a tuple.

    ``unseen`` cards are in other hands or out of play; ``possible`` are those of them a seat can still hold, ``sure``
    those it holds for certain; ``sizes`` how many cards it holds.
    """

    unseen: int
    possible: tuple[int, ...]
    sure: tuple[int, ...]
    sizes: tuple[int, ...]

    def lacks(self, seat: int, wanted: int) -> float:
        """The chance that a seat holds none of the wanted cards, its hand being any of those it can have."""
        if self.sure[seat] & wanted:
            return 0.0
        possible = self.possible[seat]
        hidden = possible.bit_count()
        due = self.sizes[seat] - self.sure[seat].bit_count()
        chance = 1.0
        for _ in range((possible & wanted).bit_count()):
            if hidden <= due:
                return 0.0
            chance *= 1.0 - due / hidden
            hidden -= 1
        return chance


def remember(view: SeatView) -> Memory:
    """All a careful player knows when it is his turn to play a card."""
    rules, trump = view.rules, view.trump or 0
    tricks = [(trick.leader, trick.cards) for trick in view.tricks]
    tricks.append(((view.seat - len(view.trick)) % rules.seats, view.trick))
    played = mask_of(card for _, cards in tricks for card in cards)
    unseen = PACK_MASK[rules.pack] & ~played & ~view.hand
    lacking = [0] * rules.seats
    sizes = [rules.hand_size - len(view.tricks)] * rules.seats
    for leader, cards in tricks:
        for place, card in enumerate(cards):
            if place:
                lacking[(leader + place) % rules.seats] |= _lacking(view, trump, cards[:place], card)
    for place in range(len(view.trick)):
        sizes[(tricks[-1][0] + place) % rules.seats] -= 1
    turned = 0 if view.up_card is None else (1 << view.up_card) & unseen
    return Memory(
        unseen=unseen,
        possible=tuple(0 if seat == view.seat else unseen & ~turned & ~lacking[seat] for seat in range(rules.seats)),
        sure=tuple(turned if seat == view.declarer else 0 for seat in range(rules.seats)),
        sizes=tuple(sizes),
    )


def _lacking(view: SeatView, trump: int, before: tuple[int, ...], card: int) -> int:
    """The cards that a seat cannot have had when it played this one to the cards before it."""
    suit, led, best = card >> 3, before[0] >> 3, best_card(trump, before)
    # What beats the best card in the suit that was played; nothing where the card itself beats it.
    higher = 0 if BEATERS[trump][best] >> card & 1 else BEATERS[trump][best] & SUIT_MASK[suit]
    if suit == led:
        due = suit == trump or (view.rules.beat_plain == "until_ruffed" and best >> 3 == led)
        return higher if due else 0
    if suit == trump:
        return SUIT_MASK[led] | higher
    free = view.rules.ruff == "unless_partner" and view.rules.seats == 4 and len(before) >= 2 and before[-2] == best
    return SUIT_MASK[led] if free else SUIT_MASK[led] | SUIT_MASK[trump]
