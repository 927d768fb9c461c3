"""The yardsticks: a bare grpc.aio unary echo, and what bare grpc.aio keeps of a stream that says nothing.

Server and client are processes of their own, over loopback.
"""

import asyncio
import multiprocessing
import multiprocessing.connection
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, contextmanager

import grpc

from bench.processes import memory_by_service

_ECHO = "/belot.bench.Echo/Echo"
_STAY = "/belot.bench.Echo/Stay"


class _EchoHandler(grpc.GenericRpcHandler):
    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        if handler_call_details.method == _STAY:
            return grpc.stream_stream_rpc_method_handler(_stay)
        return grpc.unary_unary_rpc_method_handler(_echo)


async def _echo(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    return request


async def _stay(requests: AsyncIterator[bytes], context: grpc.aio.ServicerContext[bytes, bytes]) -> None:
    async for request in requests:
        await context.write(request)


def _serve(ready: multiprocessing.connection.Connection) -> None:
    async def main() -> None:
        server = grpc.aio.server()
        server.add_generic_rpc_handlers((_EchoHandler(),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        ready.send(port)
        await server.wait_for_termination()

    asyncio.run(main())


async def _call(port: int, seconds: float, concurrency: int) -> float:
    async with grpc.aio.insecure_channel(f"127.0.0.1:{port}") as channel:
        echo: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_ECHO)
        stop = time.perf_counter() + seconds
        calls = 0

        async def caller() -> None:
            nonlocal calls
            while time.perf_counter() < stop:
                await echo(b"x" * 64)
                calls += 1

        began = time.perf_counter()
        await asyncio.gather(*(caller() for _ in range(concurrency)))
        return calls / (time.perf_counter() - began)


async def _hold(port: int, pid: int, streams: int) -> float:
    async with AsyncExitStack() as stack:
        before = memory_by_service({"": pid})[""]
        for _ in range(streams):
            own = [("grpc.use_local_subchannel_pool", 1)]
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(f"127.0.0.1:{port}", own))
            call: grpc.aio.StreamStreamCall[bytes, bytes] = channel.stream_stream(_STAY)()
            stack.callback(call.cancel)
            await call.write(b"x" * 600)
            await call.read()
        return (memory_by_service({"": pid})[""] - before) / streams


@contextmanager
def _server() -> Iterator[tuple[int, int]]:
    """A running server: its port, its pid."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(there,), daemon=True)
    server.start()
    try:
        assert server.pid is not None
        yield here.recv(), server.pid
    finally:
        server.kill()
        server.join()


def echo_calls_per_second(seconds: float, concurrency: int = 32) -> float:
    """Unary echo calls a second with ``concurrency`` callers, 64 octets each way."""
    with _server() as (port, _):
        return asyncio.run(_call(port, seconds, concurrency))


def bare_stream_kib(streams: int = 800) -> float:
    """What a stream on a connection of its own takes of a bare server's memory (PSS), KiB."""
    with _server() as (port, pid):
        return asyncio.run(_hold(port, pid, streams))
