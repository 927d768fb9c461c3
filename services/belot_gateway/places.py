"""How many calls may wait for a service at once: where it is slow, callers are told so and memory does not grow."""

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, Protocol, TypeVar

from belot_kit.deadlines import DEFAULT_SECONDS
from belot_kit.errors import DomainError, Reason

MOST_WAITING: Final = 8_192
"""For the table service."""
MOST_WAITING_AT_TABLE: Final = 64
"""Commands of one table: its players have a few on their way, so more is a table that stands."""
MOST_WAITING_ELSEWHERE: Final = 1_024
"""For the rules, and for the dealer."""

_RETRY_AFTER_MS: Final = 250

Client = TypeVar("Client")
Asked = TypeVar("Asked", covariant=True)
Answer = TypeVar("Answer")


class Places:
    """A number of places, some of them for each key."""

    def __init__(self, service: str, most: int, most_of_key: int = 0) -> None:
        """`service` is named in refusals; without `most_of_key` a key may take all."""
        self._service = service
        self._most = most
        self._most_of_key = most_of_key or most
        self._taken = 0
        self._of: dict[str, int] = {}

    @property
    def taken(self) -> int:
        """How many are taken now."""
        return self._taken

    @contextmanager
    def one(self, key: str = "") -> Iterator[None]:
        """A place while the block runs. UNAVAILABLE at once when there is none."""
        of_key = self._of.get(key, 0)
        if self._taken >= self._most or of_key >= self._most_of_key:
            raise DomainError(
                Reason.UNAVAILABLE,
                f"too many calls wait for {self._service}",
                retry_after_ms=_RETRY_AFTER_MS,
                service=self._service,
            )
        self._taken += 1
        self._of[key] = of_key + 1
        try:
            yield
        finally:
            self._taken -= 1
            if self._of[key] == 1:
                del self._of[key]
            else:
                self._of[key] -= 1


class Asks(Protocol[Asked]):
    """The addresses of a service, one of which answers; see belot_kit.replicas."""

    async def ask(self, question: Callable[[Asked], Awaitable[Answer]], *, most_s: float = DEFAULT_SECONDS) -> Answer:
        """What a live address answers within `most_s`. Errors: DomainError, the service's own or UNAVAILABLE."""


class Bounded(Generic[Client]):
    """The same, for so many callers at once."""

    def __init__(self, asked: Asks[Client], service: str) -> None:
        """`service` is named in refusals."""
        self._asked = asked
        self._places = Places(service, MOST_WAITING_ELSEWHERE)

    async def ask(self, question: Callable[[Client], Awaitable[Answer]], *, most_s: float = DEFAULT_SECONDS) -> Answer:
        """See Asks. UNAVAILABLE when too many wait."""
        with self._places.one():
            return await self._asked.ask(question, most_s=most_s)
