"""Scripted players: four a table, each with a connection and a Play stream of its own, playing as fast as told.

They do what an app's client would: sign in, sit down, send a seed, answer every turn with one of the legal
actions. What they saw and when goes to a ``Meter``.
"""

import asyncio
import contextlib
import random
import secrets
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import grpc
from belot.gateway.v1 import gateway_pb2, gateway_pb2_grpc
from belot.rules.v1 import match_pb2
from belot.table.v1 import table_pb2, view_pb2

_CHANNEL_OPTIONS = (
    ("grpc.use_local_subchannel_pool", 1),
    ("grpc.http2.bdp_probe", 0),
)
_SEATS = 4


@dataclass
class Meter:
    """Counts acknowledged moves and times each from sending to the moment all four clients saw it (seconds)."""

    acknowledged: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    recording: bool = False
    _sent: dict[str, float] = field(default_factory=dict)
    _seen: dict[tuple[str, int], int] = field(default_factory=dict)

    def sent(self, table_id: str) -> None:
        """A move leaves its client; a table has one move under way at a time."""
        self._sent[table_id] = time.perf_counter()

    def acked(self) -> None:
        """A move was answered: it is durable."""
        if self.recording:
            self.acknowledged += 1

    def refuse(self, reason: int) -> None:
        """A command was refused; a scripted client sends legal ones only, so this is worth a look."""
        name = str(reason)
        self.refused[name] = self.refused.get(name, 0) + 1

    def saw(self, table_id: str, sequence: int) -> None:
        """A client received the move."""
        key = (table_id, sequence)
        seen = self._seen.get(key, 0) + 1
        if seen < _SEATS:
            self._seen[key] = seen
            return
        self._seen.pop(key, None)
        if self.recording:
            self.latencies.append(time.perf_counter() - self._sent[table_id])


class Pacer:
    """Lets moves go at a steady rate, in moves a second; None lets them go at once."""

    def __init__(self, rate: float | None) -> None:
        self.rate = rate
        self._next = 0.0

    async def turn(self) -> None:
        """Wait for the next free place."""
        if self.rate is None:
            return
        now = time.perf_counter()
        self._next = max(self._next, now - 0.05) + 1 / self.rate
        if self._next > now:
            await asyncio.sleep(self._next - now)


