"""The serving side of inner streams: items in, replies out, joined whenever several are ready.

When the server begins to stop, no more is read, what is under way is answered, and the stream ends well: its caller
opens another one and sends the rest there.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Protocol, TypeVar, cast

from google.protobuf.message import Message

from belot_kit.batches import TIMEOUT_FIELD, BatchReader, BatchWriter, CallItem, frame
from belot_kit.deadlines import deadline_after, set_deadline
from belot_kit.draining import until_draining
from belot_kit.errors import DomainError
from belot_kit.metrics import REFUSALS
from belot_kit.rpc_observation import domain_error

Item = TypeVar("Item", bound=CallItem)
Reply = TypeVar("Reply", bound=CallItem)


class WritingContext(Protocol):
    """What we need of a servicer context: to write a message, encoded or not."""

    async def write(self, message: object) -> None:
        """Send one message of the stream."""


async def serve_batches(
    requests: AsyncIterator[Message],
    context: WritingContext,
    handle: Callable[[Item], Awaitable[Reply]],
    refuse: Callable[[DomainError], Reply],
    *,
    stream: str,
    max_reply_items: int = 16,
    max_open: int = 1_024,
) -> None:
    """Answer every item of every batch, concurrently, until the client has said and got everything.

    This is the body of a servicer's streaming method. Each item has its `timeout_ms`, if it has such a field and the
    field is set, else the default deadline. `refuse` makes the reply that carries an error; `call_id` is set here.
    Replies leave in any order, those that are ready together joined, at most `max_reply_items` in a message. With
    `max_open` items under way reading pauses, which slows the client. `stream` names the metrics.
    """
    writer = BatchWriter(context.write, stream=stream, max_items=max_reply_items)
    places = asyncio.Semaphore(max_open)

    async def answer(item: Item) -> None:
        try:
            set_deadline(deadline_after(_seconds(item)))
            reply = await handle(item)
        except Exception as error:
            reply = _refused(error, refuse, stream)
        finally:
            places.release()
        writer.put(_addressed(reply, item))

    async with asyncio.TaskGroup() as group:
        group.create_task(writer.run())
        async with asyncio.TaskGroup() as answers:

            def start(item: Item) -> None:
                answers.create_task(answer(item))

            await until_draining(_start_all(requests, places, start))
        writer.close()


async def serve_batches_inline(
    requests: AsyncIterator[Message],
    context: WritingContext,
    handle: Callable[[Item], Reply],
    refuse: Callable[[DomainError], Reply],
    *,
    stream: str,
    max_reply_items: int = 16,
) -> None:
    """The same for a `handle` that only computes: items are answered at once, in order, in this task.

    After `max_reply_items` of them the writer gets its turn, so that answers leave while later items still wait.
    """
    writer = BatchWriter(context.write, stream=stream, max_items=max_reply_items)

    async def answer_all() -> None:
        async for item in _items(requests):
            known = cast("Item", item)
            try:
                reply = handle(known)
            except Exception as error:
                reply = _refused(error, refuse, stream)
            writer.put(_addressed(reply, known))
            if len(writer) >= max_reply_items:
                await asyncio.sleep(0)

    async with asyncio.TaskGroup() as group:
        group.create_task(writer.run())
        await until_draining(answer_all())
        writer.close()


async def _items(requests: AsyncIterator[Message]) -> AsyncIterator[CallItem]:
    reader: BatchReader[CallItem] | None = None
    async for batch in requests:
        if reader is None:
            reader = BatchReader(type(batch))
        for item in reader.items(batch):
            yield item


async def _start_all(
    requests: AsyncIterator[Message], places: asyncio.Semaphore, start: Callable[[Item], None]
) -> None:
    async for item in _items(requests):
        await places.acquire()
        start(cast("Item", item))


def _addressed(reply: Reply, item: Item) -> bytes:
    reply.call_id = item.call_id
    return frame(reply)


def _seconds(item: CallItem) -> float | None:
    milliseconds: int = getattr(item, TIMEOUT_FIELD, 0)
    return milliseconds / 1000 if milliseconds else None


def _refused(error: Exception, refuse: Callable[[DomainError], Reply], stream: str) -> Reply:
    refusal = domain_error(error)
    REFUSALS.labels(stream, refusal.reason).inc()
    return refuse(refusal)
