"""Four scripted people around one table, with everything each of them received."""

import asyncio
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import view_pb2
from e2e.histories import History
from support.scripted import ScriptedPlayer

_MOST_SECONDS = 120


@dataclass
class Party:
    """A table with its four players; seat n is ``players[n]``, what he received is ``histories[n]``."""

    table_id: str
    players: list[ScriptedPlayer]
    histories: list[History] = field(default_factory=list)

    async def play(self) -> None:
        """Play until everybody saw the server seed revealed and had every answer."""
        async with asyncio.timeout(_MOST_SECONDS), asyncio.TaskGroup() as group:
            for player in self.players:
                group.create_task(player.play(self.table_id))

    async def close(self) -> None:
        """Everybody hangs up."""
        for player in self.players:
            await player.close()

    async def view(self, seat: int) -> view_pb2.TableView:
        """The table now, as a seat sees it."""
        player = self.players[seat]
        request = gateway_pb2.GetTableRequest(table_id=self.table_id)
        return (await player.lobby.GetTable(request, metadata=player.metadata)).table


async def seat_party(
    gateways: Sequence[str],
    ruleset: str,
    options: Mapping[str, str],
    seed: int,
    turn_seconds: int = 60,
    kind: type[ScriptedPlayer] = ScriptedPlayer,
) -> Party:
    """Four guests sit down at a new table, each on a connection of his own; seats and connections go by turns."""
    rng = random.Random(seed)
    histories = [History() for _ in range(4)]
    players = [
        kind(
            [*gateways[seat % len(gateways) :], *gateways[: seat % len(gateways)]],
            f"{ruleset}-{seat}",
            rng,
            observe=histories[seat].observe,
        )
        for seat in range(4)
    ]
    for player in players:
        await player.sign_in()
    wanted = view_pb2.TableOptions(ruleset=ruleset, ruleset_options=options)
    wanted.bid_time.FromSeconds(turn_seconds)
    wanted.card_time.FromSeconds(turn_seconds)
    table_id = await players[0].create_table(wanted)
    for player in players[1:]:
        await player.sit_down(table_id)
    return Party(table_id, players, histories)


def dropping_at(
    player: ScriptedPlayer, history: History, counts: Sequence[int]
) -> Callable[[gateway_pb2.StreamItem], None]:
    """An observer that loses the connection whenever so many items have come."""
    left = list(counts)

    def observe(item: gateway_pb2.StreamItem) -> None:
        history.observe(item)
        if left and len(history.items) >= left[0]:
            left.pop(0)
            player.drop()

    return observe
