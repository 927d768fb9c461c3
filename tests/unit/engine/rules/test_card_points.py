"""The order and the points of the cards, as the page has them: strongest first."""

from itertools import pairwise

import pytest

from belot_engine.cards import PACK_MASK, RANKS, card_points, mask_points
from belot_engine.events import MeldKind
from belot_engine.melds import melds_of
from belot_engine.notation import parse_card, parse_hand
from belot_engine.play import beats
from belot_engine.rulesets import resolve

_TRUMP = [("J", 20), ("9", 14), ("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("8", 0), ("7", 0)]
_PLAIN = [("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2), ("9", 0), ("8", 0), ("7", 0)]


@pytest.mark.parametrize("suit", range(4))
@pytest.mark.parametrize(("order", "as_trump"), [(_TRUMP, True), (_PLAIN, False)])
def test_every_row_of_the_table(suit: int, order: list[tuple[str, int]], as_trump: bool) -> None:
    trump = suit if as_trump else (suit + 1) % 4
    cards = [8 * suit + RANKS.index(rank) for rank, _ in order]
    assert [card_points(trump, card) for card in cards] == [points for _, points in order]
    for stronger, weaker in pairwise(cards):
        assert beats(trump, stronger, weaker)
        assert not beats(trump, weaker, stronger)


def test_a_trump_suit_is_worth_62_and_a_plain_one_30() -> None:
    assert (sum(points for _, points in _TRUMP), sum(points for _, points in _PLAIN)) == (62, 30)


@pytest.mark.parametrize("pack", [32, 24])
def test_a_pack_is_worth_152_and_with_the_last_trick_162(pack: int) -> None:
    assert {mask_points(trump, PACK_MASK[pack]) for trump in range(4)} == {152}
    assert all(resolve(name, 4, 32, {}).last_trick == 10 for name in ("club", "bela", "classic", "announces"))


def test_the_lowest_trump_beats_the_highest_plain_card() -> None:
    assert beats(2, parse_card("7H"), parse_card("AC"))


def test_a_run_goes_by_its_own_order_ace_king_queen_jack_ten() -> None:
    for hand in ("QH KH AH", "JH QH KH", "TH JH QH", "9H TH JH", "8H 9H TH", "7H 8H 9H"):
        (run,) = melds_of(resolve("bela", 4, 32, {}), 0, parse_hand(hand))
        assert (run.kind, run.length, run.cards) == (MeldKind.RUN, 3, parse_hand(hand))
