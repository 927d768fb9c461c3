"""Claims of the remaining tricks over gRPC: what they lead to, what is refused, and what a state has of one."""

import random
from collections.abc import AsyncIterator, Callable, Iterator

import grpc
import pytest

from belot.rules.v1 import match_pb2, rules_pb2, rules_pb2_grpc
from belot_engine.claims import is_certain
from belot_engine.inference import seen_by
from belot_engine.match import apply
from belot_engine.ruleset import Ruleset
from belot_engine.rulesets import resolve
from belot_engine.state import Claim, MatchState, Phase, Play
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_rules.convert.known import know
from belot_rules.convert.reading import read_state
from belot_rules.convert.writing import write_state
from support.playouts import every_form, steps
from support.rules_client import action_message, request_for, rules_channel


@pytest.fixture
async def channel() -> AsyncIterator[grpc.aio.Channel]:
    async with rules_channel() as opened:
        yield opened


def leads(rules: Ruleset) -> Iterator[MatchState]:
    """The moments of random matches at which somebody is to lead."""
    rng = random.Random(f"claims {rules.name} {rules.seats} {rules.pack}")
    while True:
        for step in steps(rules, rng):
            if step.before.phase is Phase.PLAYING and not step.before.trick:
                yield step.before


def first_lead(rules: Ruleset, certain: bool) -> MatchState:
    return next(state for state in leads(rules) if is_certain(seen_by(state, state.turn or 0)) is certain)


async def apply_on(
    channel: grpc.aio.Channel, state: match_pb2.MatchState, seat: int | None, agreed: bool = False
) -> rules_pb2.Applied:
    request = request_for(state, seat, action_message(Claim(agreed)))
    return (await call(rules_pb2_grpc.RulesServiceStub(channel).Apply, request)).applied


def message(state: MatchState) -> match_pb2.MatchState:
    return write_state(know(state.ruleset), state)


@pytest.mark.parametrize("rules", every_form(), ids=lambda rules: f"{rules.name}-{rules.seats}x{rules.pack}")
async def test_a_certain_claim_is_told_with_every_card_that_was_left(channel: grpc.aio.Channel, rules: Ruleset) -> None:
    state = first_lead(rules, certain=True)
    applied = await apply_on(channel, message(state), state.turn)
    told = applied.events[0]
    assert not told.HasField("only_seat")
    claim = told.event.tricks_claimed
    assert (claim.seat, claim.agreed) == (state.turn, False)
    assert claim.tricks == rules.hand_size - len(state.tricks)
    assert [sum(1 << card - 1 for card in hand.cards) for hand in claim.hands] == list(state.hands)
    due = apply(state, state.turn, Claim()).state
    assert read_state(applied.state)[1] == read_state(message(due))[1]
    if rules.pack > rules.seats * rules.hand_size:
        assert applied.next.WhichOneof("kind") == "cards"
        assert applied.state.public.claim == claim
        assert sum(applied.state.public.hand_sizes) == 0
    else:
        assert not applied.state.public.HasField("claim") or applied.next.HasField("finished")


async def test_a_refusal_says_whose_turn_it_is_and_nothing_of_cards(channel: grpc.aio.Channel) -> None:
    state = first_lead(resolve("bela", 4, 32, {}), certain=False)
    with pytest.raises(DomainError) as refused:
        await apply_on(channel, message(state), state.turn)
    assert refused.value.reason is Reason.CLAIM_NOT_CERTAIN
    assert refused.value.metadata == {"phase": "playing", "seat": str(state.turn)}
    assert (await apply_on(channel, message(state), state.turn, agreed=True)).events[0].event.tricks_claimed.agreed


async def test_a_claim_out_of_turn_or_within_a_trick_is_refused(channel: grpc.aio.Channel) -> None:
    state = first_lead(resolve("bela", 4, 32, {}), certain=False)
    turn = state.turn or 0
    for seat in (None, (turn + 1) % 4):
        with pytest.raises(DomainError) as refused:
            await apply_on(channel, message(state), seat, agreed=True)
        assert refused.value.reason is Reason.NOT_YOUR_TURN
    card = state.hands[turn].bit_length() - 1
    led = apply(state, turn, Play(card)).state
    with pytest.raises(DomainError) as refused:
        await apply_on(channel, message(led), led.turn, agreed=True)
    assert refused.value.reason is Reason.WRONG_PHASE


def drop_hand(claim: match_pb2.TricksClaimed) -> None:
    del claim.hands[0]


def drop_card(claim: match_pb2.TricksClaimed) -> None:
    del claim.hands[0].cards[0]


def another_seat(claim: match_pb2.TricksClaimed) -> None:
    claim.seat = (claim.seat + 1) % 3


def no_seat(claim: match_pb2.TricksClaimed) -> None:
    claim.seat = 3


def more_tricks(claim: match_pb2.TricksClaimed) -> None:
    claim.tricks += 1


def more_points(claim: match_pb2.TricksClaimed) -> None:
    claim.points += 1


def many_points(claim: match_pb2.TricksClaimed) -> None:
    claim.points = 2**32 - 1


def no_card(claim: match_pb2.TricksClaimed) -> None:
    claim.hands[0].cards[0] = 77  # type: ignore[call-overload]


def the_same_hand(claim: match_pb2.TricksClaimed) -> None:
    claim.hands[0].CopyFrom(claim.hands[1])


@pytest.mark.parametrize(
    "spoil",
    [
        drop_hand,
        drop_card,
        another_seat,
        no_seat,
        more_tricks,
        more_points,
        many_points,
        no_card,
        the_same_hand,
    ],
)
async def test_a_state_with_a_claim_that_cannot_be_is_refused_by_the_name_of_the_field(
    channel: grpc.aio.Channel, spoil: Callable[[match_pb2.TricksClaimed], None]
) -> None:
    state = first_lead(resolve("club", 3, 32, {}), certain=False)
    claimed = message(apply(state, state.turn, Claim(agreed=True)).state)
    read_state(claimed)
    spoil(claimed.public.claim)
    with pytest.raises(DomainError) as refused:
        await apply_on(channel, claimed, 0)
    assert refused.value.reason is Reason.INVALID_ARGUMENT
    assert refused.value.violations[0].field.startswith("state.public.claim")
