"""Encoded stream items without building messages: protobuf by hand for the two wrappers around an event.

Pure. WatchResponse and PlayResponse are ``repeated StreamItem items = 1`` and nothing else, so encoded batches that
are joined make a valid batch; and an event's octets are put into an item as they were stored.
"""

from typing import Final

ITEMS_TAG: Final = b"\x0a"
"""Field 1 of a batch, length-delimited."""
_TABLE_ID_TAG: Final = b"\x0a"
_SEQUENCE_TAG: Final = b"\x10"
_EVENT_TAG: Final = b"\x2a"
_HIDDEN: Final = b"\x32\x00"


def varint(number: int) -> bytes:
    """An unsigned number as protobuf writes it."""
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def batch_of(item: bytes) -> bytes:
    """A batch with one encoded StreamItem."""
    return ITEMS_TAG + varint(len(item)) + item


def event_batch(table_id: bytes, sequence: int, event: bytes | None) -> bytes:
    """A batch with one event of a table (an encoded TableEvent), or with its number alone when it is hidden."""
    kind = _HIDDEN if event is None else _EVENT_TAG + varint(len(event)) + event
    return batch_of(_TABLE_ID_TAG + varint(len(table_id)) + table_id + _SEQUENCE_TAG + varint(sequence) + kind)
