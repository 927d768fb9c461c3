"""What holds in every match, seen over random matches of every form."""

import random

import pytest

from belot_engine.audit import audit
from belot_engine.cards import PACK_MASK, cards_of
from belot_engine.errors import Clause, Reason, Violation
from belot_engine.events import BelaAnnounced, CardPlayed, DealScored, HandDealt, LineKind, MatchEnded, TrickWon
from belot_engine.match import apply, legal_actions, needs
from belot_engine.play import beats, best_card
from belot_engine.ruleset import Ruleset, ruleset_hash
from belot_engine.rulesets import resolve
from belot_engine.state import MatchState, Phase, Play
from support.playouts import Step, every_form, random_playout, steps

_OPTIONS = [
    ("bela", {"melds": "off", "target": "501"}),
    ("bela", {"stiglja": "off", "bela_in_limit": "on"}),
    ("classic", {"litige": "fail"}),
    ("classic", {"litige": "redeal", "deals": "8"}),
    ("club", {"deals": "6"}),
]
_TABLES = [*every_form(), *(resolve(name, 4, 32, options) for name, options in _OPTIONS)]
_EACH = pytest.mark.parametrize("rules", _TABLES, ids=lambda r: f"{r.name}{r.seats}x{r.pack}-{ruleset_hash(r)[:4]}")
_SEEDS = pytest.mark.parametrize("seed", [11, 12])


@_EACH
@_SEEDS
def test_every_state_of_a_match_passes_the_audit(rules: Ruleset, seed: int) -> None:
    for step in steps(rules, random.Random(seed), seed % rules.seats):
        audit(step.applied.state)
    assert step.applied.state.phase is Phase.FINISHED


@_EACH
@_SEEDS
def test_somebody_may_always_do_something_and_never_two(rules: Ruleset, seed: int) -> None:
    for step in steps(rules, random.Random(seed)):
        state, legal = step.before, legal_actions(step.before)
        assert (needs(state) is None) != (legal is None)
        if legal is not None:
            assert legal.cards or legal.suits or legal.may_accept
            assert not legal.cards & ~state.hands[legal.seat]


@_EACH
def test_every_card_is_dealt_and_played_once(rules: Ruleset) -> None:
    played: list[int] = []
    for step in steps(rules, random.Random(21)):
        played += [event.card for event in step.applied.events if isinstance(event, CardPlayed)]
        if any(isinstance(event, DealScored) for event in step.applied.events):
            assert len(played) == len(set(played)) == rules.seats * rules.hand_size
            assert set(played) <= set(cards_of(PACK_MASK[rules.pack]))
            played = []


@_EACH
def test_the_cards_and_the_last_trick_sum_to_162(rules: Ruleset) -> None:
    kinds = (LineKind.CARDS, LineKind.LAST_TRICK, LineKind.LEFT_OUT)
    for sheet in random_playout(rules, random.Random(31)).standing.sheets:
        assert sum(sum(line.values) for line in sheet.lines if line.kind in kinds) == 162
        assert sum(sum(line.values) for line in sheet.lines if line.kind in _POINT_LINES) % 2 == 0


_POINT_LINES = (
    LineKind.CARDS,
    LineKind.LAST_TRICK,
    LineKind.LEFT_OUT,
    LineKind.MELDS,
    LineKind.BELA,
    LineKind.SWEEP,
)


@_EACH
def test_the_tricks_of_a_deal_sum_to_162(rules: Ruleset) -> None:
    left_out = rules.pack > rules.seats * rules.hand_size
    points = 0
    for step in steps(rules, random.Random(41)):
        points += sum(event.points for event in step.applied.events if isinstance(event, TrickWon))
        if any(isinstance(event, DealScored) for event in step.applied.events):
            assert points <= 162 if left_out else points == 162
            points = 0


def _duty_is_real(state: MatchState, card: int, clause: Clause) -> bool:
    """Whether a clause is true of a card: the duty exists, a card meets it, and this one does not."""
    hand, trump, led = state.hands[state.turn or 0], state.trump or 0, state.trick[0] >> 3
    held, best = cards_of(hand), best_card(trump, state.trick)
    has_led = any(other >> 3 == led for other in held)
    better = any(beats(trump, other, best) and other >> 3 == card >> 3 for other in held)
    below = better and not beats(trump, card, best)
    return {
        Clause.MUST_FOLLOW: has_led and card >> 3 != led,
        Clause.MUST_BEAT: led != trump and card >> 3 == led and below,
        Clause.MUST_RISE_IN_TRUMP: led == trump and card >> 3 == trump and below,
        Clause.MUST_TRUMP: not has_led and card >> 3 != trump and any(other >> 3 == trump for other in held),
        Clause.MUST_OVERTRUMP: not has_led and card >> 3 == trump and below,
    }[clause]


def _check_refusals(step: Step) -> int:
    state, legal = step.before, legal_actions(step.before)
    assert legal is not None
    refused = state.hands[legal.seat] & ~legal.cards
    for card in cards_of(refused):
        with pytest.raises(Violation) as refusal:
            apply(state, legal.seat, Play(card))
        assert refusal.value.reason is Reason.ILLEGAL_CARD
        assert refusal.value.legal == legal.cards
        assert refusal.value.clause is not None
        assert _duty_is_real(state, card, refusal.value.clause)
    return refused.bit_count()


@_EACH
def test_every_illegal_card_is_refused_with_a_true_clause(rules: Ruleset) -> None:
    refused = 0
    for step in steps(rules, random.Random(51)):
        if step.before.phase is Phase.PLAYING:
            refused += _check_refusals(step)
    assert refused > 0


@_EACH
def test_no_event_shows_a_hand_to_another_seat(rules: Ruleset) -> None:
    for step in steps(rules, random.Random(61)):
        for event in step.applied.events:
            assert (event.seat is not None) == isinstance(event, HandDealt)


@_EACH
def test_the_result_ranks_the_totals_of_the_sheets(rules: Ruleset) -> None:
    end = random_playout(rules, random.Random(71))
    result = end.result
    assert result is not None
    totals = tuple(sum(values) for values in zip(*(sheet.scores for sheet in end.standing.sheets), strict=True))
    assert result.totals == totals
    if result.winner is not None:
        assert result.ranks[result.winner] == 1
        assert totals[result.winner] == max(totals)


@_EACH
def test_the_same_seed_plays_the_same_match(rules: Ruleset) -> None:
    first, second = ([step.applied for step in steps(rules, random.Random(81))] for _ in range(2))
    assert first == second


@_EACH
def test_bela_is_announced_exactly_where_it_is_scored(rules: Ruleset) -> None:
    announced = 0
    for step in steps(rules, random.Random(91)):
        announced += sum(isinstance(event, BelaAnnounced) for event in step.applied.events)
        for event in step.applied.events:
            if isinstance(event, DealScored):
                scored = any(line.kind is LineKind.BELA for line in event.sheet.lines)
                lost = any(line.kind in (LineKind.SWEEP, LineKind.PENALTY) for line in event.sheet.lines)
                assert scored == bool(announced) or lost
                announced = 0
    assert isinstance(step.applied.events[-1], MatchEnded)
