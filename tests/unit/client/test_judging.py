"""What the client holds against the dealer: hands and their places, and fallbacks that come too early."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from belot_client.judging import EARLY_MS, told_too_early
from belot_client.judging_cards import check_hands
from belot_client.witness import Witness
from belot_fair.bodies import Body, Hand, RoundChosen
from belot_fair.drand import FALLBACK_AFTER_MS, time_of
from belot_fair.evidence import LearntRound
from belot_fair.report import Verdict
from belot_fair.story import Story, story_of
from support.proofs import DEVELOPMENT, Plan, played

PLANS = [Plan(), Plan("bela", passed_out=2), Plan("club", seats=2, pack=24), Plan("club", seats=3), Plan("club")]
CLUB = played(Plan("club", seats=2)).events
FELL_BACK = played(Plan(development=True, fallback=True)).events
CHOSEN_MS, ROUND = next((event.time_ms, event.body.round) for event in FELL_BACK if isinstance(event.body, RoundChosen))
LIMIT = time_of(DEVELOPMENT, ROUND) + FALLBACK_AFTER_MS


@pytest.mark.parametrize("plan", PLANS, ids=[f"{plan.ruleset} {plan.seats} {plan.pack}" for plan in PLANS])
def test_hands_of_an_honest_match_are_as_the_deal_map_says(plan: Plan) -> None:
    point = check_hands(story_of(played(plan).events), Witness())
    assert point.verdict is Verdict.PROVEN


def changed(change: Callable[[Hand], Body]) -> Story:
    """A match of club in which the dealer said other things of its hands."""
    events = [replace(each, body=change(each.body)) if isinstance(each.body, Hand) else each for each in CLUB]
    return story_of(events)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda hand: replace(hand, hand=hand.hand + 1), "Hand 1 was dealt where hand 0 was due"),
        (lambda hand: replace(hand, hand=hand.hand * 2), "Hand 2 was dealt where hand 1 was due"),
        (lambda hand: replace(hand, stage=hand.stage + 1), "Hand 0, stage 1 was dealt out of turn"),
        (lambda hand: replace(hand, hand=0), "was dealt out of turn"),
        (lambda hand: replace(hand, positions=hand.positions[1:]), "cards went to other seats"),
        (
            lambda hand: replace(hand, positions=tuple((at, 1 - to if to < 2 else to) for at, to in hand.positions)),
            "dealt as if seat 1 were the dealer; by what was bound it is seat 0",
        ),
    ],
)
def test_hands_that_break_the_rule_are_named(change: Callable[[Hand], Body], said: str) -> None:
    point = check_hands(changed(change), Witness())
    assert point.verdict is Verdict.FAILED
    assert said in point.sentence


def test_the_seat_that_deals_is_the_one_that_follows_from_the_opening() -> None:
    assert check_hands(story_of(CLUB), Witness(dealers=((0, 0), (1, 1)))).verdict is Verdict.PROVEN
    point = check_hands(story_of(CLUB), Witness(dealers=((0, 0), (1, 0))))
    assert point.sentence == "Seat 0 deals hand 1; by the first dealer that was bound it is seat 1."


def test_another_declarer_means_other_places() -> None:
    """In club the cards dealt last depend on who took the deal."""
    hands = [each.body for each in CLUB if isinstance(each.body, Hand) and each.body.stage == 1]
    verdicts = {check_hands(story_of(CLUB), Witness(declarers=((hands[0].hand, seat),))).verdict for seat in (0, 1)}
    assert verdicts == {Verdict.PROVEN, Verdict.FAILED}


@pytest.mark.parametrize(
    ("round_ms", "fallback_ms", "early"),
    [
        (CHOSEN_MS, LIMIT, False),
        (CHOSEN_MS, LIMIT - EARLY_MS, False),
        (CHOSEN_MS, LIMIT - EARLY_MS - 1, True),
        (CHOSEN_MS - 600_000, LIMIT - 600_000, False),  # a clock ten minutes slow
        (CHOSEN_MS + 600_000, LIMIT + 600_000, False),  # and fast
        (LIMIT, LIMIT, False),  # messages that waited
    ],
)
def test_a_fallback_is_too_early_by_clock_and_stopwatch_or_not_at_all(
    round_ms: int, fallback_ms: int, early: bool
) -> None:
    witness = Witness(round=LearntRound(ROUND, round_ms), fallback=LearntRound(ROUND, fallback_ms))
    assert bool(told_too_early(witness, story_of(FELL_BACK), DEVELOPMENT)) is early
