"""What the bus promises, over Valkey and over the one in memory."""

import asyncio

from belot_kit.bus import Bus
from contract.conftest import Pubsub


class Listener:
    """Collects what a subscription is told."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.gaps: asyncio.Queue[None] = asyncio.Queue()

    async def hear(self, bus: Bus, channel: str = "c") -> None:
        """Subscribe."""
        await bus.subscribe(channel, self.messages.put_nowait, lambda: self.gaps.put_nowait(None))

    async def next(self) -> bytes:
        """The next message."""
        async with asyncio.timeout(10):
            return await self.messages.get()


async def test_what_is_published_after_the_confirmation_arrives_in_order_at_everybody(pubsub: Pubsub) -> None:
    one, two = await pubsub.connected(), await pubsub.connected()
    listeners = [Listener(), Listener()]
    await listeners[0].hear(one)
    await listeners[1].hear(two)
    heard = [await each for each in [one.publish("c", b"%d" % number) for number in range(50)]]
    assert heard == [2] * 50
    for listener in listeners:
        assert [await listener.next() for _ in range(50)] == [b"%d" % number for number in range(50)]


async def test_nobody_hears_of_other_channels_nor_after_closing(pubsub: Pubsub) -> None:
    bus = await pubsub.connected()
    listener = Listener()
    subscription = await bus.subscribe("c", listener.messages.put_nowait, lambda: None)
    assert await bus.publish("other", b"x") == 0
    subscription.close()
    await Listener().hear(bus, "last")  # its confirmation comes behind the end of the other
    assert await bus.publish("c", b"x") == 0
    assert listener.messages.empty()


async def test_a_cut_connection_is_replaced_and_told_as_a_gap(pubsub: Pubsub) -> None:
    bus = await pubsub.connected()
    listener = Listener()
    await listener.hear(bus)
    await pubsub.cut()
    async with asyncio.timeout(10):
        await listener.gaps.get()
        await bus.wait_connected()
    assert await bus.publish("c", b"after") == 1
    assert await listener.next() == b"after"


async def test_an_unknown_command_is_refused_and_costs_nothing_else(pubsub: Pubsub) -> None:
    bus = await pubsub.connected()
    refused, sound = bus.execute("NONSENSE"), bus.publish("c", b"x")
    assert await sound == 0
    assert refused.exception() is not None
