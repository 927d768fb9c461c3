"""Commands on their way: kept until they are answered, so that a new stream says them again."""

import asyncio
import secrets
from collections.abc import Iterator
from dataclasses import dataclass

from belot.gateway.v1 import gateway_pb2
from belot.table.v1 import table_pb2
from belot_client.errors import refused_in_stream


@dataclass(frozen=True, slots=True)
class Ack:
    """A command was done, durably: the table's version and last sequence after it."""

    version: int
    sequence: int


class Calls:
    """The unanswered commands of one session."""

    def __init__(self) -> None:
        """None yet."""
        self._last = 0
        self._open: dict[int, tuple[gateway_pb2.PlayItem, asyncio.Future[Ack]]] = {}

    def begin(
        self, table_id: str, action: table_pb2.TableAction, request_id: str
    ) -> "tuple[gateway_pb2.PlayItem, asyncio.Future[Ack]]":
        """What is to be said, and what its answer will be in; `forget` it in the end. An empty request id is drawn."""
        self._last += 1
        command = gateway_pb2.ClientCommand(
            call_id=self._last, table_id=table_id, request_id=request_id or secrets.token_hex(16), action=action
        )
        item = gateway_pb2.PlayItem(command=command)
        answer: asyncio.Future[Ack] = asyncio.get_running_loop().create_future()
        self._open[self._last] = item, answer
        return item, answer

    def forget(self, item: gateway_pb2.PlayItem) -> None:
        """Nobody waits for its answer any more."""
        self._open.pop(item.command.call_id, None)

    def unanswered(self) -> Iterator[gateway_pb2.PlayItem]:
        """What a new stream must say again, oldest first."""
        return (item for item, _ in tuple(self._open.values()))

    def answered(self, reply: gateway_pb2.CommandReply) -> None:
        """An answer came, maybe for the second time."""
        _, answer = self._open.get(reply.call_id, (None, None))
        if answer is None or answer.done():
            return
        if reply.HasField("ack"):
            answer.set_result(Ack(reply.ack.version, reply.ack.sequence))
        else:
            answer.set_exception(refused_in_stream(reply.refusal))

    def fail(self, error: Exception) -> None:
        """No answer will come."""
        for _, answer in self._open.values():
            if not answer.done():
                answer.set_exception(error)
                answer.exception()
