"""Asking another service: what does not answer in time is unavailable, unless it was our caller who ran out of time."""

from collections.abc import Awaitable
from typing import Final, TypeVar

import grpc

from belot_kit.deadlines import SHAVE_SECONDS, SHORTEST_SECONDS, remaining_seconds
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import call

PATIENCE_SECONDS: Final = 2.0
"""How long a question may take; a service that restarts is back by then."""

Request = TypeVar("Request")
Response = TypeVar("Response")
Answer = TypeVar("Answer")


async def ask(
    method: "grpc.aio.UnaryUnaryMultiCallable[Request, Response]",
    request: Request,
    who: str,
    patience_s: float = PATIENCE_SECONDS,
) -> Response:
    """One call to the service `who`, waiting for it to be there. Errors: its own DomainError, or UNAVAILABLE."""
    return await answered(call(method, request, most_s=patience_s, wait_for_ready=True), who)


async def answered(question: Awaitable[Answer], who: str) -> Answer:
    """The answer to a question that is under way. Errors: as for `ask`."""
    try:
        return await question
    except DomainError as error:
        left = remaining_seconds()
        ours = left is not None and left < SHORTEST_SECONDS + SHAVE_SECONDS
        if error.reason is not Reason.DEADLINE_TOO_SHORT or ours:
            raise
        raise DomainError(Reason.UNAVAILABLE, f"{who} does not answer", service=who) from error
