"""Who may say what, ruleset by ruleset, and what it leads to."""

import random

import pytest

from belot_engine.errors import Reason, Violation
from belot_engine.events import Bid, BidKind, BidMade, HandDealt, HandPassedOut, TrumpChosen, UpCardTurned
from belot_engine.match import apply, legal_actions, needs, start
from belot_engine.notation import parse_card
from belot_engine.rulesets import resolve
from belot_engine.state import Accept, Action, Choose, LegalActions, MatchState, Pass, Phase
from support.playouts import deal_from, pack_of_hands, shuffled


def _dealt(name: str, seats: int = 4, first_dealer: int = 0) -> tuple[MatchState, tuple[int, ...]]:
    rules = resolve(name, seats, 32, {})
    pack = shuffled(random.Random(5), 32)
    begun = start(rules, first_dealer)
    return apply(begun, None, deal_from(begun, pack)).state, pack


def _after_passes(state: MatchState, passes: int) -> MatchState:
    for _ in range(passes):
        state = apply(state, state.turn, Pass()).state
    return state


def _refusal(state: MatchState, action: Action) -> Violation:
    with pytest.raises(Violation) as refusal:
        apply(state, state.turn, action)
    return refusal.value


@pytest.mark.parametrize("name", ["club", "bela", "classic"])
def test_the_seat_after_the_dealer_speaks_first(name: str) -> None:
    state, _ = _dealt(name, first_dealer=2)
    assert (state.phase, state.turn) == (Phase.BIDDING, 3)


@pytest.mark.parametrize("name", ["club", "classic"])
def test_the_first_round_is_about_the_card_turned_up(name: str) -> None:
    state, _ = _dealt(name)
    assert legal_actions(state) == LegalActions(1, may_pass=True, may_accept=True)
    assert _refusal(state, Choose(0)).reason is Reason.ILLEGAL_BID


@pytest.mark.parametrize("name", ["club", "classic"])
def test_the_second_round_is_about_the_other_suits(name: str) -> None:
    state = _after_passes(_dealt(name)[0], 4)
    assert state.up_card is not None
    up_suit = state.up_card >> 3
    others = tuple(suit for suit in range(4) if suit != up_suit)
    assert legal_actions(state) == LegalActions(1, may_pass=True, suits=others)
    assert _refusal(state, Accept()).reason is Reason.ILLEGAL_BID
    assert _refusal(state, Choose(up_suit)).reason is Reason.ILLEGAL_BID


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_dealer_of_club_has_to_choose_in_the_second_round(seats: int) -> None:
    state = _after_passes(_dealt("club", seats)[0], 2 * seats - 1)
    legal = legal_actions(state)
    assert legal is not None
    assert (legal.seat, legal.may_pass, len(legal.suits)) == (0, False, 3)
    assert _refusal(state, Pass()).reason is Reason.ILLEGAL_BID


def test_bela_is_named_freely_in_one_round_and_the_dealer_has_to() -> None:
    state, _ = _dealt("bela")
    assert legal_actions(state) == LegalActions(1, may_pass=True, suits=(0, 1, 2, 3))
    last = _after_passes(state, 3)
    assert legal_actions(last) == LegalActions(0, may_pass=False, suits=(0, 1, 2, 3))
    assert _refusal(last, Pass()).reason is Reason.ILLEGAL_BID
    assert _refusal(last, Choose(4)).reason is Reason.ILLEGAL_BID


def test_classic_is_dealt_anew_by_the_next_dealer_when_all_pass_twice() -> None:
    state = _after_passes(_dealt("classic")[0], 7)
    applied = apply(state, 0, Pass())
    assert applied.events == (BidMade(Bid(0, BidKind.PASS)), HandPassedOut(0))
    moved = applied.state
    assert (moved.phase, moved.hand_number, moved.dealer, moved.bids) == (Phase.AWAITING_CARDS, 1, 1, ())
    assert moved.standing == state.standing


@pytest.mark.parametrize("name", ["club", "classic"])
def test_the_card_turned_up_goes_to_the_declarer(name: str) -> None:
    state = _after_passes(_dealt(name)[0], 1)
    up_card = state.up_card
    assert up_card is not None
    applied = apply(state, 2, Accept())
    bid = Bid(2, BidKind.ACCEPT, up_card >> 3)
    assert applied.events == (BidMade(bid), TrumpChosen(2, up_card >> 3, up_card))
    assert applied.state.hands[2] >> up_card & 1
    assert (applied.state.declarer, applied.state.trump) == (2, up_card >> 3)


def test_the_chooser_of_bela_has_not_seen_the_last_two_cards() -> None:
    state, pack = _dealt("bela")
    assert [hand.bit_count() for hand in state.hands] == [6, 6, 6, 6]
    chosen = apply(state, 1, Choose(3)).state
    need = needs(chosen)
    assert need is not None
    assert (need.hand_number, need.stage, len(need.places)) == (0, 1, 8)
    full = apply(chosen, None, deal_from(chosen, pack))
    assert [event.seat for event in full.events if isinstance(event, HandDealt)] == [0, 1, 2, 3]
    assert all(len(event.cards) == 2 for event in full.events if isinstance(event, HandDealt))
    assert full.state.turn == 1


def test_the_card_turned_up_is_shown_to_all() -> None:
    rules = resolve("club", 4, 32, {})
    pack = pack_of_hands(rules, 0, 1, ["", "7C 8C 9C TC JC QH", "", ""])
    begun = start(rules, 0)
    applied = apply(begun, None, deal_from(begun, pack))
    assert applied.events[-1] == UpCardTurned(parse_card("QH"))
    assert applied.state.up_card == parse_card("QH")


def test_a_word_out_of_turn_is_refused() -> None:
    state, _ = _dealt("bela")
    for seat in (0, 2, 3, None, 7):
        with pytest.raises(Violation) as refusal:
            apply(state, seat, Pass())
        assert refusal.value.reason is Reason.NOT_YOUR_TURN
