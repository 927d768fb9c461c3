"""What waits at a gateway is counted, and more of it is refused or left with the client; one test for each bound."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, contextmanager

import grpc
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_gateway import checks
from belot_gateway.auth import Identity, TokenKeys, Tokens
from belot_gateway.callers import caller_guard
from belot_gateway.places import MOST_WAITING_AT_TABLE, Bounded, Places
from belot_gateway.play_servicer import MOST_ITEMS, MOST_UNANSWERED, PlayServicer
from belot_gateway.streams import Streams
from belot_gateway.table_fleet import TableClient, TableFleet
from belot_kit.clock import SystemClock
from belot_kit.errors import DomainError, Reason
from belot_kit.replicas import Replica, Replicas
from support.eventually import eventually
from support.watched_table import TABLE, Gateway, WatchedTable, gateway

_KEY = Ed25519PrivateKey.generate()
TOKENS = Tokens(TokenKeys("k", _KEY, {"k": _KEY.public_key()}))
ANA = Identity("ana", "Ana", 2**40)
READY = table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True))


@asynccontextmanager
async def fleet_without_answer() -> AsyncIterator[TableFleet]:
    """Tables that cannot be reached: whoever asks waits."""
    async with grpc.aio.insecure_channel("unix:/nowhere") as channel:
        yield TableFleet(Replicas("table", [Replica("unix:/nowhere", channel, TableClient(channel))]))


def shown_here() -> AbstractAsyncContextManager[Gateway]:
    clock = SystemClock()
    return gateway(clock, WatchedTable(clock, view_pb2.TableOptions()))


@contextmanager
def refused(reason: Reason) -> Iterator[None]:
    with pytest.raises(DomainError) as caught:
        yield
    assert caught.value.reason is reason
    assert caught.value.retry_after_ms


def test_places_are_given_back_and_no_key_takes_those_of_others() -> None:
    places = Places("table", 3, 2)
    with places.one("a"), places.one("a"):
        with refused(Reason.UNAVAILABLE), places.one("a"):
            pass
        with places.one("b"), refused(Reason.UNAVAILABLE), places.one("c"):
            pass
    assert places.taken == 0
    with places.one("a"):
        assert places.taken == 1


async def test_a_table_that_does_not_answer_holds_so_many_commands_and_no_other_table_up() -> None:
    async with fleet_without_answer() as tables, asyncio.TaskGroup() as group:

        async def command(table_id: str) -> None:
            await tables.execute(table_pb2.Command(table_id=table_id, player_id="ana", action=READY))

        waiting = [group.create_task(command("slow")) for _ in range(MOST_WAITING_AT_TABLE)]
        await asyncio.sleep(0)
        with refused(Reason.UNAVAILABLE):
            await command("slow")
        other = group.create_task(command("other"))
        await asyncio.sleep(0)
        assert not other.done()
        for task in (*waiting, other):
            task.cancel()


async def test_a_service_that_does_not_answer_holds_so_many_questions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("belot_gateway.places.MOST_WAITING_ELSEWHERE", 2)
    async with grpc.aio.insecure_channel("unix:/nowhere") as channel, asyncio.TaskGroup() as group:
        rules = Bounded(Replicas("rules", [Replica("unix:/nowhere", channel, channel)]), "rules")

        async def question() -> None:
            await rules.ask(lambda _channel: asyncio.sleep(0))

        waiting = [group.create_task(question()) for _ in range(2)]
        await asyncio.sleep(0)
        with refused(Reason.UNAVAILABLE):
            await question()
        for task in waiting:
            task.cancel()


class PlayCall:
    """A Play stream from the client's side: what it wants to say is taken one by one, what it is told is kept."""

    def __init__(self, messages: list[gateway_pb2.PlayRequest]) -> None:
        self.taken = 0
        self.told: list[gateway_pb2.StreamItem] = []
        self._messages = messages

    async def requests(self) -> AsyncIterator[gateway_pb2.PlayRequest]:
        for message in self._messages:
            self.taken += 1
            yield message

    async def write(self, batch: bytes) -> None:
        self.told.extend(gateway_pb2.PlayResponse.FromString(batch).items)

    def invocation_metadata(self) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {TOKENS.sign_in_guest('Ana').token}"),)

    def peer(self) -> str:
        return "unix:"


async def play(call: PlayCall, tables: TableFleet) -> None:
    """Serve it until it ends."""
    caller_guard(TOKENS)("/belot.gateway.v1.PlayService/Play", call)
    async with shown_here() as shown:
        servicer = PlayServicer(tables, Streams(shown.sources), shown.sources.bus)
        await servicer.Play(call.requests(), call)  # type: ignore[arg-type]  # all that it needs of a context


def command(number: int) -> gateway_pb2.PlayItem:
    asked = gateway_pb2.ClientCommand(call_id=number, table_id=TABLE, request_id=f"r{number}", action=READY)
    return gateway_pb2.PlayItem(command=asked)


async def test_while_commands_wait_a_play_stream_is_not_read() -> None:
    call = PlayCall([gateway_pb2.PlayRequest(items=[command(number)]) for number in range(1_000)])
    async with fleet_without_answer() as tables:
        playing = asyncio.create_task(play(call, tables))
        await eventually(lambda: call.taken > MOST_UNANSWERED)
        for _ in range(100):
            await asyncio.sleep(0)
        assert call.taken == MOST_UNANSWERED + 1, "the one that waits for a place is in hand"
        assert not [item for item in call.told if item.HasField("reply")], "nothing is refused"
        playing.cancel()
        await asyncio.gather(playing, return_exceptions=True)


async def test_a_message_of_a_play_stream_has_so_many_items() -> None:
    call = PlayCall([gateway_pb2.PlayRequest(items=[command(number) for number in range(MOST_ITEMS + 1)])])
    async with fleet_without_answer() as tables:
        with pytest.raises(ExceptionGroup) as ended:
            await play(call, tables)
        assert ended.group_contains(DomainError, match="at most 256")


def test_a_request_names_so_many_subscriptions() -> None:
    lobby = gateway_pb2.Subscription(lobby=gateway_pb2.LobbyTopic())
    checks.subscriptions("add", [lobby] * checks.MOST_SUBSCRIPTIONS)
    with pytest.raises(DomainError, match="at most 64"):
        checks.subscriptions("add", [lobby] * (checks.MOST_SUBSCRIPTIONS + 1))


async def test_a_player_has_so_many_streams_and_a_process_too() -> None:
    async with shown_here() as shown, asyncio.TaskGroup() as group, AsyncExitStack() as stack:
        streams = Streams(shown.sources, most=3, most_of_player=2)
        for _ in range(2):
            await stack.enter_async_context(streams.opened(ANA, "en", group))
        with refused(Reason.RATE_LIMITED):
            await stack.enter_async_context(streams.opened(ANA, "en", group))
        async with streams.opened(Identity("bo", "Bo", 2**40), "en", group):
            with refused(Reason.UNAVAILABLE):
                await stack.enter_async_context(streams.opened(Identity("cy", "Cy", 2**40), "en", group))
        async with streams.opened(Identity("cy", "Cy", 2**40), "en", group):
            assert streams.open == 3
