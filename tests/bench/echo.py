"""The yardstick: a bare grpc.aio unary echo, server and client in processes of their own, over loopback."""

import asyncio
import multiprocessing
import multiprocessing.connection
import time

import grpc

_METHOD = "/belot.bench.Echo/Echo"


class _EchoHandler(grpc.GenericRpcHandler):
    def service(self, handler_call_details: grpc.HandlerCallDetails) -> "grpc.RpcMethodHandler[bytes, bytes]":
        return grpc.unary_unary_rpc_method_handler(_echo)


async def _echo(request: bytes, context: grpc.aio.ServicerContext[bytes, bytes]) -> bytes:
    return request


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
        echo: grpc.aio.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(_METHOD)
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


def echo_calls_per_second(seconds: float, concurrency: int = 32) -> float:
    """Unary echo calls a second with ``concurrency`` callers, 64 octets each way."""
    spawn = multiprocessing.get_context("spawn")
    here, there = spawn.Pipe()
    server = spawn.Process(target=_serve, args=(there,), daemon=True)
    server.start()
    try:
        return asyncio.run(_call(here.recv(), seconds, concurrency))
    finally:
        server.kill()
        server.join()
