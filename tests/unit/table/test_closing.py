"""Ends of a match that its rules know nothing of: who may bring them about, and what they mean for each side."""

from dataclasses import replace

import pytest

from belot.rules.v1 import match_pb2
from belot_table import closing, course
from belot_table.closing import Outcome
from belot_table.course import Decision
from belot_table.endings import (
    Ending,
    EndKind,
    Proposal,
    ProposalKind,
    ProposalState,
    SideOutcome,
    ranks_of,
    side_outcomes,
)
from belot_table.records import decode_table, encode_table
from belot_table.results import early_of, match_finished, transcript_ending
from belot_table.table import Actor, ProposalChanged, Refused, Status, Table
from support.table_values import NOW, OPTIONS, applied, finished, opening, playing, seated, seeding, to_act

RATED = replace(OPTIONS, rated=True)
STATE = match_pb2.MatchState(public=match_pb2.MatchPublic(totals=(30, 70), deals_played=1))


def in_play(kinds: str = "PPPP", *, rated: bool = False) -> Table:
    """A match at 30 to 70."""
    table = playing(kinds, RATED if rated else OPTIONS)
    return replace(table, match=replace(table.running, state=STATE.SerializeToString()))


def after(table: Table, outcome: Outcome) -> Table:
    """The table with what a wish came to, when the match goes on."""
    assert outcome.ending is None
    return replace(table, match=outcome.match)


def ended(table: Table, ending: Ending, leaver: str = "") -> Table:
    """The table with the match over."""
    return closing.end_early(table, Outcome(table.running), early_of(table, ending), NOW + 5, leaver).table


def reason(call: object, *arguments: object) -> str:
    """The reason for which a wish is refused."""
    with pytest.raises(Refused) as refused:
        call(*arguments)  # type: ignore[operator]
    return refused.value.reason


def states(outcome: Outcome) -> list[ProposalState]:
    """What is told of proposals."""
    return [each.state for each in outcome.events if isinstance(each, ProposalChanged)]


def test_resigning_needs_the_partner_and_then_ends_the_match() -> None:
    table = in_play()
    first = closing.resign(table, "anna")
    assert first.match.proposal == Proposal(ProposalKind.RESIGNATION, 0, (0,))
    second = closing.resign(after(table, first), "clara")
    assert (second.ending, states(second)) == (Ending(EndKind.RESIGNED, (0,)), [ProposalState.ACCEPTED])


def test_the_other_side_does_not_agree_to_a_resignation_by_resigning() -> None:
    table = after(in_play(), closing.resign(in_play(), "anna"))
    other = closing.resign(table, "boris")
    assert (other.ending, states(other)) == (None, [ProposalState.LAPSED, ProposalState.OPEN])


def test_a_bot_partner_does_not_keep_anybody_from_resigning() -> None:
    assert closing.resign(in_play("PPBP"), "anna").ending == Ending(EndKind.RESIGNED, (0,))


def test_resigning_twice_says_nothing_new() -> None:
    table = after(in_play(), closing.resign(in_play(), "anna"))
    assert closing.resign(table, "anna").events == ()


def test_a_draw_needs_every_person() -> None:
    table = in_play("PPPB")
    table = after(table, closing.propose_draw(table, "anna"))
    table = after(table, closing.answer_draw(table, "boris", True))
    assert closing.answer_draw(table, "clara", True).ending == Ending(EndKind.DRAWN)


def test_one_no_ends_a_proposal_and_it_is_made_once_a_hand() -> None:
    table = in_play()
    table = after(table, closing.propose_draw(table, "anna"))
    declined = closing.answer_draw(table, "dmitri", False)
    assert states(declined) == [ProposalState.DECLINED]
    assert reason(closing.propose_draw, after(table, declined), "anna") == "WRONG_PHASE"
    assert closing.propose_draw(after(table, declined), "boris").match.proposal is not None


def test_a_new_hand_forgets_proposals() -> None:
    table = in_play()
    table = after(table, closing.propose_draw(table, "anna"))
    step = course.decided(table, Decision(1, Actor.PERSON), replace(applied(to_act(2)), hand=1), NOW)
    assert (step.table.running.proposal, step.table.running.asked) == (None, ())
    assert ProposalChanged(Proposal(ProposalKind.DRAW, 0, (0,)), ProposalState.LAPSED) in step.events


def test_a_rated_match_is_not_drawn_by_agreement() -> None:
    assert reason(closing.propose_draw, in_play(rated=True), "anna") == "PERMISSION_DENIED"


@pytest.mark.parametrize("call", [closing.resign, closing.propose_draw])
@pytest.mark.parametrize(
    ("table", "player", "expected"),
    [
        (in_play(), "eva", "NOT_SEATED"),
        (seeding("PPPP"), "anna", "WRONG_PHASE"),
        (finished("PPPP"), "anna", "WRONG_PHASE"),
    ],
    ids=["a spectator", "before play", "after it"],
)
def test_only_players_of_a_running_match_end_it(call: object, table: Table, player: str, expected: str) -> None:
    assert reason(call, table, player) == expected


