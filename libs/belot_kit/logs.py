"""Structured logs: one JSON object a line on stderr, one line an rpc, ids only.

Never log hands, seeds, tokens, keys or whole messages. `bind` adds an id to every line of the running call.
"""

import logging
import random
import sys
import traceback
from collections.abc import MutableMapping
from dataclasses import dataclass
from typing import Final

import structlog

_PLAIN_MESSAGES: Final = (OSError, ImportError, AttributeError, NameError)
"""Exceptions whose text names things of the program and never quotes data. Ours say so: ``safe_to_log = True``."""


@dataclass(frozen=True, slots=True)
class LogOptions:
    """`level` is the least level written; `rpc_sample` the share (0 to 1) of successful rpcs that get a line."""

    level: str = "INFO"
    rpc_sample: float = 1.0


def configure_logs(options: LogOptions, *, service: str) -> None:
    """Send structlog and the standard library's logging to stderr as JSON; call once, at the start.

    Errors: ValueError for a level that does not exist.
    """
    levels = logging.getLevelNamesMapping()
    if options.level.upper() not in levels:
        raise ValueError(f"no such log level; take one of {', '.join(sorted(levels))}")
    level = levels[options.level.upper()]
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        render_exception,
    ]
    renderer = structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[*shared, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=renderer, foreign_pre_chain=shared))
    logging.basicConfig(handlers=[handler], level=max(level, logging.WARNING), force=True)
    structlog.contextvars.bind_contextvars(service=service)


def render_exception(_: object, __: str, event: MutableMapping[str, object]) -> MutableMapping[str, object]:
    """Replace `exc_info` by the exception's type and the lines of code it went through.

    Neither local variables nor, as a rule, its text: both may quote hands or tokens.
    """
    found = event.pop("exc_info", None)
    error = found[1] if isinstance(found, tuple) else sys.exc_info()[1] if found is True else found
    if isinstance(error, BaseException):
        event["exception"] = describe_exception(error)
        event["traceback"] = [
            f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)
        ]
    return event


def describe_exception(error: BaseException) -> str:
    """An exception's type, those of its causes or parts, and the texts that are safe."""
    name = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, _PLAIN_MESSAGES) or getattr(error, "safe_to_log", False):
        name += f": {error}"
    code = getattr(error, "sqlstate", None)
    if isinstance(code, str):
        name += f" [{code}]"
    if isinstance(error, BaseExceptionGroup):
        name += " (" + ", ".join(describe_exception(each) for each in error.exceptions) + ")"
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return f"{name} from {describe_exception(cause)}" if cause is not None else name


def bind(**ids: str | int) -> None:
    """Add ids (``table_id=...``) to every further line of the running call or task."""
    structlog.contextvars.bind_contextvars(**ids)


def sampled(share: float) -> bool:
    """Whether this one of many equal lines is written, for a share between 0 and 1."""
    return share >= 1.0 or random.random() < share  # noqa: S311 - sampling
