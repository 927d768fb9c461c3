"""The addresses of one service, which of them are alive, and asking one after another.

Each address has a channel of its own that is kept connected. gRPC tells at once when a connection is lost or its
server says that it goes away; from then on the address is passed over, calls that wait there on an open stream fail,
and `ask` puts the question to the next one. So questions must be such that being asked twice is being asked once.
These are the only retries: the channels have none of their own.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import grpc

from belot_kit.deadlines import (
    DEFAULT_SECONDS,
    SHAVE_SECONDS,
    SHORTEST_SECONDS,
    call_timeout,
    deadline_scope,
    remaining_seconds,
)
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_client import ChannelOptions, open_channel
from belot_kit.tasks import background

_AGAIN_SECONDS: Final = 0.2
_DOUBT_SECONDS: Final = 5.0
"""How long an address that did not serve is asked after the others: a frozen one would cost each question its wait."""
_RETRY_AFTER_MS: Final = 500

Client = TypeVar("Client")
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Replica(Generic[Client]):
    """One address: its channel, and the `client` (stubs, an open stream) that was made of it."""

    address: str
    channel: grpc.aio.Channel
    client: Client


async def _nothing(_: object) -> None:
    """A client that needs no work of its own."""


class Replicas(Generic[Client]):
    """All addresses of the service `name`; addresses are live only while `run` runs."""

    def __init__(
        self,
        name: str,
        replicas: Sequence[Replica[Client]],
        while_live: Callable[[Client], Coroutine[object, object, None]] = _nothing,
    ) -> None:
        """At least one replica. `while_live` is run for each as long as it is live, and cancelled then."""
        self.name = name
        self.addresses = tuple(each.address for each in replicas)
        self._replicas = {each.address: each for each in replicas}
        self._while_live = while_live
        self._live: set[str] = set()
        self._doubted: dict[str, float] = {}  # address -> until when, by the loop's clock
        self._told_of_loss: list[Callable[[str], None]] = []
        self._turns = itertools.count()
        self._changed = asyncio.Event()

    @property
    def live(self) -> frozenset[str]:
        """The addresses that are connected now."""
        return frozenset(self._live)

    def when_lost(self, told: Callable[[str], None]) -> None:
        """From now on `told(address)` is called whenever a live address goes away."""
        self._told_of_loss.append(told)

    async def run(self) -> None:
        """Keep every address connected, for ever."""
        async with asyncio.TaskGroup() as group:
            for replica in self._replicas.values():
                group.create_task(self._keep(replica))

    async def _keep(self, replica: Replica[Client]) -> None:
        while True:
            await _until_ready(replica.channel, True)
            # Its end fails what waits on an open stream, so that it goes to another address at once.
            async with background(self._while_live(replica.client)):
                self._doubted.pop(replica.address, None)
                self._live.add(replica.address)
                self._changed.set()
                try:
                    await _until_ready(replica.channel, False)
                finally:
                    self._live.discard(replica.address)
            for told in self._told_of_loss:
                told(replica.address)

    async def ask(
        self,
        question: Callable[[Client], Awaitable[Answer]],
        *,
        order: Sequence[str] | None = None,
        most_s: float = DEFAULT_SECONDS,
    ) -> Answer:
        """What a live address answers: the first of `order`, by default each in turn; then each next one.

        An address that says UNAVAILABLE is passed over, and for 5 s asked after all others; when all did, or none is
        live, this waits until one comes to life or a moment has passed. Errors: DomainError, the service's own;
        UNAVAILABLE at the end of the deadline in force or after `most_s` seconds; DEADLINE_TOO_SHORT where that
        deadline leaves too little to ask at all.
        """
        until = asyncio.get_running_loop().time() + call_timeout(most_s)
        refused = DomainError(
            Reason.UNAVAILABLE, f"{self.name} cannot be reached now", retry_after_ms=_RETRY_AFTER_MS, service=self.name
        )
        passed_over: set[str] = set()
        order = order or self._in_turn()
        while _enough(until):
            address = self._next(order, passed_over)
            if address is None:
                await self._wait_for_change(until)
                passed_over.clear()
                continue
            try:
                with deadline_scope(until + SHAVE_SECONDS):
                    return await question(self._replicas[address].client)
            except DomainError as error:
                refused = self._refusal(error)
                passed_over.add(address)
                self._doubted[address] = asyncio.get_running_loop().time() + _DOUBT_SECONDS
        raise refused

    def _next(self, order: Sequence[str], passed_over: set[str]) -> str | None:
        now = asyncio.get_running_loop().time()
        able = [each for each in order if each in self._live and each not in passed_over]
        return min(able, key=lambda each: self._doubted.get(each, 0.0) > now, default=None)

    def _in_turn(self) -> Sequence[str]:
        first = next(self._turns) % len(self.addresses)
        return self.addresses[first:] + self.addresses[:first]

    def _refusal(self, error: DomainError) -> DomainError:
        """What is to be said at the end if nobody else answers. Raises what no other address would change."""
        if error.reason is Reason.UNAVAILABLE:
            return error
        left = remaining_seconds()
        ours = left is not None and left < SHORTEST_SECONDS + SHAVE_SECONDS
        if error.reason is not Reason.DEADLINE_TOO_SHORT or ours:
            raise error
        raise DomainError(Reason.UNAVAILABLE, f"{self.name} does not answer", service=self.name) from error

    async def _wait_for_change(self, until: float) -> None:
        """Wait until an address comes to life, or a moment for one that lives but cannot serve just now."""
        self._changed.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout_at(min(until, asyncio.get_running_loop().time() + _AGAIN_SECONDS)):
                await self._changed.wait()


@asynccontextmanager
async def open_replicas(
    name: str,
    addresses: Sequence[str],
    connect: Callable[[grpc.aio.Channel], Client],
    while_live: Callable[[Client], Coroutine[object, object, None]] = _nothing,
) -> AsyncIterator[Replicas[Client]]:
    """The replicas of a service while the block lasts; `connect` makes the client of a channel.

    An address is ``host:port``, ``dns:///host:port`` or ``unix:/path``.
    """
    async with AsyncExitStack() as stack:
        channels = [await stack.enter_async_context(open_channel(ChannelOptions(each))) for each in addresses]
        found = [Replica(at, channel, connect(channel)) for at, channel in zip(addresses, channels, strict=True)]
        replicas = Replicas(name, found, while_live)
        async with background(replicas.run()):
            yield replicas


def _enough(until: float) -> bool:
    return until - asyncio.get_running_loop().time() >= SHORTEST_SECONDS


async def _until_ready(channel: grpc.aio.Channel, wanted: bool) -> None:
    """Wait until a channel is connected, or until it is not; it is told to connect whenever it rests."""
    while True:
        state = channel.get_state(try_to_connect=True)
        if (state is grpc.ChannelConnectivity.READY) is wanted:
            return
        await channel.wait_for_state_change(state)
