"""Ends of a match that its rules know nothing of: resigning, a draw by agreement, leaving a rated match, nobody left.

Pure. An `Outcome` says what a wish comes to; where it ends the match, the caller has the result in words (`Early`)
and lets `end_early` write it down.
"""

from dataclasses import dataclass, field, replace
from typing import Final

from belot_table.endings import Ending, EndKind, Proposal, ProposalKind, ProposalState
from belot_table.stand_in import is_rated
from belot_table.table import (
    BEFORE_PLAY,
    Actor,
    Await,
    Clock,
    Happening,
    Match,
    MatchOver,
    Next,
    ProposalChanged,
    Refused,
    Status,
    StatusChanged,
    Step,
    Table,
    Told,
    bound_stints,
    own_seat,
    step,
)


@dataclass(frozen=True, slots=True)
class Early:
    """An ending in the rules' words: the encoded MatchResult, the match state with it, and the events that tell it."""

    ending: Ending
    result: bytes
    state: bytes = field(repr=False)
    events: tuple[Told, ...]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a wish comes to: the match after it, what is told, and the ending when the match ends by it."""

    match: Match
    events: tuple[Happening, ...] = ()
    ending: Ending | None = None


def resign(table: Table, player_id: str) -> Outcome:
    """Give up: the side loses once all its persons have said so in one hand. NOT_SEATED, WRONG_PHASE."""
    seat, match = own_seat(table, player_id), played(table)
    side, open_one = table.sides[seat.seat], match.proposal
    events: tuple[Happening, ...] = ()
    agreed = {seat.seat}
    if open_one is not None and open_one.kind is ProposalKind.RESIGNATION and table.sides[open_one.seat] == side:
        agreed |= set(open_one.agreed)
    elif open_one is not None:
        events = (ProposalChanged(open_one, ProposalState.LAPSED),)
    proposer = open_one.seat if open_one is not None and not events else seat.seat
    proposal = Proposal(ProposalKind.RESIGNATION, proposer, tuple(sorted(agreed)))
    asked = [each for each in table.seats if table.sides[each.seat] == side and each.kind is Actor.PERSON]
    if all(each.seat in agreed for each in asked):
        ending = Ending(EndKind.RESIGNED, (side,))
        return Outcome(match, (*events, ProposalChanged(proposal, ProposalState.ACCEPTED)), ending)
    if proposal == open_one:
        return Outcome(match)
    return Outcome(replace(match, proposal=proposal), (*events, ProposalChanged(proposal, ProposalState.OPEN)))


def propose_draw(table: Table, player_id: str) -> Outcome:
    """Ask the others for a draw, once a hand, in a casual match. NOT_SEATED, WRONG_PHASE, PERMISSION_DENIED."""
    seat, match = own_seat(table, player_id).seat, played(table)
    if is_rated(table):
        raise Refused("PERMISSION_DENIED", "a rated match is played to its end")
    if match.proposal is not None or seat in match.asked:
        raise Refused("WRONG_PHASE", "a proposal is open, or you made yours in this hand")
    asked = tuple(sorted((*match.asked, seat)))
    return _draw_agreed(table, replace(match, asked=asked), Proposal(ProposalKind.DRAW, seat, (seat,)))


def answer_draw(table: Table, player_id: str, agree: bool) -> Outcome:
    """Say yes or no to the draw that is proposed. NOT_SEATED, WRONG_PHASE when none is."""
    seat, match = own_seat(table, player_id).seat, played(table)
    proposal = match.proposal
    if proposal is None or proposal.kind is not ProposalKind.DRAW:
        raise Refused("WRONG_PHASE", "no draw is proposed")
    if not agree:
        return Outcome(replace(match, proposal=None), (ProposalChanged(proposal, ProposalState.DECLINED),))
    if seat in proposal.agreed:
        return Outcome(match)
    return _draw_agreed(table, match, replace(proposal, agreed=tuple(sorted((*proposal.agreed, seat)))))


def leaving_ends(table: Table, player_id: str) -> Ending | None:
    """The ending when this player leaves now: a rated match is lost for his side. NOT_SEATED, WRONG_PHASE."""
    if table.status not in BEFORE_PLAY and table.status is not Status.PLAYING:
        return None
    if not is_rated(table):
        return None
    if table.status is Status.OPENING:
        raise Refused("WRONG_PHASE", "the match is being opened: try again in a moment")
    return Ending(EndKind.LEFT, (table.sides[own_seat(table, player_id).seat],))


def ended_by_us(table: Table, kind: EndKind) -> Ending:
    """The ending by which operators end the match, which then counts for nothing. WRONG_PHASE when none goes on."""
    if table.status is Status.OPENING:
        raise Refused("WRONG_PHASE", "the match is being opened: try again in a moment")
    if table.status not in BEFORE_PLAY and table.status is not Status.PLAYING:
        raise Refused("WRONG_PHASE", _OVER)
    return Ending(kind)


def at_limit(table: Table) -> Ending:
    """The ending of a match that is undecided when its time is over: everybody loses.

    But where some side has played, those whose persons never decided anything lose alone. A match that stood still
    because of a fault of ours is nobody's loss.
    """
    if table.halted:
        return Ending(EndKind.SERVER_FAULT)
    came = {table.sides[seat] for seat in table.running.decided}
    persons = {table.sides[each.seat] for each in bound_stints(table) if each.actor is Actor.PERSON}
    away = persons - came
    if away and away != set(table.sides):
        return Ending(EndKind.TIMED_OUT, tuple(sorted(away)))
    return Ending(EndKind.DOUBLE_LOSS, tuple(sorted(set(table.sides))))


def nobody_left(table: Table) -> Ending:
    """The ending of a rated match for whose persons bots stand in everywhere: everybody loses."""
    return Ending(EndKind.DOUBLE_LOSS, tuple(sorted(set(table.sides))))


def end_early(table: Table, outcome: Outcome, early: Early, now_ms: int, leaver: str = "") -> Step:
    """The match is over by this ending; who left on purpose is remembered."""
    match = replace(
        outcome.match,
        state=early.state,
        next=Next(Await.FINISHED, body=early.result),
        clock=Clock(reserves_ms=outcome.match.clock.reserves_ms),
        proposal=None,
        ended_early=early.ending,
        leavers=(*outcome.match.leavers, leaver) if leaver else outcome.match.leavers,
        ended_ms=now_ms,
    )
    over = (StatusChanged(Status.FINISHED), MatchOver())
    return step(table, replace(table, status=Status.FINISHED, match=match), *outcome.events, *early.events, *over)


def cards_seen(match: Match) -> bool:
    """Whether any card has left the dealer: before that nothing was at stake. It gives bots' seeds with the first."""
    return bool(match.bot_seeds)


