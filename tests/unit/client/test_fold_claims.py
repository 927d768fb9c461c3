"""A claim folded into a table's state is what a snapshot after it has."""

import random
from dataclasses import replace

import pytest

from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_client.fold import fold
from belot_client.snapshot import CARD_VALUES as CARDS
from belot_client.snapshot import match_of, table_state
from belot_client.view import Match, Proposal, TableState, Turn
from belot_client.witness import Witness, learnt
from belot_engine.cards import cards_of
from belot_engine.match import apply
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Claim, MatchState, Phase
from belot_rules.convert.events import fill_event
from belot_rules.convert.known import know
from belot_rules.convert.writing import write_state
from support.playouts import steps

RULES = [resolve("club", 3, 32, {}), resolve("club", 2, 24, {})]


def lead(state: MatchState, tricks: int) -> bool:
    return state.phase is Phase.PLAYING and not state.trick and len(state.tricks) == tricks


def seen_by(state: MatchState, seat: int) -> Match:
    message = write_state(know(state.ruleset), state)
    cards = [CARDS[card] for card in cards_of(state.hands[seat])]
    return match_of(match_pb2.SeatView(public=message.public, seat=seat, hand=cards))


@pytest.mark.parametrize("rules", RULES, ids=lambda rules: f"{rules.seats}x{rules.pack}")
@pytest.mark.parametrize("tricks", [0, 3])
def test_after_a_claim_the_state_is_the_snapshots(rules: Ruleset, tricks: int) -> None:
    before = next(step.before for step in steps(rules, random.Random(tricks)) if lead(step.before, tricks))
    table = table_state(view_pb2.TableView(summary=view_pb2.TableSummary(table_id="t"), sequence=7), "ana")
    state = replace(table, match=seen_by(before, 0), turn=Turn(before.turn or 0, 0, 0), viewer_seat=0)
    applied = apply(before, before.turn, Claim(agreed=True))
    for event in applied.events:
        message = match_pb2.AddressedEvent()
        fill_event(message, event, before)
        state = fold(state, state.sequence + 1, view_pb2.TableEvent(game=message.event))
    assert state.match == seen_by(applied.state, 0)
    assert state.match is not None
    claim = state.match.hand.claim
    assert claim is not None
    assert (claim.agreed, claim.tricks, state.turn) == (True, rules.hand_size - tricks, None)


def test_a_claim_that_is_proposed_is_named() -> None:
    proposal = view_pb2.Proposal(kind=view_pb2.PROPOSAL_KIND_CLAIM, seat=1, agreed_seats=[1])
    changed = view_pb2.ProposalChanged(proposal=proposal, state=view_pb2.PROPOSAL_STATE_OPEN)
    state: TableState = table_state(view_pb2.TableView(summary=view_pb2.TableSummary(table_id="t")), "ana")
    assert fold(state, 1, view_pb2.TableEvent(proposal_changed=changed)).proposal == Proposal("claim", 1, (1,))


def test_the_cards_of_a_claim_are_among_those_that_were_seen() -> None:
    held = [match_pb2.CardsHeld(cards=CARDS[:2]), match_pb2.CardsHeld(cards=CARDS[8:9])]
    claim = match_pb2.TricksClaimed(seat=0, tricks=1, hands=held)
    event = view_pb2.TableEvent(game=match_pb2.MatchEvent(tricks_claimed=claim))
    shown = learnt(Witness("m", 0), 0, event, 0, again=False).shown
    assert [(each.card, each.seat) for each in shown] == [(0, 0), (1, 0), (8, 1)]
