"""Every action at a table, sent again and eight times at once over two gateways or two table services: one effect.

The actions and the rpcs are found in the descriptors; one without a scene fails by its name.
"""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import cast

import asyncpg
import grpc
import pytest
import pytest_asyncio
from google.protobuf.message import Message

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2
from belot_kit.refusals import from_refusal
from hostile.arena import channels_of, patient_fleet
from hostile.mutating import BY_CONTENT, WITHOUT, actions, has_request_id, mutating, table_rpcs, unary_request
from hostile.rpcs import Rpc, every_rpc
from hostile.scenes import CARD, SCENES, Scene
from hostile.sending import ask
from support.raw_streams import RawGuest, guest

pytestmark = pytest.mark.asyncio(loop_scope="module")

AT_ONCE = 8
OPERATIONS = {rpc.path: rpc for rpc in every_rpc()}
BY_UNARY = tuple(path for path in table_rpcs())
REUSED = "REQUEST_ID_REUSED"
Said = table_pb2.Ack | str
"""What came of a command: its acknowledgement, or the reason of its refusal."""

Way = Callable[[Scene, str, table_pb2.TableAction, int], Awaitable[list[Said]]]
"""Sends an action of a scene under a request id so many times at once."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The fleet, a connection to its database, and for each (way, scene) a table that is being made ready."""

    channels: dict[str, tuple[grpc.aio.Channel, ...]]
    connection: "asyncpg.Connection[asyncpg.Record]"
    coming: dict[tuple[str, str], "asyncio.Task[Scene]"]


def _wanted() -> list[tuple[str, str]]:
    """Each scene once for each way to send what happens in it."""
    unary = [("unary", _scene_of(path)) for path in BY_UNARY]
    return [*unary, *((way, kind) for way in ("stream", "pods") for kind in actions())]


def _scene_of(path: str) -> str:
    return CARD if path.endswith("/PlayCard") else table_rpcs()[path]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def stage(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Stage]:
    """Two gateways, two table services; all tables are made ready at the same time."""
    async with AsyncExitStack() as stack:
        fleet = await stack.enter_async_context(patient_fleet(tmp_path_factory.mktemp("fleet")))
        entered = [guest(fleet.gateways[seat % 2], f"Guest {seat}") for seat in range(4)]
        four: Sequence[RawGuest] = [await stack.enter_async_context(each) for each in entered]
        connection = await asyncpg.connect(fleet.servers.dsn)
        stack.push_async_callback(connection.close)
        channels = channels_of(fleet)
        for each in (channel for found in channels.values() for channel in found):
            stack.push_async_callback(each.close)
        coming = {key: asyncio.create_task(SCENES[key[1]](four)) for key in _wanted() if key[1] in SCENES}
        yield Stage(channels, connection, coming)
        for task in coming.values():
            task.cancel()
        await asyncio.gather(*coming.values(), return_exceptions=True)


async def _scene(stage: Stage, way: str, kind: str) -> Scene:
    assert kind in SCENES, f"no scene shows what happens when {kind} is sent twice: write one in scenes.py"
    return await stage.coming[way, kind]


async def _check(stage: Stage, scene: Scene, send: Way) -> None:
    """Eight at once, one more, and another content: one effect, one answer, one refusal."""
    request_id = f"twice-{secrets.token_hex(6)}"
    answers = await send(scene, request_id, scene.action, AT_ONCE)
    answers += await send(scene, request_id, scene.action, 1)
    assert isinstance(answers[0], table_pb2.Ack), answers[0]
    assert answers == [answers[0]] * (AT_ONCE + 1)
    assert await send(scene, request_id, scene.other, 1) == [REUSED]
    kept = "SELECT count(*) FROM belot_table.table_requests WHERE table_id = $1 AND request_id = $2"
    assert await stage.connection.fetchval(kept, scene.table_id, request_id) == 1
    if scene.told:
        told = "SELECT count(*) FROM belot_table.table_events WHERE table_id = $1 AND kind = $2"
        assert await stage.connection.fetchval(told, scene.table_id, scene.told) == 1
    else:
        head = "SELECT version, sequence FROM belot_table.tables WHERE table_id = $1"
        row = await stage.connection.fetchrow(head, scene.table_id)
        assert row is not None
        assert tuple(row) == (answers[0].version, answers[0].sequence)


