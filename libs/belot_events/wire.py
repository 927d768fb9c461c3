"""Envelopes to and from belot.table.v1: what is published, listed and stored."""

from collections.abc import Iterable
from sys import intern

from belot.table.v1 import table_pb2
from belot_events.envelope import Envelope


def to_message(envelope: Envelope) -> table_pb2.EventEnvelope:
    """The envelope as a message."""
    message = table_pb2.EventEnvelope(
        table_id=envelope.table_id,
        sequence=envelope.sequence,
        kind=envelope.kind,
        payload=envelope.payload,
        only_seat=envelope.only_seat,
        seat_payload=envelope.seat_payload,
        hidden_from_seats=envelope.hidden_from,
    )
    message.at.FromMilliseconds(envelope.at_ms)
    return message


def from_message(message: table_pb2.EventEnvelope) -> Envelope:
    """The envelope in a message; those of one table and kind share both words, for gateways keep many."""
    return Envelope(
        table_id=intern(message.table_id),
        sequence=message.sequence,
        kind=intern(message.kind),
        at_ms=message.at.ToMilliseconds(),
        payload=message.payload,
        only_seat=message.only_seat if message.HasField("only_seat") else None,
        seat_payload=message.seat_payload,
        hidden_from=tuple(message.hidden_from_seats),
    )


def encode_batch(envelopes: Iterable[Envelope]) -> bytes:
    """An encoded EventBatch, in the order given."""
    return table_pb2.EventBatch(events=[to_message(each) for each in envelopes]).SerializeToString()


def decode_batch(octets: bytes) -> tuple[Envelope, ...]:
    """The envelopes of an encoded EventBatch. Errors: google.protobuf's DecodeError."""
    return tuple(from_message(each) for each in table_pb2.EventBatch.FromString(octets).events)
