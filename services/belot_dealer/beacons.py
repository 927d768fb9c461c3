"""Beacons as the matches of this process see them: one fetch a round for all of them, kept once verified.

A fetch lives on its own, not in the call that asked first: callers wait for it as long as their deadline lets them.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

import structlog

from belot_dealer.drand_client import FIRST_TRY_AFTER_MS, DrandClient, Verified
from belot_dealer.metrics import CLOCK_ALARMS, CLOCK_OFFSET
from belot_dealer.store import Store
from belot_fair.drand import FALLBACK_AFTER_MS, QUICKNET, BeaconRefused, Chain, time_of, verify
from belot_kit.deadlines import DEFAULT_SECONDS, remaining_seconds
from belot_kit.errors import DomainError, Reason

ANSWER_SECONDS: Final = 0.15
"""Kept back from the caller's deadline to write what was decided and answer."""
RETRY_MS: Final = 250
_RECENT_ROUNDS: Final = 64
_SOUND_OFFSET_S: Final = (0.2, 4.5)
_CLOCK_RETRY_S: Final = 1.0

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Beacons:
    """The shared fetches. `highest` is the highest round of the client's chain that this process verified.

    `offset_ms` is our clock minus the time of the newest round at the last comparison, None before one.
    """

    client: DrandClient
    store: Store
    group: asyncio.TaskGroup
    highest: int = 0
    offset_ms: int | None = None
    _fetches: dict[int, "asyncio.Task[Verified | None]"] = field(default_factory=dict)

    def prepare(self, chain: Chain, round: int) -> None:
        """Start the round's fetch now, so that its value is kept in time whoever asks for it later."""
        if chain.chain_hash == self.client.chain.chain_hash:
            self._fetch_of(round)

    async def settle(self, chain: Chain, round: int) -> Verified | None:
        """The round's verified beacon, or None once its time (T(r) + 5 s) is up without one.

        Waits as long as the caller's deadline allows. Errors: DomainError BEACON_NOT_READY with RetryInfo.
        """
        kept = await self._kept(chain, round)
        if kept is not None:
            return kept
        time_up = time_of(chain, round) + FALLBACK_AFTER_MS
        if self.client.now_ms() < time_up:
            found = await self._await(chain, round, time_up)
            if found is not None:
                return found
        # Another replica may have been luckier.
        return await self._kept(chain, round)

    async def take(self, chain: Chain, round: int, signature: bytes) -> None:
        """Verify a beacon that a client hands in and keep it, for whoever settles the round later.

        Errors: BeaconRefused; it does not hold, or its round is not due, which no valid signature can be.
        """
        await asyncio.to_thread(verify, chain, round, signature)
        if chain.chain_hash == self.client.chain.chain_hash:
            self.highest = max(self.highest, round)
        await self.store.keep_beacon(chain.chain_hash, round, signature)

    async def _await(self, chain: Chain, round: int, time_up: int) -> Verified | None:
        remaining = remaining_seconds()
        patience_s = (DEFAULT_SECONDS if remaining is None else remaining) - ANSWER_SECONDS
        until_first_try = time_of(chain, round) + FIRST_TRY_AFTER_MS - self.client.now_ms()
        if patience_s * 1000 < until_first_try:
            raise not_ready(until_first_try)
        end = asyncio.get_running_loop().time() + patience_s
        if chain.chain_hash == self.client.chain.chain_hash:
            fetch = self._fetch_of(round)
            await asyncio.wait({fetch}, timeout=patience_s)
            if not fetch.done() or fetch.cancelled():
                raise not_ready(RETRY_MS)
            if (found := fetch.result()) is not None:
                return found
        rest_s = (time_up - self.client.now_ms()) / 1000
        if rest_s > end - asyncio.get_running_loop().time():
            raise not_ready(max(RETRY_MS, int(rest_s * 1000)))
        await asyncio.sleep(max(0.0, rest_s) + 0.001)
        return None

    async def _kept(self, chain: Chain, round: int) -> Verified | None:
        signature = await self.store.beacon(chain.chain_hash, round)
        if signature is None:
            return None
        try:
            return Verified(round, signature, await asyncio.to_thread(verify, chain, round, signature))
        except BeaconRefused as refused:
            _log.error("kept_beacon_refused", round=round, why=refused.why)
            return None

    def _fetch_of(self, round: int) -> "asyncio.Task[Verified | None]":
        fetch = self._fetches.get(round)
        if fetch is None:
            fetch = self.group.create_task(self._fetch(round))
            self._fetches[round] = fetch
            while len(self._fetches) > _RECENT_ROUNDS:
                done = next((each for each, task in self._fetches.items() if task.done()), None)
                if done is None:
                    break
                del self._fetches[done]
        return fetch

    async def _fetch(self, round: int) -> Verified | None:
        try:
            verified = await self.client.fetch(round)
        except Exception as error:  # a fetch that fails must not end the process
            _log.error("beacon_fetch_failed", round=round, error=type(error).__name__)
            self._fetches.pop(round, None)
            return None
        if verified is None:
            _log.warning("beacon_missing", round=round)
            return None
        try:
            await self._keep(verified)
        except DomainError as error:  # those who wait have use for it all the same
            _log.warning("beacon_not_kept", round=round, reason=error.reason)
        return verified

    async def _keep(self, verified: Verified) -> None:
        self.highest = max(self.highest, verified.round)
        await self.store.keep_beacon(self.client.chain.chain_hash, verified.round, verified.signature)

    def cancel(self) -> None:
        """Give up all fetches: the process ends, and whoever asks again finds the next one."""
        for fetch in self._fetches.values():
            fetch.cancel()

    async def watch_clock(self, every_s: float) -> None:
        """Compare our clock with the newest beacon every now and then, for ever; also raises the highest known round.

        A clock that is off cannot be put right here: it is measured, counted and logged as an alarm.
        """
        while True:
            try:
                seen = await self.check_clock()
            except Exception as error:  # the database may be away for a while
                _log.warning("clock_check_failed", error=type(error).__name__)
                seen = False
            await asyncio.sleep(every_s if seen else min(every_s, _CLOCK_RETRY_S))

    async def check_clock(self) -> bool:
        """One comparison; False when no relay answered with a beacon."""
        latest = await self.client.fetch_latest()
        if latest is None:
            return False
        chain = self.client.chain
        offset_s = (self.client.now_ms() - time_of(chain, latest.round)) / 1000
        CLOCK_OFFSET.set(offset_s)
        self.offset_ms = int(offset_s * 1000)
        least, most = _SOUND_OFFSET_S if chain == QUICKNET else (0.0, chain.period + 1.5)
        if not least <= offset_s <= most:
            CLOCK_ALARMS.inc()
            _log.error("clock_off", offset_seconds=offset_s, round=latest.round)
        await self._keep(latest)
        await self.store.forget_beacons(chain.chain_hash)
        return True


def not_ready(retry_after_ms: int) -> DomainError:
    """The refusal of a caller who cannot wait long enough."""
    return DomainError(Reason.BEACON_NOT_READY, "the beacon is not decided yet", retry_after_ms=max(1, retry_after_ms))


@asynccontextmanager
async def shared_beacons(client: DrandClient, store: Store, clock_check_s: float) -> AsyncIterator[Beacons]:
    """The beacons of a process, with their fetches and the clock's watch, which end with the block."""
    async with asyncio.TaskGroup() as group:
        beacons = Beacons(client, store, group)
        running = group.create_task(beacons.watch_clock(clock_check_s))
        try:
            yield beacons
        finally:
            running.cancel()
            beacons.cancel()
