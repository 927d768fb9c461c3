"""Load: tables of four scripted players, each with a connection and a Play stream of its own, playing as fast as told.

What they saw and when goes to a ``Meter``.
"""

import asyncio
import contextlib
import random
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from typing import Protocol

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from support.scripted import ScriptedPlayer

_SEATS = 4


@dataclass
class Meter:
    """Counts acknowledged moves and times each from sending to the moment all four clients saw it (seconds).

    `first_cards`: how long each client waited from the last seed of its table to its own first cards.
    """

    acknowledged: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    first_cards: list[float] = field(default_factory=list)
    recording: bool = False
    _sent: dict[str, float] = field(default_factory=dict)
    _seen: dict[tuple[str, int], tuple[int, float]] = field(default_factory=dict)

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
        """A client received the move. The first one to see it, at the latest, is the one who moves next."""
        key = (table_id, sequence)
        seen, sent = self._seen.pop(key, (0, self._sent.get(table_id, 0.0)))
        if seen + 1 < _SEATS:
            self._seen[key] = (seen + 1, sent)
        elif self.recording:
            self.latencies.append(time.perf_counter() - sent)


class Pace(Protocol):
    """Says when a move may go."""

    async def turn(self) -> None:
        """Wait until it may."""


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


def _watch(meter: Meter, moves: set[int]) -> Callable[[gateway_pb2.StreamItem], None]:
    last_seed: float | None = None

    def opening(event: view_pb2.TableEvent) -> None:
        nonlocal last_seed
        if event.HasField("seed_received"):
            last_seed = time.perf_counter()
        elif last_seed is not None and event.game.HasField("hand_dealt"):
            meter.first_cards.append(time.perf_counter() - last_seed)
            last_seed = None

    def observe(item: gateway_pb2.StreamItem) -> None:
        kind = item.WhichOneof("kind")
        if kind == "event":
            opening(item.event)
        if kind == "reply":
            if item.reply.HasField("refusal"):
                meter.refuse(item.reply.refusal.reason)
            elif item.reply.call_id in moves:
                meter.acked()
            moves.discard(item.reply.call_id)
        elif kind == "event" and item.event.game.WhichOneof("kind") in ("card_played", "bid_made"):
            meter.saw(item.table_id, item.sequence)

    return observe


def _player(gateways: list[str], name: str, meter: Meter, pacer: Pace, rng: random.Random) -> ScriptedPlayer:
    player = ScriptedPlayer(gateways, name, rng, before_move=pacer.turn, sent=meter.sent)
    player.observe = _watch(meter, player.moves)
    return player


@contextlib.asynccontextmanager
async def tables_at_play(
    addresses: list[str], tables: int, meter: Meter, pacer: Pace, seed: int
) -> AsyncIterator[list[ScriptedPlayer]]:
    """Opens ``tables`` tables of four scripted players over the gateways, waits until all play, and yields them."""
    rng = random.Random(seed)
    players: list[ScriptedPlayer] = []
    async with asyncio.TaskGroup() as group:
        tasks: list[asyncio.Task[None]] = []
        gate = asyncio.Semaphore(8)

        async def open_table(number: int) -> None:
            async with gate:
                four = [
                    _player([addresses[(number + seat) % len(addresses)]], f"p{number}-{seat}", meter, pacer, rng)
                    for seat in range(_SEATS)
                ]
                for player in four:
                    await player.sign_in()
                options = view_pb2.TableOptions(ruleset="bela", ruleset_options={"deals": "100"})
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
