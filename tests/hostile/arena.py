"""A real fleet with everybody in it: strangers, people at tables that stand still, a company that plays on."""

import asyncio
import os
import random
import tomllib
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final
from unittest.mock import patch

import asyncpg
import grpc
from google.protobuf.message import Message

from belot.gateway.v1 import gateway_pb2
from belot_cli.fleet import TOKEN_KEYS
from e2e.parties import Party
from hostile.company import Company
from hostile.digest import delivered
from hostile.examples import position_examples
from hostile.headers import Headers
from hostile.known import Known
from hostile.places import Place, make_place, make_places
from hostile.rpcs import every_rpc
from support.dealers import until
from support.fleet import Fleet, running_fleet
from support.raw_streams import RawGuest, guest, lobby

_CHANNEL: Final = (("grpc.use_local_subchannel_pool", 1), ("grpc.max_receive_message_length", 64 << 20))
_PATIENCE: Final = {
    "BELOT_GATEWAY__LIMITS__ENABLED": "false",
    "BELOT_GATEWAY__MOST_STREAMS_OF_PLAYER": "1000",
    "BELOT_TABLE__PRESENCE_GRACE_S": "86400",
}
_WORDS: Final = {
    "level": ("easy", "normal", "bot"),
    "name": ("bela", "club", "classic", "announces"),
    "ruleset": ("bela", "club", "classic", "announces"),
    "key": ("target", "deals", "litige", "capot", "pack"),
    "value": ("1", "2", "501", "fail", "true", "-1", "1e9"),
    "phrase": ("hello", "good_luck", "bye"),
    "outcome_kind": ("server_fault", "cancelled"),
    "ending": ("finished", "cancelled", "abandoned"),
    "display_name": ("Ana", "Бо", "名前"),
}


@dataclass(slots=True)
class Arena:
    """Everything a run needs. `outside` is what a client of the gateways can know, `inside` what our own services do.

    Tables at which the company plays are known outside only: our own services are believed, whatever they say.
    """

    fleet: Fleet
    channels: dict[str, tuple[grpc.aio.Channel, ...]]
    strangers: list[RawGuest]
    sitters: list[RawGuest]
    outside: Known
    inside: Known
    pool: "asyncpg.Pool[asyncpg.Record]"
    places: list[Place] = field(default_factory=list)
    coming: "list[asyncio.Task[Place]]" = field(default_factory=list)
    made: int = 0

    def known(self, service: str) -> Known:
        """What a caller of a service knows."""
        return self.outside if service == "gateway" else self.inside

    def headers(self, rng: random.Random) -> Headers:
        """What goes beside requests."""
        sitters = {each.player_id: token_of(each) for each in self.sitters}
        key_file = self.fleet.logs.parent / "secrets" / TOKEN_KEYS
        return Headers(rng, [token_of(each) for each in self.strangers], sitters, key_file)

    def settle_in(self, places: Sequence[Place]) -> None:
        """New tables that stand still are there to be aimed at."""
        for place in places:
            self.places.append(place)
            for known in (self.outside, self.inside):
                known.focus.append(place.focus())
                for name, text in place.focus().items():
                    if text:
                        known.texts[name].append(text)

    def refill(self) -> None:
        """Take spoiled tables out; others in their place are made meanwhile and come in by a later call."""
        done = [each for each in self.coming if each.done()]
        self.coming = [each for each in self.coming if not each.done()]
        spoiled = [place for place in self.places if place.spoiled]
        self.places = [place for place in self.places if not place.spoiled]
        for place in spoiled:
            sitter = self.sitters[self.made % len(self.sitters)]
            self.made += 1
            self.coming.append(asyncio.create_task(self._made(place.kind, sitter)))
        self.settle_in([each.result() for each in done])

    async def _made(self, kind: str, sitter: RawGuest) -> Place:
        place = await make_place(kind, sitter)
        await until(lambda: delivered(self.pool, place.table_id))
        return place

    def began(self, party: Party) -> None:
        """The company sits down at a new table: strangers hear of it."""
        self.made += 1
        self.outside.texts["table_id"].append(party.table_id)
        self.outside.texts["player_id"].extend(player.player_id for player in party.players)


