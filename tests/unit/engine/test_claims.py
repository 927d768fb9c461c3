"""Claims of the remaining tricks, held against every distribution and every line of play."""

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import pytest

from belot_engine.audit import audit
from belot_engine.cards import cards_of, mask_of, side_of
from belot_engine.claims import is_certain
from belot_engine.deal_notation import deal_text, parse_deal
from belot_engine.deal_state import line_of, state_of
from belot_engine.errors import AuditBreach, NotationError, Reason, Violation
from belot_engine.events import BelaAnnounced, DealScored, LineKind, MeldsShown, ScoreSheet, TricksClaimed
from belot_engine.inference import Seen, know, seen_by
from belot_engine.match import apply, needs, start
from belot_engine.notation import parse_card
from belot_engine.play import legal_mask, trick_winner
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Action, Applied, Claim, Deal, MatchState, Phase, Play
from support.distributions import distributions
from support.playouts import every_form, random_action, shuffled, steps

FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]
#: Enough plays to settle any ending that is small enough for brute force.
PLENTY = 1_000_000


def endings(rules: Ruleset, seed: str, tricks_left: int) -> Iterator[MatchState]:
    """The moments of random matches at which somebody leads with so many tricks left."""
    rng = random.Random(seed)
    while True:
        for step in steps(rules, rng):
            state = step.before
            leads = state.phase is Phase.PLAYING and not state.trick
            if leads and state.turn is not None and state.hands[state.turn].bit_count() == tricks_left:
                yield state


def loses(rules: Ruleset, trump: int, side: int, hands: list[int], leader: int, trick: tuple[int, ...] = ()) -> bool:
    """Whether some line of play from these hands loses the side a trick: every legal card is tried."""
    seats = rules.seats
    if len(trick) == seats:
        winner = (leader + trick_winner(trump, trick)) % seats
        if side_of(winner, seats) != side:
            return True
        return any(hands) and loses(rules, trump, side, hands, winner)
    seat = (leader + len(trick)) % seats
    for card in cards_of(legal_mask(rules, trump, trick, hands[seat])):
        after = [hand ^ 1 << card if seat == other else hand for other, hand in enumerate(hands)]
        if loses(rules, trump, side, after, leader, (*trick, card)):
            return True
    return False


def certain_by_brute_force(seen: Seen) -> bool:
    """Every distribution, every line."""
    side, seats = side_of(seen.seat, seen.ruleset.seats), seen.ruleset.seats
    return not any(
        loses(seen.ruleset, seen.trump, side, list(hands[:seats]), seen.seat)
        for hands in distributions(seen, know(seen))
    )


@pytest.mark.parametrize("rules", FORMS)
@pytest.mark.parametrize(("tricks_left", "many"), [(2, 80), (3, 5)])
def test_a_claim_is_certain_when_no_line_against_any_distribution_loses(
    rules: Ruleset, tricks_left: int, many: int
) -> None:
    seed = f"exact {rules.name} {rules.seats} {rules.pack} {tricks_left}"
    print("seed", seed)
    found = []
    for state in islice(endings(rules, seed, tricks_left), many):
        seen = seen_by(state, state.turn or 0)
        found.append(certain_by_brute_force(seen))
        assert is_certain(seen, PLENTY) == found[-1], deal_text(line_of(state))
        assert not is_certain(seen) or found[-1], deal_text(line_of(state))
    assert False in found
    assert True in found or tricks_left == 3


@pytest.mark.parametrize("rules", FORMS)
def test_a_certain_claim_scores_as_the_cards_would_whatever_is_played(rules: Ruleset) -> None:
    seed = f"scores {rules.name} {rules.seats} {rules.pack}"
    print("seed", seed)
    rng, checked = random.Random(seed), 0
    for tricks_left in (2, 3, 4):
        for state in islice(endings(rules, f"{seed} {tricks_left}", tricks_left), 60):
            if not is_certain(seen_by(state, state.turn or 0)):
                continue
            claimed, pack = apply(state, state.turn, Claim()), shuffled(rng, rules.pack)
            audit(claimed.state)
            played = apply(state, *random_action(state, rng))
            assert sheet_of(claimed, pack) == sheet_of(played, pack, rng), deal_text(line_of(state))
            checked += 1
    assert checked > 5


def sheet_of(applied: Applied, pack: tuple[int, ...], rng: random.Random | None = None) -> ScoreSheet:
    """The sheet of the deal that is under way, its tricks played at random; what is left out comes as it may."""
    while True:
        for event in applied.events:
            if isinstance(event, DealScored):
                return event.sheet
        state = applied.state
        if state.phase is Phase.AWAITING_CARDS:
            held = mask_of(card for trick in state.tricks for card in trick.cards)
            for hand in state.claim.hands if state.claim else ():
                held |= hand
            out = iter(card for card in sorted(pack) if not held >> card & 1)
            need = needs(state)
            assert need is not None
            applied = apply(state, None, Deal(tuple((position, next(out)) for position, _ in need.places)))
        else:
            assert rng is not None
            applied = apply(state, *random_action(state, rng))


