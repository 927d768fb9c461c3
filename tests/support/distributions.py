"""Every way the cards that one seat does not see can lie, the slow way: what clever knowledge is held against."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from belot_engine.cards import BELA_MASK, cards_of, mask_of
from belot_engine.inference import Knowledge, Seen
from belot_engine.play import legal_mask


def distributions(seen: Seen, known: Knowledge) -> Iterator[tuple[int, ...]]:
    """All hands, by seat, from which everything could have been played and shown as it was; last what is out."""
    others = [other for other in range(seen.ruleset.seats) if other != seen.seat]
    for shares in shared_out(cards_of(known.unseen), [*(known.sizes[other] for other in others), known.out_size]):
        hands = [0] * seen.ruleset.seats
        hands[seen.seat] = seen.hand
        for other, hand in zip(others, shares, strict=False):
            hands[other] = hand
        if could_be(seen, hands):
            yield (*hands, shares[-1])


def shared_out(cards: Sequence[int], sizes: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every way to share out all the cards in hands of these sizes, as masks."""
    if not sizes:
        yield ()
        return
    for hand in combinations(cards, sizes[0]):
        rest = [card for card in cards if card not in hand]
        for others in shared_out(rest, sizes[1:]):
            yield (mask_of(hand), *others)


def could_be(seen: Seen, hands: Sequence[int]) -> bool:
    """Whether the cards could have been played and shown as they were from these hands: the slow way, card by card."""
    rules, held = seen.ruleset, list(hands)
    everything = [(trick.leader, trick.cards) for trick in seen.tricks] + [(seen.leader, seen.trick)]
    for leader, cards in reversed(everything):
        for place in reversed(range(len(cards))):
            seat = (leader + place) % rules.seats
            held[seat] |= 1 << cards[place]
            if seat != seen.seat and not legal_mask(rules, seen.trump, cards[:place], held[seat]) >> cards[place] & 1:
                return False
    if seen.up_card is not None and not held[seen.declarer] >> seen.up_card & 1:
        return False
    if any(meld.cards & ~held[meld.player] for meld in seen.melds):
        return False
    pair, gone = BELA_MASK[seen.trump], 0
    for seat, hand in enumerate(held):
        gone = pair & hand & ~hands[seat]
        due = gone == pair if rules.bela_announced == "second" else bool(gone)
        if (hand & pair == pair and due) != (seen.bela == seat):
            return False
    return True
