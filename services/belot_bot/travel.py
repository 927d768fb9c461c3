"""Values of the engine on their way between processes.

The frozen ones of a compiled engine can be pickled, but not unpickled: they refuse to be filled in afterwards. So they
are sent as what they are made of, which serves the engine in Python as well.
"""

import copyreg
from dataclasses import fields, is_dataclass

from belot_engine import analysis, events, ruleset, state


def prepare() -> None:
    """Teach this process to send them; both ends do, since answers are values, too."""
    for module in (analysis, events, ruleset, state):
        for value in vars(module).values():
            if isinstance(value, type) and is_dataclass(value):
                copyreg.pickle(value, _parts)


def _parts(value: object) -> tuple[type, tuple[object, ...]]:
    if not is_dataclass(value) or isinstance(value, type):
        raise AssertionError("only values are registered")
    return type(value), tuple(getattr(value, field.name) for field in fields(value))
