"""What a muted player says reaches everybody but who muted him, though it is encoded once for many."""

import asyncio
import random
from dataclasses import replace

from belot.table.v1 import view_pb2
from belot_events.channels import table_channel
from belot_events.wire import encode_batch
from support.virtual_time import VirtualLoop, run_virtually
from support.watched_table import TABLE, WatchedTable, gateway


def test_a_hidden_message_comes_as_its_number_to_the_seats_that_muted_the_speaker_and_whole_to_all_others() -> None:
    async def scene(virtual: VirtualLoop) -> None:
        table = WatchedTable(virtual.clock, view_pb2.TableOptions())
        async with gateway(virtual.clock, table) as shown:
            players = ("ana", "bo", "clara", "dmitri")
            for seat, player in enumerate(players):
                table.sit(seat, player)
            async with (
                shown.eyes("ana") as ana,
                shown.eyes("bo") as bo,
                shown.eyes("clara") as clara,
                shown.eyes("eva") as eva,
            ):
                everybody = (ana, bo, clara, eva)
                for eyes in everybody:
                    eyes.follow()
                await asyncio.sleep(1)
                sequence = say(table, "ana", (1, 3))
                await asyncio.sleep(1)
                for eyes in everybody:
                    item = eyes.items[-1][1]
                    assert item.sequence == sequence
                    assert item.WhichOneof("kind") == ("hidden" if eyes is bo else "event")
                    assert item.event.said.text == ("" if eyes is bo else "hm")

    run_virtually(scene, random.Random(1))


def say(table: WatchedTable, player_id: str, hidden_from: tuple[int, ...]) -> int:
    """Something is said that some seats do not hear."""
    bus, table.bus = table.bus, None
    sequence = table.happen(view_pb2.TableEvent(said=view_pb2.Said(seat=0, player_id=player_id, text="hm")))
    table.log[-1] = replace(table.log[-1], hidden_from=hidden_from)
    table.bus = bus
    assert bus is not None
    bus.publish(table_channel(TABLE), encode_batch(table.log[-1:]))
    return sequence
