"""A person of a run: one Play stream at a time, resumed as often as it takes, everything on tape.

Whatever he asks for is asked again, under its request id, until it is answered for good. He sleeps through turns,
clicks twice, sends again what was answered long ago, and tries to use a request id for something else.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Coroutine
from typing import Final, TypeVar, cast

import grpc

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_gateway.auth import SignedIn
from belot_kit.errors import from_rpc_error
from robustness.histories import Answer, Received, Sent, Session, Tape
from robustness.log_checks import TRANSIENT
from robustness.playing import choose
from simulation.plan import Habits
from simulation.services import GATEWAYS
from simulation.world import World, as_channel
from support.memory_grpc import MemoryChannel
from support.memory_streams import StreamCall

_CALL_SECONDS: Final = 4.0
_UNANSWERED_SECONDS: Final = 6.0
_QUIET_SECONDS: Final = 25.0
"""Without an event for so long he looks again, where the bus loses messages without a word, maybe the last one."""

_LOOK_SECONDS: Final = 0.5
_ENDS: Final = frozenset({"STREAM_TOO_SLOW", "STREAM_SUPERSEDED"}) | TRANSIENT
_PREFIX: Final = len("ERROR_REASON_")

Result = TypeVar("Result")
Ask = Callable[["Person"], Awaitable[Result]]


class Person:
    """Signed in; `habits` None: he only watches."""

    def __init__(self, world: World, name: str, signed_in: SignedIn, habits: Habits | None) -> None:
        self.name = name
        self.player_id = signed_in.identity.player_id
        self.metadata = (("authorization", f"Bearer {signed_in.token}"),)
        self._revealed = False
        self._world = world
        self._loop = world.loop
        self._rng = random.Random(f"{name} {world.plan.seed}")
        self._habits = habits
        self._turn_of_gateway = self._rng.randrange(len(GATEWAYS))
        self._channel = self._dial()
        self._requests = 0
        self._tape = Tape("", self.player_id)
        self._end: Callable[[], int | None] = lambda: None
        self._open: dict[str, Sent] = {}
        self._calls: dict[int, Sent] = {}
        self._foreign: dict[int, str] = {}
        self._outbox: asyncio.Queue[gateway_pb2.PlayItem] = asyncio.Queue()
        self._turn = 0
        self._stood_in = False
        self._last: int | None = None
        self._heard = 0.0
        self._reader: asyncio.Task[None] | None = None
        self._tasks: dict[asyncio.Task[None], None] = {}

    @property
    def done(self) -> bool:
        """Whether he has no part in the match any more."""
        return self._revealed and not self._open

    # -- single calls

    @property
    def plays(self) -> "gateway_pb2_grpc.PlayServiceAsyncStub":
        """The play service of the gateway in use."""
        return gateway_pb2_grpc.PlayServiceStub(as_channel(self._channel))

    @property
    def lobby(self) -> "gateway_pb2_grpc.LobbyServiceAsyncStub":
        """The lobby of the gateway in use."""
        return gateway_pb2_grpc.LobbyServiceStub(as_channel(self._channel))

    async def ask(self, question: Ask[Result]) -> Result:
        """Ask until there is an answer, or a refusal that stays one. Errors: AioRpcError."""
        while True:
            try:
                return await question(self)
            except grpc.aio.AioRpcError as error:
                if from_rpc_error(error).reason not in TRANSIENT:
                    raise
            await self._elsewhere()

    async def create_table(self, options: view_pb2.TableOptions) -> str:
        """Make a table and sit at it."""
        request = gateway_pb2.CreateTableRequest(request_id=self._request_id(), options=options)
        made = await self.ask(lambda me: me.lobby.CreateTable(request, metadata=me.metadata, timeout=_CALL_SECONDS))
        return made.table.summary.table_id

    async def sit_down(self, table_id: str, seat: int) -> None:
        """Take a seat."""
        request = gateway_pb2.SitDownRequest(request_id=self._request_id(), table_id=table_id, seat=seat)
        await self.ask(lambda me: me.plays.SitDown(request, metadata=me.metadata, timeout=_CALL_SECONDS))

    async def fill_with_bots(self, table_id: str, level: str) -> None:
        """Seat bots on what is free."""
        request = gateway_pb2.FillWithBotsRequest(request_id=self._request_id(), table_id=table_id, level=level)
        await self.ask(lambda me: me.plays.FillWithBots(request, metadata=me.metadata, timeout=_CALL_SECONDS))

    def _request_id(self) -> str:
        self._requests += 1
        return f"{self.name}-{self._requests}"

    def _dial(self) -> MemoryChannel:
        return self._world.network.channel(GATEWAYS[self._turn_of_gateway % len(GATEWAYS)], self.name)

    async def _elsewhere(self) -> None:
        self._channel.hang_up()
        self._turn_of_gateway += 1
        self._channel = self._dial()
        await asyncio.sleep(self._rng.uniform(0.02, 0.3))

    # -- the stream

    async def play(self, tape: Tape, end: Callable[[], int | None]) -> None:
        """Say ready and play, whatever happens to the connection, until he has all up to the table's `end`."""
        self._tape = tape
        self._end = end
        if self._habits is not None:
            self._command(table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True)))
        self._start(self._watch())
        try:
            while not self._has_all():
                await self._session()
                await self._elsewhere()
        finally:
            for task in tuple(self._tasks):
                task.cancel()
            self._channel.hang_up()

    async def look_back(self, table_id: str) -> Tape:
        """Open the table once more, at a number in the middle, and read to the same end."""
        numbers = [each.item.sequence for each in self._tape.received if each.item.WhichOneof("kind") != "heartbeat"]
        after = self._rng.randint(min(numbers), max(numbers) - 1)
        self._channel = self._dial()
        async with asyncio.timeout(_QUIET_SECONDS):
            return await self.ask(lambda me: me._read_again(table_id, after, max(numbers)))

    async def _read_again(self, table_id: str, after: int, last: int) -> Tape:
        again = Tape(table_id, self.player_id, bookmark=True, sessions=[Session(self._channel.address, after)])
        topic = gateway_pb2.TableTopic(table_id=table_id, after_sequence=after)
        request = gateway_pb2.WatchRequest(subscriptions=[gateway_pb2.Subscription(table=topic)])
        stream = cast("StreamCall", self.plays.Watch(request, metadata=self.metadata))
        async for response in stream:
            items = cast("gateway_pb2.WatchResponse", response).items
            again.received += [Received(0, item) for item in items if item.table_id]
            if again.received and again.received[-1].item.sequence >= last:
                break
        stream.cancel()
        return again

    async def _session(self) -> None:
        self._tape.sessions.append(Session(self._channel.address, self._last))
        self._outbox = asyncio.Queue()
        topic = gateway_pb2.TableTopic(table_id=self._tape.table_id, after_sequence=self._last)
        self._outbox.put_nowait(gateway_pb2.PlayItem(subscribe=gateway_pb2.Subscription(table=topic)))
        for sent in tuple(self._open.values()):
            self._send(sent)
        self._heard = self._loop.time()
        stream = cast("StreamCall", self.plays.Play(metadata=self.metadata))
        self._reader = reader = asyncio.create_task(self._read(stream))
        writer = asyncio.create_task(_write(stream, self._outbox))
        try:
            await asyncio.wait([reader])
        finally:
            for task in (reader, writer):
                task.cancel()
            stream.cancel()
        error = None if reader.cancelled() else reader.exception()
        if isinstance(error, grpc.aio.AioRpcError):
            self._ended_with(from_rpc_error(error).reason)
        elif error is not None:
            raise error

    async def _read(self, stream: StreamCall) -> None:
        async for response in stream:
            for item in cast("gateway_pb2.PlayResponse", response).items:
                self._take(item)
            if self._has_all():
                return

    def _has_all(self) -> bool:
        end = self._end()
        return end is not None and self._last is not None and self._last >= end

    def _ended_with(self, reason: str) -> None:
        if reason not in _ENDS | {"CANCELLED"}:
            self._tape.failures.append(f"the stream ended: {reason}")

    async def _watch(self) -> None:
        """Hang up a line that is dead without saying so, or that may have lost something."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            now = self._loop.time()
            waiting = min((sent.times[-1] for sent in self._open.values()), default=now)
            quiet = self._world.plan.faults.push_lost and now - self._heard > _QUIET_SECONDS
            if self._has_all() or quiet or now - waiting > _UNANSWERED_SECONDS:
                self._drop()

    def _drop(self) -> None:
        if self._reader is not None:
            self._reader.cancel()

    def _take(self, item: gateway_pb2.StreamItem) -> None:
        kind = item.WhichOneof("kind")
        if kind == "reply":
            self._answered(item.reply)
        elif kind == "ended":
            self._ended_with(_name(item.ended.refusal.reason))
            self._drop()
        elif item.table_id:
            self._tape.received.append(Received(len(self._tape.sessions) - 1, item))
            if kind != "heartbeat":
                self._heard, self._last = self._loop.time(), item.sequence
            if kind == "event":
                self._happened(item.sequence, item.event)

    # -- commands

    def _command(self, action: table_pb2.TableAction) -> Sent:
        sent = Sent(self._request_id(), action)
        self._tape.sent.append(sent)
        self._open[sent.request_id] = sent
        self._send(sent)
        return sent

    def _send(self, sent: Sent) -> None:
        sent.times.append(self._loop.time())
        self._calls[self._put(sent.request_id, sent.action)] = sent

    def _put(self, request_id: str, action: table_pb2.TableAction) -> int:
        call_id = len(self._calls) + len(self._foreign) + 1
        command = gateway_pb2.ClientCommand(
            call_id=call_id, table_id=self._tape.table_id, request_id=request_id, action=action
        )
        self._outbox.put_nowait(gateway_pb2.PlayItem(command=command))
        return call_id

    def _answered(self, reply: gateway_pb2.CommandReply) -> None:
        name = _name(reply.refusal.reason) if reply.HasField("refusal") else ""
        if reply.call_id in self._foreign:
            if name not in TRANSIENT | {"REQUEST_ID_REUSED"}:
                self._tape.failures.append(f"{self._foreign[reply.call_id]} was taken for something else: {name}")
            return
        sent = self._calls[reply.call_id]
        sent.answers.append(Answer(self._loop.time(), reply.ack.version, reply.ack.sequence, name))
        if name in TRANSIENT:
            if sent.request_id in self._open:
                self._start(self._again(sent))
            return
        self._open.pop(sent.request_id, None)
        if not name and self._habits is not None and not self._revealed:
            self._meddle(sent, self._habits)

    def _meddle(self, sent: Sent, habits: Habits) -> None:
        if self._rng.random() < habits.sends_again:
            self._start(self._again(sent))
        if self._rng.random() < habits.reuses:
            other = table_pb2.TableAction(say=table_pb2.Say(phrase="hello"))
            self._foreign[self._put(sent.request_id, other)] = sent.request_id

    async def _again(self, sent: Sent) -> None:
        session = len(self._tape.sessions)
        await asyncio.sleep(self._rng.uniform(0.01, 0.3))
        if session == len(self._tape.sessions) and not self._revealed:
            self._send(sent)

    def _happened(self, sequence: int, event: view_pb2.TableEvent) -> None:
        kind = event.WhichOneof("kind")
        if kind == "seed_revealed":
            self._revealed = True
        elif self._habits is None:
            return
        elif kind == "turn_started":
            self._turn = sequence
            if event.turn_started.HasField("legal"):
                self._start(self._think(sequence, event.turn_started.legal, self._habits))
        elif kind == "match_opened":
            self._command(table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=self._rng.randbytes(16))))
        elif kind == "seat_taken_over" and event.seat_taken_over.player_id == self.player_id:
            self._stood_in = True
            self._start(self._come_back())
        elif kind == "seat_returned" and event.seat_returned.player_id == self.player_id:
            self._stood_in = False

    async def _come_back(self) -> None:
        """Take the seat back, once it is known what became of all that he asked for."""
        while self._open or self._behind():  # noqa: ASYNC110 - answers and events end it by many ways
            await asyncio.sleep(_LOOK_SECONDS / 10)
        if self._stood_in:
            self._command(table_pb2.TableAction(resume=table_pb2.Resume()))

    def _behind(self) -> bool:
        """Whether something that he did has not been shown to him yet."""
        done = max(ack.sequence for sent in self._tape.sent for ack in sent.acks)
        return self._last is None or self._last < done

    async def _think(self, turn: int, legal: match_pb2.LegalActions, habits: Habits) -> None:
        await asyncio.sleep(self._rng.uniform(*habits.thought))
        if self._turn != turn or self._stood_in or self._rng.random() < habits.sleeps:
            return
        if self._rng.random() < habits.talks:
            self._command(table_pb2.TableAction(say=table_pb2.Say(text="well")))
        sent = self._command(table_pb2.TableAction(game=choose(legal, self._rng)))
        if self._rng.random() < habits.clicks_twice:
            self._send(sent)

    def _start(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks[task] = None
        task.add_done_callback(lambda done: self._tasks.pop(done, None))


async def _write(stream: StreamCall, outbox: asyncio.Queue[gateway_pb2.PlayItem]) -> None:
    """Send what is in the outbox until the stream ends; how it ended is the reader's affair."""
    try:
        while True:
            items = [await outbox.get()]
            while not outbox.empty():
                items.append(outbox.get_nowait())
            await stream.write(gateway_pb2.PlayRequest(items=items))
    except grpc.aio.AioRpcError:
        return


def _name(reason: "errors_pb2.ErrorReason.ValueType") -> str:
    return errors_pb2.ErrorReason.Name(reason)[_PREFIX:]
