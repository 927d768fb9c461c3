"""The server seed is nowhere before the reveal: not in what is logged, answered, refused or stored."""

import base64
from pathlib import Path

import asyncpg
import pytest

from belot.dealer.v1 import dealer_pb2
from belot_kit.errors import DomainError, Reason
from support.beacons import beacons
from support.databases import Database
from support.dealers import DealerClient, dealer_process, opening, seed_of


def forms_of(secret: bytes) -> tuple[bytes, ...]:
    """How octets may show in a text: raw, hex, escaped, base64."""
    encoded = base64.b64encode(secret), base64.urlsafe_b64encode(secret)
    texts = secret.hex(), secret.hex().upper(), repr(secret)[2:-1], str(list(secret))
    return (secret, *(each.rstrip(b"=") for each in encoded), *(each.encode() for each in texts))


async def play_and_fail(dealer: DealerClient, request: dealer_pb2.OpenMatchRequest) -> list[bytes]:
    """A match up to its last hand, with refusals in between; everything that was answered."""
    match_id = request.match_id
    answers = [await dealer.open(request)]
    steps = (
        dealer.close(match_id),
        dealer.seed(match_id, 0, bytes(7)),
        dealer.seed(match_id, 0, seed_of(match_id, 0)),
        dealer.seed(match_id, 0, bytes(16)),
        dealer.close(match_id),
        dealer.fix(match_id, most_s=0.3),
        dealer.fix(match_id),
        dealer.release(match_id, 1, 0, [(0, 0)]),
        dealer.release(match_id, 0, 0, [(0, 0), (1, 1)]),
        dealer.release(match_id, 0, 0, [(0, 1), (1, 0)]),
        dealer.reveal(match_id, b"short"),
        dealer.transcript(match_id),
        dealer.info(),
    )
    told: list[bytes] = [answers[0].SerializeToString()]
    for step in steps:
        try:
            told.append((await step).SerializeToString())
        except DomainError as refused:
            told.append(str((refused, refused.metadata, refused.violations)).encode())
    return told


async def stored(database: Database) -> bytes:
    """Every row of the dealer's schema as text and as octets."""
    connection = await asyncpg.connect(database.dsn, server_settings={"search_path": "belot_dealer"})
    try:
        rows = []
        for table in ("matches", "transcript_events", "chains", "beacons", "signing_keys"):
            rows += await connection.fetch(f"SELECT * FROM {table}")  # noqa: S608 - the names stand above
        octets = [value for row in rows for value in row.values() if isinstance(value, bytes)]
        return b"\n".join([*octets, *(repr(tuple(row.values())).encode() for row in rows)])
    finally:
        await connection.close()


async def test_the_server_seed_shows_nowhere_before_the_reveal(database: Database, tmp_path: Path) -> None:
    request = opening("PB")
    async with beacons() as relays, dealer_process(database, tmp_path, relays.urls) as dealer:
        told = await play_and_fail(dealer, request)
        # A fault of ours, too: its traceback goes to the log.
        await break_a_table(database)
        with pytest.raises(DomainError) as failed:
            await dealer.transcript(request.match_id)
        assert failed.value.reason is Reason.INTERNAL
        await break_a_table(database, mend=True)
        at_rest = await stored(database)
        revealed = await dealer.reveal(request.match_id)
        after = await stored(database)
    logged = (tmp_path / "output").read_bytes()
    assert b"unhandled_exception" in logged
    assert logged.count(b'"event": "rpc"') >= 14
    seed = revealed.server_seed
    for form in forms_of(seed):
        assert form not in at_rest
        assert form not in logged
        assert all(form not in each for each in told)
    assert seed in after


async def break_a_table(database: Database, *, mend: bool = False) -> None:
    """Take a column's name away, so that the service's statements fail; or give it back."""
    names = ("moved", "sealed_seed") if mend else ("sealed_seed", "moved")
    connection = await asyncpg.connect(database.dsn)
    try:
        await connection.execute(f"ALTER TABLE belot_dealer.matches RENAME COLUMN {names[0]} TO {names[1]}")
    finally:
        await connection.close()
