"""Structured logs: one JSON object a line on stderr, one line an rpc, ids only.

Never log hands, seeds, tokens, keys or whole messages. `bind` adds an id to every line of the running call.
"""

import logging
import random
import sys
from dataclasses import dataclass

import structlog


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
        structlog.processors.format_exc_info,  # the plain traceback: others show local variables, hence hands
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


def bind(**ids: str | int) -> None:
    """Add ids (``table_id=...``) to every further line of the running call or task."""
    structlog.contextvars.bind_contextvars(**ids)


def sampled(share: float) -> bool:
    """Whether this one of many equal lines is written, for a share between 0 and 1."""
    return share >= 1.0 or random.random() < share  # noqa: S311 - sampling
