"""People who look at a table in every way there is while its match goes on, and keep all that they were told."""

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import grpc
from google.protobuf.message import Message
from google.rpc import error_details_pb2  # type: ignore[import-untyped]

from belot.common.v1 import common_pb2
from belot.gateway.v1 import gateway_pb2
from belot.rules.v1 import match_pb2
from belot_kit.errors import DOMAIN, decode_error
from hostile.headers import Beside, Metadata
from hostile.rpcs import Rpc, every_rpc
from hostile.sending import Answer, send
from support.scripted import ScriptedPlayer

_PAUSE_SECONDS: Final = 0.4
_CHEATS: Final = 0.25
LOOKING: Final = tuple(
    rpc
    for rpc in every_rpc()
    if rpc.service == "gateway" and rpc.reads and {"table_id", "match_id"} & set(rpc.request.DESCRIPTOR.fields_by_name)
)
"""Every public rpc that reads something of one table or match."""


@dataclass(frozen=True, slots=True)
class Told:
    """A message that somebody got: when (unix ms), after which event at the earliest and the latest, how."""

    at_ms: float
    first: int
    last: int
    message: Message = field(repr=False)
    by: str


@dataclass(slots=True)
class Notebook:
    """All that one viewer was told of a table; `seat` None: a spectator. `head` is the last number he has seen."""

    seat: int | None
    told: list[Told] = field(default_factory=list)
    head: int = 0
    match_id: str = "unknown"

    def stream(self, item: gateway_pb2.StreamItem) -> None:
        """An item of a stream."""
        if item.table_id and item.WhichOneof("kind") in ("snapshot", "event", "hidden"):
            self.head = item.sequence
        reply = item.HasField("reply")
        self.told.append(Told(time.time() * 1000, self.head, -1 if reply else self.head, item, "stream"))

    def answer(self, rpc: Rpc, before: int, answer: Answer) -> None:
        """The answer to an rpc that was sent when `before` was the last number."""
        for octets in answer.messages:
            message = rpc.response.FromString(octets)
            at = message.table.sequence if isinstance(message, gateway_pb2.GetTableResponse) else 0
            if isinstance(message, gateway_pb2.GetTableResponse):
                self.match_id = message.table.summary.match_id or self.match_id
            self.told.append(Told(time.time() * 1000, at or before, at or -1, message, rpc.name))
        for octets in answer.status:
            error = decode_error(octets)
            info = error_details_pb2.ErrorInfo(reason=error.message, domain=DOMAIN, metadata=error.metadata)
            self.told.append(Told(time.time() * 1000, before, -1, info, f"{rpc.name} refused"))


class PryingPlayer(ScriptedPlayer):
    """Plays on, but now and then tries a card that he may not play, or does not have, first."""

    notebook: Notebook

    async def _act(self, table_id: str, legal: match_pb2.LegalActions) -> None:
        if self.rng.random() < _CHEATS:
            card = self.rng.choice([each for each in range(1, 33) if each not in legal.cards])
            request = gateway_pb2.PlayCardRequest(
                request_id=f"cheat-{self.rng.getrandbits(40)}", table_id=table_id, card=common_pb2.Card.ValueType(card)
            )
            before = self.notebook.head
            answer = await send(self._channel, _PLAY_CARD, (request.SerializeToString(),), Beside(self.metadata))
            self.notebook.answer(_PLAY_CARD, before, answer)
        await super()._act(table_id, legal)


_PLAY_CARD: Final = next(rpc for rpc in every_rpc() if rpc.path == "/belot.gateway.v1.PlayService/PlayCard")


async def pry(
    channel: grpc.aio.Channel, metadata: Metadata, table_id: str, notebook: Notebook, rng: random.Random
) -> None:
    """Ask everything about a table and its match, again and again, until cancelled."""
    while True:
        for rpc in rng.sample(LOOKING, len(LOOKING)):
            request = rpc.request()
            known = {"table_id": table_id, "match_id": notebook.match_id, "decisions": rng.choice((0, 1, 5, 40))}
            for name in known.keys() & set(request.DESCRIPTOR.fields_by_name):
                setattr(request, name, known[name])
            before = notebook.head
            answer = await send(channel, rpc, (request.SerializeToString(),), Beside(metadata))
            notebook.answer(rpc, before, answer)
            await asyncio.sleep(_PAUSE_SECONDS)


def octets_of(notebooks: Sequence[Notebook], until_ms: float) -> bytes:
    """All that was told before a moment, as octets."""
    early = (each for book in notebooks for each in book.told if each.at_ms < until_ms)
    return b"\n".join(each.message.SerializeToString() for each in early)
