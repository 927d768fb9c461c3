"""Which chain a development beacon serves: asked of it, which is right in development alone.

The parameters must give their own hash, but nobody vouches for them: whoever runs the beacon knows its values.
"""

import asyncio
import json
from collections.abc import Sequence
from typing import Final

import aiohttp

from belot_dealer.drand_client import MOST_BODY
from belot_dealer.relays import Relay
from belot_fair.drand import DEVELOPMENT_BEACON, BeaconRefused, Chain

_PATIENCE_SECONDS: Final = 10.0
_RETRY_SECONDS: Final = 0.1


class NoBeacon(RuntimeError):  # noqa: N818 - the domain says so
    """No development beacon told its chain; the text says why."""


async def development_chain_of(relays: Sequence[Relay], patience_s: float = _PATIENCE_SECONDS) -> Chain:
    """The chain that development beacons serve; waits a while for them, as they may be starting. Errors: NoBeacon."""
    why = "none was named"
    try:
        async with asyncio.timeout(patience_s), aiohttp.ClientSession() as session:
            while relays:
                for at in relays:
                    try:
                        return await _chain_of(session, at)
                    except (aiohttp.ClientError, OSError) as error:
                        why = f"{at.url} does not answer: {type(error).__name__}"
                await asyncio.sleep(_RETRY_SECONDS)
    except TimeoutError:
        pass
    raise NoBeacon(f"no development beacon: {why}")


async def _chain_of(session: aiohttp.ClientSession, at: Relay) -> Chain:
    async with session.get(f"{at.url}/info", allow_redirects=False) as answer:
        answer.raise_for_status()
        body = await answer.content.read(MOST_BODY)
    try:
        fields = json.loads(body)
        chain = Chain(
            public_key=bytes.fromhex(fields["public_key"]),
            period=int(fields["period"]),
            genesis=int(fields["genesis_time"]),
            group_hash=bytes.fromhex(fields["groupHash"]),
            scheme=str(fields["schemeID"]),
            beacon_id=str(fields["beaconID"]),
            chain_hash=bytes.fromhex(fields["hash"]),
        )
    except (ValueError, KeyError, TypeError):
        raise NoBeacon(f"{at.url} does not tell a chain") from None
    except BeaconRefused as refused:
        raise NoBeacon(f"{at.url}: {refused.why}") from None
    if chain.beacon_id != DEVELOPMENT_BEACON:
        raise NoBeacon(f"{at.url} serves another chain than {DEVELOPMENT_BEACON}")
    return chain
