"""A scorer with a fault: its deals do not add up, the rules notice, the table stops with an alarm and loses nothing.

The fault is put into the real scorer of the running rules service, and taken out again as a mended release would.
"""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace

import asyncpg
import pytest
from prometheus_client import REGISTRY

from belot.rules.v1 import match_pb2
from belot.table.v1 import view_pb2
from belot_engine import scoring
from belot_engine.outcome import DealOutcome, Tally
from belot_engine.ruleset import Ruleset
from belot_engine.state import Standing
from belot_kit.errors import DomainError, Reason
from support.databases import Database
from support.eventually import eventually
from support.tables import Person, TableClient, Watcher, bots, first_legal, new_request, short_match, watching

pytestmark = pytest.mark.asyncio(loop_scope="session")

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


async def timer_of(database: Database, table_id: str) -> tuple[int, int]:
    """In how many milliseconds the table's timer is due, and for which version."""
    connection = await asyncpg.connect(database.dsn)
    row = await connection.fetchrow(
        "SELECT due_ms - (extract(epoch FROM now()) * 1000)::bigint AS left_ms, version FROM belot_table.table_timers"
        " WHERE table_id = $1",
        table_id,
    )
    await connection.close()
    assert row is not None
    return row["left_ms"], row["version"]


async def until_put_off(database: Database, table_id: str) -> int:
    """Wait until the table's timer is due much later, and return the version that it is for."""
    async with asyncio.timeout(15):
        while True:  # the alarm is raised just before
            left_ms, version = await timer_of(database, table_id)
            if left_ms > LONG_MS:
                return version


async def due_now(database: Database, table_id: str) -> None:
    connection = await asyncpg.connect(database.dsn)
    await connection.execute("UPDATE belot_table.table_timers SET due_ms = 1 WHERE table_id = $1", table_id)
    await connection.close()


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
        assert log[-1].kind == "turn_started"
        await due_now(table_database, table_id)
        await until_put_off(table_database, table_id)
        assert counted("belot_table_audit_breaches_total") > before + 1
        assert (await tables.events(table_id)) == log
        faulty()
        await due_now(table_database, table_id)
        await watcher.until_kind("match_finished")
        whole = list(watcher.log)
    assert whole[: len(log)] == list(log)
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
        faulty()
        await persons[seat].act(taking)
        await watcher.until_kind("match_finished")


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
