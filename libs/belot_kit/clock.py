"""Time as a dependency: pure files get milliseconds as an argument, everything else gets a Clock."""

import time
from typing import Protocol


class Clock(Protocol):
    """What time it is, and how much time passes."""

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch, UTC; may jump."""

    def monotonic(self) -> float:
        """Seconds since some moment, never going back; the event loop's clock."""


class SystemClock:
    """The machine's clock; tests may put it wrong by `offset_s` seconds."""

    def __init__(self, offset_s: float = 0.0) -> None:
        """Ahead of the machine's clock by `offset_s`."""
        self._offset_ms = int(offset_s * 1000)

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch."""
        return time.time_ns() // 1_000_000 + self._offset_ms

    def monotonic(self) -> float:
        """Seconds of time.monotonic()."""
        return time.monotonic()
