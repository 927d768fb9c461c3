"""Who does not sit at a table: what he sees of its match, and when. Time is virtual, log and bus are in memory."""

import asyncio
import random
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack

import pytest

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_events.visibility import visible_to
from support.virtual_time import VirtualClock, VirtualLoop, run_virtually
from support.watched_table import Eyes, Gateway, WatchedTable, gateway

OPENING, PLAYING = view_pb2.TABLE_STATUS_OPENING, view_pb2.TABLE_STATUS_PLAYING
FINISHED = view_pb2.TABLE_STATUS_FINISHED
Scene = Callable[[VirtualClock, WatchedTable, Gateway], Coroutine[object, object, None]]


def play(scene: Scene, *, delay_s: float = 0, no_spectators: bool = False, seed: int = 1, ahead_ms: int = 0) -> None:
    """Run a scene on virtual time at a table with these options; the gateway's clock may be ahead of the table's."""

    async def run(virtual: VirtualLoop) -> None:
        options = view_pb2.TableOptions(no_spectators=no_spectators)
        if delay_s:
            options.spectator_delay.FromMilliseconds(int(delay_s * 1000))
        table = WatchedTable(virtual.clock, options)
        async with gateway(virtual.clock, table, ahead_ms) as shown:
            await scene(virtual.clock, table, shown)

    print(f"seed {seed}")
    run_virtually(run, random.Random(seed))


def as_spectator(table: WatchedTable, sequence: int) -> view_pb2.TableEvent:
    return view_pb2.TableEvent.FromString(visible_to(table.log[sequence - 1], None) or b"")


def refused(eyes: Eyes) -> list[str]:
    reasons = [item.ended.refusal.reason for _, item in eyes.of("ended")]
    return [errors_pb2.ErrorReason.Name(reason).removeprefix("ERROR_REASON_") for reason in reasons]


def check_late(table: WatchedTable, eyes: Eyes, delay_s: float, after: int = 0) -> None:
    """Nothing younger than the delay after a sequence; every number once, in order, and what a spectator may see."""
    last: int | None = None
    for came_ms, item in eyes.items:
        if item.HasField("heartbeat"):
            assert item.sequence == (last or 0), "a heartbeat speaks for what was sent"
            continue
        if item.sequence > after:
            assert came_ms >= table.log[item.sequence - 1].at_ms + delay_s * 1000, item.sequence
        assert last is None or item.sequence == last + 1
        last = item.sequence
        if item.HasField("event"):
            assert item.event == as_spectator(table, item.sequence)


@pytest.mark.parametrize("seed", range(25))
def test_a_spectator_of_a_delayed_table_sees_nothing_younger_than_the_delay_and_in_the_end_everything(
    seed: int,
) -> None:
    draw = random.Random(seed)
    delay_s = draw.choice([0.2, 1.0, 7.5, 60.0, 600.0])
    ahead_ms = draw.choice([0, 30_000, -30_000])

    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.sit(0, "ana")
        table.become(OPENING)
        async with AsyncExitStack() as stack:
            player = await stack.enter_async_context(shown.eyes("ana"))
            player.follow()
            watching: list[Eyes] = []
            for number in range(200):
                for _ in range(draw.choice([1, 1, 1, 5])):
                    table.turn(draw.randrange(4))
                await asyncio.sleep(draw.choice([0.001, 0.1, 1.0, delay_s / 20, delay_s / 3]))
                if number % 40 == 5:
                    watching.append(await stack.enter_async_context(shown.eyes(f"s{number}")))
                    watching[-1].follow()
                if watching and draw.random() < 0.1:
                    again = draw.choice(watching)  # hangs up and resumes after the last number that came
                    again.topics.close()
                    await asyncio.sleep(0.001)
                    again.follow(again.head or None)
                for eyes in watching:
                    eyes.beat()
            table.become(FINISHED)
            assert player.head >= len(table.log) - 5
            await asyncio.sleep(2 * delay_s + 2)
            for eyes in (player, *watching):
                assert eyes.head == len(table.log)
            for eyes in watching:
                check_late(table, eyes, delay_s)
            assert any(item.event.turn_started.HasField("legal") for _, item in player.items)

    play(scene, delay_s=delay_s, seed=seed, ahead_ms=ahead_ms)


def test_the_first_picture_is_held_back_and_heartbeats_say_that_nothing_was_sent() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.become(PLAYING)
        began_ms = clock.now_ms()
        async with shown.eyes("sue") as sue:
            sue.follow()
            await asyncio.sleep(59)
            assert sue.items == []
            assert sue.topics.positions() == [("t", 0)]
            await asyncio.sleep(2)
            assert [item.WhichOneof("kind") for _, item in sue.items] == ["snapshot"]
            assert sue.items[0][0] >= began_ms + 60_000
            assert sue.topics.positions() == [("t", 1)]

    play(scene, delay_s=60)


def test_who_resumes_at_a_delayed_table_is_held_at_his_own_last_sequence() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.become(PLAYING)
        for seat in range(4):
            table.turn(seat)
        async with shown.eyes("sue") as sue:
            sue.follow(after=2)
            await asyncio.sleep(30)
            assert sue.topics.positions() == [("t", 2)]
            await asyncio.sleep(31)
            assert [item.sequence for _, item in sue.items] == [3, 4, 5]

    play(scene, delay_s=60)


def test_a_match_that_is_long_over_is_shown_at_once() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.become(FINISHED)
        await asyncio.sleep(61)
        async with shown.eyes("sue") as sue:
            sue.follow()
            await asyncio.sleep(0.1)
            assert len(sue.of("snapshot")) == 1

    play(scene, delay_s=60)


