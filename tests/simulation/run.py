"""One seed from beginning to end: the fleet, its people, the storm, the calm after it, and the verdict."""

import asyncio
import logging
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import structlog

from belot.table.v1 import view_pb2
from belot_kit.tasks import background
from robustness.histories import Finding, OutboxRow, StoredTable, TableHistory, Tape
from robustness.log_reading import decisions
from robustness.validate import findings
from simulation.person import Person
from simulation.plan import Game, Plan, plan_of
from simulation.services import start_all, tokens_of
from simulation.world import World
from support.memory_tables import TableRow
from support.virtual_time import BEGIN, Standstill, VirtualLoop, run_virtually

END_SECONDS: Final = 900.0
"""How much virtual time a match may take, faults included."""

_TOLD_SECONDS: Final = 30.0
_BEFORE: Final = 0.3


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a seed. `digest` stands for everything that happened, in order; `seconds` are virtual ones."""

    plan: Plan
    digest: str
    seconds: float
    moves: int
    deaths: int
    findings: tuple[Finding, ...]


def simulate(seed: int, trace: list[str] | None = None) -> Outcome:
    """Play the seed; with `trace` every line of what happened is kept there."""
    plan = plan_of(seed)
    with _silently():
        try:
            return run_virtually(lambda virtual: _run(virtual, plan, trace), random.Random(f"run {seed}"))
        except Standstill as error:
            return Outcome(plan, "", 0.0, 0, 0, (Finding("alive", "-", str(error)),))


async def _run(virtual: VirtualLoop, plan: Plan, trace: list[str] | None) -> Outcome:
    world = World(virtual, plan, trace)
    tapes: list[Tape] = []
    async with asyncio.TaskGroup() as group:
        start_all(world, group)
        group.create_task(world.cut_the_bus())
        with world.watching_places():
            stuck = await _played(world, tapes)
            await _settled(world)
        _end()
    return _outcome(world, tapes, stuck)


async def _played(world: World, tapes: list[Tape]) -> list[Finding]:
    """Play the match; what stood in the way of its end."""
    try:
        async with asyncio.timeout(END_SECONDS):
            await _match(world, tapes)
    except TimeoutError:
        return [Finding("finished", "-", f"the match did not end within {END_SECONDS:.0f} s")]
    except Exception as error:
        return [Finding("clients", "-", f"a client failed: {error!r}")]
    return []


async def _match(world: World, tapes: list[Tape]) -> None:
    """One match, from the making of its table to the reveal of its seed; then somebody looks back."""
    game, tokens = world.plan.game, tokens_of(world)
    people = [
        Person(world, f"person-{seat}", tokens.sign_in_guest(f"Person {seat}"), world.plan.habits)
        for seat in range(game.people)
    ]
    if game.spectator:
        people.append(Person(world, "spectator", tokens.sign_in_guest("Spectator"), None))
    await asyncio.sleep(_BEFORE)
    async with background(_storm(world)), asyncio.TaskGroup() as group:
        table_id = await people[0].create_table(_options(game))
        for seat in range(1, game.people):
            await people[seat].sit_down(table_id, seat)
        if game.people < game.seats:
            await people[0].fill_with_bots(table_id, game.level)

        def end() -> int | None:
            return world.tables.tables[table_id].sequence if all(each.done for each in people) else None

        for person in people:
            tape = Tape(table_id, person.player_id, game.hasty)
            tapes.append(tape)
            group.create_task(person.play(tape, end))
    tapes.append(await people[-1].look_back(table_id))


async def _storm(world: World) -> None:
    world.stormy = True
    try:
        await asyncio.sleep(world.plan.storm_s)
    finally:
        world.stormy = False
        world.say("world", "is calm")


async def _settled(world: World) -> None:
    """Wait until all is marked as published and delivered; if it never is, a validator says so."""
    end = world.loop.time() + _TOLD_SECONDS
    while world.loop.time() < end and not all(map(_is_told, world.tables.tables.values())):  # noqa: ASYNC110
        await asyncio.sleep(0.1)


def _is_told(row: TableRow) -> bool:
    return row.published >= row.sequence and all(each.acknowledged for each in row.outbox.values())


def _end() -> None:
    """Nobody is needed any more."""
    current = asyncio.current_task()
    for task in sorted(asyncio.all_tasks(), key=hash):
        if task is not current:
            task.cancel()


def _options(game: Game) -> view_pb2.TableOptions:
    options = view_pb2.TableOptions(
        ruleset=game.ruleset, seats=game.seats, pack_size=game.pack, ruleset_options={"deals": str(game.deals)}
    )
    options.bid_time.FromMilliseconds(game.move_ms)
    options.card_time.FromMilliseconds(game.move_ms)
    options.reserve.FromMilliseconds(game.reserve_ms)
    options.seed_time.FromMilliseconds(3_000 if game.hasty else 60_000)
    options.bot_delay.FromMilliseconds(game.bot_delay_ms)
    return options


def _outcome(world: World, tapes: Sequence[Tape], stuck: Sequence[Finding]) -> Outcome:
    for row in world.tables.tables.values():
        for each in row.log:
            world.say("log", f"{each.sequence} {each.kind} {each.at_ms} {len(each.payload)} {len(each.seat_payload)}")
    ended = [Finding("alive", "-", text) for text in world.ended]
    histories = [_history(world, row, tapes) for row in world.tables.tables.values()]
    return Outcome(
        plan=world.plan,
        digest=world.digest,
        seconds=world.clock.seconds - BEGIN,
        moves=sum(bool(sent.acks) for tape in tapes for sent in tape.sent if sent.action.HasField("game")),
        deaths=world.deaths,
        findings=(*stuck, *ended, *_overlooked(world.plan.game, histories), *findings(histories)),
    )


def _overlooked(game: Game, histories: Sequence[TableHistory]) -> Iterator[Finding]:
    """Turns that somebody with minutes of time missed: he was not told of them."""
    for history in histories:
        for each in decisions(history.log):
            if each.by_clock and not game.hasty:
                yield Finding("overlooked", history.table.table_id, f"seat {each.seat} was not told of {each.sequence}")


def _history(world: World, row: TableRow, tapes: Sequence[Tape]) -> TableHistory:
    table = StoredTable(row.table_id, row.version, row.sequence, row.state, row.ruleset_json, row.published)
    outbox = (OutboxRow(each.row.outbox_id, each.row.kind, each.row.payload, each.acknowledged)
              for each in row.outbox.values())  # fmt: skip
    return TableHistory(
        table=table,
        log=tuple(row.log),
        requests={key: request.response for key, request in row.requests.items()},
        outbox=tuple(outbox),
        tapes=tuple(tape for tape in tapes if tape.table_id == row.table_id),
        inbox=tuple(each.entry.payload for each in world.ratings.rows.values()),
    )


@contextmanager
def _silently() -> Iterator[None]:
    """What services log of faults would bury what a run says."""
    kept = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        yield
    finally:
        structlog.configure(**kept)
