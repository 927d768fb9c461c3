"""A finished match analysed through the gateway, aligned with its record and its replay."""

import pytest

from belot_client.client import BelotClient
from belot_client.errors import Refused
from belot_client.view import Options
from belot_kit.errors import Reason
from support.small_fleet import SmallFleet

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def finished(client: BelotClient) -> str:
    """A match of bots and this player, who plays his lowest card."""
    options = Options("club", pack_size=24, ruleset_options=(("target", "51"),))
    table = await client.create_table(options)
    async with client.table(table.table_id) as session:
        await session.fill_with_bots("normal")
        await session.ready()
        async for state in session.turns():
            legal = state.legal
            assert legal is not None
            if legal.cards:
                await session.play(legal.cards[0])
            else:
                await (session.pass_bid() if legal.may_pass else session.choose(legal.suits[0]))
        return session.state.match_id


async def test_each_card_has_its_cost_beside_the_decision_of_the_record(fleet: SmallFleet) -> None:
    async with BelotClient(*fleet.gateways) as client:
        await client.sign_in_guest("Ana")
        match_id = await finished(client)
        analysis, record = await client.analyse_match(match_id), await client.match_record(match_id)
        while analysis.pending:
            analysis = await client.analyse_match(match_id)
        cards = [card for deal in analysis.deals for card in deal.cards]
        position = (await client.replay_match(match_id, cards[0].decision - 1)).next.turn
    decided = {each.number: each for each in record.decisions if each.action.HasField("play")}
    assert analysis.match_id == match_id
    assert [card.decision for card in cards] == sorted(decided)
    for card in cards:
        made = decided[card.decision]
        assert (card.seat, card.card) == (made.seat, made.action.play.card)
        assert card.decided_by == (made.bot_level or "person")
    assert (position.seat, list(position.legal.cards)) == (cards[0].seat, [each.card for each in cards[0].options])
    played = {deal.hand_number: deal for deal in analysis.deals}
    for sheet in record.sheets:
        assert sum(played[sheet.hand_number].taken) == 162
    assert {(each.seat, each.decided_by) for each in analysis.costs} == {
        (0, "person"), (1, "normal"), (2, "normal"), (3, "normal"),
    }  # fmt: skip


async def test_a_match_that_is_not_there_or_not_over_is_refused(fleet: SmallFleet) -> None:
    async with BelotClient(fleet.gateways[0]) as client:
        await client.sign_in_guest("Ana")
        for match_id, reason in (("match-of-nobody", Reason.MATCH_NOT_FOUND), ("", Reason.INVALID_ARGUMENT)):
            with pytest.raises(Refused) as refused:
                await client.analyse_match(match_id)
            assert refused.value.reason == reason
