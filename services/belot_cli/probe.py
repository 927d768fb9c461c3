"""Asking whether something answers: a service's ops port, a server's socket, a free port."""

import asyncio
import contextlib
import socket

_SECONDS = 1.0


async def is_ready(ops: str) -> bool:
    """Whether ``GET /readyz`` at ``unix:/path`` or ``host:port`` answers 200."""
    try:
        async with asyncio.timeout(_SECONDS):
            reader, writer = await _open(ops)
            try:
                writer.write(b"GET /readyz HTTP/1.0\r\nHost: ops\r\n\r\n")
                status = (await reader.readline()).split()
                return status[1:2] == [b"200"]
            finally:
                writer.close()
    except (OSError, TimeoutError, ValueError):
        return False


async def is_dead(address: str) -> bool:
    """Whether nobody can be listening at ``unix:/path``. A busy server, slow to answer, is not dead."""
    try:
        async with asyncio.timeout(_SECONDS):
            _, writer = await _open(address)
            writer.close()
            return False
    except (ConnectionRefusedError, FileNotFoundError):
        return True
    except (OSError, TimeoutError):
        return False


async def _open(address: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    if address.startswith("unix:"):
        return await asyncio.open_unix_connection(address.removeprefix("unix:"))
    host, port = split_address(address)
    return await asyncio.open_connection(host, port)


def split_address(address: str) -> tuple[str, int]:
    """Host and port of ``host:port`` or ``[v6]:port``. Errors: ValueError."""
    host, colon, port = address.rpartition(":")
    if not colon or not host or not port.isdecimal() or int(port) > 65_535:
        raise ValueError(f"{address} is not HOST:PORT")
    return host.strip("[]"), int(port)


def taken_because(address: str) -> str | None:
    """Why ``host:port`` cannot be listened on, or None when it can."""
    host, port = split_address(address)
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        for family, kind, protocol, _, place in found[:1]:
            with contextlib.closing(socket.socket(family, kind, protocol)) as trial:
                trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # a port just closed is free
                trial.bind(place)
    except OSError as error:
        return error.strerror or str(error)
    return None


def free_port() -> int:
    """A loopback port that nobody uses now."""
    with contextlib.closing(socket.socket()) as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
        return port
