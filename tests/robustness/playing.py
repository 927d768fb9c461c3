"""A person at a table: one Play stream, resumed as often as it takes, and everything on tape.

A command is sent again, with its request id, until it is answered: on the next stream, or after a refusal that is no
verdict. Some moves go out twice at once, as a nervous finger does it.
"""

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TypeAlias

import grpc

from belot.common.v1 import errors_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2
from belot_kit.errors import from_rpc_error
from robustness.histories import Answer, Received, Sent, Session, Tape
from robustness.log_checks import TRANSIENT
from robustness.person import Person

UNANSWERED_SECONDS = 6.0
"""The gateway gives a command 5 s; a client that waits for more than 6 believes the line to be dead."""

SILENCE_SECONDS = 12.0
"""Heartbeats come every 10 s."""

FIRST_SECONDS = 4.0
_LOOK_SECONDS = 0.25
_EXPECTED_ENDS = frozenset({"STREAM_TOO_SLOW", "STREAM_SUPERSEDED"}) | TRANSIENT
_OWN_LIBRARY = "Internal error from Core"
"""What grpc.aio itself says, now and then, of a connection that was reset under a read; no server sent it."""

_PREFIX = len("ERROR_REASON_")


Call: TypeAlias = "grpc.aio.StreamStreamCall[gateway_pb2.PlayRequest, gateway_pb2.PlayResponse]"


@dataclass(frozen=True, slots=True)
class Habits:
    """How a person plays: seconds of thought before a move, how often a move is clicked twice or slept through."""

    thought: tuple[float, float] = (0.03, 0.15)
    clicks_twice: float = 0.1
    sleeps: float = 0.0