def test_an_answer_without_a_proposal_is_refused() -> None:
    assert reason(closing.answer_draw, in_play(), "anna", True) == "WRONG_PHASE"
    resigning = after(in_play(), closing.resign(in_play(), "anna"))
    assert reason(closing.answer_draw, resigning, "clara", True) == "WRONG_PHASE"


def test_leaving_ends_a_rated_match_alone() -> None:
    assert closing.leaving_ends(in_play(rated=True), "boris") == Ending(EndKind.LEFT, (1,))
    assert closing.leaving_ends(in_play(), "boris") is None
    assert closing.leaving_ends(in_play("PPPB", rated=True), "boris") is None
    assert closing.leaving_ends(seated("PP..", RATED), "boris") is None


def test_a_rated_match_that_is_being_opened_is_left_a_moment_later() -> None:
    assert reason(closing.leaving_ends, opening("PPPP", RATED), "anna") == "WRONG_PHASE"


def test_who_leaves_a_rated_match_loses_it_for_his_side_and_is_the_only_leaver() -> None:
    told = match_finished(ended(in_play(rated=True), Ending(EndKind.LEFT, (1,)), leaver="boris"))
    assert (told.outcome_kind, told.rated, list(told.leavers)) == ("left", True, ["boris"])
    assert [each.player_id for each in told.seats] == ["anna", "boris", "clara", "dmitri"]
    assert [int(each) for each in told.side_outcomes] == [SideOutcome.WON, SideOutcome.LEFT]
    assert (list(told.result.ranks), list(told.result.totals)) == ([1, 2], [30, 70])


def test_a_rated_match_that_is_left_before_a_card_was_seen_counts_for_nothing() -> None:
    told = match_finished(ended(seeding("PPPP", RATED), Ending(EndKind.LEFT, (0,)), leaver="anna"))
    assert (told.outcome_kind, told.rated, list(told.result.totals)) == ("left", False, [0, 0])


def test_a_match_that_ended_early_is_over_in_every_respect_and_stored_so() -> None:
    table = ended(in_play(), Ending(EndKind.RESIGNED, (0,)))
    state = match_pb2.MatchState.FromString(table.running.state)
    assert (table.status, state.public.phase) == (Status.FINISHED, match_pb2.PHASE_FINISHED)
    assert state.public.result.outcome == "resigned"
    assert (decode_table(encode_table(table), "{}"), transcript_ending(table)) == (table, "abandoned")


@pytest.mark.parametrize(
    ("ending", "ranks", "outcomes"),
    [
        (Ending(EndKind.WON), (2, 1), "LOST WON"),
        (Ending(EndKind.DRAWN), (1, 1), "DRAWN DRAWN"),
        (Ending(EndKind.RESIGNED, (0,)), (2, 1), "RESIGNED WON"),
        (Ending(EndKind.LEFT, (1,)), (1, 2), "WON LEFT"),
        (Ending(EndKind.TIMED_OUT, (1,)), (1, 2), "WON TIMED_OUT"),
        (Ending(EndKind.DOUBLE_LOSS, (0, 1)), (1, 1), "TIMED_OUT TIMED_OUT"),
        (Ending(EndKind.NO_SHOW, (0,)), (2, 1), "NO_SHOW WON"),
        (Ending(EndKind.SERVER_FAULT), (1, 1), "SERVER_FAULT SERVER_FAULT"),
        (Ending(EndKind.CANCELLED), (1, 1), "CANCELLED CANCELLED"),
        (Ending(EndKind.LEFT, (1,)), (1, 3, 2), "WON LEFT LOST"),
    ],
    ids=lambda value: str(getattr(value, "kind", value)),
)
def test_every_ending_has_an_outcome_for_every_side(ending: Ending, ranks: tuple[int, ...], outcomes: str) -> None:
    assert " ".join(each.name for each in side_outcomes(ending, ranks)) == outcomes


@pytest.mark.parametrize(
    ("at_fault", "totals", "ranks"),
    [((0,), (90, 10), (2, 1)), ((), (90, 10), (1, 1)), ((0, 1), (3, 3), (1, 1)), ((1,), (5, 90, 40), (2, 3, 1))],
)
def test_sides_at_fault_come_last_whatever_they_had(
    at_fault: tuple[int, ...], totals: tuple[int, ...], ranks: tuple[int, ...]
) -> None:
    assert ranks_of(Ending(EndKind.LEFT, at_fault), totals) == ranks


@pytest.mark.parametrize("kind", [EndKind.SERVER_FAULT, EndKind.CANCELLED])
def test_a_fault_of_ours_is_never_rated(kind: EndKind) -> None:
    table = ended(in_play(rated=True), Ending(kind))
    assert (match_finished(table).rated, transcript_ending(table)) == (False, "cancelled")


def test_everybody_loses_a_match_that_nobody_plays() -> None:
    told = match_finished(ended(in_play(rated=True), closing.nobody_left(in_play())))
    assert (told.outcome_kind, told.rated) == ("double_loss", False)
