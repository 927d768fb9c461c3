"""Every rpc of every service, out of the generated descriptors: one that is added tomorrow is in the list tomorrow."""

import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from google.protobuf.descriptor import FileDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

import belot
from belot_cli.main import SERVICES

_READING = (
    "Analyse",
    "Get",
    "List",
    "Find",
    "Explain",
    "Compare",
    "Describe",
    "Score",
    "Replay",
    "Choose",
    "Apply",
    "StartMatch",
)
"""How names of rpcs begin that never change anything. (FindInvitation and StartMatch only compute or look up.)"""


@dataclass(frozen=True, slots=True)
class Rpc:
    """One rpc: `path` as gRPC has it, the `service` of the fleet that serves it ("gateway"), its messages."""

    path: str
    service: str
    name: str
    request: type[Message]
    response: type[Message]
    streams_requests: bool
    streams_responses: bool

    @property
    def reads(self) -> bool:
        """Whether it only reads."""
        return self.name.startswith(_READING)

    @property
    def short(self) -> str:
        """Its name for people: ``gateway PlayService.Bid``."""
        return f"{self.service} {self.path.rpartition('.')[2].replace('/', '.')}"


def files() -> Iterator[FileDescriptor]:
    """Every generated proto file."""
    for root in map(Path, belot.__path__):  # packages without __init__: nothing but their files names them
        for file in sorted(root.rglob("*_pb2.py")):
            name = ".".join(("belot", *file.relative_to(root).with_suffix("").parts))
            yield importlib.import_module(name).DESCRIPTOR


@cache
def every_rpc() -> tuple[Rpc, ...]:
    """Every rpc whose service `belot serve` can run, in the order of their paths; see `not_served`."""
    found = [_rpc(method) for file in files() for each in file.services_by_name.values() for method in each.methods]
    return tuple(sorted((rpc for rpc in found if rpc.service in SERVICES), key=lambda rpc: rpc.path))


def not_served() -> tuple[str, ...]:
    """Services that have a contract and cannot be run yet."""
    names = {file.package.split(".")[1] for file in files() if file.services_by_name}
    return tuple(sorted(name for name in names if name not in SERVICES))


def _rpc(method: MethodDescriptor) -> Rpc:
    service = method.containing_service
    return Rpc(
        path=f"/{service.full_name}/{method.name}",
        service=service.full_name.split(".")[1],
        name=method.name,
        request=GetMessageClass(method.input_type),
        response=GetMessageClass(method.output_type),
        streams_requests=method.client_streaming,
        streams_responses=method.server_streaming,
    )
