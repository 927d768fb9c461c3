"""Before a match ends, nothing that leaves the dealer's memory gives its server seed or a pack; a whole fleet is asked.

Looked at: logs of all services at their most talkative, everything on Valkey, every column of both databases, and all
that a spectator is sent. What must be found afterwards is found by the same means, so that they can find something.
"""

import asyncio
import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

import asyncpg
import pytest
import pytest_asyncio

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from belot_fair.bodies import Revealed
from belot_fair.transcript import decode_event
from support.fleet import Fleet, running_fleet
from support.raw_streams import RawGuest, guest, table

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEED_OCTETS = 32


@dataclass(slots=True)
class Wire:
    """Every octet that Valkey sends to somebody who listens to everything."""

    octets: bytearray = field(default_factory=bytearray)

    async def listen(self, reader: asyncio.StreamReader) -> None:
        while chunk := await reader.read(65_536):
            self.octets += chunk


@dataclass(frozen=True, slots=True)
class Seen:
    """What was there while cards were played (`during`, by place), in the end (`after`), and what was right."""

    during: dict[str, bytes]
    after: dict[str, bytes]
    commitment: bytes
    server_seed: bytes


@asynccontextmanager
async def wire_of(valkey_url: str) -> AsyncIterator[Wire]:
    """Listen to all channels while the block lasts."""
    wire = Wire()
    reader, writer = await asyncio.open_unix_connection(valkey_url.removeprefix("unix://"))
    writer.write(b"PSUBSCRIBE *\r\n")
    listening = asyncio.create_task(wire.listen(reader))
    try:
        yield wire
    finally:
        listening.cancel()
        writer.close()
        await asyncio.gather(listening, return_exceptions=True)


async def columns_of(dsn: str) -> bytes:
    """Every value of every table of every service, as octets and as text."""
    connection = await asyncpg.connect(dsn)
    try:
        tables = await connection.fetch(
            "SELECT table_schema, table_name FROM information_schema.tables WHERE table_schema LIKE 'belot%'"
        )
        parts: list[bytes] = []
        for schema, name in tables:
            for row in await connection.fetch(f'SELECT * FROM "{schema}"."{name}"'):  # noqa: S608 - the catalogue's
                parts += [value for value in row.values() if isinstance(value, bytes)]
                parts.append(repr(tuple(row.values())).encode())
        return b"\n".join(parts)
    finally:
        await connection.close()


def logs_of(fleet: Fleet) -> bytes:
    """All logs of all services so far."""
    return b"\n".join(file.read_bytes() for file in sorted(fleet.logs.iterdir()) if file.is_file())


async def play(fleet: Fleet, ana: RawGuest) -> Seen:
    """Four bots play a match to its end, and Ana watches."""
    options = view_pb2.TableOptions(ruleset="bela", ruleset_options={"target": "501"})
    wanted = gateway_pb2.CreateTableRequest(request_id="bots", options=options, stay_standing=True)
    table_id = (await ana.lobby.CreateTable(wanted, metadata=ana.metadata)).table.summary.table_id
    async with ana.watching(table(table_id)) as stream, wire_of(fleet.servers.valkey_url) as wire:
        await stream.first("snapshot")
        await ana.bots(table_id)
        await stream.until(lambda: any(each.event.HasField("cards_released") for each in stream.tables(table_id)))
        dsn = fleet.servers.dsn
        during = {
            "wire": bytes(wire.octets),
            "databases": await columns_of(dsn),
            "snapshot": (
                await ana.lobby.GetTable(gateway_pb2.GetTableRequest(table_id=table_id), metadata=ana.metadata)
            ).SerializeToString(),
        }
        assert b"seed_revealed" not in during["databases"], "the match was over before it was looked at"
        await stream.until(lambda: any(each.event.HasField("seed_revealed") for each in stream.tables(table_id)))
        items = stream.tables(table_id)
        at = next(at for at, each in enumerate(items) if each.event.HasField("seed_revealed"))
        during["stream"] = b"".join(each.SerializeToString() for each in items[:at])
        during["wire"] += bytes(wire.octets[: wire.octets.find(b"match_finished")])
        revealed = items[at].event.seed_revealed
        after = {
            "stream": b"".join(each.SerializeToString() for each in items[at:]),
            "databases": await columns_of(dsn),
            "logs": logs_of(fleet),
        }
    opened = next(each.event.match_opened for each in items if each.event.HasField("match_opened"))
    body = decode_event(revealed.transcript.octets).body
    assert isinstance(body, Revealed)
    return Seen(during, after, opened.fairness.commitment, body.server_seed)


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def seen(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Seen]:
    """One match on a fleet of processes that log all they can."""
    async with (
        running_fleet(Path(tmp_path_factory.mktemp("fleet")), log_level="DEBUG") as fleet,
        guest(fleet.gateways[0]) as ana,
    ):
        yield await play(fleet, ana)


def forms_of(secret: bytes) -> tuple[bytes, ...]:
    """How octets may show in a text: raw, hex, escaped, base64."""
    encoded = base64.b64encode(secret), base64.urlsafe_b64encode(secret)
    texts = secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(list(secret))
    return (secret, *(each.rstrip(b"=") for each in encoded), *(each.encode() for each in texts))


def opened_by(octets: bytes, commitment: bytes) -> bytes | None:
    """The server seed of a commitment, if any 32 octets in a row are it, or hash to it."""
    for at in range(len(octets) - SEED_OCTETS + 1):
        window = octets[at : at + SEED_OCTETS]
        hashed = sha256(window).digest()
        if hashed == commitment:
            return window
        if sha256(hashed).digest() == commitment and window != commitment:
            return hashed
    return None


@pytest.mark.parametrize("place", ["wire", "databases", "snapshot", "stream"])
async def test_the_server_seed_is_nowhere_before_the_reveal(seen: Seen, place: str) -> None:
    octets = seen.during[place]
    assert len(octets) > 1_000
    assert [form for form in forms_of(seen.server_seed) if form in octets] == []


async def test_the_server_seed_is_in_no_log_even_afterwards(seen: Seen) -> None:
    assert seen.after["logs"].count(b'"event": "rpc"') > 100
    assert [form for form in forms_of(seen.server_seed) if form in seen.after["logs"]] == []


async def test_afterwards_it_is_where_it_belongs(seen: Seen) -> None:
    assert sha256(seen.server_seed).digest() == seen.commitment
    assert seen.server_seed in seen.after["stream"]
    assert seen.server_seed in seen.after["databases"]


async def test_from_all_that_is_public_before_the_end_no_pack_can_be_made(seen: Seen) -> None:
    public = seen.during["stream"] + seen.during["snapshot"]
    assert seen.commitment in public
    assert opened_by(public, seen.commitment) is None
    assert opened_by(seen.after["stream"], seen.commitment) == seen.server_seed
