"""A match as it is applied action by action: what is asked for, what is refused, how it ends."""

import random
from dataclasses import replace

import pytest

from belot_engine.errors import BadDeal, EngineError, Reason, Violation
from belot_engine.events import (
    CardPlayed,
    CardsLeftOut,
    Contract,
    DealScored,
    DealStarted,
    HandDealt,
    MatchEnded,
    Outcome,
    ScoreSheet,
    TrickWon,
)
from belot_engine.match import apply, legal_actions, needs, start
from belot_engine.notation import parse_card, parse_hand
from belot_engine.ruleset import OUT, Ruleset
from belot_engine.rulesets import resolve
from belot_engine.scoring import fresh_standing, match_result, result_after, standing_after
from belot_engine.state import Accept, Action, Choose, Deal, MatchState, Pass, Phase, Play, Standing
from support.playouts import deal_from, pack_of_hands, random_action, shuffled, steps, to_play

_BELA = resolve("bela", 4, 32, {})
_CLASSIC = resolve("classic", 4, 32, {})
#: Seat 1 leads; hearts are trumps.
_HANDS = ["7C 8C 9C TC JD QD KD 7H", "JC QC 7D 8D 9D TD JH 8S", "KC AC AD 7S 9S TS 8H 9H", "JS QS KS AS TH QH KH AH"]


def _playing() -> MatchState:
    return to_play(_BELA, pack_of_hands(_BELA, 0, 1, _HANDS), [Choose(2)]).state


def _refusal(state: MatchState, seat: int | None, action: Action) -> Violation:
    with pytest.raises(Violation) as refusal:
        apply(state, seat, action)
    return refusal.value


def test_a_match_begins_with_cards_to_ask_for() -> None:
    state = start(_CLASSIC, 3)
    need = needs(state)
    assert need is not None
    assert (need.hand_number, need.stage, len(need.places)) == (0, 0, 21)
    assert (state.phase, state.dealer, state.turn) == (Phase.AWAITING_CARDS, 3, None)
    assert legal_actions(state) is None


def test_a_dealer_without_a_seat_is_refused() -> None:
    for dealer in (-1, 4):
        with pytest.raises(EngineError):
            start(_BELA, dealer)


def test_a_hand_is_told_to_its_seat_alone() -> None:
    state = start(_BELA, 0)
    pack = shuffled(random.Random(1), 32)
    events = apply(state, None, deal_from(state, pack)).events
    assert events[0] == DealStarted(0, 0)
    hands = [event for event in events if isinstance(event, HandDealt)]
    assert [event.seat for event in hands] == [0, 1, 2, 3]
    assert hands[1].cards == (pack[0], pack[1], pack[2], pack[12], pack[13], pack[14])


@pytest.mark.parametrize("fault", ["missing", "extra", "twice", "other position", "same card", "unknown card"])
def test_cards_that_were_not_asked_for_are_refused(fault: str) -> None:
    state = start(_BELA, 0)
    good = deal_from(state, range(32)).cards
    faulty = {
        "missing": good[:-1],
        "extra": (*good, (31, 31)),
        "twice": (*good[:-1], good[0]),
        "other position": (*good[:-1], (31, 31)),
        "same card": (*good[:-1], (good[-1][0], good[0][1])),
        "unknown card": (*good[:-1], (good[-1][0], 32)),
    }[fault]
    with pytest.raises(BadDeal):
        apply(state, None, Deal(faulty))


def test_a_card_already_out_is_not_dealt_again() -> None:
    state = start(_CLASSIC, 0)
    pack = list(range(32))
    chosen = apply(apply(state, None, deal_from(state, pack)).state, 1, Accept()).state
    for known in (pack[0], pack[20]):
        again = list(pack)
        again[31] = known
        with pytest.raises(BadDeal):
            apply(chosen, None, deal_from(chosen, again))


def test_sevens_are_not_of_the_small_pack() -> None:
    state = start(resolve("club", 4, 24, {}), 0)
    with pytest.raises(BadDeal):
        apply(state, None, deal_from(state, range(24)))


def test_a_card_out_of_turn_is_refused() -> None:
    assert [_refusal(_playing(), seat, Play(0)).reason for seat in (0, 2, None, 9)] == [Reason.NOT_YOUR_TURN] * 4


def test_a_card_not_held_is_refused_with_the_legal_ones() -> None:
    refusal = _refusal(_playing(), 1, Play(parse_card("AH")))
    assert (refusal.reason, refusal.clause) == (Reason.CARD_NOT_HELD, None)
    assert refusal.legal == parse_hand(_HANDS[1])


@pytest.mark.parametrize("card", [-1, 32, 10**9])
def test_a_card_that_is_none_is_refused(card: int) -> None:
    assert _refusal(_playing(), 1, Play(card)).reason is Reason.UNKNOWN_CARD


def test_an_action_of_another_phase_is_refused() -> None:
    playing = _playing()
    assert _refusal(playing, 1, Pass()).reason is Reason.WRONG_PHASE
    assert _refusal(playing, None, Deal(())).reason is Reason.WRONG_PHASE
    begun = start(_BELA, 0)
    assert _refusal(begun, 1, Play(0)).reason is Reason.WRONG_PHASE
    assert _refusal(begun, 1, Choose(0)).reason is Reason.WRONG_PHASE
    assert _refusal(begun, 1, deal_from(begun, range(32))).reason is Reason.NOT_YOUR_TURN


def test_a_refusal_changes_nothing() -> None:
    state = _playing()
    before = replace(state)
    _refusal(state, 1, Play(parse_card("AH")))
    assert state == before


