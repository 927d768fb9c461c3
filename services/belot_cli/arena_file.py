"""The file of a long arena: a line that says what is played, and a line for every finished deal, only ever appended to.

It may be killed at any moment: a line that was not written whole is cut off when the file is opened again. One process
writes at a time.
"""

import fcntl
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from belot_bot.arena import Difference

FORMAT = "belot.club/arena/1"


class OtherArena(ValueError):  # noqa: N818 - says what is wrong with the file
    """The file belongs to something else, or is in use; the message says how."""


class ArenaFile:
    """An open file; made by ``arena_file``."""

    def __init__(self, stream: IO[bytes], finished: dict[int, Difference]) -> None:
        """`finished` are the deals that it held when it was opened, by number."""
        self._stream = stream
        self.finished = finished

    def add(self, deal: Difference) -> None:
        """Write down a finished deal."""
        self._stream.write(_line([deal.number, deal.card_points, deal.score]))
        self._stream.flush()


@contextmanager
def arena_file(path: Path, about: Mapping[str, object]) -> Iterator[ArenaFile]:
    """The file while the block runs, made if it is not there. Errors: OtherArena, OSError."""
    head = _line({"format": FORMAT, **about})
    with path.open("a+b") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OtherArena("another process writes to it") from None
        stream.seek(0)
        lines = stream.read().splitlines(keepends=True)
        if lines and not lines[-1].endswith(b"\n"):
            stream.truncate(sum(map(len, lines[:-1])))
            del lines[-1]
        if not lines:
            stream.write(head)
            stream.flush()
        elif lines[0] != head:
            raise OtherArena(_why_not(lines[0], json.loads(head)))
        yield ArenaFile(stream, {deal.number: deal for deal in map(_read, lines[1:])})


def _line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def _read(line: bytes) -> Difference:
    try:
        number, card_points, score = json.loads(line)
        return Difference(int(number), float(card_points), float(score))
    except (TypeError, ValueError):
        raise OtherArena("a line of it is no finished deal") from None


def _why_not(line: bytes, wanted: dict[str, object]) -> str:
    """Which part of the first line is not what it would have to be."""
    try:
        found = json.loads(line)
    except ValueError:
        found = None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        return "it is no file of an arena"
    other = [name for name in wanted if found.get(name) != wanted[name]]
    return f"it is of an arena with another {' and '.join(other)}"
