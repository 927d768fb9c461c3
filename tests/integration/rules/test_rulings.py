"""Questions about the rules over gRPC: positions, comparisons, score sheets; none of it needs a database."""

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import grpc
import pytest

from belot.common.v1 import common_pb2
from belot.rules.v1 import match_pb2, rules_pb2, rules_pb2_grpc, rulings_pb2
from belot_engine.cards import mask_of
from belot_engine.events import DealScored
from belot_engine.notation import parse_card, parse_cards
from belot_engine.play import broken_clause
from belot_engine.ruleset import Ruleset
from belot_engine.state import Deal, Play
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from belot_rules.convert.events import write_sheet
from support.playouts import every_form, steps
from support.rules_client import card_value, rules_channel

_GOLDEN = Path(__file__).parents[2] / "golden"
_LEGAL = json.loads((_GOLDEN / "legal_cards.json").read_text())["cases"]
_SCORES = json.loads((_GOLDEN / "scores.json").read_text())["cases"]
_DIAMONDS = common_pb2.SUIT_DIAMONDS
_FORMS = [pytest.param(rules, id=f"{rules.name}-{rules.seats}x{rules.pack}") for rules in every_form()]


@pytest.fixture
async def rules() -> "AsyncIterator[rules_pb2_grpc.RulesServiceAsyncStub]":
    async with rules_channel() as channel:
        yield rules_pb2_grpc.RulesServiceStub(channel)


def cards(text: str) -> "list[common_pb2.Card.ValueType]":
    return [card_value(card) for card in parse_cards(text)]


def choice(name: str, seats: int = 4, pack: int = 32, options: dict[str, str] | None = None) -> Any:
    return rulings_pb2.RulesetChoice(name=name, seats=seats, pack_size=pack, options=options or {})


async def refusal(method: Any, request: Any) -> DomainError:
    with pytest.raises(DomainError) as caught:
        await call(method, request)
    return caught.value


def fields(error: DomainError) -> list[str]:
    return [each.field for each in error.violations]


async def test_every_disputed_position_is_explained_as_written_down(rules: Any) -> None:
    for case in _LEGAL:
        request = rulings_pb2.ExplainRequest(
            ruleset=choice(case["ruleset"], case.get("players", 4), case.get("pack", 32)),
            trump=common_pb2.Suit.values()["CDHS".index(case["trump"]) + 1],
            table=cards(" ".join(case["trick"])),
            hand=cards(" ".join(case["hand"])),
        )
        found = await call(rules.Explain, request)
        assert set(found.legal) == set(cards(" ".join(case["legal"]))), case["id"]
        trump, trick = "CDHS".index(case["trump"]), parse_cards(" ".join(case["trick"]))
        hand = mask_of(parse_cards(" ".join(case["hand"])))
        assert {each.card: each.clause for each in found.refused} == {
            card_value(parse_card(card)): broken_clause(trump, trick, hand, parse_card(card)).value
            for card in set(case["hand"]) - set(case["legal"])
        }
        again = await call(rules.Explain, rulings_pb2.ExplainRequest(position=found.position))
        assert again == found


async def test_a_card_that_is_asked_about_comes_with_clause_reason_and_who_would_allow_it(rules: Any) -> None:
    request = rulings_pb2.ExplainRequest(position="bela D | KH | 8H AH KC AC", card=cards("8H")[0])
    asked = (await call(rules.Explain, request)).asked
    assert (asked.legal, asked.clause, list(asked.allowed_by)) == (False, "must_beat", ["club", "classic", "announces"])
    assert asked.reason


async def test_positions_that_cannot_be_are_refused_by_their_field(rules: Any) -> None:
    usual = {"ruleset": choice("bela"), "trump": _DIAMONDS, "hand": cards("7C")}
    for change, field in (
        ({"trump": 0}, "trump"),
        ({"trump": 9}, "trump"),
        ({"hand": []}, "hand"),
        ({"hand": [1, 1]}, "hand"),
        ({"hand": [77]}, "hand"),
        ({"table": [1]}, "hand"),
        ({"table": [2, 3, 4, 5]}, "table"),
        ({"card": 2}, "card"),
        ({"position": "bela D | | 7C"}, "position"),
    ):
        error = await refusal(rules.Explain, rulings_pb2.ExplainRequest(**(usual | change)))
        assert (error.reason, fields(error)) == (Reason.INVALID_ARGUMENT, [field])
    error = await refusal(rules.Explain, rulings_pb2.ExplainRequest(position="nonsense"))
    assert fields(error) == ["position"]
    error = await refusal(rules.Explain, rulings_pb2.ExplainRequest(position="whist D | | 7C"))
    assert error.reason is Reason.RULESET_NOT_FOUND


async def test_two_rulesets_are_compared_in_words(rules: Any) -> None:
    request = rulings_pb2.CompareRulesetsRequest(first=choice("club"), second=choice("bela"))
    found = await call(rules.CompareRulesets, request)
    assert (found.first.name, found.second.name) == ("club", "bela")
    beat = next(each for each in found.differences if each.name == "beat_plain")
    assert (beat.first, beat.second) == ("never", "until ruffed")
    assert all(each.description and each.first != each.second for each in found.differences)
    same = rulings_pb2.CompareRulesetsRequest(first=choice("club"), second=rulings_pb2.RulesetChoice(name="club"))
    assert not (await call(rules.CompareRulesets, same)).differences


async def test_every_ruleset_has_a_title_and_every_knob_a_sentence(rules: Any) -> None:
    listed = (await call(rules.ListRulesets, rules_pb2.ListRulesetsRequest())).rulesets
    assert {each.title.partition(",")[0] for each in listed} == {
        "Belot Club",
        "Bela",
        "Classic belote",
        "Belote with announces",
    }
    assert all(knob.description.endswith(".") for each in listed for knob in each.knobs)


