"""The normal bot's judgement, position by position, and that it beats the easy one."""

import pytest

from belot_bot.arena import duplicate_deal, figure
from belot_bot.bidding import hand_worth
from belot_bot.easy import choose as easy
from belot_bot.normal import choose as normal
from belot_bot.policy import choose
from belot_bot.view import SeatView
from belot_engine.cards import SUITS
from belot_engine.notation import parse_card, parse_cards, parse_hand
from belot_engine.play import legal_mask
from belot_engine.rulesets import resolve
from belot_engine.state import Accept, Action, Choose, LegalActions, Pass, Play

HEARTS = 2


def card_position(
    hand: str, trick: str = "", name: str = "classic", declarer: int = 1, up_card: str | None = None
) -> SeatView:
    """Seat 0 is to play in the first trick, hearts are trumps."""
    rules = resolve(name, 4, 32, {})
    cards, table = parse_hand(hand), parse_cards(trick)
    return SeatView(
        rules=rules,
        seat=0,
        dealer=(-len(table) - 1) % 4,
        hand=cards,
        up_card=None if up_card is None else parse_card(up_card),
        bids=(),
        declarer=declarer,
        trump=HEARTS,
        tricks=(),
        trick=table,
        legal=LegalActions(0, cards=legal_mask(rules, HEARTS, table, cards)),
    )


def played(view: SeatView) -> str:
    action = choose(view, "normal", b"")
    assert isinstance(action, Play)
    return "789TJQKA"[action.card & 7] + SUITS[action.card >> 3]


def bid(hand: str, legal: LegalActions, name: str = "classic", up_card: str | None = None) -> Action:
    view = SeatView(
        rules=resolve(name, 4, 32, {}),
        seat=0,
        dealer=3,
        hand=parse_hand(hand),
        up_card=None if up_card is None else parse_card(up_card),
        bids=(),
        declarer=None,
        trump=None,
        tricks=(),
        trick=(),
        legal=legal,
    )
    return choose(view, "normal", b"")


def test_a_ten_is_given_to_the_partners_ace_as_last_to_play() -> None:
    assert played(card_position("TC 7C 8C 9D JD QS KS 8D", trick="9C AC JC")) == "TC"


def test_the_lowest_card_goes_to_opponents_who_take_the_trick() -> None:
    assert played(card_position("TC 7C KC 9D JD QS KS 8D", trick="AC 9C JC")) == "7C"


def test_the_partner_is_not_overtaken_when_he_has_the_trick() -> None:
    assert played(card_position("AC 7C 8D 9D JD QS KS 8S", trick="JC TC 9C")) != "7C"
    assert played(card_position("9H JH 7D 8D 9D QS KS 8S", trick="7C AC 8C")) not in {"9H", "JH"}


def test_a_rich_trick_of_the_opponents_is_ruffed_with_the_lowest_trump_that_takes_it() -> None:
    assert played(card_position("JH 9H 7H 8D 9D QS KS 8S", trick="AC 7C TC")) == "7H"


def test_an_ace_is_led_before_a_low_card_by_defenders() -> None:
    assert played(card_position("AC 7C 8D 9D JD QS KS 8S")) == "AC"


def test_a_declarer_with_the_best_trumps_draws_the_others() -> None:
    assert played(card_position("JH 9H AH 8D 9D QS KS 8S", declarer=0)) in {"JH", "9H", "AH"}


def test_a_strong_hand_accepts_and_a_weak_one_passes() -> None:
    options = LegalActions(0, may_pass=True, may_accept=True)
    assert bid("JH 9H AC AD 7S", options, up_card="AH") == Accept()
    assert bid("7C 8D 9D QS KS", options, up_card="7H") == Pass()


def test_the_best_suit_is_named_and_forced_the_least_bad_one() -> None:
    assert bid("JC 9C AC AD TD", LegalActions(0, may_pass=True, suits=(0, 1, 3)), up_card="7H") == Choose(0)
    assert bid("7C 8C 7D JS 8S", LegalActions(0, suits=(0, 1, 3)), up_card="7H") == Choose(3)


def test_where_the_last_cards_come_unseen_it_takes_more_to_choose() -> None:
    hand = "JH 9H 7C 8D 9D QS"
    assert hand_worth(parse_hand(hand), HEARTS) < 105
    assert bid(hand, LegalActions(0, may_pass=True, suits=(0, 1, 2, 3)), name="bela") == Pass()


@pytest.mark.parametrize(
    ("name", "seats", "pack"), [("club", 4, 32), ("club", 3, 24), ("bela", 4, 32), ("classic", 4, 32)]
)
def test_normal_beats_easy_on_duplicate_deals_beyond_chance(name: str, seats: int, pack: int) -> None:
    rules = resolve(name, seats, pack, {})
    found = figure(duplicate_deal(rules, normal, easy, b"duel", number).card_points for number in range(100))
    assert found.mean - found.half_width > 0, found
