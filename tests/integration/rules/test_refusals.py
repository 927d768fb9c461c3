"""What the rules refuse, with everything a client needs to do better."""

import random
from collections.abc import AsyncIterator
from dataclasses import replace

import grpc
import pytest

from belot.rules.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from belot_engine.cards import cards_of
from belot_engine.deal_notation import parse_deal
from belot_engine.errors import AuditBreach, Clause, Violation
from belot_engine.match import apply, legal_actions
from belot_engine.notation import card_text, cards_text, hand_text, parse_card
from belot_engine.play import broken_clause
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Accept, Choose, MatchState, Pass, Phase, Play
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_kit.stream_caller import StreamCaller
from belot_kit.tasks import background
from belot_rules.convert.known import know
from belot_rules.convert.writing import write_state
from belot_rules.refusals import refused
from belot_rules.servicer import SERVICE
from support.playouts import every_form, steps
from support.rules_client import action_message, request_for, rules_channel


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    async with rules_channel() as opened:
        yield opened


def positions(rules: Ruleset, seed: str) -> list[MatchState]:
    return [step.before for step in steps(rules, random.Random(seed))]


def in_phase(rules: Ruleset, phase: Phase, seed: str = "phase") -> MatchState:
    return next(state for state in positions(rules, seed) if state.phase is phase)


async def refusal(
    channel: grpc.aio.Channel, state: MatchState, seat: int | None, action: match_pb2.Action
) -> DomainError:
    stub = rules_pb2_grpc.RulesServiceStub(channel)
    request = request_for(write_state(know(state.ruleset), state), seat, action)
    with pytest.raises(DomainError) as caught:
        await call(stub.Apply, request)
    return caught.value


def illegal_plays(state: MatchState) -> list[int]:
    legal = legal_actions(state)
    assert legal is not None
    return [card for card in range(32) if state.hands[legal.seat] & ~legal.cards & 1 << card]


@pytest.mark.parametrize("name", ["club", "bela", "classic"])
async def test_every_illegal_card_is_refused_with_its_clause_and_the_legal_cards(
    channel: grpc.aio.Channel, name: str
) -> None:
    seen: set[str] = set()
    for state in positions(resolve(name, 4, 32, {}), f"illegal {name}")[:160]:
        if state.phase is not Phase.PLAYING or state.turn is None or state.trump is None:
            continue
        for card in illegal_plays(state)[:2]:
            error = await refusal(channel, state, state.turn, action_message(Play(card)))
            legal = legal_actions(state)
            assert legal is not None
            clause = broken_clause(state.trump, state.trick, state.hands[state.turn], card)
            assert (error.reason, error.metadata["clause"]) == (Reason.ILLEGAL_CARD, clause.value)
            assert error.metadata["legal_cards"] == hand_text(legal.cards)
            assert error.metadata["seat"] == str(state.turn)
            assert error.preconditions[0].subject == clause.value
            seen.add(clause.value)
    assert seen >= {Clause.MUST_FOLLOW, Clause.MUST_TRUMP}


async def test_somebody_elses_turn_is_refused_and_names_who_is_to_act(channel: grpc.aio.Channel) -> None:
    state = in_phase(resolve("club", 4, 32, {}), Phase.BIDDING)
    error = await refusal(channel, state, (state.turn or 0) + 1, action_message(Pass()))
    assert (error.reason, error.metadata["seat"]) == (Reason.NOT_YOUR_TURN, str(state.turn))


async def test_a_card_during_the_auction_is_refused_as_the_wrong_phase(channel: grpc.aio.Channel) -> None:
    state = in_phase(resolve("bela", 4, 32, {}), Phase.BIDDING)
    error = await refusal(channel, state, state.turn, action_message(Play(parse_card("7C"))))
    assert (error.reason, error.metadata["phase"]) == (Reason.WRONG_PHASE, "bidding")


async def test_a_card_of_somebody_else_is_refused_as_not_held(channel: grpc.aio.Channel) -> None:
    state = in_phase(resolve("classic", 4, 32, {}), Phase.PLAYING)
    other = state.hands[((state.turn or 0) + 1) % 4].bit_length() - 1
    error = await refusal(channel, state, state.turn, action_message(Play(other)))
    assert error.reason is Reason.CARD_NOT_HELD


async def test_a_card_that_the_small_pack_lacks_is_unknown(channel: grpc.aio.Channel) -> None:
    state = in_phase(resolve("club", 4, 24, {}), Phase.PLAYING)
    error = await refusal(channel, state, state.turn, action_message(Play(parse_card("7C"))))
    assert (error.reason, error.code) == (Reason.UNKNOWN_CARD, grpc.StatusCode.INVALID_ARGUMENT)
    assert error.violations[0].field == "action.play.card"


async def test_a_bid_the_auction_does_not_allow_is_refused_with_those_it_does(channel: grpc.aio.Channel) -> None:
    rules = resolve("club", 4, 32, {})
    first = in_phase(rules, Phase.BIDDING)
    error = await refusal(channel, first, first.turn, action_message(Choose(2)))
    assert (error.reason, error.metadata["allowed"]) == (Reason.ILLEGAL_BID, "pass accept")
    forced = first
    while len(forced.bids) < 7:
        forced = apply(forced, forced.turn, Pass()).state
    error = await refusal(channel, forced, forced.turn, action_message(Pass()))
    suits = "CDHS".replace("CDHS"[(forced.up_card or 0) >> 3], "")
    assert (error.reason, error.metadata["allowed"]) == (Reason.ILLEGAL_BID, " ".join(suits))


