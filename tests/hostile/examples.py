"""Sound messages of every ruleset and size, from random matches, for the rpcs that take whole positions."""

import random
from collections.abc import Iterator

from google.protobuf.message import Message

from belot.bot.v1 import bot_pb2
from belot.common.v1 import common_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import rules_pb2, rulings_pb2
from belot_engine.cards import cards_of
from belot_engine.match import legal_actions
from belot_engine.ruleset import Ruleset
from belot_engine.state import MatchState, Phase
from belot_rules.convert.known import know
from belot_rules.convert.writing import write_state
from support.bot_client import turn_message, view_message
from support.playouts import Step, every_form, steps
from support.rules_client import action_message, card_value, request_for

_STEPS = 70
"""About two hands of four people."""

_KEPT = 14


def position_examples(rng: random.Random) -> Iterator[Message]:
    """Requests of rules and bots that are sound, from some steps of a random match of each form."""
    for rules in every_form():
        played = [step for _, step in zip(range(_STEPS), steps(rules, rng), strict=False)]
        for step in rng.sample(played, min(_KEPT, len(played))):
            yield from _of_step(rules, step)
        yield from _of_form(rules, played)


def _of_step(rules: Ruleset, step: Step) -> Iterator[Message]:
    state = write_state(know(rules), step.before)
    apply = request_for(state, step.seat, action_message(step.action))
    yield apply
    yield rules_pb2.ApplyStreamRequest(calls=[rules_pb2.ApplyCall(call_id=number, request=apply) for number in (1, 2)])
    yield rules_pb2.DescribePositionRequest(state=state)
    if step.seat is None:
        return
    turn = turn_message(step.before)
    for level in ("easy", "normal"):
        yield bot_pb2.ChooseRequest(view=view_message(state, turn), level=level, seed=b"\x07" * 32)
    if step.before.phase is Phase.PLAYING and step.before.trump is not None:
        yield from _questions(rules, step.before)


def _choice(rules: Ruleset) -> rulings_pb2.RulesetChoice:
    return rulings_pb2.RulesetChoice(name=rules.name, seats=rules.seats, pack_size=rules.pack)


def _questions(rules: Ruleset, state: MatchState) -> Iterator[Message]:
    legal = legal_actions(state)
    if legal is None or state.trump is None:
        return
    hand = [card_value(card) for card in cards_of(state.hands[legal.seat])]
    trump = common_pb2.Suit.values()[state.trump + 1]
    table = [card_value(card) for card in state.trick]
    question = rulings_pb2.ExplainRequest(ruleset=_choice(rules), trump=trump, table=table, hand=hand, card=hand[0])
    report = rulings_pb2.DisputeReport(
        ruleset=_choice(rules),
        trump=trump,
        played=table,
        hand=hand,
        move=hand[-1],
        treatment=rulings_pb2.MOVE_TREATMENT_BLOCKED,
        expected="must_follow",
    )
    yield question
    yield gateway_pb2.ExplainRequest(question=question)
    yield rulings_pb2.DisputeRequest(request_id="hostile", player_id="hostile", report=report)
    yield gateway_pb2.DisputeRequest(request_id="hostile", report=report)


def _of_form(rules: Ruleset, played: list[Step]) -> Iterator[Message]:
    choice = _choice(rules)
    yield rulings_pb2.CompareRulesetsRequest(first=choice, second=rulings_pb2.RulesetChoice(name="bela"))
    yield gateway_pb2.GetRulesetRequest(ruleset=choice)
    yield rules_pb2.StartMatchRequest(ruleset_json=know(rules).json, first_dealer=1)
    sides = 2 if rules.seats == 4 else rules.seats
    figures = rulings_pb2.DealFigures(declarer_side=0, points=[162, *[0] * (sides - 1)], tricks=[8, *[0] * (sides - 1)])
    requests = [rulings_pb2.ScoreDealRequest(ruleset=choice, figures=figures)]
    done = next((each.before for each in reversed(played) if len(each.before.tricks) == rules.hand_size - 1), None)
    if done is not None and done.trump is not None and done.declarer is not None:
        cards = [card_value(card) for trick in done.tricks for card in trick.cards]
        trump = common_pb2.Suit.values()[done.trump + 1]
        deal = rulings_pb2.PlayedDeal(dealer=done.dealer, declarer=done.declarer, trump=trump, cards=cards)
        requests.append(rulings_pb2.ScoreDealRequest(ruleset=choice, played=deal))
    for request in requests:
        yield request
        yield gateway_pb2.ScoreDealRequest(deal=request)