async def _finished_views(there: Arena) -> list[Message]:
    """The finished table as it is seen: what came of a match is in it."""
    place = next(place for place in there.places if place.kind == "finished")
    sitter = next(each for each in there.sitters if each.player_id == place.player_id)
    request = gateway_pb2.GetTableRequest(table_id=place.table_id)
    return [(await sitter.lobby.GetTable(request, metadata=sitter.metadata)).table]


def token_of(person: RawGuest) -> str:
    """His token alone."""
    return person.metadata[0][1].removeprefix("Bearer ")


def addresses_of(fleet: Fleet, setting: str) -> dict[str, str]:
    """Where each process listens, for calls (``listen``) or for its ops (``ops_listen``), as its settings say."""
    files = sorted((fleet.logs.parent / "config").glob("*.toml"))
    found = {file.stem: tomllib.loads(file.read_text())[setting] for file in files}
    return {name: each[0] if isinstance(each, list) else str(each) for name, each in found.items()}


def channels_of(fleet: Fleet) -> dict[str, tuple[grpc.aio.Channel, ...]]:
    """A channel to each process of each service, as the fleet's own settings name them."""
    found: dict[str, list[grpc.aio.Channel]] = {}
    for name, listen in addresses_of(fleet, "listen").items():
        if not name.startswith("beacon"):
            channel = grpc.aio.insecure_channel(listen, options=_CHANNEL)
            found.setdefault(name.partition("-")[0], []).append(channel)
    missing = {rpc.service for rpc in every_rpc()} - set(found)
    if missing:
        raise AssertionError(f"no process of the fleet serves {', '.join(sorted(missing))}")
    return {service: tuple(channels) for service, channels in found.items()}


def _knowledge(examples: Sequence[Message], seeds: Sequence[bytes]) -> Known:
    known = Known()
    known.learn(examples)
    known.octets["seed"].extend(seeds)
    for name, words in _WORDS.items():
        known.texts[name].extend(words)
    return known


@asynccontextmanager
async def patient_fleet(folder: Path, log_level: str = "INFO") -> AsyncIterator[Fleet]:
    """Two gateways and two table services. Nobody is told that he calls too often: that would hide all the rest.

    Nor is anybody missed who has no stream: tables at which nobody acts stand still.
    """
    with patch.dict(os.environ, _PATIENCE):
        async with running_fleet(folder, tables=2, gateways=2, log_level=log_level) as fleet:
            yield fleet


@asynccontextmanager
async def arena(folder: Path, seed: int, log_level: str = "INFO") -> AsyncIterator[Arena]:
    """The fleet with its people and its standing tables, while the block lasts."""
    rng = random.Random(seed)
    async with AsyncExitStack() as stack:
        fleet = await stack.enter_async_context(patient_fleet(folder, log_level))
        people = [
            await stack.enter_async_context(guest(fleet.gateways[number % 2], f"Guest {number}"))
            for number in range(10)
        ]
        channels = channels_of(fleet)
        for each in (channel for found in channels.values() for channel in found):
            stack.push_async_callback(each.close)
        pool = await stack.enter_async_context(asyncpg.create_pool(fleet.servers.dsn, min_size=1, max_size=3))
        examples, seeds = list(position_examples(rng)), [rng.randbytes(16) for _ in range(8)]
        there = Arena(
            fleet, channels, people[:6], people[6:], _knowledge(examples, seeds), _knowledge(examples, seeds), pool
        )
        there.settle_in(await make_places(there.sitters))
        for place in there.places:
            await until(lambda key=place.table_id: delivered(pool, key))  # type: ignore[misc]
        there.made += len(there.places)
        finished = await _finished_views(there)
        for known in (there.outside, there.inside):
            known.learn(finished)
        stream = await stack.enter_async_context(there.strangers[0].watching(lobby()))
        there.outside.texts["stream_id"].append((await stream.first("opened")).opened.stream_id)
        try:
            yield there
        finally:
            await asyncio.gather(*there.coming, return_exceptions=True)


@asynccontextmanager
async def playing_beside(there: Arena, seed: int) -> AsyncIterator[Company]:
    """The company plays while the block lasts, and its last match to the end."""
    company = Company(there.fleet.gateways, seed, there.began)
    playing = asyncio.create_task(company.play())
    try:
        yield company
        company.stop()
        await playing
    finally:
        playing.cancel()
        await asyncio.wait([playing])
