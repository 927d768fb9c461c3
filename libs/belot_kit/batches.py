"""Messages joined on streams: what costs most on a stream is the message, so whatever is ready goes together.

Every inner stream's message is ``repeated Item items = 1`` and nothing else (the field's name is free). Encoded
messages of that form may simply be joined: so an item is encoded once, as a *frame*, and a batch is frames in a row.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

from google.protobuf.message import Message

from belot_kit.metrics import INNER_BATCH_ITEMS

_ITEM_TAG: Final = b"\x0a"  # field 1, length-delimited
_MAX_BATCH_BYTES: Final = 1 << 20


TIMEOUT_FIELD: Final = "timeout_ms"
"""An item that has this field tells the server how long its caller will wait."""


class CallItem(Protocol):
    """An item of an inner stream: a protobuf message with a `call_id`, by which a reply finds its question."""

    call_id: int
    """Unique among the open calls of one stream."""

    def SerializeToString(self) -> bytes:  # noqa: N802 - protobuf's name
        """The encoded item."""


Item = TypeVar("Item", bound=CallItem)


class BatchReader(Generic[Item]):
    """Takes the items out of a batch message; made once per batch class."""

    def __init__(self, batch: type[Message]) -> None:
        """Errors: ValueError when the class is not one repeated message field with the number 1."""
        fields = batch.DESCRIPTOR.fields
        if len(fields) != 1 or fields[0].number != 1 or not fields[0].is_repeated or fields[0].message_type is None:
            raise ValueError(
                f"{batch.DESCRIPTOR.full_name} is not a batch: it needs one repeated message field, number 1"
            )
        self._batch = batch
        self._field = fields[0].name

    def items(self, message: object) -> Sequence[Item]:
        """The items of a decoded batch message."""
        found: Sequence[Item] = getattr(message, self._field)
        return found

    def decode(self, raw: bytes) -> Sequence[Item]:
        """The items of an encoded batch message. Errors: protobuf's DecodeError."""
        return self.items(self._batch.FromString(raw))


def frame(item: CallItem) -> bytes:
    """An item encoded as a batch of one; frames in a row are a batch."""
    body = item.SerializeToString()
    return b"".join((_ITEM_TAG, _varint(len(body)), body))


def _varint(value: int) -> bytes:
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


class BatchWriter:
    """The one writer of a stream: waits for a frame, takes all that are queued, writes them as one message.

    There is no time window, and never more than one write under way. `put` never waits, so readers may call it.
    """

    def __init__(
        self,
        write: Callable[[bytes], Awaitable[None]],
        *,
        stream: str,
        max_items: int = 128,
        max_bytes: int = _MAX_BATCH_BYTES,
    ) -> None:
        """`write` sends one message; `stream` names the metric; at most `max_items` or `max_bytes` go together."""
        self._write = write
        self._max_items = max_items
        self._max_bytes = max_bytes
        self._queued: deque[bytes] = deque()
        self._wake = asyncio.Event()
        self._closed = False
        self._sizes = INNER_BATCH_ITEMS.labels(stream)

    def put(self, encoded: bytes) -> None:
        """Queue one frame."""
        self._queued.append(encoded)
        self._wake.set()

    def __len__(self) -> int:
        """How many frames are queued and not yet handed to `write`."""
        return len(self._queued)

    def close(self) -> None:
        """Let `run` end once everything queued is written."""
        self._closed = True
        self._wake.set()

    async def run(self) -> None:
        """Write until closed. Errors: whatever `write` raises; then the stream is over."""
        while True:
            if not self._queued:
                if self._closed:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            frames = self._take()
            self._sizes.observe(len(frames))
            await self._write(b"".join(frames))

    def _take(self) -> list[bytes]:
        taken = [self._queued.popleft()]
        size = len(taken[0])
        while self._queued and len(taken) < self._max_items:
            size += len(self._queued[0])
            if size > self._max_bytes:
                break
            taken.append(self._queued.popleft())
        return taken
