"""The table process is killed in mid-trick, and nothing that was answered is lost."""

import asyncio
from pathlib import Path

from belot.gateway.v1 import gateway_pb2
from e2e.histories import gaps
from e2e.parties import Party, seat_party
from support.eventually import eventually
from support.fleet import running_fleet

SEED = 5


def in_mid_trick(party: Party) -> bool:
    """Whether the last card a client saw left its trick unfinished, well into a deal."""
    played = [
        event for event in party.histories[0].game_events() if event.WhichOneof("kind") in ("card_played", "trick_won")
    ]
    return len(played) > 20 and played[-1].HasField("card_played")


async def test_killing_the_table_process_in_mid_trick_loses_no_acknowledged_move(tmp_path: Path) -> None:
    print(f"seed {SEED}")
    async with running_fleet(tmp_path, tables=1, gateways=1, durable=True) as fleet:
        party = await seat_party(fleet.gateways, "bela", {"deals": "2"}, SEED)
        playing = asyncio.create_task(party.play())
        await eventually(lambda: in_mid_trick(party), seconds=60)
        await fleet.kill("table-0")
        known = [len(history.acknowledged) for history in party.histories]
        await fleet.revive("table-0")
        await asyncio.wait_for(playing, 60)
        for player, history, before in zip(party.players, party.histories, known, strict=True):
            assert gaps(history) == []
            assert history.refusals == []
            assert player.moves <= history.acknowledged
            assert len(history.acknowledged) > before
        played = [event for event in party.histories[0].game_events() if event.HasField("card_played")]
        request = gateway_pb2.GetTableRequest(table_id=party.table_id)
        view = await party.players[0].lobby.GetTable(request, metadata=party.players[0].metadata)
        assert len(played) == 32 * view.table.match.public.deals_played == 64
        await party.close()
