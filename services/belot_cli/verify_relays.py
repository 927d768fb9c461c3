"""`belot verify --fetch-beacon`: the one thing of a verification that asks the network, and only when told to."""

import asyncio
from collections.abc import Sequence
from typing import Final

import aiohttp

from belot_dealer.drand_client import RelayFailed, ask, drand_client
from belot_dealer.relays import Relay
from belot_fair.bodies import Beacon, Fallback
from belot_fair.drand import Chain
from belot_fair.octets import Malformed
from belot_fair.proof import Proof
from belot_fair.report import Point, failed, not_checked, not_protected, proven

POINT: Final = "beacon at relays"
_TRIES: Final = 2


def compared_with_relays(proof: Proof, relays: Sequence[Relay]) -> Point:
    """The match's beacon against what relays serve for its round today. This alone of all points uses the network."""
    answer = _answer(proof)
    if answer is None:
        return not_checked(POINT, "The transcript holds no beacon to compare.")
    served, silent = asyncio.run(_served(proof.chain, relays, answer.round))
    if not served:
        return not_checked(POINT, f"No relay gave a valid beacon for round {answer.round}: {', '.join(silent)}.")
    if isinstance(answer, Fallback):
        return not_protected(
            POINT, f"Round {answer.round} can be had today; that it came too late then is the dealer's word."
        )
    if served != {answer.signature}:
        return failed(POINT, f"Relays serve another beacon for round {answer.round} than the proof holds.")
    asked = len(relays)
    return proven(POINT, f"{asked - len(silent)} of {asked} relays asked serve this very beacon.")


def _answer(proof: Proof) -> Beacon | Fallback | None:
    for signed in proof.events:
        try:
            body = signed.event.body
        except Malformed:
            return None
        if isinstance(body, Beacon | Fallback):
            return body if body.round else None
    return None


async def _served(chain: Chain, relays: Sequence[Relay], round: int) -> tuple[set[bytes], list[str]]:
    """Signatures that relays served and that hold, and what was wrong with the other relays."""
    async with drand_client(chain, relays, lambda: 0) as client:
        answers = await asyncio.gather(*(_from(client.session, chain, each, round) for each in client.relays))
    served = {answer for answer in answers if isinstance(answer, bytes)}
    return served, [answer for answer in answers if isinstance(answer, str)]


async def _from(session: aiohttp.ClientSession, chain: Chain, at: Relay, round: int) -> bytes | str:
    why = ""
    for _ in range(_TRIES):
        try:
            found = await ask(session, chain, at, str(round))
        except RelayFailed as failure:
            why = failure.why
            continue
        if found.round == round:
            return found.signature
        why = "wrong_round"
    return f"{at.url} {why.replace('_', ' ')}"
