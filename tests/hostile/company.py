"""Real matches that go on beside the hostile requests, one after another: each must end, and its proof must verify."""

import asyncio
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot_fair.proof import read_proof
from belot_fair.verify import verify_proof
from e2e.histories import foreign_cards, gaps
from e2e.parties import Party, seat_party
from support.scripted import ScriptedPlayer

_PAUSE_SECONDS = 0.03
_RULESETS = ("bela", "classic", "club")


class _Unhurried(ScriptedPlayer):
    """Thinks for a moment, so that a match lasts and leaves the machine to others."""

    async def _act(self, table_id: str, legal: match_pb2.LegalActions) -> None:
        await asyncio.sleep(_PAUSE_SECONDS)
        await super()._act(table_id, legal)


@dataclass(slots=True)
class Company:
    """Four people who play; `began` is told of each table and match, `findings` are what went wrong."""

    gateways: Sequence[str]
    seed: int
    began: Callable[[Party], None]
    matches: int = 0
    findings: list[str] = field(default_factory=list)
    _stopping: bool = False

    def stop(self) -> None:
        """Begin no more matches."""
        self._stopping = True

    async def play(self) -> None:
        """Match after match until stopped; at least one."""
        rng = random.Random(self.seed)
        while not self._stopping or not self.matches:
            ruleset = _RULESETS[self.matches % len(_RULESETS)]
            party = await seat_party(self.gateways, ruleset, {"deals": "2"}, rng.getrandbits(32), 300, _Unhurried)
            self.began(party)
            try:
                await party.play()
                self.findings += await _wrong(party)
            finally:
                await party.close()
            self.matches += 1


async def _wrong(party: Party) -> list[str]:
    """What is wrong with a match that ended."""
    found: list[str] = []
    for seat, history in enumerate(party.histories):
        found += [f"seat {seat} was refused: {each.refusal.message}" for each in history.refusals]
        found += [f"seat {seat} saw card {card} at {at}" for at, card in foreign_cards(history, seat)]
        found += [f"seat {seat} has a gap after {before}" for before, _ in gaps(history)]
    player = party.players[0]
    match_id = (await party.view(0)).summary.match_id
    request = gateway_pb2.GetProofFileRequest(match_id=match_id)
    proof = read_proof((await player.plays.GetProofFile(request, metadata=player.metadata)).proof)
    report = verify_proof(proof, accept_chains=(proof.chain,))
    return found if report.ok else [*found, f"the proof of {match_id} does not verify: {report}"]