async def test_every_worked_number_comes_out_of_figures(rules: Any) -> None:
    for case in _SCORES:
        outcome, before = case["outcome"], case.get("before", {})
        figures = rulings_pb2.DealFigures(
            declarer_side=outcome["declarer"],
            last_side=outcome["last"],
            first_side=outcome["turn_order"][0],
            **{name: outcome[name] for name in ("points", "tricks", "melds", "bela", "out_points")},
        )
        named = {name: before[name] for name in ("totals", "bolts", "held") if name in before}
        request = rulings_pb2.ScoreDealRequest(
            ruleset=choice(case["ruleset"], case["seats"], case["pack"], case["options"]),
            figures=figures,
            before=rulings_pb2.DealStanding(**named),
        )
        sheet = (await call(rules.ScoreDeal, request)).sheet
        assert list(sheet.score) == case["expect"]["scores"], case["id"]
        assert sheet.lines


@pytest.mark.parametrize("ruleset", _FORMS)
async def test_a_deal_card_by_card_scores_as_it_did_in_its_match(rules: Any, ruleset: Ruleset) -> None:
    played: list[int] = []
    for step in steps(ruleset, random.Random(f"score {ruleset.name} {ruleset.seats} {ruleset.pack}")):
        if isinstance(step.action, Play):
            played.append(step.action.card)
        scored = next((each for each in step.applied.events if isinstance(each, DealScored)), None)
        if isinstance(step.action, Deal) and scored is None and step.before.deal_stage == 0:
            played.clear()
        if scored is not None:
            break
    state = step.before
    deal = rulings_pb2.PlayedDeal(
        dealer=state.dealer,
        declarer=state.declarer,
        trump=common_pb2.Suit.values()[(state.trump or 0) + 1],
        cards=[card_value(card) for card in played],
    )
    request = rulings_pb2.ScoreDealRequest(ruleset=choice(ruleset.name, ruleset.seats, ruleset.pack), played=deal)
    sheet = (await call(rules.ScoreDeal, request)).sheet
    expected = match_pb2.ScoreSheet()
    assert scored is not None
    expected.CopyFrom(write_sheet(scored.sheet, ruleset.scoring))
    for each in (sheet, expected):
        each.ClearField("totals"), each.ClearField("bolts"), each.ClearField("hand_number"), each.ClearField("target")
    assert sheet == expected


async def test_deals_that_cannot_be_are_refused_by_their_field(rules: Any) -> None:
    figures = {"points": [82, 80], "tricks": [4, 4]}
    for change, field in (
        ({"points": [82, 81]}, "figures.points"),
        ({"points": [82, 4_000_000_000]}, "figures.points"),
        ({"tricks": [4, 5]}, "figures.tricks"),
        ({"declarer_side": 2}, "figures.declarer_side"),
        ({"last_side": 2}, "figures.last_side"),
        ({"first_side": 2}, "figures.first_side"),
        ({"melds": [20, 20]}, "figures.melds"),
        ({"out_points": 2}, "figures.out_points"),
    ):
        deal = rulings_pb2.DealFigures(**(figures | change))
        request = rulings_pb2.ScoreDealRequest(ruleset=choice("bela"), figures=deal)
        assert fields(await refusal(rules.ScoreDeal, request)) == [field]
    for deal, field in (({}, "deal"), ({"played": rulings_pb2.PlayedDeal(trump=_DIAMONDS)}, "played.cards")):
        request = rulings_pb2.ScoreDealRequest(ruleset=choice("bela"), **deal)
        assert fields(await refusal(rules.ScoreDeal, request)) == [field]
    before = rulings_pb2.DealStanding(held=5)
    given = rulings_pb2.DealFigures(**figures)
    request = rulings_pb2.ScoreDealRequest(ruleset=choice("bela"), figures=given, before=before)
    assert fields(await refusal(rules.ScoreDeal, request)) == ["before.held"]


async def test_an_option_that_is_not_offered_is_refused_by_its_place(rules: Any) -> None:
    wrong = choice("bela", options={"jokers": "on"})
    for method, request, field in (
        (rules.Explain, rulings_pb2.ExplainRequest(ruleset=wrong), "ruleset.options.jokers"),
        (rules.ScoreDeal, rulings_pb2.ScoreDealRequest(ruleset=wrong), "ruleset.options.jokers"),
        (
            rules.CompareRulesets,
            rulings_pb2.CompareRulesetsRequest(first=choice("bela"), second=wrong),
            "second.options.jokers",
        ),
    ):
        error = await refusal(method, request)
        assert (error.reason, fields(error)) == (Reason.OPTION_INVALID, [field])


async def test_without_a_database_disputes_are_unavailable_and_say_why(rules: Any) -> None:
    report = rulings_pb2.DisputeReport(
        ruleset=choice("bela"),
        trump=_DIAMONDS,
        hand=cards("7C"),
        move=cards("7C")[0],
        treatment=rulings_pb2.MOVE_TREATMENT_ALLOWED,
    )
    filed = rulings_pb2.DisputeRequest(request_id="r", player_id="p", report=report)
    for method, request in (
        (rules.Dispute, filed),
        (rules.GetDispute, rulings_pb2.GetDisputeRequest(dispute_id="d")),
    ):
        error = await refusal(method, request)
        assert (error.reason, error.code) == (Reason.UNAVAILABLE, grpc.StatusCode.UNAVAILABLE)
        assert "postgres_dsn" in error.message
