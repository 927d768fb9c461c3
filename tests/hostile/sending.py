"""Sends octets to an rpc and keeps what came back, unary or streaming alike."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TypeAlias, cast

import grpc
from google.protobuf.message import Message

from belot_kit.errors import STATUS_KEY, decode_error
from hostile.headers import Beside, Metadata
from hostile.rpcs import Rpc

_UnaryCall: TypeAlias = "grpc.aio.UnaryUnaryMultiCallable[bytes, bytes]"
_WatchCall: TypeAlias = "grpc.aio.UnaryStreamMultiCallable[bytes, bytes]"
_TalkCall: TypeAlias = "grpc.aio.StreamStreamMultiCallable[bytes, bytes]"

_WATCH_SECONDS = 0.15
"""How long a stream that would go on for ever is listened to."""

_MOST_HEARD = 30
_STREAM_SECONDS = 10.0


@dataclass(frozen=True, slots=True)
class Answer:
    """How an rpc ended: its code, the status octets beside it, the messages before it; `cut`: we hung up ourselves."""

    code: grpc.StatusCode
    details: str = ""
    status: tuple[bytes, ...] = ()
    messages: tuple[bytes, ...] = field(default=(), repr=False)
    cut: bool = False


async def send(channel: grpc.aio.Channel, rpc: Rpc, octets: Sequence[bytes], beside: Beside) -> Answer:
    """One call; several `octets` are the messages of one stream."""
    heard: list[bytes] = []
    try:
        if not rpc.streams_responses:
            call: _UnaryCall = channel.unary_unary(rpc.path)
            heard.append(await call(octets[0], metadata=beside.metadata, timeout=beside.seconds))
            return Answer(grpc.StatusCode.OK, messages=tuple(heard))
        if rpc.streams_requests:
            return await _converse(channel, rpc, octets, beside, heard)
        return await _watch(channel, rpc, octets[0], beside, heard)
    except grpc.aio.AioRpcError as error:
        trailing = error.trailing_metadata() or ()
        status = tuple(value for key, value in trailing if key == STATUS_KEY and isinstance(value, bytes))
        return Answer(error.code(), error.details() or "", status, tuple(heard))


async def ask(channel: grpc.aio.Channel, rpc: Rpc, request: Message, metadata: Metadata) -> Message | str:
    """The answer to a unary call, or the reason of its refusal."""
    answer = await send(channel, rpc, (request.SerializeToString(),), Beside(metadata))
    if answer.code is grpc.StatusCode.OK:
        return rpc.response.FromString(answer.messages[0])
    return str(decode_error(answer.status[0]).reason) if answer.status else answer.code.name


async def _watch(channel: grpc.aio.Channel, rpc: Rpc, octets: bytes, beside: Beside, heard: list[bytes]) -> Answer:
    ask: _WatchCall = channel.unary_stream(rpc.path)
    call = ask(octets, metadata=beside.metadata, timeout=beside.seconds)
    return await _listen(call, heard, _WATCH_SECONDS)


async def _converse(
    channel: grpc.aio.Channel, rpc: Rpc, octets: Sequence[bytes], beside: Beside, heard: list[bytes]
) -> Answer:
    talk: _TalkCall = channel.stream_stream(rpc.path)
    call = talk(metadata=beside.metadata, timeout=beside.seconds)
    with suppress(asyncio.InvalidStateError, grpc.aio.AioRpcError, grpc.aio.UsageError):
        # A stream that the server has ended takes no more; why it ended is told by reading.
        for each in octets:
            await call.write(each)
        await call.done_writing()
    return await _listen(call, heard, _STREAM_SECONDS)


async def _listen(
    call: "grpc.aio.UnaryStreamCall[bytes, bytes] | grpc.aio.StreamStreamCall[bytes, bytes]",
    heard: list[bytes],
    seconds: float,
) -> Answer:
    try:
        async with asyncio.timeout(seconds):
            while len(heard) < _MOST_HEARD:
                message = await call.read()
                if message is grpc.aio.EOF:
                    return Answer(grpc.StatusCode.OK, messages=tuple(heard))
                heard.append(cast("bytes", message))
    except TimeoutError:
        pass
    finally:
        call.cancel()
    return Answer(grpc.StatusCode.OK, messages=tuple(heard), cut=True)
