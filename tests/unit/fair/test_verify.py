"""The offline verifier on honest matches of every form, and what it says of them."""

from dataclasses import replace

import pytest

from belot_engine.state import Action, Pass
from belot_fair.bodies import (
    Hand,
    Revealed,
    Unknown,
)
from belot_fair.drand import QUICKNET
from belot_fair.keys import SigningKey
from belot_fair.playlog import ActionKind
from belot_fair.proof import Proof, Score, read_proof, write_proof
from belot_fair.report import Verdict
from belot_fair.verify import failed_points, verify_proof
from belot_fair.verify_plays import BotTurn
from support.proofs import (
    DEALER_KEY,
    DEVELOPMENT,
    Match,
    Plan,
    lowest,
    played,
    proof_of,
    replace_events,
    tampered,
    verdicts,
    with_log,
)

FORMS = [
    Plan("bela"),
    Plan("bela", options=(("target", "501"), ("melds", "off"))),
    Plan("classic", options=(("deals", "6"),), seed=7),
    Plan("club"),
    Plan("club", pack=24),
    Plan("club", seats=3),
    Plan("club", seats=3, pack=24),
    Plan("club", seats=2),
    Plan("club", seats=2, pack=24, options=()),
]


def lowest_bot(turn: BotTurn) -> Action | None:
    return lowest(turn.state, turn.legal)


@pytest.mark.parametrize("plan", FORMS, ids=[f"{plan.ruleset} {plan.seats}x{plan.pack}" for plan in FORMS])
def test_an_honest_match_is_proven_in_every_form(plan: Plan) -> None:
    match = played(plan)
    report = verify_proof(read_proof(write_proof(proof_of(match))), trusted_keys=(DEALER_KEY.public_key,))
    assert report.ok
    assert {name for name, verdict in verdicts(report).items() if verdict is not Verdict.PROVEN} == {
        "witness",
        "listed",
    }
    assert report.label == ""


def test_hands_that_were_passed_out_take_the_next_packs() -> None:
    match = played(Plan(passed_out=2))
    released = [event.body for event in match.events if isinstance(event.body, Hand)]
    assert [(hand.hand, hand.stage) for hand in released] == [(0, 0), (1, 0), (2, 0), (2, 1), (3, 0), (3, 1)]
    assert verify_proof(proof_of(match)).ok


def test_without_published_keys_the_keys_are_not_checked(honest: Proof) -> None:
    assert verify_proof(honest).point("keys").verdict is Verdict.NOT_CHECKED


def test_a_key_that_was_not_published_fails(honest: Proof) -> None:
    report = verify_proof(honest, trusted_keys=(SigningKey(bytes(32)).public_key,))
    assert failed_points(report) == ("keys",)


def test_a_key_that_signed_nothing_fails(honest: Proof) -> None:
    more = replace(honest, public_keys=(*honest.public_keys, SigningKey(bytes(32)).public_key))
    assert failed_points(verify_proof(more)) == ("keys",)


def test_a_match_on_the_development_chain_fails_unless_asked_for() -> None:
    proof = proof_of(played(Plan(development=True)))
    assert failed_points(verify_proof(proof)) == ("beacon chain",)
    report = verify_proof(proof, accept_chains=(QUICKNET, DEVELOPMENT))
    assert report.ok
    assert report.point("beacon chain").verdict is Verdict.NOT_PROTECTED
    assert "DEVELOPMENT" in report.label


def test_a_match_cannot_change_its_chain_afterwards(honest: Proof) -> None:
    report = verify_proof(replace(honest, chain=DEVELOPMENT), accept_chains=(QUICKNET, DEVELOPMENT))
    assert "beacon chain" in failed_points(report)


def test_a_fallback_is_not_protected_and_no_failure(fallen_back: Match) -> None:
    report = verify_proof(proof_of(fallen_back))
    assert report.ok
    assert report.point("beacon").verdict is Verdict.NOT_PROTECTED


