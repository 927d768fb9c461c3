"""The judge of a hostile run finds what it is there to find."""

import json
import random
from pathlib import Path

import asyncpg
import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2  # type: ignore[import-untyped]

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2
from belot_kit.errors import DomainError, Reason, to_status
from hostile.digest import ledger
from hostile.examples import position_examples
from hostile.headers import Beside
from hostile.judging import Verdict, judge
from hostile.known import Known
from hostile.logs import log_findings
from hostile.messages import Maker
from hostile.octets import MOST_OCTETS, damaged, send_form
from hostile.rpcs import Rpc, every_rpc
from hostile.sending import Answer
from support.databases import Database

RPCS = {rpc.path.rpartition(".")[2]: rpc for rpc in every_rpc()}
BID = RPCS["PlayService/Bid"]
PLAY = RPCS["PlayService/Play"]
GOOD = Beside(())
NO_TOKEN = Beside((), signed_in=False)
SEED = 4


def refused(reason: Reason, *, code: grpc.StatusCode | None = None) -> Answer:
    error = DomainError(reason, "text")
    return Answer(code or error.code, "text", (to_status(error).SerializeToString(),))


def verdict(answer: Answer, rpc: Rpc = BID, beside: Beside = GOOD, octets: bytes = b"") -> Verdict:
    return judge(rpc, (octets,), beside, answer)


def test_a_refusal_with_one_known_reason_is_right_and_changes_nothing() -> None:
    found = verdict(refused(Reason.NOT_YOUR_TURN))
    assert (found.wrong, found.name, found.done) == ((), "FAILED_PRECONDITION NOT_YOUR_TURN", False)


@pytest.mark.parametrize("reason", [Reason.INTERNAL, Reason.AUDIT_BREACH])
def test_a_fault_of_ours_is_found(reason: Reason) -> None:
    assert verdict(refused(reason)).wrong


@pytest.mark.parametrize("code", [grpc.StatusCode.UNKNOWN, grpc.StatusCode.INTERNAL, grpc.StatusCode.NOT_FOUND])
def test_an_error_without_our_status_is_found(code: grpc.StatusCode) -> None:
    assert verdict(Answer(code, "text")).wrong


def test_two_error_infos_or_a_strange_reason_are_found() -> None:
    status = to_status(DomainError(Reason.CONFLICT, "text"))
    twice = status_pb2.Status(code=status.code, details=[*status.details, *status.details])
    strange = status_pb2.Status(code=status.code)
    strange.details.add().Pack(error_details_pb2.ErrorInfo(reason="WHATEVER", domain="belot"))
    for each in (twice, strange):
        assert verdict(Answer(grpc.StatusCode.ABORTED, "", (each.SerializeToString(),))).wrong


def test_a_code_that_is_not_the_statuss_is_found() -> None:
    assert verdict(refused(Reason.CONFLICT, code=grpc.StatusCode.NOT_FOUND)).wrong


def test_an_answer_without_a_token_is_found() -> None:
    assert verdict(Answer(grpc.StatusCode.OK, messages=(b"",)), beside=NO_TOKEN).wrong
    assert verdict(refused(Reason.NOT_SEATED), beside=NO_TOKEN).wrong
    assert not verdict(refused(Reason.UNAUTHENTICATED), beside=NO_TOKEN).wrong


def test_too_large_is_grpcs_own_word_and_only_for_what_is_too_large() -> None:
    answer = Answer(grpc.StatusCode.RESOURCE_EXHAUSTED, "text")
    assert not verdict(answer, octets=b"x" * (MOST_OCTETS + 1)).wrong
    assert verdict(answer).wrong


def test_a_fault_on_a_stream_is_found_and_an_acknowledgement_is_an_effect() -> None:
    fault = gateway_pb2.CommandReply(refusal=errors_pb2.Refusal(reason=errors_pb2.ERROR_REASON_INTERNAL))
    ack = gateway_pb2.CommandReply(ack=table_pb2.Ack(version=1))
    heard = [gateway_pb2.PlayResponse(items=[gateway_pb2.StreamItem(reply=each)]) for each in (fault, ack)]
    octets = tuple(each.SerializeToString() for each in heard)
    assert verdict(Answer(grpc.StatusCode.OK, messages=octets[:1]), PLAY).wrong
    found = verdict(Answer(grpc.StatusCode.OK, messages=octets[1:]), PLAY)
    assert (found.wrong, found.done) == ((), True)


def test_errors_tracebacks_and_secrets_in_logs_are_found(tmp_path: Path) -> None:
    secret = b"0123456789abcdef"
    lines = [
        json.dumps({"event": "rpc", "level": "info"}),
        json.dumps({"event": "unhandled_exception", "level": "error"}),
        "Traceback (most recent call last):",
        json.dumps({"event": "seed", "level": "info", "seed": secret.hex()}),
    ]
    (tmp_path / "table-0.log").write_text("\n".join(lines))
    assert len(log_findings(tmp_path, [secret])) == 3
    (tmp_path / "table-0.log").write_text(lines[0])
    assert log_findings(tmp_path, [secret]) == []


async def test_every_change_of_a_tables_rows_shows_in_its_digest(database: Database) -> None:
    async with asyncpg.create_pool(database.dsn, min_size=1, max_size=1) as connection:
        insert = "INSERT INTO belot_table.table_events (table_id, sequence, kind, at_ms, payload, seat_payload) "
        await connection.execute(insert + "VALUES ('a', 1, 'said', 5, 'x', '')")
        before = await ledger(connection, ("a", "b"))
        await connection.execute(insert + "VALUES ('b', 1, 'said', 5, 'x', '')")
        await connection.execute("UPDATE belot_table.table_events SET payload = 'y' WHERE table_id = 'a'")
        after = await ledger(connection, ("a", "b"))
    assert before.changed(after, ("a",)) == before.changed(after, ("b",)) == ["belot_table.table_events"]
    assert before.changed(before, ("a", "b")) == []
    assert after.counts["belot_table.table_events"] == before.counts["belot_table.table_events"] + 1


def test_the_same_seed_makes_the_same_requests_and_all_of_them_can_be_sent() -> None:
    made: list[list[bytes]] = []
    for _ in range(2):
        known = Known()
        known.learn(list(position_examples(random.Random(SEED))))
        rng = random.Random(SEED)
        maker = Maker(rng, known)
        octets = [send_form(maker.request(rpc.request)) for rpc in every_rpc() for _ in range(3)]
        made.append([*octets, *(damaged(each, rng) for each in octets)])
    assert made[0] == made[1]


def test_sound_examples_of_deep_positions_are_among_the_requests() -> None:
    known = Known()
    known.learn(list(position_examples(random.Random(SEED))))
    states = [each for each in known.examples["belot.rules.v1.MatchState"] if isinstance(each, match_pb2.MatchState)]
    assert {each.public.ruleset.name for each in states} >= {"club", "bela", "classic", "announces"}
    assert any(len(each.public.tricks) > 3 for each in states)
