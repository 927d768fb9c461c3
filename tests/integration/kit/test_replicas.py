"""Several addresses of one service: the dead are passed over at once, the late are waited for, nothing is lost."""

import asyncio
import itertools
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import grpc
import pytest

from belot_kit.deadlines import deadline_after, deadline_scope, remaining_seconds
from belot_kit.errors import DomainError, Reason
from belot_kit.grpc_server import GrpcServer, ServerOptions
from belot_kit.replicas import Replicas, open_replicas
from support.eventually import eventually

Question = Callable[[int], Awaitable[int]]


@pytest.fixture
def addresses(tmp_path: Path) -> tuple[str, ...]:
    """Three addresses at which nobody listens yet."""
    return tuple(f"unix:{tmp_path}/{number}.sock" for number in range(3))


@asynccontextmanager
async def listening(*addresses: str) -> AsyncIterator[list[GrpcServer]]:
    """A server at each address; those that were not stopped before are at the end."""
    servers = [GrpcServer(ServerOptions(listen=(each,), stop_grace_s=0.1), [], []) for each in addresses]
    for server in servers:
        await server.start()
    yield servers
    for server in servers:
        await server.stop()


@asynccontextmanager
async def replicas_at(*addresses: str) -> AsyncIterator[Replicas[int]]:
    """Replicas whose clients are their numbers."""
    numbers = itertools.count()

    def connect(_: grpc.aio.Channel) -> int:
        return next(numbers)

    async with open_replicas("sample", addresses, connect) as replicas:
        yield replicas


async def who(client: int) -> int:
    """Which address was asked."""
    return client


def unavailable_at(*numbers: int) -> tuple[Question, list[int]]:
    """A question that some addresses answer with UNAVAILABLE, and the list of those it was put to."""
    asked: list[int] = []

    async def question(client: int) -> int:
        asked.append(client)
        if client in numbers:
            raise DomainError(Reason.UNAVAILABLE, "not now")
        return client

    return question, asked


async def test_the_living_are_asked_in_turn_and_the_dead_not_at_all(addresses: tuple[str, ...]) -> None:
    async with listening(addresses[0], addresses[2]), replicas_at(*addresses) as replicas:
        await eventually(lambda: replicas.live == {addresses[0], addresses[2]})
        assert {await replicas.ask(who) for _ in range(6)} == {0, 2}
        question, asked = unavailable_at()
        for _ in range(6):
            await replicas.ask(question)
        assert 1 not in asked


async def test_a_given_order_is_kept_among_the_living(addresses: tuple[str, ...]) -> None:
    async with listening(*addresses) as servers, replicas_at(*addresses) as replicas:
        await eventually(lambda: len(replicas.live) == 3)
        order = addresses[::-1]
        assert [await replicas.ask(who, order=order) for _ in range(3)] == [2, 2, 2]
        await servers[2].stop()
        await eventually(lambda: len(replicas.live) == 2)
        assert [await replicas.ask(who, order=order) for _ in range(3)] == [1, 1, 1]


async def test_an_address_that_is_unavailable_is_passed_over(addresses: tuple[str, ...]) -> None:
    async with listening(*addresses), replicas_at(*addresses) as replicas:
        await eventually(lambda: len(replicas.live) == 3)
        question, asked = unavailable_at(0, 1)
        assert await replicas.ask(question, order=addresses) == 2
        assert asked == [0, 1, 2]


