"""A scorer with a fault: its deals do not add up, the rules notice, the table stops with an alarm and loses nothing.

The fault is put into the real scorer of the running rules service, and taken out again as a mended release would.
"""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_engine import scoring
from belot_engine.outcome import DealOutcome, Tally
from belot_engine.ruleset import Ruleset
from belot_engine.state import Standing
from belot_events.envelope import Envelope
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call
from support.databases import Database
from support.eventually import eventually
from support.table_timers import due_now, timer_of
from support.tables import Person, TableClient, Watcher, bots, first_legal, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAVE = table_pb2.TableAction(leave=table_pb2.Leave())
RESIGN = table_pb2.TableAction(resign=table_pb2.Resign())
RESUME = table_pb2.TableAction(resume=table_pb2.Resume())
DRAW = table_pb2.TableAction(propose_draw=table_pb2.ProposeDraw())
HELLO = table_pb2.TableAction(say=table_pb2.Say(phrase="hello"))
ONE_DEAL = {"seed_time": {"seconds": 1}}
LONG_MS = 5 * 60_000


def counted(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """The scorer of classic gives a point that there is not; calling this mends it."""
    sound = scoring._TALLY["classic"]

    def generous(ruleset: Ruleset, standing: Standing, outcome: DealOutcome) -> Tally:
        tally = sound(ruleset, standing, outcome)
        return replace(tally, scores=(tally.scores[0] + 1, *tally.scores[1:]))

    monkeypatch.setitem(scoring._TALLY, "classic", generous)
    return lambda: monkeypatch.setitem(scoring._TALLY, "classic", sound)


async def until_put_off(database: Database, table_id: str) -> int:
    """Wait until the table's timer is due much later, and return the version that it is for."""
    async with asyncio.timeout(15):
        while True:  # the alarm is raised just before
            _, left_ms, version = await timer_of(database, table_id)
            if left_ms > LONG_MS:
                return version


async def test_a_deal_that_does_not_add_up_stops_the_table_and_after_mending_it_goes_on_from_there(
    tables: TableClient,
    table_database: Database,
    valkey: str,
    faulty: Callable[[], None],
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = counted("belot_table_audit_breaches_total")
    rules_before = counted("belot_rules_audit_breaches_total", ruleset="classic")
    table_id = (await tables.create("maker", short_match(**ONE_DEAL))).summary.table_id
    async with watching(tables, valkey, table_id) as watcher:
        await tables.do(table_id, "maker", bots("normal"))
        await eventually(lambda: counted("belot_table_audit_breaches_total") > before)
        # Counters are the process's: a match that an earlier test left behind may raise them too.
        version = await until_put_off(table_database, table_id)
        assert counted("belot_rules_audit_breaches_total", ruleset="classic") > rules_before
        stopped = await tables.view(table_id)
        log = await tables.events(table_id)
        assert version == stopped.summary.version
        assert stopped.summary.status == view_pb2.TABLE_STATUS_PLAYING
        assert stopped.halted
        assert [each.kind for each in log[-2:]] == ["turn_started", "table_halted"]
        assert told_halted(log) == [True]
        await due_now(table_database, table_id)
        await until_put_off(table_database, table_id)
        assert counted("belot_table_audit_breaches_total") > before + 1
        assert (await tables.events(table_id)) == log
        faulty()
        await due_now(table_database, table_id)
        await watcher.until_kind("match_finished")
        whole = list(watcher.log)
        assert not (await tables.view(table_id)).halted
    assert whole[: len(log)] == list(log)
    assert told_halted(whole) == [True, False]
    assert whole[len(log)].kind == "table_halted"
    scored = next(each for each in whole if each.kind == "deal_scored")
    sheet = view_pb2.TableEvent.FromString(scored.payload).game.deal_scored
    assert sum(sheet.score) + sheet.held in (162, 182, 252, 272)
    critical = [line for line in capsys.readouterr().out.splitlines() if "critical" in line and table_id in line]
    assert sum(" audit_breach" in line for line in critical) == 2


async def test_a_player_whose_card_ends_such_a_deal_is_told_and_may_play_it_after_mending(
    tables: TableClient, table_database: Database, valkey: str, faulty: Callable[[], None]
) -> None:
    before = counted("belot_table_audit_breaches_total")
    table_id = (await tables.create("maker", short_match())).summary.table_id
    persons = [Person(tables, table_id, new_request()) for _ in range(4)]
    for seat, person in enumerate(persons):
        await person.sit(seat)
    async with watching(tables, valkey, table_id) as watcher:
        await watcher.until_kind("match_opened")
        await asyncio.gather(*(each.send_seed() for each in persons))
        seat, refused = await until_refused(persons, watcher)
        assert refused.reason is Reason.AUDIT_BREACH
        assert counted("belot_table_audit_breaches_total") > before
        await until_put_off(table_database, table_id)
        await until_played_on(persons, watcher, table_database, faulty, seat)


async def until_played_on(
    persons: list[Person], watcher: Watcher, database: Database, mend: Callable[[], None], seat: int
) -> None:
    """Nothing of the match can be done while the table stands; mended, it goes on with that person's turn."""
    turns, person = [each.kind for each in watcher.log].count("turn_started"), persons[seat]
    for wish in (RESIGN, RESUME, DRAW):
        assert (await refusal(person.do(wish))).reason is Reason.TABLE_HALTED
    assert (await refusal(person.act(taking))).reason is Reason.TABLE_HALTED
    await person.do(HELLO)
    assert (await person.client.view(person.table_id)).halted
    assert (await timer_of(database, person.table_id))[1] > LONG_MS, "talk does not make it try again"
    mend()
    await due_now(database, person.table_id)
    assert await watcher.next_turn(turns + 1) == seat
    assert told_halted(watcher.log) == [True, False]
    assert "decision_taken" not in [each.kind for each in watcher.log]
    await person.act(taking)
    await watcher.until_kind("match_finished")


async def test_a_rated_match_at_a_halted_table_is_not_lost_by_leaving_and_operators_can_end_it(
    tables: TableClient, table_database: Database, valkey: str, faulty: Callable[[], None]
) -> None:
    options = view_pb2.TableOptions(ruleset="classic", rated=True)
    table_id = (await tables.create("maker", options)).summary.table_id
    persons = [Person(tables, table_id, new_request()) for _ in range(4)]
    for seat, person in enumerate(persons):
        await person.sit(seat)
    async with watching(tables, valkey, table_id) as watcher:
        await watcher.until_kind("match_opened")
        await asyncio.gather(*(each.send_seed() for each in persons))
        await until_refused(persons, watcher)
        await until_put_off(table_database, table_id)
        assert (await refusal(persons[0].do(LEAVE))).reason is Reason.TABLE_HALTED
        request = table_pb2.EndMatchRequest(table_id=table_id, request_id="end", outcome_kind="server_fault")
        await call(tables.stub.EndMatch, request)
        result = (await watcher.until_kind("match_finished")).match_finished
        assert told_halted(watcher.log) == [True, False]
        await watcher.until_kind("seed_revealed")
    assert (result.outcome_kind, result.rated) == ("server_fault", False)
    assert not (await tables.view(table_id)).halted


def told_halted(log: Sequence[Envelope]) -> list[bool]:
    """What everybody heard of the table being halted."""
    told = [each.payload for each in log if each.kind == "table_halted"]
    return [view_pb2.TableEvent.FromString(each).table_halted.halted for each in told]


async def refusal(awaitable: object) -> DomainError:
    """What a call is refused with."""
    with pytest.raises(DomainError) as refused:
        await awaitable  # type: ignore[misc]
    return refused.value


async def until_refused(persons: list[Person], watcher: Watcher) -> tuple[int, DomainError]:
    """Everybody plays in turn until somebody is refused: his seat, and why."""
    for turn in itertools.count(1):
        seat = await watcher.next_turn(turn)
        assert seat is not None
        try:
            await persons[seat].act(taking)
        except DomainError as error:
            return seat, error
    raise AssertionError("nobody was refused")


def taking(legal: match_pb2.LegalActions) -> match_pb2.Action:
    """The first card, and in the auction the card turned up, so that there is a deal at once."""
    return match_pb2.Action(accept=match_pb2.Accept()) if legal.may_accept else first_legal(legal)
