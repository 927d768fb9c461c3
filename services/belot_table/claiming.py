"""Claims of the remaining tricks: certain ones the rules accept, others the opponents may be asked for.

A claim is a decision like a card. While the opponents are asked the claimant's turn goes on under the same clock, and
the next card of anybody ends the question. Only persons agree: where a bot sits among the opponents, also in a person's
place, there is nobody to ask. What the rules say of a claim that is not certain tells nothing of the cards.
"""

from dataclasses import dataclass, replace
from typing import Final

from belot.rules.v1 import match_pb2
from belot_kit.errors import DomainError, Reason
from belot_table import course
from belot_table.closing import played
from belot_table.course import Decision
from belot_table.endings import Proposal, ProposalKind, ProposalState
from belot_table.ports import Ports
from belot_table.table import (
    Actor,
    Happening,
    ProposalChanged,
    Refused,
    Seat,
    Step,
    Table,
    own_seat,
    step,
    unchanged,
)

_CERTAIN: Final = match_pb2.Action(claim=match_pb2.Claim()).SerializeToString()
_AGREED: Final = match_pb2.Action(claim=match_pb2.Claim(agreed=True)).SerializeToString()


@dataclass(frozen=True, slots=True)
class ClaimTricks:
    """Claim the remaining tricks; where that is not certain, ask the opponents."""

    ask_opponents: bool


@dataclass(frozen=True, slots=True)
class AnswerClaim:
    """Say yes or no to a claim."""

    agree: bool


async def claim_tricks(ports: Ports, table: Table, player_id: str, wish: ClaimTricks, now_ms: int) -> Step:
    """Claim in turn. NOT_SEATED, NOT_YOUR_TURN, WRONG_PHASE, CLAIM_NOT_CERTAIN."""
    seat = course.may_act(table, player_id)
    try:
        applied = await ports.rules.apply(table.running.state, table.ruleset_json, seat, _CERTAIN)
    except DomainError as refusal:
        if refusal.reason is not Reason.CLAIM_NOT_CERTAIN or not wish.ask_opponents or not _can_agree(table, seat):
            raise
        return propose_claim(table, seat)
    return course.decided(table, Decision(seat, Actor.PERSON), applied, now_ms)


async def answer_claim(ports: Ports, table: Table, player_id: str, wish: AnswerClaim, now_ms: int) -> Step:
    """Answer the claim that is proposed. NOT_SEATED, PERMISSION_DENIED, WRONG_PHASE when none is."""
    answered = answer(table, player_id, wish.agree)
    said = [each for each in answered.events if isinstance(each, ProposalChanged)]
    if not said or said[-1].state is not ProposalState.ACCEPTED:
        return answered
    claimant = said[-1].proposal.seat
    applied = await ports.rules.apply(table.running.state, table.ruleset_json, claimant, _AGREED)
    # The answer and what it leads to are one step: its version is counted once.
    before = replace(answered.table, version=table.version)
    done = course.decided(before, Decision(claimant, Actor.PERSON), applied, now_ms)
    return Step(done.table, (*answered.events, *done.events))


def propose_claim(table: Table, seat: int) -> Step:
    """Ask the opponents, once a hand; whatever else was proposed gives way. WRONG_PHASE when they were asked before."""
    match = played(table)
    if seat in match.asked_claim:
        raise Refused("WRONG_PHASE", "you have asked your opponents in this hand")
    gives_way: tuple[Happening, ...] = ()
    if match.proposal is not None:
        gives_way = (ProposalChanged(match.proposal, ProposalState.LAPSED),)
    proposal = Proposal(ProposalKind.CLAIM, seat, (seat,))
    asked = tuple(sorted((*match.asked_claim, seat)))
    after = replace(table, match=replace(match, proposal=proposal, asked_claim=asked))
    return step(table, after, *gives_way, ProposalChanged(proposal, ProposalState.OPEN))


def answer(table: Table, player_id: str, agree: bool) -> Step:
    """An opponent's answer; where it is the last yes the proposal is accepted, and the claim is still to be made."""
    seat, match = own_seat(table, player_id).seat, played(table)
    proposal = match.proposal
    if proposal is None or proposal.kind is not ProposalKind.CLAIM:
        raise Refused("WRONG_PHASE", "no claim is proposed")
    if table.sides[seat] == table.sides[proposal.seat]:
        raise Refused("PERMISSION_DENIED", "the opponents answer a claim")
    if agree and seat in proposal.agreed:
        return unchanged(table)
    state = ProposalState.DECLINED
    if agree:
        proposal, state = replace(proposal, agreed=tuple(sorted((*proposal.agreed, seat)))), ProposalState.OPEN
        asked = {each.seat for each in _opponents(table, proposal.seat)}
        if _can_agree(table, proposal.seat) and asked <= {*proposal.agreed}:
            state = ProposalState.ACCEPTED
    left = proposal if state is ProposalState.OPEN else None
    return step(table, replace(table, match=replace(match, proposal=left)), ProposalChanged(proposal, state))


def _opponents(table: Table, seat: int) -> list[Seat]:
    return [each for each in table.seats if table.sides[each.seat] != table.sides[seat]]


def _can_agree(table: Table, seat: int) -> bool:
    return all(each.kind is Actor.PERSON for each in _opponents(table, seat))