def _said(answer: Message | str) -> Said:
    return answer if isinstance(answer, str) else cast("table_pb2.ExecuteResponse", answer).ack


def _unary(stage: Stage, path: str) -> Way:
    """The public rpc over both gateways by turns; what it cannot say is said by another."""

    async def one(scene: Scene, rpc: Rpc, request_id: str, action: table_pb2.TableAction, number: int) -> Said:
        request = unary_request(rpc, scene.table_id, request_id, action)
        return _said(await ask(stage.channels["gateway"][number % 2], rpc, request, scene.player.metadata))

    async def send(scene: Scene, request_id: str, action: table_pb2.TableAction, times: int) -> list[Said]:
        kind = action.WhichOneof("kind")
        rpc = OPERATIONS[path if table_rpcs()[path] == kind else "/belot.gateway.v1.PlayService/Say"]
        if kind == "game":
            rpc = OPERATIONS[f"/belot.gateway.v1.PlayService/{'PlayCard' if action.game.HasField('play') else 'Bid'}"]
        return list(await asyncio.gather(*(one(scene, rpc, request_id, action, each) for each in range(times))))

    return send


def _stream(stage: Stage) -> Way:
    """Commands on Play streams, one at each gateway."""

    async def half(scene: Scene, request_id: str, action: table_pb2.TableAction, times: int, pod: int) -> list[Said]:
        commands = [
            gateway_pb2.ClientCommand(call_id=each, table_id=scene.table_id, request_id=request_id, action=action)
            for each in range(1, times + 1)
        ]
        stub = stage.channels["gateway"][pod].stream_stream(
            "/belot.gateway.v1.PlayService/Play",
            gateway_pb2.PlayRequest.SerializeToString,
            gateway_pb2.PlayResponse.FromString,
        )
        stream = stub(metadata=scene.player.metadata)
        await stream.write(gateway_pb2.PlayRequest(items=[gateway_pb2.PlayItem(command=each) for each in commands]))
        await stream.done_writing()
        replies = [item.reply async for response in stream for item in response.items if item.HasField("reply")]
        assert sorted(each.call_id for each in replies) == list(range(1, times + 1))
        return [each.ack if each.HasField("ack") else str(from_refusal(each.refusal).reason) for each in replies]

    async def send(scene: Scene, request_id: str, action: table_pb2.TableAction, times: int) -> list[Said]:
        shares = [(times + 1) // 2, times // 2]
        found = await asyncio.gather(
            *(half(scene, request_id, action, share, pod) for pod, share in enumerate(shares) if share)
        )
        return [each for some in found for each in some]

    return send


def _pods(stage: Stage) -> Way:
    """Execute at both table services by turns, past the gateways' choice of one."""

    async def one(command: table_pb2.Command, pod: int) -> Said:
        rpc = OPERATIONS["/belot.table.v1.TableService/Execute"]
        return _said(await ask(stage.channels["table"][pod], rpc, table_pb2.ExecuteRequest(command=command), ()))

    async def send(scene: Scene, request_id: str, action: table_pb2.TableAction, times: int) -> list[Said]:
        command = table_pb2.Command(
            table_id=scene.table_id, player_id=scene.player.player_id, request_id=request_id, action=action
        )
        if action.HasField("sit_down"):
            command.action.sit_down.display_name = scene.player.name
        return list(await asyncio.gather(*(one(command, each % 2) for each in range(times))))

    return send


@pytest.mark.parametrize("path", BY_UNARY)
async def test_an_rpc_at_a_table_sent_again_is_one_deed(stage: Stage, path: str) -> None:
    await _check(stage, await _scene(stage, "unary", _scene_of(path)), _unary(stage, path))


@pytest.mark.parametrize("kind", actions())
async def test_a_command_on_a_stream_sent_again_is_one_deed(stage: Stage, kind: str) -> None:
    await _check(stage, await _scene(stage, "stream", kind), _stream(stage))


@pytest.mark.parametrize("kind", actions())
async def test_a_command_sent_to_two_table_services_is_one_deed(stage: Stage, kind: str) -> None:
    await _check(stage, await _scene(stage, "pods", kind), _pods(stage))


async def test_every_rpc_that_changes_something_is_safe_to_send_twice_for_a_reason_that_is_written_down() -> None:
    without_id = {rpc.path for rpc in mutating() if not has_request_id(rpc)}
    assert without_id == BY_CONTENT.keys() | WITHOUT.keys()
