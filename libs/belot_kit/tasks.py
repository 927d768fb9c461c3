"""Work that goes on beside a block: tasks that end with it and whose failure ends it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def background(*work: Coroutine[object, object, object]) -> AsyncIterator[None]:
    """Run the coroutines while the block runs; cancel them at its end.

    When one fails, the block is cancelled and the failure raised, as it is and not in a group. Everything in the kit
    with a `run()` is made for this: cancelling it closes it cleanly.
    """
    block: BaseException | None = None
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(each) for each in work]
            try:
                yield
            except BaseException as error:
                block = error
                raise
            finally:
                for task in tasks:
                    task.cancel()
    except BaseExceptionGroup as failures:
        first = block if isinstance(block, Exception) else failures.exceptions[0]
        raise first from None
