"""Work that goes on beside a block: tasks that end with it and whose failure ends it."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager


@asynccontextmanager
async def background(*work: Coroutine[object, object, object]) -> AsyncIterator[None]:
    """Run the coroutines while the block runs; cancel them at its end.

    When one fails, the block is cancelled and the failure raised, as it is and not in a group. Everything in the kit
    with a `run()` is made for this: cancelling it closes it cleanly.

    When whoever runs the block is cancelled, CancelledError is what leaves it, even if something fails at that time.
    TaskGroup alone forgets a cancellation that comes while it is ending already (before CPython 3.13), and work that
    opens a lost connection again would then go on for ever.
    """
    owner = asyncio.current_task()
    known = owner.cancelling() if owner is not None else 0
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
        if owner is not None and owner.cancelling() > known:
            raise asyncio.CancelledError from None
        first = block if isinstance(block, Exception) else failures.exceptions[0]
        raise first from None
