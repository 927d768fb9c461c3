"""The easy bot, exactly: it is also what a timeout plays."""

import random

import pytest

from belot_bot.policy import choose
from belot_bot.view import SeatView, seat_view
from belot_engine.match import legal_actions
from belot_engine.notation import parse_card, parse_hand
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Accept, Action, Choose, LegalActions, Pass, Play
from support.playouts import every_form, steps

CLUB = resolve("club", 4, 32, {})


def position(hand: str, legal: LegalActions, trump: str | None = None, up_card: str | None = None) -> SeatView:
    return SeatView(
        rules=CLUB,
        seat=legal.seat,
        dealer=3,
        hand=parse_hand(hand),
        up_card=None if up_card is None else parse_card(up_card),
        bids=(),
        declarer=None if trump is None else 0,
        trump=None if trump is None else "CDHS".index(trump),
        tricks=(),
        trick=(),
        legal=legal,
    )


def decision(view: SeatView) -> Action:
    return choose(view, "easy", b"")


@pytest.mark.parametrize(
    ("trump", "legal", "played"),
    [
        ("H", "AC KD QS", "QS"),  # points first
        ("H", "9H JC", "JC"),  # nine of trumps 14, plain jack 2
        ("H", "9C 8D", "8D"),  # no points: rank
        ("H", "7S 8C", "7S"),  # rank before suit
        ("H", "7S 7D 7C", "7C"),  # then suit C D H S
        ("H", "8H 8S", "8H"),  # a trump is no different
        ("C", "JC AC", "AC"),  # jack of trumps 20, ace 11
        ("D", "TS KS", "KS"),
    ],
)
def test_the_lowest_legal_card_is_played_by_points_then_rank_then_suit(trump: str, legal: str, played: str) -> None:
    view = position(f"{legal} AS", LegalActions(0, cards=parse_hand(legal)), trump)
    assert decision(view) == Play(parse_card(played))


def test_it_passes_whenever_it_may_even_with_the_best_hand() -> None:
    hand = "JH 9H AH TH KH"
    assert decision(position(hand, LegalActions(0, may_pass=True, may_accept=True), up_card="QH")) == Pass()
    assert decision(position(hand, LegalActions(0, may_pass=True, suits=(0, 1, 2, 3)))) == Pass()


def test_forced_it_names_the_suit_with_most_points_in_hand_counted_as_trumps() -> None:
    hand = "9C KC AD TD QS"  # clubs 18, diamonds 21, spades 3
    assert decision(position(hand, LegalActions(0, suits=(0, 1, 2, 3)))) == Choose(1)
    assert decision(position(hand, LegalActions(0, suits=(0, 2, 3)))) == Choose(0)


def test_forced_between_equal_suits_it_names_the_first_of_clubs_diamonds_hearts_spades() -> None:
    assert decision(position("JD JS 7C", LegalActions(0, suits=(0, 1, 2, 3)))) == Choose(1)
    assert decision(position("7D 8S 7C", LegalActions(0, suits=(1, 2, 3)))) == Choose(1)


def test_forced_to_accept_it_accepts() -> None:
    assert decision(position("7C", LegalActions(0, may_accept=True), up_card="7D")) == Accept()


@pytest.mark.parametrize("level", ["easy", "normal"])
@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
def test_any_level_decides_legally_and_the_same_way_again_in_any_position(level: str, rules: Ruleset) -> None:
    for step in steps(rules, random.Random(f"legal {rules.name} {rules.seats} {rules.pack}")):
        legal = legal_actions(step.before)
        if legal is None:
            continue
        view = seat_view(step.before, legal)
        action = choose(view, level, b"\x01" * 32)
        assert action == choose(view, level, b"\x01" * 32)
        match action:
            case Play(card):
                assert legal.cards >> card & 1
            case Choose(suit):
                assert suit in legal.suits
            case Accept():
                assert legal.may_accept
            case _:
                assert legal.may_pass
