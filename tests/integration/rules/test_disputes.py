"""Reported moves: ruled on by the running validator, kept with their ruleset, found again, the same for ever."""

import hashlib
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from belot.common.v1 import common_pb2
from belot.rules.v1 import rules_pb2, rules_pb2_grpc, rulings_pb2
from belot_engine.notation import parse_cards
from belot_engine.ruleset import canonical_json
from belot_engine.rulesets import resolve
from belot_kit.app import running
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, call, open_channel
from belot_rules.main import RulesConfig, app_options, serve
from belot_rules.ruling import RuledOn, rule
from belot_rules.store import dispute_of, row_of
from support.databases import Database
from support.rules_client import card_value

ALLOWED, BLOCKED = rulings_pb2.MOVE_TREATMENT_ALLOWED, rulings_pb2.MOVE_TREATMENT_BLOCKED
RIGHTLY, WRONGLY = rulings_pb2.RULING_TREATED_RIGHTLY, rulings_pb2.RULING_TREATED_WRONGLY

#: Rows as disputes were kept by the first release that did: a later one reads them and rules the same.
KEPT_FOR_EVER = Path(__file__).parents[2] / "golden" / "disputes.json"


@pytest.fixture
async def rules(database: Database, tmp_path: Path) -> AsyncIterator[Any]:
    config = RulesConfig(listen=(f"unix:{tmp_path}/rules.sock",), postgres_dsn=database.dsn_as("belot_rules"))
    async with (
        running(app_options(config), lambda app: serve(config, app)) as app,
        open_channel(ChannelOptions(app.addresses["grpc"])) as channel,
    ):
        yield rules_pb2_grpc.RulesServiceStub(channel)


def cards(text: str) -> "list[common_pb2.Card.ValueType]":
    return [card_value(card) for card in parse_cards(text)]


def report(**changes: Any) -> rulings_pb2.DisputeReport:
    """A seven of trumps lies on the king; the eight of the led suit was refused."""
    parts: dict[str, Any] = {
        "ruleset": rulings_pb2.RulesetChoice(name="bela"),
        "trump": common_pb2.SUIT_DIAMONDS,
        "played": cards("KH 7D"),
        "hand": cards("8H AH KC AC"),
        "move": cards("8H")[0],
        "treatment": BLOCKED,
        "expected": "legal",
        "comment": "The trick was ruffed: nothing to beat.",
    }
    return rulings_pb2.DisputeReport(**(parts | changes))


async def filed(rules: Any, what: rulings_pb2.DisputeReport, request_id: str = "r", player: str = "ana") -> Any:
    request = rulings_pb2.DisputeRequest(request_id=request_id, player_id=player, report=what)
    return (await call(rules.Dispute, request)).dispute


async def refusal(rules: Any, what: rulings_pb2.DisputeReport, **others: str) -> DomainError:
    with pytest.raises(DomainError) as caught:
        await filed(rules, what, **others)
    return caught.value


async def found(rules: Any, dispute_id: str, player: str = "") -> Any:
    request = rulings_pb2.GetDisputeRequest(dispute_id=dispute_id, player_id=player)
    return (await call(rules.GetDispute, request)).dispute


async def test_a_legal_card_that_was_blocked_was_treated_wrongly(rules: Any) -> None:
    dispute = await filed(rules, report())
    assert dispute.ruling == WRONGLY
    assert (dispute.verdict.legal, dispute.verdict.clause) == (True, "")
    assert list(dispute.legal) == cards("8H AH")
    assert dispute.expectation_met
    assert dispute.position == "bela D | KH 7D | KC AC 8H AH"


async def test_an_illegal_card_that_was_blocked_was_treated_rightly_by_its_clause(rules: Any) -> None:
    dispute = await filed(rules, report(played=cards("KH"), expected="must_beat"))
    assert (dispute.ruling, dispute.verdict.clause, dispute.expectation_met) == (RIGHTLY, "must_beat", True)
    assert list(dispute.verdict.allowed_by) == ["club", "classic", "announces"]
    other = await filed(rules, report(played=cards("KH"), expected="must_follow", treatment=ALLOWED), "r2")
    assert (other.ruling, other.expectation_met) == (WRONGLY, False)
    silent = await filed(rules, report(played=cards("KH"), expected=""), "r3")
    assert not silent.HasField("expectation_met")


async def test_the_cards_of_a_whole_deal_are_taken_apart_into_tricks(rules: Any) -> None:
    whole = report(played=cards("7C 8C 9C TC KH 7D"), hand=cards("8H AH KC AC"))
    dispute = await filed(rules, whole)
    assert (dispute.position, list(dispute.legal)) == ("bela D | KH 7D | KC AC 8H AH", cards("8H AH"))
    assert list(dispute.report.played) == cards("7C 8C 9C TC KH 7D")


async def test_a_verdict_is_kept_with_its_ruleset_and_found_again_as_it_was(rules: Any, database: Database) -> None:
    dispute = await filed(rules, report())
    assert await found(rules, dispute.dispute_id) == dispute
    assert await found(rules, dispute.dispute_id, "ana") == dispute
    assert hashlib.sha256(dispute.ruleset_json.encode()).hexdigest() == dispute.ruleset.hash
    row = (await rows(database))[0]
    assert (row["ruleset_hash"], row["ruleset_json"]) == (dispute.ruleset.hash, dispute.ruleset_json)


async def test_somebody_elses_dispute_is_not_found(rules: Any) -> None:
    dispute = await filed(rules, report())
    for dispute_id, player in ((dispute.dispute_id, "bor"), ("nothing", "ana"), ("nothing", "")):
        with pytest.raises(DomainError) as caught:
            await found(rules, dispute_id, player)
        assert caught.value.reason is Reason.DISPUTE_NOT_FOUND