class Playing:
    """One person's part in one match; `run` ends when the seed is revealed and all is answered.

    `acked` hears of every move's answer.
    """

    def __init__(self, person: Person, tape: Tape, habits: Habits, acked: Callable[[Sent], None]) -> None:
        """Nothing is sent yet."""
        self.finished = asyncio.Event()
        self._person = person
        self._tape = tape
        self._habits = habits
        self._acked = acked
        self._rng: random.Random = person.rng
        self._open: dict[str, Sent] = {}
        self._calls: dict[int, Sent] = {}
        self._outbox: asyncio.Queue[gateway_pb2.PlayItem] = asyncio.Queue()
        self._turn = 0
        self._last: int | None = None
        self._heard = 0.0
        self._head = 0
        self._greeted = False
        self._reader: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Say ready and play to the end, whatever happens to the connection."""
        self.command(table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True)))
        watchdog = asyncio.create_task(self._watch())
        try:
            while not self._done():
                await self._session()
                if not self._done():
                    await self._person.elsewhere()
        finally:
            for task in (watchdog, *self._tasks):
                task.cancel()

    def standing(self) -> str:
        """Where this client stands, in a line for findings: its stream, what it knows, what it waits for."""
        now = time.monotonic()
        reader = "none" if self._reader is None else "ended" if self._reader.done() else "open"
        last = self._tape.sent[-1] if self._tape.sent else None
        told = "" if last is None else f"{last.action.WhichOneof('kind')} {now - last.times[-1]:.1f} s ago"
        shown = [each.item.sequence for each in self._tape.received if each.item.HasField("snapshot")]
        answers = [] if last is None else [each.refusal or f"ack {each.sequence}" for each in last.answers]
        return (
            f"{self._person.name} {self._person.player_id} finished {self.finished.is_set()}: "
            f"session {len(self._tape.sessions)} at {self._person.gateway} "
            f"after {self._tape.sessions[-1].after if self._tape.sessions else None}, stream {reader}, "
            f"greeted {self._greeted}, last item {now - self._heard:.1f} s ago; sequence {self._last}, "
            f"head {self._head}, snapshots at {shown}, turn {self._turn}, thinking {len(self._tasks)}; "
            f"last sent {told} answered {answers}; unanswered {len(self._open)}"
        )

    def command(self, action: table_pb2.TableAction) -> Sent:
        """Send a command, and again until it is answered."""
        sent = Sent(f"{self._person.name}-{secrets.token_hex(6)}", action)
        self._tape.sent.append(sent)
        self._open[sent.request_id] = sent
        self._send(sent)
        return sent

    def _send(self, sent: Sent) -> None:
        sent.times.append(time.monotonic())
        call_id = len(self._calls) + 1
        self._calls[call_id] = sent
        command = gateway_pb2.ClientCommand(
            call_id=call_id, table_id=self._tape.table_id, request_id=sent.request_id, action=sent.action
        )
        self._outbox.put_nowait(gateway_pb2.PlayItem(command=command))

    async def _session(self) -> None:
        """One stream to its end. It is read by a task of its own: grpc.aio does not always wake a reader it fails."""
        self._begin()
        call = self._person.plays.Play(metadata=self._person.metadata)
        self._reader = reader = asyncio.create_task(self._read(call))
        writer = asyncio.create_task(_write(call, self._outbox))
        try:
            await asyncio.wait([reader])
        finally:
            for task in (reader, writer):
                task.cancel()
            call.cancel()
        error = None if reader.cancelled() else reader.exception()
        if isinstance(error, grpc.aio.AioRpcError):
            self._ended_with(error)
        elif error is not None:
            raise error

    async def _read(self, call: Call) -> None:
        async for response in call:
            for item in response.items:
                self._take(item)
            if self._done():
                return

    def _done(self) -> bool:
        """The last move may be answered after everybody saw the end: nobody hangs up before."""
        return self.finished.is_set() and not self._open

    def _begin(self) -> None:
        """A new stream: subscribe after what is known, and send again what has no answer."""
        self._tape.sessions.append(Session(self._person.gateway, self._last))
        self._outbox = asyncio.Queue()
        topic = gateway_pb2.TableTopic(table_id=self._tape.table_id, after_sequence=self._last)
        self._outbox.put_nowait(gateway_pb2.PlayItem(subscribe=gateway_pb2.Subscription(table=topic)))
        for sent in self._open.values():
            self._send(sent)
        self._greeted, self._heard = False, time.monotonic()

    def _ended_with(self, error: grpc.aio.AioRpcError) -> None:
        if error.code() in (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED) or error.details() == _OWN_LIBRARY:
            return
        reason = from_rpc_error(error).reason
        if reason not in _EXPECTED_ENDS:
            self._tape.failures.append(f"{error.code().name} {reason} {error.details()}")

    async def _watch(self) -> None:
        """Hang up a line that is dead without saying so."""
        while True:
            await asyncio.sleep(_LOOK_SECONDS)
            now = time.monotonic()
            waiting = min((sent.times[-1] for sent in self._open.values()), default=now)
            silent = now - self._heard > (SILENCE_SECONDS if self._greeted else FIRST_SECONDS)
            if silent or now - waiting > UNANSWERED_SECONDS:
                self._drop()

    def _drop(self) -> None:
        if self._reader is not None:
            self._reader.cancel()

    def _take(self, item: gateway_pb2.StreamItem) -> None:
        self._heard, self._greeted = time.monotonic(), True
        kind = item.WhichOneof("kind")
        if kind == "reply":
            self._answered(item.reply)
        elif kind == "ended":
            self._topic_ended(item.ended.refusal.reason)
        elif kind == "draining":
            self._drop()
        elif item.table_id:
            self._tape.received.append(Received(len(self._tape.sessions) - 1, item))
            self._head = max(self._head, item.sequence)
            if kind != "heartbeat":
                self._last = item.sequence
            if kind == "event":
                self._happened(item.sequence, item.event)
            elif kind == "snapshot":
                self._shown(item.snapshot)

    def _topic_ended(self, reason: "errors_pb2.ErrorReason.ValueType") -> None:
        name = errors_pb2.ErrorReason.Name(reason)[_PREFIX:]
        if name not in _EXPECTED_ENDS:
            self._tape.failures.append(f"subscription ended: {name}")
        self._drop()

    def _answered(self, reply: gateway_pb2.CommandReply) -> None:
        sent = self._calls[reply.call_id]
        if reply.HasField("ack"):
            sent.answers.append(Answer(time.monotonic(), reply.ack.version, reply.ack.sequence))
            self._open.pop(sent.request_id, None)
            self._acked(sent)
            return
        name = errors_pb2.ErrorReason.Name(reply.refusal.reason)[_PREFIX:]
        sent.answers.append(Answer(time.monotonic(), refusal=name))
        if name not in TRANSIENT:
            self._open.pop(sent.request_id, None)
        elif sent.request_id in self._open:
            self._start(self._again(sent))

    async def _again(self, sent: Sent) -> None:
        session = len(self._tape.sessions)
        await asyncio.sleep(self._rng.uniform(0.1, 0.3))
        if sent.request_id in self._open and session == len(self._tape.sessions):
            self._send(sent)

    def _happened(self, sequence: int, event: view_pb2.TableEvent) -> None:
        kind = event.WhichOneof("kind")
        if kind == "turn_started":
            self._turn = sequence
            if event.turn_started.HasField("legal"):
                self._start(self._think(sequence, event.turn_started.legal))
        elif kind == "match_opened":
            self._send_seed()
        elif kind == "seed_revealed":
            self.finished.set()

    def _shown(self, view: view_pb2.TableView) -> None:
        """A snapshot may show us what is due already: a seed, a move, or the end."""
        self._turn = view.sequence
        if view.summary.status == view_pb2.TABLE_STATUS_SEEDING and view.viewer_seat not in view.fairness.seeded_seats:
            self._send_seed()
        elif view.turn.HasField("legal"):
            self._start(self._think(view.sequence, view.turn.legal))
        elif view.fairness.server_seed:
            self.finished.set()

    def _send_seed(self) -> None:
        seed = table_pb2.SubmitSeed(seed=secrets.token_bytes(16))
        self.command(table_pb2.TableAction(submit_seed=seed))

    async def _think(self, turn: int, legal: match_pb2.LegalActions) -> None:
        await asyncio.sleep(self._rng.uniform(*self._habits.thought))
        if self._turn != turn or self._rng.random() < self._habits.sleeps:
            return
        sent = self.command(table_pb2.TableAction(game=choose(legal, self._rng)))
        if self._rng.random() < self._habits.clicks_twice:
            self._send(sent)

    def _start(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _write(call: Call, outbox: asyncio.Queue[gateway_pb2.PlayItem]) -> None:
    """Send what is in the outbox until the stream ends; how it ended is the reader's affair."""
    with contextlib.suppress(grpc.aio.AioRpcError, asyncio.InvalidStateError):
        while True:
            items = [await outbox.get()]
            while not outbox.empty():
                items.append(outbox.get_nowait())
            await call.write(gateway_pb2.PlayRequest(items=items))


def choose(legal: match_pb2.LegalActions, rng: random.Random) -> match_pb2.Action:
    """Any card; in the auction the card turned up, else a suit, so that hands are played and not passed out."""
    if legal.cards:
        return match_pb2.Action(play=match_pb2.Play(card=rng.choice(legal.cards)))
    if legal.may_accept:
        return match_pb2.Action(accept=match_pb2.Accept())
    if legal.suits:
        return match_pb2.Action(choose=match_pb2.Choose(suit=rng.choice(legal.suits)))
    return match_pb2.Action(pass_bid=match_pb2.Pass())
