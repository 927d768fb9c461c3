"""Asking relays for a round of the beacon: several at once, and the first answer that verifies wins.

Relays are not trusted. A round and a signature are read and nothing else; verification stands inside the race, so that
a quick relay that lies merely loses it. A round is never asked for before its time: relays answer that with 404 (which
caches keep), 425, 500, or 200 with an empty body.
"""

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from itertools import cycle
from typing import Final

import aiohttp
import structlog

from belot_dealer.health import Health
from belot_dealer.metrics import RELAY_TRIES
from belot_dealer.relays import QUICKNET_RELAYS, Relay, in_turn, relay
from belot_fair.drand import FALLBACK_AFTER_MS, QUICKNET, BeaconRefused, Chain, time_of, verify

FIRST_TRY_AFTER_MS: Final = 300
FIRST_TRIES: Final = 2
NEXT_TRY_SECONDS: Final = 0.25
TRY_SECONDS: Final = 1.0
MOST_BODY: Final = 4096
_READ_CHUNK: Final = 1024

_log = structlog.get_logger(__name__)


class RelayFailed(Exception):  # noqa: N818 - the domain says failed
    """A try that brought no valid beacon; `why` is one word for metrics and logs."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


@dataclass(frozen=True, slots=True)
class Verified:
    """A beacon that was verified here: round, signature (48 octets) and value (32)."""

    round: int
    signature: bytes
    value: bytes


@dataclass(frozen=True, slots=True)
class DrandClient:
    """A chain and the relays to ask for it, in turn. `now_ms` is the clock that says which rounds are due."""

    session: aiohttp.ClientSession
    chain: Chain
    relays: tuple[Relay, ...]
    now_ms: Callable[[], int]
    health: Health = field(default_factory=Health)

    async def fetch(self, round: int) -> Verified | None:
        """The round's beacon, or None when no relay had a valid one by T(r) + 5 s.

        Waits for T(r) + 0.3 s, asks two relays at once, then one more every 0.25 s. Comes back at once with None when
        that time has passed already.
        """
        due = time_of(self.chain, round)
        await asyncio.sleep(max(0, due + FIRST_TRY_AFTER_MS - self.now_ms()) / 1000)
        left = (due + FALLBACK_AFTER_MS - self.now_ms()) / 1000
        if left <= 0:
            return None
        try:
            async with asyncio.timeout(left):
                return await self._race(round)
        except TimeoutError:
            return None

    async def _race(self, round: int) -> Verified:
        turn = cycle(self.relays)
        tries = {self._start(next(turn), round) for _ in range(FIRST_TRIES)}
        loop = asyncio.get_running_loop()
        next_at = loop.time() + NEXT_TRY_SECONDS
        try:
            while True:
                wait = max(0.0, next_at - loop.time())
                done, tries = await asyncio.wait(tries, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
                for each in done:
                    verified = each.result()
                    if verified is not None:
                        return verified
                if loop.time() >= next_at or not tries:
                    await asyncio.sleep(max(0.0, next_at - loop.time()))
                    tries.add(self._start(next(turn), round))
                    next_at = loop.time() + NEXT_TRY_SECONDS
        finally:
            await _end(tries)

    def _start(self, at: Relay, round: int) -> "asyncio.Task[Verified | None]":
        return asyncio.create_task(self._try(at, round))

    async def _try(self, at: Relay, round: int) -> Verified | None:
        try:
            verified = await ask(self.session, self.chain, at, str(round))
            if verified.round != round:
                raise RelayFailed("wrong_round")
        except Exception as error:  # whatever a relay brings about must not end the race
            why = error.why if isinstance(error, RelayFailed) else "unexpected"
            RELAY_TRIES.labels(at.operator, why).inc()
            self.health.failed(at, why)
            _log.info("beacon_try_failed", relay=at.url, round=round, why=why, error=type(error).__name__)
            return None
        RELAY_TRIES.labels(at.operator, "verified").inc()
        self.health.verified(at, self.now_ms())
        return verified

    async def fetch_latest(self) -> Verified | None:
        """The newest beacon that any relay has, asked one after the other; None when none had a valid one."""
        for at in self.relays:
            try:
                verified = await ask(self.session, self.chain, at, "latest")
            except RelayFailed as failed:
                self.health.failed(at, failed.why)
            else:
                self.health.verified(at, self.now_ms())
                return verified
        return None


async def ask(session: aiohttp.ClientSession, chain: Chain, at: Relay, which: str) -> Verified:
    """One try: a round, or `latest`, of one relay, verified in a thread. Errors: RelayFailed."""
    try:
        async with asyncio.timeout(TRY_SECONDS):
            body = await _get(session, f"{at.url}/{chain.chain_hash.hex()}/public/{which}")
    except TimeoutError:
        raise RelayFailed("timeout") from None
    except (aiohttp.ClientError, OSError, ValueError):
        raise RelayFailed("unreachable") from None
    round, signature = _read(body)
    try:
        value = await asyncio.to_thread(verify, chain, round, signature)
    except BeaconRefused:
        raise RelayFailed("forged") from None
    return Verified(round, signature, value)


async def _get(session: aiohttp.ClientSession, url: str) -> bytes:
    async with session.get(url, allow_redirects=False, headers={"Accept-Encoding": "identity"}) as answer:
        if answer.status != 200:
            raise RelayFailed(f"status_{answer.status // 100}xx")
        body = bytearray()
        async for chunk in answer.content.iter_chunked(_READ_CHUNK):
            body += chunk
            if len(body) > MOST_BODY:
                raise RelayFailed("too_long")
    return bytes(body)


def _read(body: bytes) -> tuple[int, bytes]:
    """The two fields that count; whatever else a relay says is not even looked at."""
    try:
        fields = json.loads(body)
        round, signature = fields["round"], bytes.fromhex(fields["signature"])
    except (ValueError, KeyError, TypeError, RecursionError):
        raise RelayFailed("malformed") from None
    if isinstance(round, str) and round.isascii() and round.isdecimal() and len(round) <= 20:
        round = int(round)
    if isinstance(round, bool) or not isinstance(round, int):
        raise RelayFailed("malformed")
    return round, signature


@asynccontextmanager
async def drand_client(chain: Chain, relays: Sequence[Relay], now_ms: Callable[[], int]) -> AsyncIterator[DrandClient]:
    """A client with connections of its own, which close with the block. Cookies and proxies play no part."""
    connector = aiohttp.TCPConnector(limit_per_host=8, ttl_dns_cache=300)
    jar = aiohttp.DummyCookieJar()
    # Not unpacked: a few compressed octets must not become a large body.
    async with aiohttp.ClientSession(connector=connector, cookie_jar=jar, auto_decompress=False) as session:
        yield DrandClient(session, chain, in_turn(relays), now_ms)


async def probe_quicknet(relays: Sequence[str] = QUICKNET_RELAYS, timeout: float = 3.0) -> bool:
    """Whether quicknet can be reached: some relay's newest beacon verifies within `timeout` seconds."""
    try:
        asked = [relay(url) for url in relays]
        async with asyncio.timeout(timeout), drand_client(QUICKNET, asked, lambda: 0) as client:
            return await _any_latest(client)
    except TimeoutError:
        return False


async def _any_latest(client: DrandClient) -> bool:
    tries = [asyncio.create_task(ask(client.session, client.chain, at, "latest")) for at in client.relays]
    try:
        for each in asyncio.as_completed(tries):
            with contextlib.suppress(RelayFailed):
                await each
                return True
    finally:
        await _end(tries)
    return False


async def _end(tries: Collection["asyncio.Task[Verified] | asyncio.Task[Verified | None]"]) -> None:
    for each in tries:
        each.cancel()
    await asyncio.gather(*tries, return_exceptions=True)