async def test_an_address_that_did_not_serve_is_asked_after_the_others_for_a_while(
    addresses: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    async with listening(*addresses), replicas_at(*addresses) as replicas:
        await eventually(lambda: len(replicas.live) == 3)
        question, asked = unavailable_at(1)
        assert {await replicas.ask(question) for _ in range(9)} == {0, 2}
        assert asked.count(1) == 1
        monkeypatch.setattr("belot_kit.replicas._DOUBT_SECONDS", 0.0)
        question, asked = unavailable_at(0)
        for _ in range(3):
            await replicas.ask(question, order=addresses[:2])  # one that was doubted serves where no other does
        assert asked[:2] == [0, 1]
        assert asked.count(0) == 3


async def test_another_refusal_is_the_answer(addresses: tuple[str, ...]) -> None:
    asked: list[int] = []

    async def refused(client: int) -> int:
        asked.append(client)
        raise DomainError(Reason.ILLEGAL_CARD, "follow suit")

    async with listening(*addresses), replicas_at(*addresses) as replicas:
        await eventually(lambda: len(replicas.live) == 3)
        with pytest.raises(DomainError) as caught:
            await replicas.ask(refused)
    assert (caught.value.reason, len(asked)) == (Reason.ILLEGAL_CARD, 1)


async def test_a_question_waits_for_an_address_to_come_to_life(addresses: tuple[str, ...]) -> None:
    async with replicas_at(addresses[0]) as replicas:
        waiting = asyncio.ensure_future(replicas.ask(who))
        await asyncio.sleep(0)
        async with listening(addresses[0]):
            assert await waiting == 0


async def test_what_an_address_says_last_is_said_in_the_end(addresses: tuple[str, ...]) -> None:
    question, asked = unavailable_at(0)
    async with listening(addresses[0]), replicas_at(addresses[0]) as replicas:
        with pytest.raises(DomainError) as caught:
            await replicas.ask(question, most_s=0.5)
    assert (caught.value.reason, caught.value.message) == (Reason.UNAVAILABLE, "not now")
    assert len(asked) >= 2


async def test_where_nobody_lives_the_service_is_named_at_the_end_of_patience(addresses: tuple[str, ...]) -> None:
    async with replicas_at(*addresses) as replicas:
        with pytest.raises(DomainError) as caught:
            await replicas.ask(who, most_s=0.1)
    assert (caught.value.reason, caught.value.metadata) == (Reason.UNAVAILABLE, {"service": "sample"})


async def until_deadline(client: int) -> int:
    """Wait until the deadline in force has passed, as a call does."""
    await asyncio.get_running_loop().create_task(asyncio.wait([asyncio.Future()], timeout=remaining_seconds()))
    raise DomainError(Reason.DEADLINE_TOO_SHORT, "no answer came before the deadline")


async def test_silence_is_unavailable_unless_our_own_caller_ran_out_of_time(addresses: tuple[str, ...]) -> None:
    async with listening(addresses[0]), replicas_at(addresses[0]) as replicas:
        with deadline_scope(deadline_after(5.0)), pytest.raises(DomainError) as silent:
            await replicas.ask(until_deadline, most_s=0.2)
        with deadline_scope(deadline_after(0.2)), pytest.raises(DomainError) as late:
            await replicas.ask(until_deadline, most_s=2.0)
    assert (silent.value.reason, silent.value.metadata) == (Reason.UNAVAILABLE, {"service": "sample"})
    assert late.value.reason is Reason.DEADLINE_TOO_SHORT


async def test_a_question_has_no_more_time_than_patience_and_deadline_leave(addresses: tuple[str, ...]) -> None:
    left: list[float] = []

    async def look(client: int) -> int:
        left.append(remaining_seconds() or 0)
        return client

    async with listening(addresses[0]), replicas_at(addresses[0]) as replicas:
        await replicas.ask(look, most_s=1.0)
        with deadline_scope(deadline_after(0.5)):
            await replicas.ask(look, most_s=1.0)
            assert (remaining_seconds() or 0) <= 0.5
    assert 0.5 < left[0] <= 1.02
    assert left[1] <= 0.5


async def test_an_address_is_live_again_soon_after_its_server_came_back(addresses: tuple[str, ...]) -> None:
    async with replicas_at(addresses[0]) as replicas:
        async with listening(addresses[0]):
            await eventually(lambda: bool(replicas.live))
        await eventually(lambda: not replicas.live)
        async with listening(addresses[0]):
            began = time.monotonic()
            assert await replicas.ask(who) == 0
            assert time.monotonic() - began < 1.0
