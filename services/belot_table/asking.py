"""Asking the services that the table needs: how long it waits for them."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from belot_kit.replicas import Replicas

PATIENCE_SECONDS: Final = 2.0
"""How long a question may take; a service that restarts is back by then."""

Client = TypeVar("Client")
Answer = TypeVar("Answer")


async def ask(replicas: Replicas[Client], question: Callable[[Client], Awaitable[Answer]]) -> Answer:
    """What a live address answers, waiting for one to be there. Errors: its own DomainError, or UNAVAILABLE."""
    return await replicas.ask(question, most_s=PATIENCE_SECONDS)
