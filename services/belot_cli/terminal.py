"""The person's terminal: lines out with a little colour, lines in without blocking the game.

It works the same over a pipe, so that a script can play. No cursor is moved and no screen is taken over.
"""

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

_READ_OCTETS = 4_096
_STYLES = (
    (r"(?:10|[7-9JQKA])?[♥♦]", "red"),
    (r"▸ \S.*?(?=  |$)", "bold"),
    (r"^── .*$", "cyan"),
    (r"^   play .*$", "green"),
    (r"^ ✓.*$|^VERIFIED.*$", "green"),
    (r"^ ✗.*$|^FAILED.*$|^refused.*$", "bold red"),
)


class Terminal:
    """Lines to and from the person."""

    def __init__(self, console: Console | None = None) -> None:
        """`console` is stdout's unless given."""
        self._console = console or Console(highlight=False, soft_wrap=True)

    def say(self, *lines: str) -> None:
        """Print lines now."""
        for line in lines:
            text = Text(line)
            for pattern, style in _STYLES:
                text.highlight_regex(pattern, style)
            self._console.print(text)
        # Over a pipe the other side waits for what we said.
        self._console.file.flush()

    def say_all(self, lines: Iterable[str]) -> None:
        """Print lines now."""
        self.say(*lines)


class TypedLines:
    """What is typed, line by line: `next` waits for a line and gives None when the input has ended.

    A thread reads the descriptor itself, because files, pipes and terminals cannot all be awaited, and because a
    thread that sits in Python's own buffered reader would keep the interpreter from ending.
    """

    def __init__(self, descriptor: int | None = None) -> None:
        """Reading begins at once; the running loop is the one that will call `next`."""
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._descriptor = sys.stdin.fileno() if descriptor is None else descriptor
        threading.Thread(target=self._read, name="typed lines", daemon=True).start()

    async def next(self) -> str | None:
        """The next line without its end."""
        return await self._lines.get()

    def forget(self) -> None:
        """Drop what was typed before its time, but not the end of the input."""
        waiting = []
        while not self._lines.empty():
            waiting.append(self._lines.get_nowait())
        if None in waiting:
            self._lines.put_nowait(None)

    def _read(self) -> None:
        rest = b""
        with contextlib.suppress(OSError, RuntimeError):  # the loop may be closed before the input ends
            while octets := os.read(self._descriptor, _READ_OCTETS):
                *lines, rest = (rest + octets).split(b"\n")
                for line in lines:
                    self._put(line.decode(errors="replace").rstrip("\r"))
            if rest:
                self._put(rest.decode(errors="replace"))
            self._put(None)

    def _put(self, line: str | None) -> None:
        self._loop.call_soon_threadsafe(self._lines.put_nowait, line)
