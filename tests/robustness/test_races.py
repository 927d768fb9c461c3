"""Two table services and what happens at the same moment: one of the two things happens, never both, never neither."""

import asyncio
import random
import time
from collections.abc import Sequence

from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import DomainError, Reason
from robustness.histories import StoredTable, TableHistory
from robustness.log_checks import timers_once
from robustness.log_reading import decisions
from support.eventually import eventually
from support.tables import Person, TableClient, bots, first_legal, new_request, short_match, watching

ROUNDS = 6
TURNS = 8
SEED = 31
AROUND_MS = (-25, 15)
"""When a move leaves, from the end of its turn."""

ONE_SECOND = {"bid_time": {"seconds": 1}, "card_time": {"seconds": 1}, "seed_time": {"seconds": 1}, "reserve": {}}
LOST_THE_RACE = {Reason.VERSION_MISMATCH, Reason.NOT_YOUR_TURN, Reason.WRONG_PHASE}
Pair = tuple[TableClient, TableClient]


def sit() -> table_pb2.TableAction:
    return table_pb2.TableAction(sit_down=table_pb2.SitDown(display_name="Player"))


async def test_of_two_who_want_the_last_seat_one_gets_it(pair: Pair) -> None:
    for _ in range(ROUNDS):
        table_id = (await pair[0].create("maker", short_match())).summary.table_id
        for name in ("anna", "boris", "clara"):
            await pair[0].do(table_id, name, sit())
        results = await asyncio.gather(
            *(each.do(table_id, name, sit()) for each, name in zip(pair, ("dmitri", "elena"), strict=True)),
            return_exceptions=True,
        )
        refusals = [each.reason for each in results if isinstance(each, DomainError)]
        assert len(refusals) == 1
        assert refusals[0] in (Reason.TABLE_FULL, Reason.SEAT_TAKEN)
        assert [each.sequence for each in await pair[0].events(table_id)] == [1, 2, 3, 4, 5]


async def test_a_move_against_its_own_timeout_is_one_decision_and_an_acknowledged_one_is_the_persons(
    pair: Pair, valkey: str
) -> None:
    print(f"seed {SEED}")
    rng = random.Random(SEED)
    table_id = (await pair[0].create("maker", short_match(**ONE_SECOND))).summary.table_id
    people = [Person(each, table_id, new_request()) for each in pair]
    acks: list[table_pb2.Ack] = []
    async with watching(pair[0], valkey, table_id) as watcher:
        for seat, person in enumerate(people):
            await person.sit(seat)
        await people[0].do(bots())
        for turns in range(1, 200):
            turn = await watcher.next_turn(turns)
            if turn is None or len(acks) >= TURNS:
                break
            if turn < len(people):
                acks += await _at_the_last_moment(people[turn], rng.uniform(*AROUND_MS))
        log = tuple(await pair[0].events(table_id))
    history = TableHistory(StoredTable(table_id, 0, 0, b"", ""), log, {}, (), ())
    assert list(timers_once(history)) == []
    made = list(decisions(log))
    answered = [next(each for each in reversed(made) if each.sequence <= ack.sequence) for ack in acks]
    assert all(each.by_person for each in answered)
    assert len({each.sequence for each in answered}) == len(acks)
    assert len(acks) == sum(each.by_person for each in made)


async def _at_the_last_moment(person: Person, after_ms: float) -> Sequence[table_pb2.Ack]:
    """Move around the end of the turn; the acknowledgement, or none when the clock was faster."""
    view: view_pb2.TableView = await person.client.view(person.table_id, person.player_id)
    if not view.turn.HasField("legal"):
        return ()
    due_s = view.turn.due_at.ToMilliseconds() / 1000
    await eventually(lambda: time.time() >= due_s + after_ms / 1000 - 0.01)
    action = table_pb2.TableAction(game=first_legal(view.match.legal))
    try:
        return (await person.do(action, expected_version=view.summary.version),)
    except DomainError as refusal:
        if refusal.reason not in LOST_THE_RACE:
            raise
        return ()
