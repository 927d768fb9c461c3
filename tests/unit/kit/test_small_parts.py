"""Pages, ids, queries, failpoints, peers, logs, deadlines."""

import io
import json
import logging
import random
import subprocess
import sys
import uuid
from collections.abc import Iterable, Mapping

import pytest
import structlog

from belot_kit import failpoints
from belot_kit.deadlines import call_timeout, deadline_after, deadline_scope
from belot_kit.errors import DomainError, Reason
from belot_kit.ids import id_for_request, new_id
from belot_kit.logs import LogOptions, configure_logs, describe_exception
from belot_kit.pages import next_token, page_of
from belot_kit.peers import PeerPolicy
from belot_kit.queries import QueriesError, parse_queries

KEY = (int, str)


def test_a_token_leads_to_the_rows_after_the_last_one_shown() -> None:
    page = page_of(2, "", key=KEY, lobby="open")
    token = next_token(page, [(1, "a"), (2, "b"), (3, "c")])
    assert page_of(2, token, key=KEY, lobby="open").after == (2, "b")


def test_the_last_page_has_no_token() -> None:
    assert next_token(page_of(2, "", key=KEY), [(1, "a"), (2, "b")]) == ""


@pytest.mark.parametrize(("asked", "size"), [(0, 50), (1, 1), (200, 200), (10_000, 200)])
def test_the_size_has_a_default_and_a_limit(asked: int, size: int) -> None:
    assert page_of(asked, "", key=KEY).size == size


def test_a_token_of_another_list_is_refused() -> None:
    token = next_token(page_of(1, "", key=KEY, lobby="open"), [(1, "a"), (2, "b")])
    for lobby, key in (("closed", KEY), ("open", (str, str)), ("open", (int,))):
        with pytest.raises(DomainError) as refused:
            page_of(1, token, key=key, lobby=lobby)
        assert refused.value.violations[0].field == "page_token"


@pytest.mark.parametrize("seed", range(20))
def test_a_random_token_is_refused(seed: int) -> None:
    source = random.Random(seed)
    token = "".join(source.choice("abcABC019-_=+/é") for _ in range(source.randint(1, 60)))
    with pytest.raises(DomainError) as refused:
        page_of(1, token, key=KEY)
    assert refused.value.reason is Reason.INVALID_ARGUMENT


def test_ids_made_later_sort_later_and_are_uuids_of_version_7() -> None:
    made = [new_id(1_700_000_000_000 + number) for number in range(100)]
    assert made == sorted(made)
    assert {uuid.UUID(each).version for each in made} == {7}
    assert len({new_id(1) for _ in range(100)}) == 100


def test_a_repeated_request_finds_the_same_id_and_no_other_request_does() -> None:
    first = id_for_request("table", "player", "request")
    assert first == id_for_request("table", "player", "request")
    others = [("match", "player", "request"), ("table", "playerr", "equest"), ("table", "player", "request2")]
    assert first not in {id_for_request(*other) for other in others}
    assert uuid.UUID(first).version == 8
    assert uuid.UUID(first).variant == uuid.RFC_4122


def test_queries_are_found_by_name() -> None:
    queries = parse_queries("-- name: one\nSELECT 1;\n\n-- name: two\n-- why\nSELECT 2\n")
    assert dict(queries) == {"one": "SELECT 1", "two": "-- why\nSELECT 2"}


@pytest.mark.parametrize(
    "text", ["SELECT 1", "-- name: a\n-- only words\n", "-- name: a\nSELECT 1\n-- name: a\nSELECT 2"]
)
def test_a_bad_file_of_queries_is_refused(text: str) -> None:
    with pytest.raises(QueriesError):
        parse_queries(text)


def test_a_failpoint_fails_at_the_time_asked_for_and_once() -> None:
    failpoints.load_failpoints({"BELOT_FAILPOINTS": "commit=error@2"})
    failpoints.failpoint("commit")
    failpoints.failpoint("other")
    with pytest.raises(failpoints.FailpointError):
        failpoints.failpoint("commit")
    failpoints.failpoint("commit")


def test_a_failpoint_can_kill_the_process() -> None:
    script = "from belot_kit.failpoints import *; load_failpoints({'BELOT_FAILPOINTS': 'a=kill'}); failpoint('a')"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -9


@pytest.mark.parametrize("text", ["a", "a=explode", "a=kill@x"])
def test_a_failpoint_nobody_understands_stops_the_start(text: str) -> None:
    with pytest.raises(failpoints.FailpointError):
        failpoints.load_failpoints({"BELOT_FAILPOINTS": text})
    failpoints.load_failpoints({})


class Caller:
    """A caller with this address and these names in its certificate."""

    def __init__(self, peer: str, *names: bytes) -> None:
        self._peer = peer
        self._names = names

    def peer(self) -> str:
        """Its address."""
        return self._peer

    def auth_context(self) -> Mapping[str, Iterable[bytes]]:
        """Its certificate."""
        return {"x509_subject_alternative_name": self._names} if self._names else {}


POLICY = PeerPolicy({"belot.table.v1.TableService": frozenset({"gateway.belot"})}, require_tls=True)


@pytest.mark.parametrize(
    ("caller", "passes"),
    [
        (Caller("ipv4:1.2.3.4:5", b"gateway.belot"), True),
        (Caller("ipv4:1.2.3.4:5", b"bot.belot"), False),
        (Caller("ipv4:1.2.3.4:5"), False),
        (Caller("unix:"), True),
    ],
)
def test_only_listed_peers_pass(caller: Caller, passes: bool) -> None:
    if passes:
        POLICY.check("belot.table.v1.TableService", caller)
        return
    with pytest.raises(DomainError) as refused:
        POLICY.check("belot.table.v1.TableService", caller)
    assert refused.value.reason is Reason.PERMISSION_DENIED


def test_a_service_without_a_list_is_open_to_every_certificate() -> None:
    POLICY.check("grpc.health.v1.Health", Caller("ipv4:1.2.3.4:5", b"anyone.belot"))


async def test_the_time_for_a_call_is_what_is_left_minus_the_way_back() -> None:
    assert call_timeout(3.0) == 3.0
    with deadline_scope(deadline_after(2.0)):
        assert 1.9 < call_timeout(3.0) <= 1.98
        assert call_timeout(0.5) == 0.5
    with pytest.raises(DomainError):
        deadline_after(0.049)


def test_an_exception_is_described_without_what_it_quotes() -> None:
    error = KeyError("seed 123")
    error.__cause__ = ValueError("hand AS KS")
    assert describe_exception(error) == "KeyError from ValueError"
    assert describe_exception(FileNotFoundError("no such file")) == "FileNotFoundError: no such file"


def test_the_standard_library_logs_as_json_too(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stderr", out)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        configure_logs(LogOptions(), service="sample")
        try:
            raise ValueError("hand AS KS")
        except ValueError:
            logging.getLogger("grpc").exception("broken")
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        structlog.reset_defaults()
        structlog.contextvars.clear_contextvars()
    line = json.loads(out.getvalue())
    assert (line["event"], line["level"], line["exception"]) == ("broken", "error", "ValueError")
    assert "KS" not in out.getvalue()
