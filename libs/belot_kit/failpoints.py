"""Named places where tests make a process fail: ``BELOT_FAILPOINTS="after_commit=kill@3,before_publish=error"``.

Without that variable a place costs one look into an empty dictionary. A test in this very process may `watch` all
places instead.
"""

import os
import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

VARIABLE: Final = "BELOT_FAILPOINTS"


class FailpointError(RuntimeError):
    """What a place raises when told to fail with an error, and what a bad setting raises."""

    safe_to_log = True


class Action(StrEnum):
    """What happens there: the process dies at once (SIGKILL), it exits, or an error is raised."""

    KILL = "kill"
    EXIT = "exit"
    ERROR = "error"


@dataclass(slots=True)
class _Failpoint:
    action: Action
    passes_left: int
    """How often it still does nothing."""


def parse_failpoints(text: str) -> dict[str, _Failpoint]:
    """Read ``name=action`` or ``name=action@n`` (the n-th time, from 1), by commas. Errors: FailpointError."""
    found = {}
    for part in filter(None, (each.strip() for each in text.split(","))):
        name, _, rest = part.partition("=")
        action, _, count = rest.partition("@")
        if action not in set(Action) or (count and not count.isdigit()):
            raise FailpointError(f"{VARIABLE}: {part} is not name=kill|exit|error, with @n or without")
        found[name] = _Failpoint(Action(action), int(count or 1) - 1)
    return found


_active: dict[str, _Failpoint] = {}
_watchers: list[Callable[[str], None]] = []


@contextmanager
def watch(reached: Callable[[str], None]) -> Iterator[None]:
    """While the block runs, tell `reached` the name of every place that is passed; what it raises is raised there."""
    _watchers.append(reached)
    try:
        yield
    finally:
        _watchers.remove(reached)


def load_failpoints(environment: Mapping[str, str] = os.environ) -> None:
    """Set the places by the environment; called once, at the start. Errors: FailpointError."""
    _active.clear()
    _active.update(parse_failpoints(environment.get(VARIABLE, "")))


def failpoint(name: str) -> None:
    """A place where tests may make the process fail."""
    for reached in _watchers:
        reached(name)
    found = _active.get(name)
    if found is None:
        return
    if found.passes_left > 0:
        found.passes_left -= 1
        return
    match found.action:
        case Action.KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        case Action.EXIT:
            os._exit(1)
        case Action.ERROR:
            del _active[name]
            raise FailpointError(f"failpoint {name}")
