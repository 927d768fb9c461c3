"""Work beside a block: it ends with the block, and nothing that happens at its end is lost."""

import asyncio

import pytest

from belot_kit.tasks import background


async def test_the_work_ends_with_the_block() -> None:
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async with background(work()):
        await asyncio.sleep(0)
    assert ended.is_set()


async def test_work_that_fails_ends_the_block_with_its_own_error() -> None:
    async def work() -> None:
        raise ConnectionError

    with pytest.raises(ConnectionError):
        async with asyncio.timeout(10), background(work()):
            await asyncio.Event().wait()


async def test_a_block_that_fails_ends_the_work_and_fails_as_it_is() -> None:
    with pytest.raises(KeyError):
        async with background(asyncio.Event().wait()):
            raise KeyError


async def test_a_cancellation_that_comes_while_a_failed_block_ends_is_not_lost() -> None:
    ending, may_end = asyncio.Event(), asyncio.Event()

    async def slow_to_end() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ending.set()
            await may_end.wait()

    async def connect_again() -> None:
        try:
            async with background(slow_to_end()):
                await asyncio.sleep(0)
                raise ConnectionError
        except ConnectionError:
            await asyncio.Event().wait()

    connecting = asyncio.create_task(connect_again())
    await ending.wait()
    connecting.cancel()
    await asyncio.sleep(0)
    may_end.set()
    done, _ = await asyncio.wait([connecting], timeout=2)
    assert done, "the cancellation was lost"
    assert connecting.cancelled()