@pytest.mark.parametrize("rules", FORMS)
def test_the_seats_that_are_not_seen_have_no_say(rules: Ruleset) -> None:
    seed = f"say {rules.name} {rules.seats} {rules.pack}"
    print("seed", seed)
    for state in islice(endings(rules, seed, 2), 20):
        seat, refusals = state.turn or 0, set()
        seen = seen_by(state, seat)
        for hands in islice(distributions(seen, know(seen)), 40):
            other = replace(state, hands=hands[: rules.seats])
            if seen_by(other, seat) != seen:  # melds would have been shown then
                continue
            refusals.add(refusal_of(other, seat, Claim()))
        assert len(refusals) == 1


def refusal_of(state: MatchState, seat: int | None, action: Action) -> tuple[object, ...] | None:
    """Everything that a refusal says, None when the action is done."""
    try:
        apply(state, seat, action)
    except Violation as violation:
        return violation.reason, violation.message, violation.clause, violation.legal
    return None


CERTAIN = [
    # All trumps.
    "classic 4x32 | dealer 0 | up 7H | trump H by 1 | hands {C} / {H} / {D} / {S}",
    # The highest trumps, and aces that nobody can ruff any more: six of eight trumps are gone.
    "bela 4x32 | dealer 3 | trump H by 0 | tricks 0: JH 8H 7H QH, 0: 9H 7C TH 8C, 0: AH 7D 9C 8D"
    " | hands KH AC AD AS TS / JC 9D TD JD QD / TC QC KC KD 7S / 8S 9S JS QS KS",
]
NOT_CERTAIN = [
    # One higher trump is not seen, wherever it is.
    "classic 4x32 | dealer 0 | up 7H | trump H by 1 | hands {C} / 7H 8H 9H TH QH KH AH AS / 7S JH 9D TD JD QD KD AD"
    " / 8S 9S TS JS QS KS 7D 8D",
    # The same, and it is the partner's.
    "classic 4x32 | dealer 0 | up 7H | trump H by 1 | hands {C} / 7H 8H 9H TH QH KH AH AS / 8S 9S TS JS QS KS 7D 8D"
    " / 7S JH 9D TD JD QD KD AD",
    # Two aces; the last trump is out of play, which nobody knows.
    "club 2x24 | dealer 1 | up JH | trump H by 0"
    " | tricks 0: JH QH, 0: 9H KH, 0: AC 9C, 0: TC JC, 0: KC QC, 0: AD 9D, 0: TD JD | hands AH AS / KS QS",
]


def state_from(line: str) -> MatchState:
    """The state of a line; ``{C}`` stands for all cards of a suit."""
    suits = {suit: " ".join(rank + suit for rank in "789TJQKA") for suit in "CDHS"}
    return state_of(parse_deal(line.format(**suits)))


@pytest.mark.parametrize("line", CERTAIN)
def test_a_claim_that_no_card_can_beat_is_certain(line: str) -> None:
    state = state_from(line)
    assert refusal_of(state, state.turn, Claim()) is None


@pytest.mark.parametrize("line", NOT_CERTAIN)
def test_a_claim_that_some_card_may_beat_is_refused(line: str) -> None:
    state = state_from(line)
    refusal = refusal_of(state, state.turn, Claim())
    assert refusal == (Reason.CLAIM_NOT_CERTAIN, "from what you have seen a trick can still be lost", None, 0)
    assert refusal_of(state, state.turn, Claim(agreed=True)) is None


def test_a_claim_is_refused_though_the_real_hands_would_lose_nothing() -> None:
    state = state_from(NOT_CERTAIN[2])
    assert not loses(state.ruleset, 2, 0, list(state.hands), 0)
    assert refusal_of(state, 0, Claim()) is not None


def test_a_claim_is_made_in_turn_and_before_a_card_is_led() -> None:
    state = state_from(CERTAIN[0])
    for agreed in (False, True):
        for seat in (0, 2, 3, None):
            assert refusal_of(state, seat, Claim(agreed))[0] is Reason.NOT_YOUR_TURN  # type: ignore[index]
        led = apply(state, 1, Play(parse_card("7H"))).state
        assert refusal_of(led, 2, Claim(agreed))[0] is Reason.WRONG_PHASE  # type: ignore[index]
    dealing = start(state.ruleset, 0)
    assert refusal_of(dealing, 0, Claim())[0] is Reason.WRONG_PHASE  # type: ignore[index]