async def test_a_report_sent_twice_has_one_verdict_and_another_one_needs_another_request(
    rules: Any, database: Database
) -> None:
    first = await filed(rules, report())
    assert await filed(rules, report()) == first
    assert (await refusal(rules, report(treatment=ALLOWED))).reason is Reason.REQUEST_ID_REUSED
    assert (await filed(rules, report(), player="bor")).dispute_id != first.dispute_id
    assert len(await rows(database)) == 2


async def test_a_ruleset_may_be_given_as_the_record_of_a_match_has_it(rules: Any) -> None:
    text = canonical_json(resolve("bela", 4, 32, {"stiglja": "off"}))
    dispute = await filed(rules, report(ruleset=None, ruleset_json=text))
    assert dispute.ruleset_json == text
    both = await refusal(rules, report(ruleset_json=text), request_id="r2")
    assert [each.field for each in both.violations] == ["report.ruleset"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"treatment": 0}, "report.treatment"),
        ({"treatment": 9}, "report.treatment"),
        ({"expected": "must_smile"}, "report.expected"),
        ({"comment": "x" * 1_001}, "report.comment"),
        ({"comment": "\x00"}, "report.comment"),
        ({"trump": 0}, "report.trump"),
        ({"move": 0}, "report.move"),
        ({"move": 1}, "report.move"),
        ({"played": [1, 1]}, "report.played"),
        ({"played": [77]}, "report.played"),
        ({"hand": []}, "report.hand"),
        ({"hand": cards("8H 7D")}, "report.hand"),
        ({"played": cards("7C 8C 9C TC"), "hand": cards("7H 8H 9H TH JH QH KH AH")}, "report.hand"),
        ({"ruleset": None, "ruleset_json": "{}"}, "report.ruleset_json"),
    ],
)
async def test_a_report_that_cannot_be_is_refused_by_its_field_and_not_kept(
    rules: Any, database: Database, changes: dict[str, Any], field: str
) -> None:
    error = await refusal(rules, report(**changes))
    assert (error.reason, [each.field for each in error.violations]) == (Reason.INVALID_ARGUMENT, [field])
    assert not await rows(database)


@pytest.mark.parametrize("others", [{"request_id": ""}, {"player": ""}, {"request_id": "x" * 65}])
async def test_a_report_names_who_sends_it_and_its_request(rules: Any, others: dict[str, str]) -> None:
    assert (await refusal(rules, report(), **others)).reason is Reason.INVALID_ARGUMENT


async def rows(database: Database) -> list[dict[str, Any]]:
    connection = await asyncpg.connect(database.dsn)
    try:
        return [dict(row) for row in await connection.fetch("SELECT * FROM belot_rules.disputes")]
    finally:
        await connection.close()


async def test_a_kept_verdict_is_ruled_the_same_from_its_row(rules: Any, database: Database) -> None:
    for number, played in enumerate(("KH 7D", "KH", "7D", "7C 8C 9C")):
        for move in ("8H", "AC"):
            await filed(rules, report(played=cards(played), move=cards(move)[0]), f"{number} {move}")
    kept = await rows(database)
    assert len(kept) == 8
    for row in kept:
        assert_ruled_the_same(row)


@pytest.mark.parametrize("row", json.loads(KEPT_FOR_EVER.read_text())["rows"], ids=lambda row: row["dispute_id"])
def test_a_verdict_kept_long_ago_is_readable_and_ruled_the_same_today(row: dict[str, Any]) -> None:
    assert_ruled_the_same(row | {"fingerprint": bytes.fromhex(row["fingerprint"])})


def assert_ruled_the_same(row: dict[str, Any]) -> None:
    kept = dispute_of(row)
    again = rule(kept.report)
    assert hashlib.sha256(row["ruleset_json"].encode()).hexdigest() == row["ruleset_hash"]
    assert again == RuledOn(kept.ruled.legal, kept.ruled.clause, kept.ruled.legal_cards, again.allowed_by)
    assert row_of(kept) == row


async def test_a_database_that_is_away_hurts_disputes_alone_and_is_found_when_it_is_back(
    database: Database, tmp_path: Path
) -> None:
    place = tmp_path / "not-there"
    config = RulesConfig(listen=(f"unix:{tmp_path}/rules.sock",), postgres_dsn=f"postgresql://x@/x?host={place}")
    async with (
        running(app_options(config), lambda app: serve(config, app)) as app,
        open_channel(ChannelOptions(app.addresses["grpc"])) as channel,
    ):
        stub = rules_pb2_grpc.RulesServiceStub(channel)
        assert all(app.conditions().values())
        error = await refusal(stub, report())
        assert (error.reason, error.message) == (Reason.UNAVAILABLE, "the database of disputes does not answer")
        assert (await call(stub.ListRulesets, rules_pb2.ListRulesetsRequest())).rulesets


async def test_a_schema_that_lacks_is_no_reason_not_to_start(
    empty_database: Database, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = RulesConfig(listen=(f"unix:{tmp_path}/rules.sock",), postgres_dsn=empty_database.dsn)
    async with (
        running(app_options(config), lambda app: serve(config, app)) as app,
        open_channel(ChannelOptions(app.addresses["grpc"])) as channel,
    ):
        error = await refusal(rules_pb2_grpc.RulesServiceStub(channel), report())
    assert error.reason is Reason.UNAVAILABLE
    assert "MigrationError" in "".join(capsys.readouterr())
