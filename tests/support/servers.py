"""The PostgreSQL and Valkey of a test run: addresses by environment, else containers, else embedded servers.

Set BELOT_TEST_POSTGRES_DSN and BELOT_TEST_VALKEY_URL to test against servers of your own. Containers are taken only
where a Docker engine answers and already has the images: nothing is downloaded.
"""

import contextlib
import os
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from belot_kit.embedded import PostgresAddress, embedded_postgres, embedded_valkey

POSTGRES_VARIABLE = "BELOT_TEST_POSTGRES_DSN"
VALKEY_VARIABLE = "BELOT_TEST_VALKEY_URL"
POSTGRES_IMAGE = "postgres:18"
VALKEY_IMAGE = "valkey/valkey:9"


@contextmanager
def postgres_for_tests(directory: Path, *, durable: bool = False) -> Iterator[PostgresAddress]:
    """A PostgreSQL whose administrator we are. `durable` asks for fsync where the server is ours to configure."""
    given = os.environ.get(POSTGRES_VARIABLE)
    with ExitStack() as stack:
        if given:
            yield address_of(given)
        elif docker_has(POSTGRES_IMAGE):
            yield stack.enter_context(_postgres_container())
        else:
            yield stack.enter_context(embedded_postgres(directory / "postgres", durable=durable))


@contextmanager
def valkey_for_tests(directory: Path) -> Iterator[str]:
    """The URL of a Valkey."""
    given = os.environ.get(VALKEY_VARIABLE)
    with ExitStack() as stack:
        if given:
            yield given
        elif docker_has(VALKEY_IMAGE):
            yield stack.enter_context(_valkey_container())
        else:
            yield stack.enter_context(embedded_valkey(directory / "valkey")).url


def address_of(dsn: str) -> PostgresAddress:
    """A connection string taken apart, so that tests can name other databases on the same server."""
    parts = urlsplit(dsn)
    query = parse_qs(parts.query)
    host = query["host"][0] if "host" in query else parts.hostname or "localhost"
    port = int(query["port"][0]) if "port" in query else parts.port or 5432
    return PostgresAddress(host, port, unquote(parts.username or "postgres"), unquote(parts.password or ""))


def docker_has(image: str) -> bool:
    """Whether a Docker engine answers on its socket and has the image (asked raw: a client is slow to say no)."""
    path = Path(os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://"))
    request = f"GET /images/{image}/json HTTP/1.0\r\nHost: docker\r\n\r\n"
    with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as engine:
        engine.settimeout(1.0)
        engine.connect(str(path))
        engine.sendall(request.encode())
        return b" 200 " in engine.recv(64)
    return False


@contextmanager
def _postgres_container() -> Iterator[PostgresAddress]:
    from testcontainers.postgres import PostgresContainer

    with PostgresContainer(POSTGRES_IMAGE, username="postgres", password="postgres", dbname="postgres") as server:
        port = int(server.get_exposed_port(5432))
        yield PostgresAddress(server.get_container_host_ip(), port, "postgres", "postgres")


@contextmanager
def _valkey_container() -> Iterator[str]:
    from testcontainers.redis import RedisContainer

    with RedisContainer(VALKEY_IMAGE) as server:
        yield f"redis://{server.get_container_host_ip()}:{server.get_exposed_port(6379)}"