def test_a_claim_of_all_tricks_is_a_capot_and_the_belote_counts() -> None:
    applied = apply(state_from(CERTAIN[0]), 1, Claim())
    claim, bela, scored = applied.events
    assert claim == TricksClaimed(1, False, 8, 162, tuple(0xFF << 8 * suit for suit in (0, 2, 1, 3)))
    assert bela == BelaAnnounced(1)
    assert isinstance(scored, DealScored)
    assert scored.sheet.scores == (0, 252 + 20)
    assert (applied.state.hand_number, applied.state.claim) == (1, None)


def test_a_claim_of_all_tricks_is_a_stiglja() -> None:
    line = CERTAIN[0].replace("classic", "bela").replace(" | up 7H", "")
    sheet = sheet_of(apply(state_from(line), 1, Claim()), ())
    # Runs of eight are worth 100 each, but the trump run is higher than none of the same length: seat 1 comes first.
    assert sheet.scores == (0, 162 + 90 + 20 + 200)


def test_king_and_queen_of_trumps_count_when_one_of_them_is_played() -> None:
    state = state_from(
        "bela 4x32 | dealer 3 | trump H by 0 | tricks 0: KH 8H 7H JS | hands JH 9H AH TH QH 8C 9C"
        " / 7C TC JC 7D 8D 9D TD / QC KC AC JD QD KD AD / 7S 8S 9S TS QS KS AS"
    )
    applied = apply(state, 0, Claim(agreed=True))
    assert BelaAnnounced(0) in applied.events
    assert {line.kind: line.values for line in sheet_of(applied, ()).lines}[LineKind.BELA] == (20, 0)
    announced = apply(replace(state, ruleset=resolve("classic", 4, 32, {})), 0, Claim(agreed=True))
    assert BelaAnnounced(0) not in announced.events


def test_melds_are_shown_by_a_claim_before_the_first_trick_is_played() -> None:
    state = state_from(CERTAIN[0].replace("classic", "club"))
    events = apply(state, 1, Claim()).events
    assert [type(event) for event in events] == [TricksClaimed, BelaAnnounced, MeldsShown, DealScored]


def test_with_three_players_the_claimant_alone_takes_and_what_is_left_out_is_his() -> None:
    state = state_from(
        "club 3x32 | dealer 2 | up JH | trump H by 0"
        " | hands 7H 8H 9H TH JH QH KH AH AS TS / {C} 7D 8D / 9D TD JD QD KD AD 7S 8S 9S KS"
    )
    applied = apply(state, 0, Claim())
    assert applied.state.phase is Phase.AWAITING_CARDS
    audit(applied.state)
    assert state_of(parse_deal(deal_text(line_of(applied.state)))) == applied.state
    sheet = sheet_of(applied, tuple(range(32)))
    assert {line.kind: line.values for line in sheet.lines}[LineKind.LEFT_OUT] == (5, 0, 0)
    assert sheet.scores[1:] == (-10, -10)


def test_a_claim_is_written_and_read_back() -> None:
    line = (
        "classic 4x32 | dealer 0 | up 7H | trump H by 1 | claim 1 agreed | hands 7C 8C 9C TC JC QC KC AC"
        " / 7H 8H 9H TH JH QH KH AH / 7D 8D 9D TD JD QD KD AD / 7S 8S 9S TS JS QS KS AS | over"
    )
    assert deal_text(parse_deal(line)) == line
    for wrong in ("claim 2", "claim 1 gladly", "claim", "claim 4", "claim 1 | table 1: 7H"):
        with pytest.raises(NotationError):
            parse_deal(line.replace("claim 1 agreed", wrong))


def test_a_state_that_a_claim_cannot_lead_to_is_noticed() -> None:
    state = apply(state_from(NOT_CERTAIN[2]), 0, Claim(agreed=True)).state
    audit(state)
    claim = state.claim
    assert claim is not None
    for broken in (
        replace(claim, player=1),
        replace(claim, tricks=3),
        replace(claim, points=1),
        replace(claim, hands=(0, 0)),
    ):
        with pytest.raises(AuditBreach):
            audit(replace(state, claim=broken))
    with pytest.raises(AuditBreach):
        audit(replace(state, hands=claim.hands))


def test_what_few_plays_do_not_settle_is_refused_and_never_accepted_wrongly() -> None:
    rules, refused = resolve("bela", 4, 32, {}), 0
    print("seed budget")
    for state in islice(endings(rules, "budget", 2), 300):
        seen = seen_by(state, state.turn or 0)
        certain = is_certain(seen, PLENTY)
        for nodes in (0, 3, 30):
            assert certain or not is_certain(seen, nodes)
        refused += certain and not is_certain(seen, 3)
    assert refused > 0


def test_what_cannot_have_been_seen_is_not_certain() -> None:
    seen = seen_by(state_from(CERTAIN[0]), 1)
    assert is_certain(seen)
    assert not is_certain(replace(seen, leader=2))
    assert not is_certain(replace(seen, hand=0))
    assert not is_certain(replace(seen, hand=seen.hand & seen.hand - 1))
