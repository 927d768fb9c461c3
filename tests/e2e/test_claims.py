"""A whole match in which tricks are claimed, certain and agreed; its proof verifies in both verifiers."""

import asyncio
from pathlib import Path

from belot_fair.playlog import ActionKind, decode_play_log
from belot_fair.proof import read_proof
from support.fleet import running_fleet
from support.second_verifier import Case, agreed, unfailed
from support.two_clients import act, claimed, leads, two


async def test_a_match_with_claims_verifies_in_both_verifiers(tmp_path: Path) -> None:
    async with running_fleet(tmp_path, tables=1, gateways=2) as fleet, two(fleet.gateways) as both:
        asked = False
        while (session := await both.turn()) is not None:
            if leads(session.state) and await claimed(session):
                continue
            if leads(session.state) and not asked:
                other = both.sessions[1 - both.sessions.index(session)]
                await session.claim(ask_opponents=True)
                await other.until(lambda state: state.proposal is not None)
                await other.answer_claim(True)
                asked = True
                continue
            await act(session)
        over = await both.sessions[0].until(lambda state: bool(state.fairness and state.fairness.server_seed))
        file = await asyncio.wait_for(both.clients[0].proof_file(over.match_id), 10)
    actions = {entry.action for entry in decode_play_log(read_proof(file).play_log).entries}
    assert {ActionKind.CLAIM, ActionKind.CLAIM_AGREED} <= actions
    told = agreed([Case("claims", file, accept_dev=True)])
    assert unfailed(told) == {"claims"}
