"""Questions about the rules from an app: signed in, in the app's language, disputes only to those who reported them."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio

from belot.common.v1 import common_pb2
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import rulings_pb2
from belot_engine.notation import parse_cards
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.raw_streams import RawGuest, guest
from support.rules_client import card_value
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")

BELA = rulings_pb2.RulesetChoice(name="bela")
CROATIAN = (("accept-language", "hr"),)


@pytest_asyncio.fixture(loop_scope="session")
async def ana(fleet: SmallFleet) -> AsyncIterator[RawGuest]:
    async with guest(fleet.gateways[0]) as found:
        yield found


@pytest_asyncio.fixture(loop_scope="session")
async def bor(fleet: SmallFleet) -> AsyncIterator[RawGuest]:
    async with guest(fleet.gateways[1]) as found:
        yield found


async def asked(player: RawGuest, method: str, request: Any, *more: tuple[str, str]) -> Any:
    stub = gateway_pb2_grpc.RulingServiceStub(player.channel)
    return await getattr(stub, method)(request, metadata=(*player.metadata, *more))


async def refusal(player: RawGuest, method: str, request: Any) -> DomainError:
    stub = gateway_pb2_grpc.RulingServiceStub(player.channel)
    with pytest.raises(DomainError) as caught:
        await call(getattr(stub, method), request, metadata=player.metadata)
    return caught.value


def report(request_id: str) -> gateway_pb2.DisputeRequest:
    """A king's suit is held, and the player may not beat it lower."""
    hand = [card_value(card) for card in parse_cards("8H AH KC AC")]
    what = rulings_pb2.DisputeReport(
        ruleset=BELA,
        trump=common_pb2.SUIT_DIAMONDS,
        played=[card_value(card) for card in parse_cards("KH")],
        hand=hand,
        move=hand[0],
        treatment=rulings_pb2.MOVE_TREATMENT_BLOCKED,
        expected="legal",
    )
    return gateway_pb2.DisputeRequest(request_id=request_id, report=what)


async def test_a_position_is_explained_in_the_callers_language(ana: RawGuest) -> None:
    question = rulings_pb2.ExplainRequest(position="bela D | KH | 8H AH KC AC", card=card_value(parse_cards("8H")[0]))
    english = await asked(ana, "Explain", gateway_pb2.ExplainRequest(question=question))
    croatian = await asked(ana, "Explain", gateway_pb2.ExplainRequest(question=question), *CROATIAN)
    assert [each.clause for each in english.explanation.refused] == ["must_follow", "must_follow", "must_beat"]
    said = [(mine.asked.clause, mine.asked.reason) for mine in (english.explanation, croatian.explanation)]
    assert said[0][0] == said[1][0] == "must_beat"
    assert said[0][1] != said[1][1]
    assert all(each.reason for each in croatian.explanation.refused)


async def test_a_dispute_is_ruled_on_once_and_found_by_who_reported_it_alone(ana: RawGuest, bor: RawGuest) -> None:
    dispute = (await asked(ana, "Dispute", report("once"))).dispute
    assert dispute.ruling == rulings_pb2.RULING_TREATED_RIGHTLY
    assert not dispute.expectation_met
    assert (await asked(ana, "Dispute", report("once"))).dispute == dispute
    wanted = gateway_pb2.GetDisputeRequest(dispute_id=dispute.dispute_id)
    assert (await asked(ana, "GetDispute", wanted)).dispute == dispute
    assert (await refusal(bor, "GetDispute", wanted)).reason is Reason.DISPUTE_NOT_FOUND
    assert (await asked(bor, "Dispute", report("once"))).dispute.dispute_id != dispute.dispute_id


async def test_a_deal_is_scored_line_by_line(ana: RawGuest) -> None:
    figures = rulings_pb2.DealFigures(points=[72, 90], tricks=[4, 4], melds=[20, 0])
    deal = rulings_pb2.ScoreDealRequest(ruleset=BELA, figures=figures)
    score = (await asked(ana, "ScoreDeal", gateway_pb2.ScoreDealRequest(deal=deal))).score
    assert list(score.sheet.score) == [92, 90]
    assert [line.name for line in score.sheet.lines] == ["cards", "melds"]


async def test_rulesets_are_described_and_compared_in_the_callers_language(ana: RawGuest) -> None:
    request = gateway_pb2.CompareRulesetsRequest(first=BELA, second=rulings_pb2.RulesetChoice(name="club"))
    english = (await asked(ana, "CompareRulesets", request)).comparison
    croatian = (await asked(ana, "CompareRulesets", request, *CROATIAN)).comparison
    pairs = list(zip(english.differences, croatian.differences, strict=True))
    assert pairs
    assert all(mine.name == theirs.name and mine.description != theirs.description for mine, theirs in pairs)
    one = gateway_pb2.GetRulesetRequest(ruleset=BELA)
    titles = {(await asked(ana, "GetRuleset", one, *more)).ruleset.title for more in ((), CROATIAN)}
    assert len(titles) == 2


@pytest.mark.parametrize(
    ("method", "request_", "field"),
    [
        ("Explain", gateway_pb2.ExplainRequest(question=rulings_pb2.ExplainRequest(ruleset=BELA)), "question.trump"),
        ("ScoreDeal", gateway_pb2.ScoreDealRequest(deal=rulings_pb2.ScoreDealRequest(ruleset=BELA)), "deal.deal"),
        ("Dispute", gateway_pb2.DisputeRequest(request_id="x"), "report.treatment"),
        ("Dispute", gateway_pb2.DisputeRequest(), "request_id"),
        ("GetDispute", gateway_pb2.GetDisputeRequest(), "dispute_id"),
        (
            "GetRuleset",
            gateway_pb2.GetRulesetRequest(ruleset=rulings_pb2.RulesetChoice(name="bela", options={"jokers": "on"})),
            "ruleset.options.jokers",
        ),
    ],
)
async def test_what_cannot_be_is_refused_by_the_field_of_the_request(
    ana: RawGuest, method: str, request_: Any, field: str
) -> None:
    assert [each.field for each in (await refusal(ana, method, request_)).violations] == [field]
