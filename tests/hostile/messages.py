"""Random messages of any type, out of its descriptor: sound ones damaged, plausible ones, and nonsense."""

import random
from collections.abc import Sequence
from typing import Final, cast

from google.protobuf.descriptor import Descriptor, EnumDescriptor, FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from hostile.known import Known

BROKEN_TEXT: Final = "~broken utf-8~"
"""Stands for octets that are no UTF-8, which no message of ours can hold: `octets.send_form` puts them in."""

MOST_DEPTH: Final = 7
_HUGE: Final = 3_000
_F = FieldDescriptor
_SIGNED: Final = {_F.TYPE_INT32: 31, _F.TYPE_SINT32: 31, _F.TYPE_SFIXED32: 31, _F.TYPE_INT64: 63, _F.TYPE_SINT64: 63,
                  _F.TYPE_SFIXED64: 63}  # fmt: skip
_UNSIGNED: Final = {_F.TYPE_UINT32: 32, _F.TYPE_FIXED32: 32, _F.TYPE_UINT64: 64, _F.TYPE_FIXED64: 64}
_REALS: Final = (0.0, -0.0, 1.5, float("inf"), float("-inf"), float("nan"), 1e308, 5e-324)
_TEXTS: Final = (
    "", " ", "a", "0", "-1", "null", "\x00", "a\x00b", "\x1b[2J", "\r\n", "\u202e\u200b\ufeff", "\U0001f0a1" * 8,
    "e\u0301" * 40, "\ud7ff\ue000\uffff", "x" * 64, "x" * 65, "x" * 5_000, "ß" * 33, "{}", "[" * 2_000, '{"a":' * 500,
    "'; DROP TABLE tables; --", "%s%n{0}", "../../etc/passwd", "00000000-0000-4000-8000-000000000000", BROKEN_TEXT,
    "bela D | KH | 8H AH KC AC", "club H | | 7C", "|||", "٣٢", "1e999", "99999999999999999999",
)  # fmt: skip
_LENGTHS: Final = (0, 1, 15, 16, 17, 31, 32, 33, 48, 64, 96, 4_096)
_TIMES: Final = (0, 1, -1, 1_700_000_000, 253_402_300_799, 253_402_300_800, -62_135_596_801, 315_576_000_001,
                 2**63 - 1, -(2**63))  # fmt: skip
_NANOS: Final = (0, 1, 999_999_999, 1_000_000_000, -1, -999_999_999, 2**31 - 1, -(2**31))
_OFTEN_EMPTY: Final = ("page_token", "invitation_code", "sit_as", "comment", "expected")
_TIME_KINDS: Final = {"google.protobuf.Timestamp", "google.protobuf.Duration"}