async def test_accepting_where_no_card_is_turned_up_is_refused(channel: grpc.aio.Channel) -> None:
    state = in_phase(resolve("bela", 4, 32, {}), Phase.BIDDING)
    error = await refusal(channel, state, state.turn, action_message(Accept()))
    assert (error.reason, error.metadata["allowed"]) == (Reason.ILLEGAL_BID, "pass C D H S")


async def test_cards_that_were_not_asked_for_are_refused_by_their_field(channel: grpc.aio.Channel) -> None:
    state = in_phase(resolve("club", 4, 32, {}), Phase.AWAITING_CARDS)
    short = match_pb2.Action(deal=match_pb2.DealCards(cards=[match_pb2.DealtCard(position=0, card=1)]))
    error = await refusal(channel, state, None, short)
    assert (error.reason, error.violations[0].field) == (Reason.INVALID_ARGUMENT, "action.deal.cards")


async def test_a_stream_goes_on_after_a_refusal_that_says_the_same_as_a_unary_call(channel: grpc.aio.Channel) -> None:
    state = in_phase(resolve("club", 4, 32, {}), Phase.BIDDING)
    message = write_state(know(state.ruleset), state)
    caller: StreamCaller[rules_pb2.ApplyCall, rules_pb2.ApplyReply] = StreamCaller(
        channel, f"/{SERVICE}/ApplyStream", rules_pb2.ApplyStreamResponse
    )
    wrong = request_for(message, state.turn, action_message(Choose(2)))
    right = request_for(message, state.turn, action_message(Accept()))
    async with background(caller.run()):
        refused_reply = await caller.call(rules_pb2.ApplyCall(request=wrong))
        applied_reply = await caller.call(rules_pb2.ApplyCall(request=right))
    unary = await refusal(channel, state, state.turn, action_message(Choose(2)))
    assert dict(refused_reply.refusal.metadata) == unary.metadata
    assert refused_reply.refusal.code == unary.code.value[0]
    assert applied_reply.applied.state.public.declarer == state.turn


@pytest.mark.parametrize(
    ("request_fields", "reason", "field"),
    [
        ({"name": "whist"}, Reason.RULESET_NOT_FOUND, None),
        ({"name": "bela", "seats": 3}, Reason.OPTION_INVALID, "seats"),
        ({"name": "classic", "pack_size": 24}, Reason.OPTION_INVALID, "pack_size"),
        ({"name": "club", "options": {"target": "77"}}, Reason.OPTION_INVALID, "options.target"),
        ({"name": "club", "options": {"jokers": "on"}}, Reason.OPTION_INVALID, "options.jokers"),
    ],
)
async def test_a_ruleset_that_is_not_offered_is_refused_by_its_field(
    channel: grpc.aio.Channel, request_fields: dict[str, object], reason: Reason, field: str | None
) -> None:
    stub = rules_pb2_grpc.RulesServiceStub(channel)
    with pytest.raises(DomainError) as caught:
        await call(stub.GetRuleset, rules_pb2.GetRulesetRequest(**request_fields))
    assert caught.value.reason is reason
    assert [each.field for each in caught.value.violations] == ([field] if field else [])


def test_a_deal_that_does_not_add_up_is_our_fault_and_shows_no_card(capsys: pytest.CaptureFixture[str]) -> None:
    state = in_phase(every_form()[0], Phase.PLAYING)
    error = refused(AuditBreach("the points of a deal are not 162"), replace(state, tricks=()))
    assert (error.reason, error.metadata) == (Reason.AUDIT_BREACH, {})
    logged = "".join(capsys.readouterr())
    assert "rules_audit_breach" in logged
    assert not any(str(hand) in logged for hand in state.hands)


def test_a_refusal_is_logged_with_the_open_cards_and_without_a_hand(capsys: pytest.CaptureFixture[str]) -> None:
    state = [each for each in positions(resolve("club", 4, 32, {}), "logged") if each.trick and each.tricks][5]
    tried = illegal_plays(state) or [next(card for card in range(32) if not state.hands[state.turn or 0] >> card & 1)]
    with pytest.raises(Violation) as refusal:
        apply(state, state.turn, Play(tried[0]))
    refused(refusal.value, state)
    line = next(each for each in capsys.readouterr().out.splitlines() if "rules_refused" in each)
    told = parse_deal(line.partition("position='")[2].partition("'")[0])
    assert (told.tricks, told.trick, told.trump) == (state.tricks, state.trick, state.trump)
    assert told.hands == (None,) * 4
    shown = {card_text(card) for trick in state.tricks for card in trick.cards} | set(cards_text(state.trick).split())
    held = {card_text(card) for hand in state.hands for card in cards_of(hand)} - {card_text(state.up_card or 0)}
    assert not [card for card in held if card in line.split("position=")[1] and card not in shown]