class Player:
    """One client: a channel, a token, a Play stream."""

    def __init__(self, address: str, name: str, meter: Meter, pacer: Pacer, rng: random.Random) -> None:
        self.name = name
        self.playing = asyncio.Event()
        self._channel = grpc.aio.insecure_channel(address, options=_CHANNEL_OPTIONS)
        self._meter = meter
        self._pacer = pacer
        self._rng = rng
        self._outbox: asyncio.Queue[gateway_pb2.PlayItem] = asyncio.Queue()
        self._call_id = 0
        self._moves: set[int] = set()
        self._metadata: tuple[tuple[str, str], ...] = ()

    async def sign_in(self) -> None:
        """Become a guest."""
        answer = await gateway_pb2_grpc.AuthServiceStub(self._channel).SignInAsGuest(
            gateway_pb2.SignInAsGuestRequest(display_name=self.name)
        )
        self._metadata = (("authorization", f"Bearer {answer.token}"),)

    async def create_table(self, options: view_pb2.TableOptions) -> str:
        """Make a table and sit at it."""
        answer = await gateway_pb2_grpc.LobbyServiceStub(self._channel).CreateTable(
            gateway_pb2.CreateTableRequest(request_id=secrets.token_hex(8), options=options), metadata=self._metadata
        )
        return str(answer.table.summary.table_id)

    async def sit_down(self, table_id: str) -> None:
        """Take the first free seat."""
        await gateway_pb2_grpc.PlayServiceStub(self._channel).SitDown(
            gateway_pb2.SitDownRequest(request_id=secrets.token_hex(8), table_id=table_id), metadata=self._metadata
        )

    async def play(self, table_id: str) -> None:
        """Follow the table and answer every turn until cancelled."""
        topic = gateway_pb2.TableTopic(table_id=table_id)
        self._outbox.put_nowait(gateway_pb2.PlayItem(subscribe=gateway_pb2.Subscription(table=topic)))
        self._command(table_id, table_pb2.TableAction(set_ready=table_pb2.SetReady(ready=True)))
        call = gateway_pb2_grpc.PlayServiceStub(self._channel).Play(self._requests(), metadata=self._metadata)
        async for response in call:
            for item in response.items:
                await self._take(item)

    async def close(self) -> None:
        """Hang up."""
        await self._channel.close()

    async def _requests(self) -> AsyncIterator[gateway_pb2.PlayRequest]:
        while True:
            items = [await self._outbox.get()]
            while not self._outbox.empty():
                items.append(self._outbox.get_nowait())
            yield gateway_pb2.PlayRequest(items=items)

    async def _take(self, item: gateway_pb2.StreamItem) -> None:
        kind = item.WhichOneof("kind")
        if kind == "reply":
            self._answered(item.reply)
        elif kind == "event":
            await self._happened(item.table_id, item.sequence, item.event)
        elif kind == "snapshot" and item.snapshot.turn.HasField("legal"):
            await self._act(item.table_id, item.snapshot.turn.legal)

    def _answered(self, reply: gateway_pb2.CommandReply) -> None:
        if reply.HasField("refusal"):
            self._meter.refuse(reply.refusal.reason)
        elif reply.call_id in self._moves:
            self._meter.acked()
        self._moves.discard(reply.call_id)

    async def _happened(self, table_id: str, sequence: int, event: view_pb2.TableEvent) -> None:
        kind = event.WhichOneof("kind")
        if kind == "game":
            if event.game.WhichOneof("kind") in ("card_played", "bid_made"):
                self._meter.saw(table_id, sequence)
        elif kind == "turn_started":
            self.playing.set()
            if event.turn_started.HasField("legal"):
                await self._act(table_id, event.turn_started.legal)
        elif kind == "match_opened":
            self._command(
                table_id, table_pb2.TableAction(submit_seed=table_pb2.SubmitSeed(seed=secrets.token_bytes(16)))
            )

    async def _act(self, table_id: str, legal: match_pb2.LegalActions) -> None:
        await self._pacer.turn()
        self._moves.add(self._call_id + 1)
        self._meter.sent(table_id)
        self._command(table_id, table_pb2.TableAction(game=self._choose(legal)))

    def _choose(self, legal: match_pb2.LegalActions) -> match_pb2.Action:
        if legal.cards:
            return match_pb2.Action(play=match_pb2.Play(card=self._rng.choice(legal.cards)))
        if legal.may_accept:
            return match_pb2.Action(accept=match_pb2.Accept())
        if legal.suits:
            return match_pb2.Action(choose=match_pb2.Choose(suit=self._rng.choice(legal.suits)))
        return match_pb2.Action(**{"pass": match_pb2.Pass()})

    def _command(self, table_id: str, action: table_pb2.TableAction) -> None:
        self._call_id += 1
        command = gateway_pb2.ClientCommand(
            call_id=self._call_id, table_id=table_id, request_id=f"{self.name}-{self._call_id}", action=action
        )
        self._outbox.put_nowait(gateway_pb2.PlayItem(command=command))


@contextlib.asynccontextmanager
async def tables_at_play(
    addresses: list[str], tables: int, meter: Meter, pacer: Pacer, seed: int
) -> AsyncIterator[list[Player]]:
    """Opens ``tables`` tables of four scripted players over the gateways, waits until all play, and yields them."""
    rng = random.Random(seed)
    players: list[Player] = []
    async with asyncio.TaskGroup() as group:
        tasks = []
        gate = asyncio.Semaphore(8)

        async def open_table(number: int) -> None:
            async with gate:
                four = [
                    Player(addresses[(number + seat) % len(addresses)], f"p{number}-{seat}", meter, pacer, rng)
                    for seat in range(_SEATS)
                ]
                for player in four:
                    await player.sign_in()
                options = view_pb2.TableOptions(ruleset="bela", ruleset_options={"deals": "200"})
                for clock in (options.bid_time, options.card_time, options.seed_time):
                    clock.FromSeconds(300)
                table_id = await four[0].create_table(options)
                for player in four[1:]:
                    await player.sit_down(table_id)
                tasks.extend(group.create_task(player.play(table_id)) for player in four)
                players.extend(four)

        await asyncio.gather(*(open_table(number) for number in range(tables)))
        await asyncio.gather(*(player.playing.wait() for player in players))
        try:
            yield players
        finally:
            for task in tasks:
                task.cancel()
            for player in players:
                await player.close()
