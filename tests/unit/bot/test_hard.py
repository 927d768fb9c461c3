"""The hard bot: what it decides depends on its view and seed alone, and is worth the work."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest

from belot_bot.hard import PLAN, choose
from belot_bot.sampled_play import seen_in
from belot_bot.view import SeatView, seat_view
from belot_engine.cards import SUITS
from belot_engine.deal_end import dealt_hands
from belot_engine.errors import InputError
from belot_engine.inference import agrees_with_melds, know
from belot_engine.match import apply, legal_actions, start
from belot_engine.notation import parse_card, parse_cards, parse_hand
from belot_engine.play import legal_mask
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.solver import solve_cards
from belot_engine.state import Accept, Action, Choose, LegalActions, MatchState, Pass, Phase, Play, Trick
from support.playouts import deal_from, every_form, shuffled

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]
HEARTS = 2
SEED = bytes(range(32))


def own_deal(rules: Ruleset, name: str) -> Iterator[tuple[MatchState, LegalActions]]:
    """The turns of one deal that hard bots play."""
    pack = shuffled(random.Random(f"{name} {rules.name} {rules.seats} {rules.pack}"), rules.pack)
    state = start(rules, 0)
    while state.hand_number == 0 and state.phase is not Phase.FINISHED:
        legal = legal_actions(state)
        if legal is None:
            state = apply(state, None, deal_from(state, pack)).state
        else:
            yield state, legal
            state = apply(state, legal.seat, choose(seat_view(state, legal), SEED)).state


@pytest.mark.parametrize("rules", FORMS)
def test_a_deal_is_played_by_the_rules_and_the_same_again(rules: Ruleset) -> None:
    # An illegal action would be refused by the engine.
    first = [(state.bids, state.tricks, state.trick) for state, _ in own_deal(rules, "again")]
    assert first == [(state.bids, state.tricks, state.trick) for state, _ in own_deal(rules, "again")]
    assert len(first) > 8


@pytest.mark.parametrize("rules", FORMS)
def test_the_choice_is_the_same_whatever_the_others_hold(rules: Ruleset) -> None:
    rng = random.Random(f"blind {rules.name} {rules.seats} {rules.pack}")
    for state, legal in own_deal(rules, "blind"):
        view = seat_view(state, legal)
        if rng.random() < 0.7:
            continue
        others = [seat for seat in range(rules.seats) if seat != legal.seat]
        hands = list(state.hands)
        left, right = rng.sample(others, 2) if len(others) > 1 else (others[0], others[0])
        hands[left], hands[right] = hands[right], hands[left]
        other_cards = replace(state, hands=tuple(hands))
        blind = replace(seat_view(other_cards, legal), melds=view.melds, bela=view.bela)
        assert choose(blind, SEED) == choose(view, SEED)


@pytest.mark.parametrize("rules", FORMS)
def test_what_really_is_was_never_thought_impossible(rules: Ruleset) -> None:
    for state, legal in own_deal(rules, "truth"):
        if state.phase is Phase.PLAYING:
            seen = seen_in(seat_view(state, legal))
            known = know(seen)
            assert agrees_with_melds(seen, dealt_hands(state))
            assert all(not hand & ~known.possible[seat] for seat, hand in enumerate(state.hands) if seat != legal.seat)


def position(hand: str, trick: str = "", tricks: tuple[Trick, ...] = (), **changes: object) -> SeatView:
    """Seat 0 is to play, hearts are trumps, seat 1 declared them and has the ten that was turned up."""
    rules = resolve("classic", 4, 32, {})
    cards, table = parse_hand(hand), parse_cards(trick)
    told = {
        "rules": rules,
        "seat": 0,
        "dealer": (-len(table) - 1) % 4,
        "hand": cards,
        "up_card": parse_card("TH"),
        "bids": (),
        "declarer": 1,
        "trump": HEARTS,
        "tricks": tricks,
        "trick": table,
        "legal": LegalActions(0, cards=legal_mask(rules, HEARTS, table, cards)),
    }
    return SeatView(**(told | changes))  # type: ignore[arg-type]


def played(view: SeatView) -> str:
    """What is played with most seeds: twenty worlds are few."""
    cards: Counter[str] = Counter()
    for number in range(9):
        action = choose(view, bytes((number,)) * 32)
        assert isinstance(action, Play)
        cards["789TJQKA"[action.card & 7] + SUITS[action.card >> 3]] += 1
    return cards.most_common(1)[0][0]


def test_a_ten_is_given_to_the_partners_ace() -> None:
    assert played(position("TC 7C 8C 9D JD QS KS 8D", trick="9C AC JC")) == "TC"


def test_a_low_card_is_given_to_opponents_who_take_the_trick() -> None:
    assert played(position("TC 7C KC 9D JD QS KS 8D", trick="AC 9C JC")) == "7C"


def test_one_card_needs_no_thought() -> None:
    assert choose(position("TC 9D JD QS KS 8D 7S 8S", trick="7C AC JC"), b"") == Play(parse_card("TC"))


def test_an_ending_with_all_cards_known_is_played_perfectly() -> None:
    rules = resolve("club", 2, 24, {})
    rng, checked = random.Random("perfect"), 0
    for state, legal in (turn for deal in range(20) for turn in own_deal(rules, f"perfect {deal}")):
        if state.phase is not Phase.PLAYING or state.trump is None or legal.cards.bit_count() < 2:
            continue
        seen = seen_in(seat_view(state, legal))
        known = know(seen)
        other = 1 - legal.seat
        if known.certain[other] != state.hands[other] or state.hands[legal.seat].bit_count() > PLAN.solved:
            continue
        values = solve_cards(rules, state.trump, state.hands, legal.seat, state.trick, 1 << legal.seat)
        best = {card for card, value in values if value == max(value for _, value in values)}
        assert choose(seat_view(state, legal), rng.randbytes(32)) in {Play(card) for card in best}
        checked += 1
    assert checked > 2


def bid(hand: str, legal: LegalActions, up_card: str, name: str = "classic") -> Action:
    view = position(hand, rules=resolve(name, 4, 32, {}), declarer=None, trump=None, dealer=3, legal=legal)
    return choose(replace(view, hand=parse_hand(hand), up_card=parse_card(up_card)), SEED)


def test_a_strong_hand_accepts_and_a_weak_one_passes() -> None:
    options = LegalActions(0, may_pass=True, may_accept=True)
    assert bid("JH 9H AC AD 7S", options, up_card="AH") == Accept()
    assert bid("7C 8D 9D QS KS", options, up_card="7H") == Pass()


def test_the_best_suit_is_named() -> None:
    assert bid("JC 9C AC AD TD", LegalActions(0, suits=(0, 1, 3)), up_card="7H") == Choose(0)


def test_views_that_no_deal_leads_to_are_refused() -> None:
    wrong = [
        position("TC 7C", trick="9C AC JC"),
        position("TC 7C 8C 9D JD QS KS 8D", trick="9C AC JC", declarer=None),
        position("TC 7C 8C 9D JD QS KS 8D", trick="9C TC JC"),
        position("TC 7C 8C 9D JD QS KS 8D", tricks=(Trick(0, parse_cards("TC AC KC QC"), 1),)),
    ]
    for view in wrong:
        with pytest.raises(InputError):
            choose(view, SEED)
    with pytest.raises(InputError, match="as many cards as are due"):
        bid("JH 9H AC AD", LegalActions(0, may_pass=True, may_accept=True), up_card="AH")
