"""The expert bot: worlds that fit what the others said and played are believed in more."""

import random
from dataclasses import replace

import pytest

from belot_bot.arena import play_deal
from belot_bot.credence import credible
from belot_bot.expert import PLAN
from belot_bot.hard import decide
from belot_bot.view import SeatView
from belot_engine.events import Bid, BidKind
from belot_engine.notation import parse_card, parse_cards, parse_hand
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Action, LegalActions
from belot_engine.worlds import Chance
from support.playouts import every_form, shuffled

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]
SMALL = replace(PLAN, worlds=6, drawn=12, deals=4)


def small_expert(view: SeatView, seed: bytes) -> Action:
    """An expert of little work."""
    return decide(view, seed, SMALL)


@pytest.mark.parametrize("rules", FORMS)
def test_a_deal_is_played_by_the_rules_and_the_same_again(rules: Ruleset) -> None:
    pack = shuffled(random.Random(f"expert {rules.name} {rules.seats} {rules.pack}"), rules.pack)
    sheets = [play_deal(rules, [small_expert] * rules.seats, pack, 0, b"expert") for _ in range(2)]
    assert sheets[0] == sheets[1]


def view(bids: tuple[Bid, ...], trick: str = "") -> SeatView:
    """Seat 0 of four looks at a deal in which hearts are trumps, the seven of them turned up, and seat 3 deals."""
    return SeatView(
        rules=resolve("classic", 4, 32, {}),
        seat=0,
        dealer=3,
        hand=parse_hand("7C 8C 9C 7D 8D 9D 7S 8S"),
        up_card=parse_card("7H"),
        bids=bids,
        declarer=3,
        trump=2,
        tricks=(),
        trick=parse_cards(trick),
        legal=LegalActions(0, cards=parse_hand("7C")),
    )


def kept(of: SeatView, worlds: list[list[str]]) -> list[int]:
    """How often each world is kept of a hundred."""
    dealt = [[parse_hand(hand) for hand in world] for world in worlds]
    found = credible(of, dealt, Chance(b"kept"), replace(PLAN, worlds=100))
    return [found.count(number) for number in range(len(worlds))]


OWN = "7C 8C 9C 7D 8D 9D 7S 8S"
STRONG, WEAK, REST = "JH 9H AH TH KH AC AD AS", "8H QH JC QC JD QD JS 9S", "KC KD KS QS TC TD TS 7H"
PASS = [Bid(seat, BidKind.PASS) for seat in range(4)]


def test_who_passed_had_hardly_the_best_trumps() -> None:
    bids = (PASS[0], PASS[1], PASS[2], Bid(3, BidKind.ACCEPT, 2))
    strong_passed, strong_took = kept(view(bids), [[OWN, STRONG, WEAK, REST], [OWN, WEAK, REST, STRONG]])
    assert strong_took > 5 * strong_passed
    # Seat 2 took with the same hand in both; of seats 1 and 3 only the first has spoken.
    bids = (PASS[0], PASS[1], Bid(2, BidKind.ACCEPT, 2))
    of = replace(view(bids), declarer=2)
    strong_passed, weak_passed = kept(of, [[OWN, STRONG, REST, WEAK], [OWN, WEAK, REST, STRONG]])
    assert weak_passed > 5 * strong_passed


def test_who_gave_an_opponent_a_ten_had_hardly_a_lower_card_of_the_suit() -> None:
    # Seat 1 led the ace of clubs, seat 2 gave it the ten.
    of = replace(view((), trick="AC TC"), dealer=0, declarer=1)
    leader = "AC AD AH JH 9H KH KC KD"
    spared = [OWN, leader, "TC JC QD JD KS QS TS 8H", "QC QH TH TD AS JS 9S 7H"]
    forced = [OWN, leader, "TC QD JD KS QS TS 8H 7H", "JC QC QH TH TD AS JS 9S"]
    could_spare, had_to = kept(of, [spared, forced])
    assert had_to > could_spare


def test_without_words_and_cards_all_worlds_are_as_good() -> None:
    worlds = [
        [OWN, STRONG, WEAK, REST],
        [OWN, WEAK, REST, STRONG],
        [OWN, REST, STRONG, WEAK],
        [OWN, WEAK, STRONG, REST],
    ]
    assert kept(view(()), worlds) == [25, 25, 25, 25]