def test_a_missed_seed_is_not_protected_and_no_failure() -> None:
    report = verify_proof(proof_of(played(Plan(missed=(2,)))))
    assert report.ok
    assert report.point("seeds").verdict is Verdict.NOT_PROTECTED


@pytest.mark.parametrize("decisions", [0, 3, 20])
def test_a_match_that_broke_off_is_proven_as_far_as_it_went(decisions: int) -> None:
    report = verify_proof(proof_of(played(Plan(most_decisions=decisions))))
    assert report.ok
    assert report.point("score").verdict is Verdict.PROVEN
    assert report.point("plays").verdict is Verdict.PROVEN


@pytest.mark.parametrize("kept", [1, 3])
def test_a_match_cancelled_before_any_card_is_opened_by_its_reveal(match: Match, kept: int) -> None:
    bare = Match(match.plan, match.events[:kept], [], [])
    unplayed = played(Plan(most_decisions=0))
    bare.state = unplayed.state
    end = unplayed.events[-1].body
    assert isinstance(end, Revealed)
    bare.say(replace(end, ending="cancelled"), bare.events[-1].time_ms)
    report = verify_proof(replace(proof_of(bare), score=Score((0, 0), "cancelled")))
    assert report.ok
    assert report.point("commitment").verdict is Verdict.PROVEN
    assert report.point("packs").verdict is Verdict.NOT_CHECKED


def test_bots_are_not_checked_without_a_policy() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    assert verify_proof(proof).point("bots").verdict is Verdict.NOT_CHECKED


def test_bots_are_proven_by_their_policy_from_their_own_views() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    turns: list[BotTurn] = []

    def policy(turn: BotTurn) -> Action | None:
        turns.append(turn)
        return lowest_bot(turn)

    assert verify_proof(proof, bot_policy=policy).point("bots").verdict is Verdict.PROVEN
    assert {(turn.level, turn.policy) for turn in turns} == {("easy", "1")}
    assert len({turn.seed for turn in turns}) >= 2
    for turn in turns:
        assert all(hand == 0 for seat, hand in enumerate(turn.state.hands) if seat != turn.seat)
        assert all(event.seat in (None, turn.seat) for event in turn.seen)


def test_a_bot_that_chose_otherwise_than_its_policy_fails() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    assert failed_points(verify_proof(proof, bot_policy=lambda _: Pass())) == ("bots",)


def test_the_fallback_of_a_bot_may_decide_for_it_and_is_counted_and_computed_again() -> None:
    match = played(Plan(bots=(1, 3)))
    late = [at for at, entry in enumerate(match.entries) if entry.seat == 1 and entry.action is ActionKind.PLAY_CARD][
        :2
    ]
    log = list(match.entries)
    for at in late:
        log[at] = replace(log[at], actor=replace(log[at].actor, policy="normal/1"))
    proof = with_log(match, log)
    report = verify_proof(proof, bot_policy=lowest_bot)
    assert report.ok
    assert " 2 of them are normal's" in report.point("bots").sentence
    otherwise = verify_proof(proof, bot_policy=lambda turn: Pass() if turn.policy == "normal/1" else lowest_bot(turn))
    assert failed_points(otherwise) == ("bots",)


def test_an_unknown_policy_version_is_not_checked() -> None:
    proof = proof_of(played(Plan(bots=(1, 3))))
    assert verify_proof(proof, bot_policy=lambda _: None).point("bots").verdict is Verdict.NOT_CHECKED


def test_an_event_of_a_later_kind_leaves_the_order_unchecked(match: Match) -> None:
    events = [*match.events[:4], replace(match.events[4], body=Unknown(50, b"x")), *match.events[4:]]
    report = verify_proof(tampered(replace_events(match, events), lambda event: event))
    assert report.ok
    assert report.point("order").verdict is Verdict.NOT_CHECKED
