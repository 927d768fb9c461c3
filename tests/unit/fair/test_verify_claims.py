"""Claims in a play log: judged again from what the claimant had seen, forged ones fail where they stand."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from belot_fair.playlog import ActionKind, Actor, ActorKind, Entry
from belot_fair.verify import failed_points, verify_proof
from support.proofs import Match, Plan, played, proof_of, with_log

CLAIMED = Plan(options=(("deals", "6"),), claims=True)


@pytest.fixture(scope="module")
def match() -> Match:
    return played(CLAIMED)


def leads(match: Match) -> Iterator[int]:
    """Where in the log a first card of the second trick or a later one was led."""
    hand, cards = -1, 0
    for at, entry in enumerate(match.entries):
        hand, cards = (entry.hand, 0) if entry.hand != hand else (hand, cards)
        if entry.action == ActionKind.PLAY_CARD:
            if cards and cards % match.plan.seats == 0:
                yield at
            cards += 1


def claiming(entry: Entry, action: ActionKind) -> Entry:
    """The decision as a claim of the same seat."""
    return replace(entry, action=action, argument=b"")


def test_claims_certain_and_agreed_are_proven(match: Match) -> None:
    actions = [entry.action for entry in match.entries]
    assert ActionKind.CLAIM in actions
    agreed = actions.count(ActionKind.CLAIM_AGREED)
    assert agreed > 0
    report = verify_proof(proof_of(match))
    assert report.ok
    plays = next(point for point in report.points if point.name == "plays")
    assert f"agreed to {agreed} claims is the table's word" in plays.sentence


def test_a_claim_that_is_not_certain_fails_where_it_stands(match: Match) -> None:
    at = next(leads(match))
    forged = [*match.entries[:at], claiming(match.entries[at], ActionKind.CLAIM), *match.entries[at + 1 :]]
    report = verify_proof(with_log(match, forged))
    assert failed_points(report) == ("plays",)
    plays = next(point for point in report.points if point.name == "plays")
    assert f"Decision {at} breaks the rules" in plays.sentence


def test_a_claim_in_the_middle_of_a_trick_fails(match: Match) -> None:
    at = next(leads(match)) + 1
    for action in (ActionKind.CLAIM, ActionKind.CLAIM_AGREED):
        forged = [*match.entries[:at], claiming(match.entries[at], action), *match.entries[at + 1 :]]
        assert failed_points(verify_proof(with_log(match, forged))) == ("plays",)


def test_nobody_agrees_where_a_bot_sits_among_the_opponents() -> None:
    with_bot = played(Plan(bots=(3,)))
    at = next(at for at in leads(with_bot) if with_bot.entries[at].seat == 0)
    forged = [*with_bot.entries[:at], claiming(with_bot.entries[at], ActionKind.CLAIM_AGREED)]
    report = verify_proof(with_log(with_bot, forged))
    plays = next(point for point in report.points if point.name == "plays")
    assert failed_points(report) == ("plays",)
    assert "nobody there to agree" in plays.sentence


def test_the_clock_agrees_on_nothing(match: Match) -> None:
    at = next(at for at, entry in enumerate(match.entries) if entry.action == ActionKind.CLAIM_AGREED)
    forged = [*match.entries]
    forged[at] = replace(forged[at], actor=Actor(ActorKind.AUTOMATIC))
    assert failed_points(verify_proof(with_log(match, forged))) == ("plays",)
