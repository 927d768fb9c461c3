"""Claims that opponents are asked for: who is asked, who may answer, when the question ends; the clock never moves."""

from dataclasses import replace

import pytest

from belot_table import closing, course
from belot_table.claiming import answer, propose_claim
from belot_table.course import Decision
from belot_table.endings import Proposal, ProposalKind, ProposalState
from belot_table.records import decode_table, encode_table
from belot_table.table import Actor, ProposalChanged, Refused, Step, Table
from support.table_values import NOW, applied, kinds_of, playing, to_act


def asked(kinds: str = "PPPP") -> Table:
    """Seat 1 has asked for a claim."""
    return propose_claim(playing(kinds), 1).table


def states(step: Step) -> list[ProposalState]:
    """What is told of proposals."""
    return [each.state for each in step.events if isinstance(each, ProposalChanged)]


def reason(call: object, *arguments: object) -> str:
    """The reason for which a wish is refused."""
    with pytest.raises(Refused) as refused:
        call(*arguments)  # type: ignore[operator]
    return refused.value.reason


def test_a_claim_is_proposed_by_its_seat_and_leaves_the_clock_alone() -> None:
    before = playing("PPPP")
    step = propose_claim(before, 1)
    assert step.table.running.proposal == Proposal(ProposalKind.CLAIM, 1, (1,))
    assert (states(step), step.table.running.clock) == ([ProposalState.OPEN], before.running.clock)


def test_both_opponents_must_agree_and_the_partner_is_not_asked() -> None:
    first = answer(asked(), "anna", True)
    assert (states(first), first.table.running.proposal) == (
        [ProposalState.OPEN],
        Proposal(ProposalKind.CLAIM, 1, (0, 1)),
    )
    assert answer(first.table, "anna", True).events == ()
    second = answer(first.table, "clara", True)
    assert (states(second), second.table.running.proposal) == ([ProposalState.ACCEPTED], None)
    for name in ("boris", "dmitri"):
        assert reason(answer, first.table, name, True) == "PERMISSION_DENIED"
    assert reason(answer, first.table, "nobody", True) == "NOT_SEATED"


def test_one_no_ends_the_question() -> None:
    declined = answer(answer(asked(), "anna", True).table, "anna", False)
    assert (states(declined), declined.table.running.proposal) == ([ProposalState.DECLINED], None)
    assert reason(answer, declined.table, "clara", True) == "WRONG_PHASE"


def test_opponents_are_asked_once_a_hand() -> None:
    declined = answer(asked(), "anna", False).table
    assert reason(propose_claim, declined, 1) == "WRONG_PHASE"
    next_hand = replace(applied(to_act(1)), hand=1)
    later = course.decided(declined, Decision(1, Actor.PERSON), next_hand, NOW).table
    assert states(propose_claim(later, 1)) == [ProposalState.OPEN]


def test_a_card_ends_the_question_and_a_draw_goes_on() -> None:
    step = course.decided(asked(), Decision(1, Actor.PERSON), applied(to_act(2)), NOW)
    assert (states(step), step.table.running.proposal) == ([ProposalState.LAPSED], None)
    assert reason(answer, step.table, "anna", True) == "WRONG_PHASE"
    drawn = closing.propose_draw(playing("PPPP"), "anna")
    table = replace(playing("PPPP"), match=drawn.match)
    assert states(course.decided(table, Decision(1, Actor.PERSON), applied(to_act(2)), NOW)) == []


def test_a_card_that_the_clock_plays_ends_the_question() -> None:
    step = course.decided(asked(), Decision(1, Actor.AUTOMATIC), applied(to_act(2)), NOW)
    assert kinds_of(step) == ["DecisionTaken", "ProposalChanged", "TurnStarted"]
    assert step.table.running.asked_claim == (1,)


def test_another_proposal_gives_way_and_takes_the_place_of_a_claim() -> None:
    drawn = closing.propose_draw(playing("PPPP"), "anna")
    step = propose_claim(replace(playing("PPPP"), match=drawn.match), 1)
    assert states(step) == [ProposalState.LAPSED, ProposalState.OPEN]
    resigned = closing.resign(step.table, "anna")
    assert [each.state for each in resigned.events if isinstance(each, ProposalChanged)] == [
        ProposalState.LAPSED,
        ProposalState.OPEN,
    ]
    assert reason(closing.propose_draw, step.table, "clara") == "WRONG_PHASE"


def test_where_a_bot_took_the_place_of_an_opponent_the_claim_is_not_accepted_any_more() -> None:
    table = answer(asked(), "anna", True).table
    gone = replace(table.seats[0], kind=Actor.BOT, player_id="")
    step = answer(replace(table, seats=(gone, *table.seats[1:])), "clara", True)
    assert states(step) == [ProposalState.OPEN]


def test_a_table_with_a_claim_is_stored_and_read_back() -> None:
    table = answer(asked(), "anna", True).table
    table = replace(table, match=replace(table.running, state=b""))
    match = decode_table(encode_table(table), table.ruleset_json).running
    assert (match.proposal, match.asked_claim) == (Proposal(ProposalKind.CLAIM, 1, (0, 1)), (1,))
