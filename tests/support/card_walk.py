"""Finds every card anywhere in a protobuf message, whatever its fields are called now or later."""

from collections.abc import Iterator

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from belot.common.v1 import common_pb2

_CARD = common_pb2.Card.DESCRIPTOR


def cards_in(message: Message) -> Iterator[int]:
    """Card enum values in all fields of ``message``, at any depth; ``CARD_UNSPECIFIED`` is left out."""
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_ENUM and field.enum_type == _CARD:
            yield from (card for card in (value if field.is_repeated else (value,)) if card)
        elif field.type == FieldDescriptor.TYPE_MESSAGE:
            if field.message_type is None or field.message_type.GetOptions().map_entry:
                continue
            for part in value if field.is_repeated else (value,):
                yield from cards_in(part)
