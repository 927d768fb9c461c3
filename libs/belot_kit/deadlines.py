"""How long the work at hand may still take. grpc.aio does not hand deadlines on, so we do.

The server sets the deadline of a call when it begins; whatever is called meanwhile gets what is left of it, minus
20 ms a hop for the way back. Deadlines are seconds of the running event loop's clock.
"""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from belot_kit.errors import DomainError, Reason

DEFAULT_SECONDS: Final = 5.0
SHAVE_SECONDS: Final = 0.020
SHORTEST_SECONDS: Final = 0.050

_deadline: ContextVar[float | None] = ContextVar("belot_deadline", default=None)


def deadline_after(remaining: float | None) -> float:
    """The deadline of a call with `remaining` seconds (None: the default).

    Errors: DomainError DEADLINE_TOO_SHORT under 50 ms, because the answer could not be back in time.
    """
    seconds = DEFAULT_SECONDS if remaining is None else remaining
    if seconds < SHORTEST_SECONDS:
        raise DomainError(Reason.DEADLINE_TOO_SHORT, f"less than {int(SHORTEST_SECONDS * 1000)} ms were left")
    return asyncio.get_running_loop().time() + seconds


@contextmanager
def deadline_scope(deadline: float | None) -> Iterator[None]:
    """Work under this deadline; None means none, as for streams and background work."""
    token = _deadline.set(deadline)
    try:
        yield
    finally:
        _deadline.reset(token)


def set_deadline(deadline: float | None) -> None:
    """Set the deadline of the running task, for tasks that do nothing else afterwards."""
    _deadline.set(deadline)


def remaining_seconds() -> float | None:
    """What is left of the deadline in force, possibly negative; None when there is none."""
    deadline = _deadline.get()
    return None if deadline is None else deadline - asyncio.get_running_loop().time()


def call_timeout(most: float = DEFAULT_SECONDS) -> float:
    """The timeout of a call to another service: at most `most` seconds, never more than is left minus 20 ms.

    Errors: DomainError DEADLINE_TOO_SHORT when that is under 50 ms.
    """
    remaining = remaining_seconds()
    seconds = most if remaining is None else min(most, remaining - SHAVE_SECONDS)
    if seconds < SHORTEST_SECONDS:
        raise DomainError(Reason.DEADLINE_TOO_SHORT, "too little time is left to ask another service")
    return seconds