def lapse(match: Match, hand: int) -> tuple[Match, tuple[Happening, ...]]:
    """The match after a step of play: proposals belong to the hand in which they were made, a claim to its moment."""
    open_one = match.proposal
    if hand == match.hand:
        if open_one is None or open_one.kind is not ProposalKind.CLAIM:
            return match, ()
        return replace(match, proposal=None), (ProposalChanged(open_one, ProposalState.LAPSED),)
    if open_one is None and not match.asked and not match.asked_claim:
        return match, ()
    told = () if open_one is None else (ProposalChanged(open_one, ProposalState.LAPSED),)
    return replace(match, proposal=None, asked=(), asked_claim=()), told


_OVER: Final = "no match is being played"


def played(table: Table) -> Match:
    """The match that is being played. WRONG_PHASE when none is."""
    if table.status is not Status.PLAYING:
        raise Refused("WRONG_PHASE", _OVER)
    return table.running


def _draw_agreed(table: Table, match: Match, proposal: Proposal) -> Outcome:
    asked = [each.seat for each in table.seats if each.kind is Actor.PERSON]
    if all(seat in proposal.agreed for seat in asked):
        return Outcome(match, (ProposalChanged(proposal, ProposalState.ACCEPTED),), Ending(EndKind.DRAWN))
    return Outcome(replace(match, proposal=proposal), (ProposalChanged(proposal, ProposalState.OPEN),))