class Maker:
    """Makes messages; the same seed and the same knowledge make the same ones."""

    def __init__(self, rng: random.Random, known: Known) -> None:
        """`known` may grow meanwhile."""
        self._rng = rng
        self._known = known
        self._focus: dict[str, str] = {}
        self._malice = 0.0

    @property
    def player_id(self) -> str:
        """Who sits at the table that the last request was aimed at; empty when it was aimed at none."""
        return self._focus.get("player_id", "")

    def request(self, kind: type[Message]) -> Message:
        """A request: half of them damaged examples where there are any, the others made field by field."""
        rng, examples = self._rng, self._known.examples.get(kind.DESCRIPTOR.full_name)
        self._focus = rng.choice(self._known.focus) if self._known.focus and rng.random() < 0.9 else {}
        self._malice = rng.choice((0.0, 0.02, 0.05, 0.3))
        if examples and rng.random() < 0.6:
            return self.damaged(rng.choice(examples), rng.choice((0, 1, 1, 1, 2, 3, 6)))
        return self._made(kind)

    def _made(self, kind: type[Message], depth: int = 0) -> Message:
        """A message made field by field."""
        message, name = kind(), kind.DESCRIPTOR.full_name
        if name in _TIME_KINDS:
            self._fill_time(message)
            return message
        fields = cast("Sequence[FieldDescriptor]", kind.DESCRIPTOR.fields)
        groups = {each.name: self._rng.choice((*each.fields, None)) for each in kind.DESCRIPTOR.oneofs}
        for field in fields:
            group = field.containing_oneof
            if group is not None and len(group.fields) > 1:
                wanted = groups[group.name] is field or self._rng.random() < 0.02
            else:
                wanted = self._rng.random() < _likelihood(field, depth)
            if wanted:
                self._fill(message, field, depth)
        return message

    def _fill_time(self, message: Message) -> None:
        seconds, nanos = self._rng.choice((0, 1, 2, 30, 60, 600)), 0
        if self._rng.random() < 0.1 + self._malice:
            seconds, nanos = self._rng.choice(_TIMES), self._rng.choice(_NANOS)
        message.seconds, message.nanos = seconds, nanos  # type: ignore[attr-defined]

    def damaged(self, example: Message, times: int) -> Message:
        """A copy of a sound message with so many things changed somewhere in it, ids of the focus put in first."""
        message = type(example)()
        message.CopyFrom(example)
        self._refocus(message)
        for _ in range(times):
            self._damage(message)
        return message

    def _refocus(self, message: Message) -> None:
        for field in message.DESCRIPTOR.fields:
            if field.type == _F.TYPE_STRING and not field.is_repeated and field.name in self._focus:
                setattr(message, field.name, self._focus[field.name])
            elif field.type == _F.TYPE_MESSAGE and not field.is_repeated and message.HasField(field.name):
                self._refocus(getattr(message, field.name))

    def _damage(self, message: Message) -> None:
        """Walk down to some message and change one field of it."""
        rng = self._rng
        while True:
            inner = [part for field, value in message.ListFields() for part in _parts(field, value)]
            if not inner or rng.random() < 0.35:
                break
            message = rng.choice(inner)
        fields = cast("Sequence[FieldDescriptor]", message.DESCRIPTOR.fields)
        if not fields:
            return
        field = rng.choice(fields)
        choice = rng.random()
        if choice < 0.15:
            message.ClearField(field.name)
        elif field.is_repeated and not _is_map(field) and choice < 0.6 and len(getattr(message, field.name)):
            self._damage_list(getattr(message, field.name), field)
        else:
            if choice < 0.8:
                message.ClearField(field.name)
            self._fill(message, field, 2)

    def _damage_list(self, values: "list[object]", field: FieldDescriptor) -> None:
        rng, place = self._rng, self._rng.randrange(len(values))
        way = rng.randrange(3)
        if way == 0:
            del values[place]
        elif way == 1 and field.type != _F.TYPE_MESSAGE:
            values[place] = self._scalar(field)
        else:
            values.extend([values[place]] * rng.choice((1, 1, 2, 40)))

    def _fill(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if _is_map(field):
            self._fill_map(getattr(message, field.name), field, depth)
        elif field.is_repeated:
            count = self._count(depth)
            target = getattr(message, field.name)
            if field.message_type is not None:
                target.extend(self._inner(field.message_type, depth) for _ in range(min(count, 40 if depth else _HUGE)))
            else:
                target.extend(self._scalar(field) for _ in range(count))
        elif field.message_type is not None:
            if depth < MOST_DEPTH:
                getattr(message, field.name).CopyFrom(self._inner(field.message_type, depth))
        else:
            setattr(message, field.name, self._scalar(field))

    def _inner(self, kind: Descriptor, depth: int) -> Message:
        examples = self._known.examples.get(kind.full_name)
        if examples and self._rng.random() < 0.6:
            return self.damaged(self._rng.choice(examples), self._rng.choice((0, 1, 1, 2)))
        made = GetMessageClass(kind)
        return made() if depth >= MOST_DEPTH else self._made(made, depth + 1)

    def _fill_map(self, target: "dict[object, object]", field: FieldDescriptor, depth: int) -> None:
        if field.message_type is None:
            return
        key, value = field.message_type.fields_by_name["key"], field.message_type.fields_by_name["value"]
        for _ in range(min(self._count(depth), 200)):
            target[self._scalar(key)] = self._scalar(value)

    def _count(self, depth: int) -> int:
        rng = self._rng
        return _HUGE if rng.random() < 0.004 / (depth + 1) else rng.choice((0, 1, 1, 2, 3, 4, 5, 8, 8, 9, 33))

    def _scalar(self, field: FieldDescriptor) -> object:
        rng, kind = self._rng, field.type
        if kind == _F.TYPE_STRING:
            return self._text(field.name)
        if kind == _F.TYPE_BYTES:
            return self._octets(field.name)
        if field.enum_type is not None:
            return self._enum(field.enum_type)
        if kind == _F.TYPE_BOOL:
            return rng.random() < 0.5
        if kind in _SIGNED:
            return self._number(-(2 ** _SIGNED[kind]), 2 ** _SIGNED[kind] - 1)
        if kind in _UNSIGNED:
            return self._number(0, 2 ** _UNSIGNED[kind] - 1)
        return rng.choice(_REALS)

    def _number(self, least: int, most: int) -> int:
        rng = self._rng
        if rng.random() >= self._malice:
            return max(least, rng.choice((0, 0, 1, 1, 2, 3, 4, 5, 8, 31, 32, 33, 200, 1_000, -1)))
        return (
            rng.choice((least, least + 1, most, most - 1, most // 2 + 1, 2**31, 2**31 - 1))
            if most > 2**32
            else (rng.choice((least, most, most - 1, rng.randint(least, most))))
        )

    def _enum(self, kind: EnumDescriptor) -> int:
        if self._rng.random() >= self._malice:
            return self._rng.choice(kind.values[1:] or kind.values).number
        return self._rng.choice((-1, len(kind.values), 99, 2**31 - 1, -(2**31)))

    def _text(self, name: str) -> str:
        rng = self._rng
        if rng.random() >= self._malice:
            if name in _OFTEN_EMPTY and rng.random() < 0.8:
                return ""
            if name in self._focus and rng.random() < 0.9:
                return self._focus[name]
            pool: Sequence[str] = self._known.texts.get(name, ())
            if pool and rng.random() < 0.9:
                return rng.choice(pool)
            if name == "request_id":
                return f"hostile-{rng.getrandbits(40):x}"
        return rng.choice(_TEXTS)

    def _octets(self, name: str) -> bytes:
        rng = self._rng
        pool: Sequence[bytes] = self._known.octets.get(name, ())
        if pool and rng.random() < 0.5:
            return rng.choice(pool)
        return rng.randbytes(16 if name in ("seed", "participant_id") and rng.random() < 0.7 else rng.choice(_LENGTHS))


def _likelihood(field: FieldDescriptor, depth: int) -> float:
    """How often a field is set: what is optional is often left out, a wrong version would hide all that is behind."""
    if field.name == "expected_version":
        return 0.15
    if field.containing_oneof is not None:
        return 0.5
    return 0.9 if field.type != _F.TYPE_MESSAGE or depth < 2 else 0.7


def _is_map(field: FieldDescriptor) -> bool:
    return field.message_type is not None and field.message_type.GetOptions().map_entry


def _parts(field: FieldDescriptor, value: object) -> Sequence[Message]:
    if field.type != _F.TYPE_MESSAGE or _is_map(field):
        return ()
    return tuple(value) if field.is_repeated else (value,)  # type: ignore[arg-type, return-value]
