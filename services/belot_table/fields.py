"""Encoded protobuf fields put together by hand, where decoding and encoding again would cost more than the work itself.

Encoded messages of one type that are joined merge: that is how one message is made of parts.
"""


def varint(value: int) -> bytes:
    """A number that is not negative, seven bits an octet."""
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def message_field(number: int, body: bytes) -> bytes:
    """The field `number` (1..15) that holds an encoded message, string or octets."""
    return b"".join((bytes((number << 3 | 2,)), varint(len(body)), body))


def number_field(number: int, value: int) -> bytes:
    """The field `number` (1..15) that holds an unsigned number."""
    return bytes((number << 3,)) + varint(value)
