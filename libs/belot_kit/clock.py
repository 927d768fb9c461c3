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
    """The machine's clock."""

    def now_ms(self) -> int:
        """Milliseconds since the Unix epoch."""
        return time.time_ns() // 1_000_000

    def monotonic(self) -> float:
        """Seconds of time.monotonic()."""
        return time.monotonic()