def test_a_waiting_table_is_shown_live_until_its_match_begins() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.sit(0, "ana")
        async with shown.eyes("sue") as sue:
            sue.follow()
            await asyncio.sleep(0.1)
            table.sit(1, "bo")
            await asyncio.sleep(0.1)
            assert sue.head == 2, "seats are seen as they are taken"
            table.become(OPENING)
            table.turn(0)
            await asyncio.sleep(59)
            assert sue.head == 2
            assert sue.topics.positions() == [("t", 2)]
            await asyncio.sleep(2)
            assert sue.head == 4
            check_late(table, sue, 60, after=2)

    play(scene, delay_s=60)


def test_who_sits_down_at_a_delayed_table_goes_on_live() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        async with shown.eyes("sue") as sue:
            table.sit(0, "ana")
            sue.follow()
            await asyncio.sleep(0.1)
            table.sit(1, "sue")
            table.become(OPENING)
            table.turn(1)
            await asyncio.sleep(0.1)
            assert sue.head == 4
            assert sue.items[-1][1].event.turn_started.HasField("legal")

    play(scene, delay_s=60)


@pytest.mark.parametrize("seed", range(10))
def test_who_leaves_his_seat_in_mid_match_sees_the_rest_late(seed: int) -> None:
    draw = random.Random(seed)

    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.sit(0, "ana")
        table.become(OPENING)
        async with shown.eyes("ana") as ana:
            ana.follow()
            for _ in range(draw.randrange(1, 30)):
                table.turn(0)
                await asyncio.sleep(draw.choice([0.0, 0.05, 1.0]))
            left = table.leave(0)
            for _ in range(30):
                table.turn(0)
                await asyncio.sleep(draw.choice([0.0, 0.05, 1.0]))
            assert ana.head == left, "that he has left he is told"
            await asyncio.sleep(125)
            assert ana.head == len(table.log)
            after = [item for _, item in ana.of("event") if item.sequence > left]
            assert not any(item.event.turn_started.HasField("legal") for item in after)
            check_numbers(ana)
            assert all(came >= table.log[item.sequence - 1].at_ms + 60_000 for came, item in ana.items if item in after)

    play(scene, delay_s=60, seed=seed)


def check_numbers(eyes: Eyes) -> None:
    numbers = [item.sequence for _, item in eyes.of("snapshot", "event", "hidden")]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def test_spectators_of_a_closed_table_are_sent_away_when_its_match_begins() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.sit(0, "ana")
        async with shown.eyes("sue") as sue, shown.eyes("ana") as ana:
            sue.follow()
            ana.follow()
            await asyncio.sleep(0.1)
            table.become(OPENING)
            table.turn(0)
            await asyncio.sleep(0.1)
            assert refused(sue) == ["SPECTATORS_NOT_ALLOWED"]
            assert [item.sequence for _, item in sue.of("snapshot", "event", "hidden")] == [1]
            assert ana.head == 3
            assert not refused(ana)

    play(scene, no_spectators=True)


def test_who_leaves_his_seat_at_a_closed_table_is_told_so_and_sent_away() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.sit(0, "ana")
        table.become(OPENING)
        async with shown.eyes("ana") as ana:
            ana.follow()
            await asyncio.sleep(0.1)
            left = table.leave(0)
            table.turn(0)
            await asyncio.sleep(0.1)
            assert refused(ana) == ["SPECTATORS_NOT_ALLOWED"]
            assert ana.of("event")[-1][1].sequence == left

    play(scene, no_spectators=True)


def test_nobody_slips_in_by_resuming() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.sit(0, "ana")
        table.become(OPENING)
        async with shown.eyes("sue") as sue:
            sue.follow(after=1)
            await asyncio.sleep(0.1)
            assert [item.WhichOneof("kind") for _, item in sue.items] == ["ended"]
            assert refused(sue) == ["SPECTATORS_NOT_ALLOWED"]

    play(scene, no_spectators=True)


def test_a_match_that_begins_while_a_spectator_resumes_is_not_shown_to_him() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        for seat in range(200):
            table.sit(seat, f"p{seat}")
        async with shown.eyes("sue") as sue:
            sue.follow(after=1)  # several pages: the match begins while they are read
            await asyncio.sleep(0.0035)
            table.become(OPENING)
            table.turn(0)
            await asyncio.sleep(30)
            assert sue.head == 200
            await asyncio.sleep(31)
            assert sue.head == 202

    play(scene, delay_s=60)


def test_many_spectators_share_one_reading_of_the_log() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        table.become(PLAYING)
        await asyncio.sleep(61)
        async with AsyncExitStack() as stack:
            crowd = [await stack.enter_async_context(shown.eyes(f"s{number}")) for number in range(50)]
            for eyes in crowd:
                eyes.follow()
            await asyncio.sleep(61)
            table.reads = 0
            for _ in range(40):
                table.turn(0)
                await asyncio.sleep(1)
            await asyncio.sleep(61)
            assert {eyes.head for eyes in crowd} == {41}
            assert table.reads < 6
            assert shown.sources.hub.watched == 0, "the live feed is nobody's here"

    play(scene, delay_s=60)


def test_a_table_without_restrictions_is_live_for_everybody() -> None:
    async def scene(clock: VirtualClock, table: WatchedTable, shown: Gateway) -> None:
        async with shown.eyes("sue") as sue:
            table.sit(0, "ana")
            sue.follow()
            await asyncio.sleep(0.1)
            table.become(OPENING)
            table.turn(0)
            await asyncio.sleep(0.1)
            assert sue.head == 3
            assert not gateway_pb2.StreamItem.FromString(sue.items[-1][1].SerializeToString()).HasField("ended")

    play(scene)