def test_the_winner_of_a_trick_leads_the_next_one() -> None:
    state = _playing()
    for text in ("JC", "AC", "TH"):
        state = apply(state, state.turn, Play(parse_card(text))).state
    applied = apply(state, 0, Play(parse_card("TC")))
    won = TrickWon(3, tuple(map(parse_card, ("JC", "AC", "TH", "TC"))), 2 + 11 + 10 + 10, False)
    assert applied.events == (CardPlayed(0, parse_card("TC")), won)
    assert (applied.state.turn, applied.state.trick) == (3, ())


def test_a_deal_is_scored_with_its_last_trick_and_the_next_dealer_follows() -> None:
    for step in steps(_BELA, random.Random(4)):
        scored = [event for event in step.applied.events if isinstance(event, DealScored)]
        if scored:
            break
    (event,) = scored
    last = next(event for event in step.applied.events if isinstance(event, TrickWon))
    assert last.last
    assert (event.sheet.hand_number, step.applied.state.hand_number, step.applied.state.dealer) == (0, 1, 1)
    assert step.applied.state.standing.sheets == (event.sheet,)


def test_cards_left_out_are_shown_when_the_deal_ends() -> None:
    rules = resolve("club", 2, 24, {})
    asked = False
    for step in steps(rules, random.Random(4)):
        need = needs(step.before)
        asked = need is not None and need.stage == 2
        if asked:
            break
    assert asked
    assert need is not None
    assert {seat for _, seat in need.places} == {OUT}
    shown, scored = step.applied.events[:2]
    assert isinstance(shown, CardsLeftOut)
    assert len(shown.cards) == 6
    assert isinstance(scored, DealScored)


def _standing(rules: Ruleset, totals: tuple[int, ...], deals: int = 5) -> Standing:
    return replace(fresh_standing(rules, len(totals)), totals=totals, deals=deals)


@pytest.mark.parametrize(
    ("totals", "winner"),
    [((1001, 900), 0), ((1000, 900), None), ((1003, 1005), 1), ((1005, 1005), None), ((0, 1200), 1)],
)
def test_a_match_ends_when_one_side_is_past_the_target_and_ahead(totals: tuple[int, ...], winner: int | None) -> None:
    result = result_after(_BELA, _standing(_BELA, totals))
    assert (None if result is None else result.winner) == winner


def test_a_number_of_deals_ends_the_match_and_level_is_a_draw() -> None:
    rules = resolve("bela", 4, 32, {"deals": "5"})
    assert result_after(rules, _standing(rules, (2000, 5), deals=4)) is None
    won = result_after(rules, _standing(rules, (300, 305)))
    drawn = result_after(rules, _standing(rules, (300, 300)))
    assert won is not None
    assert drawn is not None
    assert (won.outcome, won.winner, won.ranks) == (Outcome.WON, 1, (2, 1))
    assert (drawn.outcome, drawn.winner, drawn.ranks) == (Outcome.DRAWN, None, (1, 1))


def test_level_sides_share_a_rank() -> None:
    rules = resolve("club", 3, 32, {})
    assert match_result(_standing(rules, (40, 110, 40)), Outcome.WON, 1).ranks == (2, 1, 2)
    assert match_result(_standing(rules, (50, 50, 40)), Outcome.DRAWN, None).ranks == (1, 1, 3)


def test_a_cancelled_deal_is_no_scored_deal() -> None:
    before = fresh_standing(_CLASSIC, 2)
    sheet = ScoreSheet(0, 0, 0, Contract.CANCELLED, (), (0, 0), (0, 0), 0, (0, 0), 1000, 0)
    assert standing_after(before, sheet).deals == 0
    assert standing_after(before, replace(sheet, contract=Contract.MADE)).deals == 1


def test_nothing_happens_after_the_end() -> None:
    rules = resolve("club", 4, 32, {"deals": "1"})
    for step in steps(rules, random.Random(9)):
        end = step.applied
    assert isinstance(end.events[-1], MatchEnded)
    assert end.events[-1].result == end.state.result
    assert (needs(end.state), legal_actions(end.state)) == (None, None)
    for action in (Pass(), Play(0), Deal(())):
        assert _refusal(end.state, None, action).reason is Reason.WRONG_PHASE


def test_the_dealer_moves_on_with_every_hand_passed_out_ones_too() -> None:
    rules = resolve("classic", 4, 32, {"deals": "3"})
    rng = random.Random(3)
    state, pack = start(rules, 2), shuffled(rng, 32)
    passed_out = 0
    while state.phase is not Phase.FINISHED:
        assert state.dealer == (2 + state.hand_number) % 4
        if state.phase is Phase.AWAITING_CARDS:
            state = apply(state, None, deal_from(state, pack)).state
        elif state.phase is Phase.BIDDING and state.hand_number % 2 == 0:
            passed_out += len(state.bids) == 7
            state = apply(state, state.turn, Pass()).state
        else:
            state = apply(state, *random_action(state, rng)).state
    assert passed_out == 3
    assert (state.standing.deals, state.hand_number) == (3, 5)


def test_no_repr_shows_a_hand() -> None:
    state = start(_BELA, 0)
    deal = deal_from(state, range(32))
    applied = apply(state, None, deal)
    shown = repr((deal, applied, legal_actions(applied.state), _playing(), legal_actions(_playing())))
    hidden = [*applied.state.hands, *_playing().hands]
    assert not any(str(hand) in shown for hand in hidden)
    assert "cards" not in shown
    assert "hands" not in shown
