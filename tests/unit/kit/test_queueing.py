"""Queues by key: in order, nobody for ever, nothing left behind."""

import asyncio
import gc

from belot_kit.queueing import Queues


async def test_who_comes_first_goes_first_and_other_keys_do_not_wait() -> None:
    queues, order, go = Queues(60.0), list[str](), asyncio.Event()

    async def work(name: str, key: str, until: asyncio.Event | None = None) -> None:
        async with queues.turn(key):
            order.append(f"{name} begins")
            if until is not None:
                await until.wait()
            order.append(f"{name} ends")

    async with asyncio.TaskGroup() as group:
        group.create_task(work("first", "a", go))
        group.create_task(work("second", "a"))
        group.create_task(work("third", "a"))
        await group.create_task(work("other", "b"))
        assert order == ["first begins", "other begins", "other ends"]
        go.set()
    assert order[3:] == ["first ends", "second begins", "second ends", "third begins", "third ends"]


async def test_who_has_waited_long_enough_goes_ahead_and_a_failure_lets_the_next_in() -> None:
    queues, hanging = Queues(0.01), asyncio.Event()

    async def hang() -> None:
        async with queues.turn("a"):
            await hanging.wait()
            raise ValueError("in its turn")

    task = asyncio.create_task(hang())
    await asyncio.sleep(0)
    async with queues.turn("a"):
        assert not task.done()
    hanging.set()
    (failed,) = await asyncio.gather(task, return_exceptions=True)
    assert isinstance(failed, ValueError)
    patient = Queues(60.0)
    async with asyncio.timeout(10):
        async with patient.turn("a"):
            pass
        async with patient.turn("a"):
            pass


async def test_nothing_is_kept_of_a_key_that_nobody_waits_for() -> None:
    queues = Queues(60.0)
    for key in range(100):
        async with queues.turn(key):
            pass
    gc.collect()
    assert len(queues._locks) == 0
