"""What the lines of a score sheet are called wherever they leave the engine: in messages and at the command line."""

from collections.abc import Mapping
from typing import Final

from belot_engine.events import LineKind

#: What the reward for all the tricks is called, by the scoring that gives it.
_SWEEP: Final[Mapping[str, str]] = {"bela": "stiglja", "classic": "capot"}


def line_name(kind: LineKind, scoring: str) -> str:
    """The stable name of a line; ``scoring`` gives the reward for all the tricks its name."""
    return _SWEEP.get(scoring, "sweep") if kind is LineKind.SWEEP else kind.value
