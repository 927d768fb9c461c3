"""The bus over a real Valkey: confirmed subscriptions, order, and honest news of lost connections."""

import asyncio
import tempfile
import uuid
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from belot_kit.bus import Bus, BusOptions
from belot_kit.embedded import embedded_valkey
from belot_kit.errors import DomainError, Reason
from belot_kit.resp import open_link, parse_url
from belot_kit.tasks import background


@pytest.fixture
async def bus(valkey: str) -> AsyncIterator[Bus]:
    """A connected bus."""
    made = Bus(BusOptions(valkey))
    async with background(made.run()):
        await made.wait_connected()
        yield made


@pytest.fixture
def channel() -> str:
    """A channel nobody else uses."""
    return f"kit:{uuid.uuid4()}"


class Listener:
    """Collects what a subscription is told."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[bytes] = asyncio.Queue()
        self.gaps: asyncio.Queue[None] = asyncio.Queue()

    def on_message(self, payload: bytes) -> None:
        """Collect."""
        self.messages.put_nowait(payload)

    def on_gap(self) -> None:
        """Count."""
        self.gaps.put_nowait(None)


async def cut_connections(url: str) -> None:
    """Let the server cut everyone's connections, the subscribed ones first."""
    link = await open_link(url, name="kit-test-cutter")
    for kind in ("pubsub", "normal"):
        link.send("CLIENT", "KILL", "TYPE", kind, "SKIPME", "yes")
    replies = 0
    while replies < 2:
        replies += len(await link.receive())
    await link.close()


async def test_what_is_published_after_the_confirmation_arrives_in_order(bus: Bus, channel: str) -> None:
    listener = Listener()
    await bus.subscribe(channel, listener.on_message, listener.on_gap)
    counts = await asyncio.gather(*(bus.publish(channel, str(number).encode()) for number in range(500)))
    assert set(counts) == {1}
    assert [int(await listener.messages.get()) for _ in range(500)] == list(range(500))
    assert listener.gaps.empty()


async def test_a_channel_without_listeners_is_given_up(bus: Bus, channel: str) -> None:
    first, second = Listener(), Listener()
    one = await bus.subscribe(channel, first.on_message, first.on_gap)
    two = await bus.subscribe(channel, second.on_message, second.on_gap)
    one.close()
    await bus.publish(channel, b"only the second")
    assert await second.messages.get() == b"only the second"
    assert first.messages.empty()
    two.close()
    again = Listener()  # a round trip on the same connection, so that the unsubscription has arrived
    await bus.subscribe(f"{channel}:other", again.on_message, again.on_gap)
    assert await bus.publish(channel, b"nobody") == 0


async def test_a_channel_left_and_taken_up_again_is_confirmed_anew(bus: Bus, channel: str) -> None:
    listener = Listener()
    for _ in range(20):
        (await bus.subscribe(channel, listener.on_message, listener.on_gap)).close()
    await bus.subscribe(channel, listener.on_message, listener.on_gap)
    assert await bus.publish(channel, b"x") == 1
    assert await listener.messages.get() == b"x"


async def test_listeners_are_told_of_a_lost_connection_after_they_are_subscribed_again(
    bus: Bus, channel: str, valkey: str
) -> None:
    listener = Listener()
    await bus.subscribe(channel, listener.on_message, listener.on_gap)
    await cut_connections(valkey)
    async with asyncio.timeout(5):
        await listener.gaps.get()
        await bus.wait_connected()
    assert await bus.publish(channel, b"after") == 1
    assert await listener.messages.get() == b"after"


async def test_publishing_without_a_server_fails_at_once_and_works_again_later(channel: str) -> None:
    with tempfile.TemporaryDirectory(prefix="belot-kit-") as folder:
        data = Path(folder) / "vk"
        server = embedded_valkey(data)
        bus = Bus(BusOptions(server.__enter__().url))
        async with background(bus.run()):
            await bus.wait_connected()
            server.__exit__(None, None, None)
            with pytest.raises(DomainError) as refused:
                await bus.publish(channel, b"lost")
            assert refused.value.reason is Reason.UNAVAILABLE
            with embedded_valkey(data):
                await asyncio.wait_for(bus.wait_connected(), 5)
                assert await bus.publish(channel, b"again") == 0


async def test_a_subscription_that_is_not_confirmed_in_time_is_refused(tmp_path: Path) -> None:
    bus = Bus(BusOptions(f"unix://{tmp_path}/nothing.sock"))
    listener = Listener()
    async with background(bus.run()):
        with pytest.raises(DomainError) as refused:
            await bus.subscribe("x", listener.on_message, listener.on_gap, timeout_s=0.05)
    assert refused.value.reason is Reason.UNAVAILABLE


async def test_other_commands_share_the_publishing_connection(bus: Bus, channel: str) -> None:
    set_, got, deleted = await asyncio.gather(
        bus.execute("SET", channel, b"1", "PX", "60000"), bus.execute("GET", channel), bus.execute("DEL", channel)
    )
    assert (set_, got, deleted) == (b"OK", b"1", 1) or (set_, got, deleted) == ("OK", b"1", 1)
    with pytest.raises(DomainError):
        await bus.execute("NO-SUCH-COMMAND")


def test_a_password_is_in_no_representation_of_an_address() -> None:
    address = parse_url("rediss://user:s3cret@cache.example:6380")
    assert (address.host, address.port, address.tls, address.password) == ("cache.example", 6380, True, "s3cret")
    assert "s3cret" not in repr(address)


@pytest.mark.parametrize("url", ["http://x", "unix://", "redis://"])
def test_an_address_of_another_kind_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="unix:///path"):
        parse_url(url)
